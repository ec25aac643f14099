package trie

import "sync/atomic"

// A tail has the highest keys of a map, so that a key above them costs a place in
// it and no path: what is written in order is mostly written so. All maps that
// came of one another share it; each knows how many of its items are its own,
// and whoever takes the next place first has it. The other takes a copy.
//
//	places   40 41 43 44 · ·       taken: 4
//	an older map, n = 2  ──┘ │
//	the newest, n = 4 ───────┘     may take the fifth; the older one may not take
//	                               the third, which is taken
//
// A full tail goes to the trie at once, with one path for all that is in it. A
// map without a full leaf has none.
type tail[V comparable] struct {
	taken atomic.Uint32
	items [leafSize]Item[V]
}

// last gives the items of the tail, which are never written to.
func (m Map[V]) last() []Item[V] {
	if m.tail == nil {
		return nil
	}
	return m.tail.items[:m.n:m.n]
}

// ends tells whether a key belongs in the tail, and is nowhere else.
func (m Map[V]) ends(key uint64) bool { return m.n > 0 && key >= m.tail.items[0].Key }

// exceeded tells whether a key may begin a tail: it is above all that the trie
// has, which is more than a leaf.
func (m Map[V]) exceeded(key uint64) bool {
	n := m.root
	if n == nil || n.kids == nil && len(n.items) < leafSize {
		return false
	}
	for n.kids != nil {
		last := nodeSize - 1
		for n.kids[last] == nil {
			last--
		}
		n = n.kids[last]
	}
	return key > n.items[len(n.items)-1].Key
}

// append adds an item to a tail that has room for it, behind those of its key.
func (m Map[V]) append(add Item[V]) Map[V] {
	n := uint32(m.n)
	at := int(n)
	for at > 0 && m.tail.items[at-1].Key > add.Key {
		at--
	}
	if m.n == 0 || at < int(m.n) || !m.tail.taken.CompareAndSwap(n, n+1) {
		m.tail = m.copied(n + 1)
		copy(m.tail.items[at+1:], m.tail.items[at:n])
	}
	m.tail.items[at] = add
	m.n++
	return m
}

// copied gives a tail of this map's items, in which so many places are taken.
func (m Map[V]) copied(taken uint32) *tail[V] {
	c := new(tail[V])
	copy(c.items[:], m.last())
	c.taken.Store(taken)
	return c
}

// settled moves what is in the tail to the trie.
func (m Map[V]) settled() Map[V] {
	if m.n == 0 {
		return m
	}
	moved := m.put(m.last())
	moved.tail, moved.n = nil, 0
	return moved
}

// shortened takes an item out of the tail, if it is there.
func (m Map[V]) shortened(out Item[V]) Map[V] {
	at := place(m.last(), out)
	switch {
	case at < 0:
		return m
	case m.n == 1:
		m.tail, m.n = nil, 0
		return m
	}
	now := new(tail[V])
	copy(now.items[:], m.tail.items[:at])
	copy(now.items[at:], m.tail.items[at+1:m.n])
	m.n--
	now.taken.Store(uint32(m.n))
	m.tail = now
	return m
}

// exchanged puts a value in the place of an item of the tail, if it is there.
func (m Map[V]) exchanged(old Item[V], now V) Map[V] {
	if at := place(m.last(), old); at >= 0 {
		m.tail = m.copied(uint32(m.n))
		m.tail.items[at].Value = now
	}
	return m
}
