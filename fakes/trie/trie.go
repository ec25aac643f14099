// Package trie has the one structure that a run's state is made of: a sorted
// multimap from numbers that is never written to.
//
//	shift 8   [ 0 1 … 15 ]        each level looks at four bits of the key
//	shift 4   [ 0 1 … 15 ]
//	leaf      16: a, 17: b, …     up to leafSize items, sorted
//
//	tail      52: c, 53: d        the highest keys, in the order they came
//
// A write gives another map that shares with the old one all but one leaf and
// the nodes above it, which is the cost that every exchange pays: its state is
// published after each. Keys that grow, such as orders and instants, pay it once
// for many: see tail. So a fork is a copy of a pointer. Keys without gaps
// make full leaves and a low trie; hashes are spread evenly. A key is found
// without comparing it on the way.
package trie

import (
	"math/bits"
	"slices"
)

// A Map is a sorted multimap from numbers, whose copies share what they have
// in common: Put, Drop and Swap leave m as it is and give another. So any
// number of goroutines may hold maps of one origin, with no lock and no owner.
// The zero Map is empty.
type Map[V comparable] struct {
	root  *node[V]
	tail  *tail[V] // nil when n is 0; its keys are above those of root
	shift uint8    // of the root, when it is no leaf
	n     uint8    // how many items of the tail are of this map
}

// Among 20,000 records an insert with two indexes copies 3.3 KB in 33
// allocations. With three bits a level it is 3.1 KB in 40, with five 4.6 KB in
// 34, and either is slower.
const (
	nodeBits = 4
	nodeSize = 1 << nodeBits
	leafSize = nodeSize // so that a leaf of orders without gaps never splits
)

// A node is a leaf when it has no kids.
type node[V comparable] struct {
	items []Item[V]
	kids  *[nodeSize]*node[V]
}

// An Item is a key and one of its values.
type Item[V comparable] struct {
	Value V // first, so that a value without a size takes no room
	Key   uint64
}

// A branch is a node with its kids, in one allocation.
type branch[V comparable] struct {
	node[V]
	kids [nodeSize]*node[V]
}

func newBranch[V comparable]() *node[V] {
	b := new(branch[V])
	b.node.kids = &b.kids
	return &b.node
}

func (n *node[V]) clone() *node[V] {
	c := newBranch[V]()
	*c.kids = *n.kids
	return c
}

func slot(key uint64, shift uint8) int { return int(key >> shift & (nodeSize - 1)) }

// covers tells whether a root at a shift has room for a key.
func covers(shift uint8, key uint64) bool { return key>>shift < nodeSize }

// Put adds an item. Items of one key are kept beside one another.
func (m Map[V]) Put(key uint64, value V) Map[V] {
	add := Item[V]{value, key}
	if m.ends(key) {
		if m.n < leafSize {
			return m.append(add)
		}
		m = m.settled()
	}
	if m.n == 0 && m.exceeded(key) {
		return m.append(add)
	}
	return m.put([]Item[V]{add})
}

// put adds items, in order, to the trie.
func (m Map[V]) put(add []Item[V]) Map[V] {
	highest := add[len(add)-1].Key
	if m.root == nil || m.root.kids == nil {
		if m.root != nil {
			highest = max(highest, m.root.items[len(m.root.items)-1].Key)
		}
		m.shift = uint8(max(bits.Len64(highest)-1, 0) / nodeBits * nodeBits)
	}
	for !covers(m.shift, highest) { // a key larger than all before: another level
		above := newBranch[V]()
		above.kids[0] = m.root
		m.root, m.shift = above, m.shift+nodeBits
	}
	m.root = m.root.put(add, m.shift, true)
	return m
}

// put gives a copy of n, which may be nil, with more items. A leaf that has no
// room splits while there is a level below, as splits tells: at the lowest its
// items have one key.
func (n *node[V]) put(add []Item[V], shift uint8, splits bool) *node[V] {
	if n == nil || n.kids == nil {
		items := n.merged(add)
		if len(items) <= leafSize || !splits {
			return &node[V]{items: items}
		}
		return split(items, shift)
	}
	c := n.clone()
	for len(add) > 0 {
		i, some := slot(add[0].Key, shift), 1
		for some < len(add) && slot(add[some].Key, shift) == i {
			some++
		}
		c.kids[i] = c.kids[i].put(add[:some], max(shift, nodeBits)-nodeBits, shift > 0)
		add = add[some:]
	}
	return c
}

// merged gives the items of a leaf, which may be nil, and more, in order.
func (n *node[V]) merged(add []Item[V]) []Item[V] {
	if n == nil {
		return slices.Clone(add)
	}
	all, rest := make([]Item[V], 0, len(n.items)+len(add)), n.items
	for _, it := range add {
		at := find(rest, it.Key)
		all = append(append(all, rest[:at]...), it)
		rest = rest[at:]
	}
	return append(all, rest...)
}

// split spreads the items of a leaf over the kids of a branch.
func split[V comparable](items []Item[V], shift uint8) *node[V] {
	b := newBranch[V]()
	for len(items) > 0 {
		i, n := slot(items[0].Key, shift), 1
		for n < len(items) && slot(items[n].Key, shift) == i {
			n++
		}
		switch some := items[:n:n]; {
		case n > leafSize && shift > 0:
			b.kids[i] = split(some, shift-nodeBits)
		default:
			b.kids[i] = &node[V]{items: some}
		}
		items = items[n:]
	}
	return b
}

