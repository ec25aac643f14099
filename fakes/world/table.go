package world

import (
	"slices"
	"strconv"

	"parity/fakes/trie"
)

// A table is one collection at one moment. It is frozen once a World holds it,
// or a walk of a Tx; since its tries are shared, a copy of it is a fork.
type table struct {
	*declared
	later   func() *table      // gives the table that this one stands for, which has nothing but its name; nil: none
	last    uint64             // the highest order ever given
	count   int                // of records
	records trie.Map[*Record]  // by order; the only trie that leads to records
	ids     trie.Map[uint64]   // orders by the hash of the id
	indexes []trie.Map[*under] // by the hash of the text, one for each of declared.paths
	sorted  []trie.Map[*under] // by the number, one for each of declared.ranks
}

// An under is the records that an index knows by one text, or by one number: then
// it has none. It is frozen.
type under struct {
	text   string
	orders trie.Map[struct{}]
}

func newTable(d *declared) *table {
	return &table{declared: d, indexes: make([]trie.Map[*under], len(d.paths)), sorted: make([]trie.Map[*under], len(d.ranks))}
}

func (t *table) get(id string) (*Record, bool) {
	for _, candidate := range t.ids.Of(t.hash(id)) {
		if r, ok := t.at(candidate.Value); ok && r.ID == id {
			return r, true
		}
	}
	return nil, false
}

// at gives the record of an order.
func (t *table) at(order uint64) (*Record, bool) {
	if found := t.records.Of(order); len(found) > 0 {
		return found[0].Value, true
	}
	return nil, false
}

// fork gives a table that can be written to, and leaves t as it is.
func (t *table) fork() *table {
	f := *t
	f.indexes, f.sorted = slices.Clone(t.indexes), slices.Clone(t.sorted)
	return &f
}

// insert adds a record whose id and order the table does not have. Where it was
// put together of fields, what is indexed is found in these.
func (t *table) insert(r *Record, of Fields) {
	t.last = max(t.last, r.Order)
	t.count++
	t.records = t.records.Put(r.Order, r)
	t.ids = t.ids.Put(t.hash(r.ID), r.Order)
	at := func(path []string) any {
		if of != nil {
			return of.at(path)
		}
		return r.At(path...)
	}
	for i, path := range t.paths {
		if text, ok := indexText(at(path)); ok {
			t.index(i, text, r.Order)
		}
	}
	for i, path := range t.ranks {
		if n, ok := at(path).(int64); ok {
			t.group(i, n, r.Order)
		}
	}
}

// replace puts r where old was: same id, same order.
func (t *table) replace(old, r *Record) {
	t.records = t.records.Swap(r.Order, old, r)
	for i, path := range t.paths {
		was, had := indexText(old.At(path...))
		is, has := indexText(r.At(path...))
		if was == is && had == has {
			continue // most updates: no index is copied
		}
		if had {
			t.unindex(i, was, r.Order)
		}
		if has {
			t.index(i, is, r.Order)
		}
	}
	t.rerank(r.Order, old, r)
}

func (t *table) remove(r *Record) {
	t.count--
	t.records = t.records.Drop(r.Order, r)
	t.ids = t.ids.Drop(t.hash(r.ID), r.Order)
	for i, path := range t.paths {
		if text, ok := indexText(r.At(path...)); ok {
			t.unindex(i, text, r.Order)
		}
	}
	t.rerank(r.Order, r, nil)
}

// under gives what an index knows by a text; nil when that is nothing.
func (t *table) under(i int, text string) *under {
	for _, candidate := range t.indexes[i].Of(t.hash(text)) {
		if candidate.Value.text == text {
			return candidate.Value
		}
	}
	return nil
}

func (t *table) index(i int, text string, order uint64) {
	old, now := t.under(i, text), &under{text: text}
	if old == nil {
		now.orders = now.orders.Put(order, struct{}{})
		t.indexes[i] = t.indexes[i].Put(t.hash(text), now)
		return
	}
	now.orders = old.orders.Put(order, struct{}{})
	t.indexes[i] = t.indexes[i].Swap(t.hash(text), old, now)
}

func (t *table) unindex(i int, text string, order uint64) {
	old := t.under(i, text)
	now := &under{text: text, orders: old.orders.Drop(order, struct{}{})}
	if now.orders.Empty() {
		t.indexes[i] = t.indexes[i].Drop(t.hash(text), old)
		return
	}
	t.indexes[i] = t.indexes[i].Swap(t.hash(text), old, now)
}

// indexText gives the text by which an index knows what a field holds.
func indexText(field any) (string, bool) {
	switch x := field.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	case bool:
		return strconv.FormatBool(x), true
	}
	return "", false
}

// reach gives what stands at a path; nil where there is nothing.
func reach(value map[string]any, path []string) any {
	var at any = value
	for _, name := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[name]
	}
	return at
}
