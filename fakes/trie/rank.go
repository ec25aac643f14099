package trie

// What stands at a place is found by counting leaves, of up to sixteen items
// each, and not the items in them: a map keeps no counts, which every write
// would have to pay for.

// Len counts the items.
func (m Map[V]) Len() int {
	return m.root.count() + int(m.n)
}

func (n *node[V]) count() int {
	if n == nil {
		return 0
	}
	if n.kids == nil {
		return len(n.items)
	}
	all := 0
	for _, kid := range n.kids {
		all += kid.count()
	}
	return all
}

// Rank counts the items whose key is below key.
func (m Map[V]) Rank(key uint64) int {
	n, shift, below := m.root, m.shift, 0
	switch {
	case m.ends(key):
		return n.count() + find(m.last(), key)
	case n == nil:
		return 0
	case n.kids != nil && !covers(shift, key):
		return n.count()
	}
	for n.kids != nil {
		edge := slot(key, shift)
		for _, kid := range n.kids[:edge] {
			below += kid.count()
		}
		if n = n.kids[edge]; n == nil {
			return below
		}
		shift -= nodeBits // at 0 it wraps, but there only leaves are below
	}
	return below + find(n.items, key)
}

// Key gives the key of the item that so many come before.
func (m Map[V]) Key(before int) (uint64, bool) {
	if before < 0 {
		return 0, false
	}
	if last := m.last(); len(last) > 0 {
		if inTail := before - m.root.count(); inTail >= len(last) {
			return 0, false
		} else if inTail >= 0 {
			return last[inTail].Key, true
		}
	}
	if m.root == nil {
		return 0, false
	}
	return m.root.key(before)
}

func (n *node[V]) key(before int) (uint64, bool) {
	if n.kids == nil {
		if before >= len(n.items) {
			return 0, false
		}
		return n.items[before].Key, true
	}
	for _, kid := range n.kids {
		if kid == nil {
			continue
		}
		size := kid.count()
		if before < size {
			return kid.key(before)
		}
		before -= size
	}
	return 0, false
}
