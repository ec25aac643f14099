package faults

import (
	"hash/maphash"
	"iter"

	"parity/fakes/trie"
)

// A book remembers the entries that were written last, in two generations. A
// write goes to the young one; once that is half of the bound, it becomes the
// old one, and what only the old one before it knew is forgotten, at no cost.
//
//	written ──▶ young ──when half of the bound──▶ old ──▶ forgotten
//	              ▲                                │
//	              └────────── written again ───────┘
//
// So what is forgotten was written before all that is kept; at least half of
// the bound is remembered, and never more than all of it. What a book holds is
// immutable: a copy of a book is a fork of it.
type book[K comparable, V any] struct {
	seed       maphash.Seed // places keys in the tries; no answer follows their order
	half       int
	young, old trie.Map[*entry[K, V]]
	size       int // of young
}

// An entry is frozen.
type entry[K comparable, V any] struct {
	key   K
	value V
}

func newBook[K comparable, V any](seed maphash.Seed, bound int) book[K, V] {
	return book[K, V]{seed: seed, half: bound / 2}
}

// get gives what was last written for a key; nil when that is nothing, or is
// forgotten.
func (b *book[K, V]) get(key K) *V {
	hash := maphash.Comparable(b.seed, key)
	if found := pick(b.young, hash, key); found != nil {
		return &found.value
	}
	if found := pick(b.old, hash, key); found != nil {
		return &found.value
	}
	return nil
}

// set writes an entry, and gives the generation that it made the book forget:
// mostly an empty one.
func (b *book[K, V]) set(key K, value V) (forgotten trie.Map[*entry[K, V]]) {
	hash, add := maphash.Comparable(b.seed, key), &entry[K, V]{key, value}
	if was := pick(b.young, hash, key); was != nil {
		add.key = was.key // the strings of one event are not kept alive for each
		b.young = b.young.Swap(hash, was, add)
		return forgotten
	}
	b.young, b.size = b.young.Put(hash, add), b.size+1
	if b.size >= b.half {
		forgotten = b.old
		b.old, b.young, b.size = b.young, trie.Map[*entry[K, V]]{}, 0
	}
	return forgotten
}

func pick[K comparable, V any](in trie.Map[*entry[K, V]], hash uint64, key K) *entry[K, V] {
	for _, candidate := range in.Of(hash) {
		if candidate.Value.key == key {
			return candidate.Value
		}
	}
	return nil
}

// all gives each entry once, in no order that means anything, and whether it
// is of the young generation.
func (b *book[K, V]) all() iter.Seq2[*entry[K, V], bool] {
	return func(yield func(*entry[K, V], bool) bool) {
		more := true
		b.young.Ascend(0, func(it trie.Item[*entry[K, V]]) bool {
			more = yield(it.Value, true)
			return more
		})
		if !more {
			return
		}
		b.old.Ascend(0, func(it trie.Item[*entry[K, V]]) bool {
			return pick(b.young, it.Key, it.Value.key) != nil || yield(it.Value, false)
		})
	}
}