// find gives the place of the first item whose key is not below key.
func find[V comparable](items []Item[V], key uint64) int {
	low, high := 0, len(items)
	for low < high {
		if mid := (low + high) / 2; items[mid].Key < key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Drop takes out the item of a key and a value, if there is one.
func (m Map[V]) Drop(key uint64, value V) Map[V] {
	switch {
	case m.ends(key):
		return m.shortened(Item[V]{value, key})
	case m.has(key):
		m.root = m.root.drop(Item[V]{value, key}, m.shift)
	}
	return m
}

// drop gives nil when nothing is left.
func (n *node[V]) drop(out Item[V], shift uint8) *node[V] {
	if n.kids == nil {
		at := place(n.items, out)
		switch {
		case at < 0:
			return n
		case len(n.items) == 1:
			return nil
		}
		return &node[V]{items: slices.Concat(n.items[:at], n.items[at+1:])}
	}
	c, i := n.clone(), slot(out.Key, shift)
	c.kids[i] = c.kids[i].drop(out, shift-nodeBits)
	if *c.kids == [nodeSize]*node[V]{} {
		return nil
	}
	return c
}

// Swap puts the value now where old is, if it is there.
func (m Map[V]) Swap(key uint64, old, now V) Map[V] {
	switch {
	case m.ends(key):
		return m.exchanged(Item[V]{old, key}, now)
	case m.has(key):
		m.root = m.root.swap(Item[V]{old, key}, now, m.shift)
	}
	return m
}

func (n *node[V]) swap(old Item[V], now V, shift uint8) *node[V] {
	if n.kids == nil {
		at := place(n.items, old)
		if at < 0 {
			return n
		}
		items := slices.Clone(n.items)
		items[at].Value = now
		return &node[V]{items: items}
	}
	c, i := n.clone(), slot(old.Key, shift)
	c.kids[i] = c.kids[i].swap(old, now, shift-nodeBits)
	return c
}

// place gives the place of one item; -1 when it is not there.
func place[V comparable](items []Item[V], it Item[V]) int {
	for at := find(items, it.Key); at < len(items) && items[at].Key == it.Key; at++ {
		if items[at].Value == it.Value {
			return at
		}
	}
	return -1
}

// Empty tells whether there is no item at all.
func (m Map[V]) Empty() bool { return m.root == nil && m.n == 0 }

func (m Map[V]) has(key uint64) bool { return len(m.Of(key)) > 0 }

// Of gives the items of one key.
func (m Map[V]) Of(key uint64) []Item[V] {
	if m.ends(key) {
		return of(m.last(), key)
	}
	n, shift := m.root, m.shift
	if n == nil || n.kids != nil && !covers(shift, key) {
		return nil
	}
	for n.kids != nil {
		if n = n.kids[slot(key, shift)]; n == nil {
			return nil
		}
		shift -= nodeBits // at 0 it wraps, but there only leaves are below
	}
	return of(n.items, key)
}

func of[V comparable](items []Item[V], key uint64) []Item[V] {
	from := find(items, key)
	to := from
	for to < len(items) && items[to].Key == key {
		to++
	}
	return items[from:to]
}

// Descend walks from the highest key that is not above from, downwards, until
// yield is false.
func (m Map[V]) Descend(from uint64, yield func(Item[V]) bool) {
	last := m.last()
	for i := len(last) - 1; i >= 0; i-- {
		if it := &last[i]; it.Key <= from && !yield(*it) {
			return
		}
	}
	if m.root == nil {
		return
	}
	edge := m.root.kids == nil || covers(m.shift, from)
	m.root.descend(from, m.shift, edge, yield)
}

// descend knows by edge that from may lie within n; otherwise all of n is
// below it.
func (n *node[V]) descend(from uint64, shift uint8, edge bool, yield func(Item[V]) bool) bool {
	if n.kids == nil {
		for at := len(n.items) - 1; at >= 0; at-- {
			if it := &n.items[at]; it.Key <= from && !yield(*it) {
				return false
			}
		}
		return true
	}
	last := nodeSize - 1
	if edge {
		last = slot(from, shift)
	}
	for i := last; i >= 0; i-- {
		if kid := n.kids[i]; kid != nil && !kid.descend(from, shift-nodeBits, edge && i == last, yield) {
			return false
		}
	}
	return true
}

// Ascend walks from the lowest key that is not below from, upwards, until
// yield is false.
func (m Map[V]) Ascend(from uint64, yield func(Item[V]) bool) {
	above := m.root == nil || m.root.kids != nil && !covers(m.shift, from)
	if !above && !m.root.ascend(from, m.shift, true, yield) {
		return
	}
	for i := range m.last() {
		if it := &m.tail.items[i]; it.Key >= from && !yield(*it) {
			return
		}
	}
}

func (n *node[V]) ascend(from uint64, shift uint8, edge bool, yield func(Item[V]) bool) bool {
	if n.kids == nil {
		for at := range n.items {
			if it := &n.items[at]; it.Key >= from && !yield(*it) {
				return false
			}
		}
		return true
	}
	first := 0
	if edge {
		first = slot(from, shift)
	}
	for i := first; i < nodeSize; i++ {
		if kid := n.kids[i]; kid != nil && !kid.ascend(from, shift-nodeBits, edge && i == first, yield) {
			return false
		}
	}
	return true
}
