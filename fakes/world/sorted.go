package world

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"parity/fakes/trie"
)

// A Ranker walks records by what a field holds.
type Ranker interface {
	// Ascending walks those records whose field holds a whole number of at
	// least from, the lowest first, and those of one number by creation. A
	// field that is not declared Sorted is sorted for each walk. A loop over a
	// Tx sees the collection as it was when the loop began.
	Ascending(collection, field string, from int64) iter.Seq[*Record]
}

func (v *view) Ascending(collection, field string, from int64) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		if t := v.table(collection); t != nil {
			t.ascending(field, from, yield)
		}
	}
}

// Ascending is as Ranker has it.
func (t *Tx) Ascending(collection, field string, from int64) iter.Seq[*Record] {
	return t.frozen(collection, t.view.Ascending(collection, field, from))
}

// Lowest is the first record of Ascending, without a walk.
func (t *Tx) Lowest(collection, field string) (r *Record, ok bool) {
	if table := t.table(collection); table != nil {
		table.ascending(field, math.MinInt64, func(first *Record) bool {
			r, ok = first, true
			return false
		})
	}
	if ok {
		t.met(r)
	}
	return r, ok
}

// Latest is the first record of Find by an index, without a walk.
func (t *Tx) Latest(collection, field, value string) (r *Record, ok bool) {
	if table := t.table(collection); table != nil {
		table.find(field, value, 0, func(first *Record) bool {
			r, ok = first, true
			return false
		})
	}
	if ok {
		t.met(r)
	}
	return r, ok
}

// rank gives the key of a number in a trie, whose keys are unsigned: negative
// ones come before the rest.
func rank(n int64) uint64 { return uint64(n) ^ 1<<63 }

func (t *table) ascending(field string, from int64, yield func(*Record) bool) {
	i := slices.Index(t.Sorted, field)
	if i < 0 {
		t.sort(field, from, yield)
		return
	}
	more := true
	t.sorted[i].Ascend(rank(from), func(known trie.Item[*under]) bool {
		known.Value.orders.Ascend(0, func(it trie.Item[struct{}]) bool {
			if r, ok := t.at(it.Key); ok {
				more = yield(r)
			}
			return more
		})
		return more
	})
}

// sort is ascending of a field without an index.
func (t *table) sort(field string, from int64, yield func(*Record) bool) {
	type numbered struct {
		n int64
		r *Record
	}
	var found []numbered
	path := strings.Split(field, ".")
	t.oldest(0, func(r *Record) bool {
		if n, ok := r.At(path...).(int64); ok && n >= from {
			found = append(found, numbered{n, r})
		}
		return true
	})
	slices.SortStableFunc(found, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
	for _, f := range found {
		if !yield(f.r) {
			return
		}
	}
}

// rerank moves the record of an order in the sorted indexes from what it held
// to what it holds; nil stands for a record that is not there.
func (t *table) rerank(order uint64, old, now *Record) {
	for i, path := range t.ranks {
		was, had := old.number(path)
		is, has := now.number(path)
		if was == is && had == has {
			continue
		}
		if had {
			t.regroup(i, was, func(orders trie.Map[struct{}]) trie.Map[struct{}] { return orders.Drop(order, struct{}{}) })
		}
		if has {
			t.group(i, is, order)
		}
	}
}

// group adds an order to those that a sorted index knows by one number.
func (t *table) group(i int, n int64, order uint64) {
	t.regroup(i, n, func(orders trie.Map[struct{}]) trie.Map[struct{}] { return orders.Put(order, struct{}{}) })
}

// regroup changes the orders that a sorted index knows by one number.
func (t *table) regroup(i int, n int64, change func(trie.Map[struct{}]) trie.Map[struct{}]) {
	key, now := rank(n), new(under)
	known := t.sorted[i].Of(key)
	if len(known) == 0 {
		now.orders = change(now.orders)
		t.sorted[i] = t.sorted[i].Put(key, now)
		return
	}
	old := known[0].Value
	if now.orders = change(old.orders); now.orders.Empty() {
		t.sorted[i] = t.sorted[i].Drop(key, old)
		return
	}
	t.sorted[i] = t.sorted[i].Swap(key, old, now)
}

// number gives the number by which a sorted index knows a record.
func (r *Record) number(path []string) (int64, bool) {
	if r == nil {
		return 0, false
	}
	n, ok := r.At(path...).(int64)
	return n, ok
}
