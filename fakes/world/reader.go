package world

import (
	"iter"
	"math"
	"slices"
	"strings"

	"parity/fakes/trie"
)

// A Reader is a World, or a Tx with its own writes in sight. A collection that
// is not declared reads as an empty one.
type Reader interface {
	Getter
	Lister
	Ranker
}

// A Getter looks up single records.
type Getter interface {
	// Get gives the record with that id.
	Get(collection, id string) (*Record, bool)
	// Len counts a collection's records.
	Len(collection string) int
}

// A Lister walks records by Order, the order of their creation. A loop over a
// Tx sees the collection as it was when the loop began, so its body may write.
type Lister interface {
	// Newest walks a collection from the newest record to the oldest, starting
	// below the order before; 0 starts at the newest.
	Newest(collection string, before uint64) iter.Seq[*Record]
	// Oldest walks a collection from the oldest record to the newest, starting
	// above the order after.
	Oldest(collection string, after uint64) iter.Seq[*Record]
	// Find is Newest of those records alone whose field has that value, given
	// as text. A field that is not a declared index is found by a walk over
	// the whole collection.
	Find(collection, field, value string, before uint64) iter.Seq[*Record]
}

func (v *view) Get(collection, id string) (*Record, bool) {
	if t := v.table(collection); t != nil {
		return t.get(id)
	}
	return nil, false
}

func (v *view) Len(collection string) int {
	if t := v.table(collection); t != nil {
		return t.count
	}
	return 0
}

func (v *view) Newest(collection string, before uint64) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		if t := v.table(collection); t != nil {
			t.newest(before, yield)
		}
	}
}

func (v *view) Oldest(collection string, after uint64) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		if t := v.table(collection); t != nil {
			t.oldest(after, yield)
		}
	}
}

func (v *view) Find(collection, field, value string, before uint64) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		if t := v.table(collection); t != nil {
			t.find(field, value, before, yield)
		}
	}
}

// Collections lists the names of all that is not hidden, sorted.
func (v *view) Collections() []string {
	names := make([]string, 0, len(v.schema.collections))
	for _, d := range v.schema.collections {
		if !d.Hidden {
			names = append(names, d.Name)
		}
	}
	return names
}

// from gives the highest order that a walk starting below before may meet.
func from(before uint64) uint64 {
	if before == 0 {
		return math.MaxUint64
	}
	return before - 1
}

func (t *table) newest(before uint64, yield func(*Record) bool) {
	t.records.Descend(from(before), func(it trie.Item[*Record]) bool { return yield(it.Value) })
}

func (t *table) oldest(after uint64, yield func(*Record) bool) {
	t.records.Ascend(after, func(it trie.Item[*Record]) bool { return it.Key == after || yield(it.Value) })
}

func (t *table) find(field, value string, before uint64, yield func(*Record) bool) {
	i := slices.Index(t.Indexes, field)
	if i < 0 {
		t.scan(field, value, before, yield)
		return
	}
	if known := t.under(i, value); known != nil {
		known.orders.Descend(from(before), func(it trie.Item[struct{}]) bool {
			r, ok := t.at(it.Key)
			return !ok || yield(r)
		})
	}
}

func (t *table) scan(field, value string, before uint64, yield func(*Record) bool) {
	path := strings.Split(field, ".")
	t.newest(before, func(r *Record) bool {
		text, ok := indexText(r.At(path...))
		return !ok || text != value || yield(r)
	})
}
