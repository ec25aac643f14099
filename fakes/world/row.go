package world

import (
	"iter"
	"slices"

	"parity/fakes/trie"
)

// A Row is the records of a collection, or those that an index knows by one
// value, in the order of their creation and as they were when the row was
// taken. None of them is read before it is walked over, so that a page of a
// list costs what is on it: how many there are, and which place each has, is
// counted in the tries.
type Row struct {
	records trie.Map[*Record]
	orders  trie.Map[struct{}] // of those that an index leads to
	indexed bool
	count   int
	gapless bool // no order was given back: the first is 1, the next 2
	tx      *Tx
}

// Row gives the records of a collection, or with a field those that its index
// knows by a value, given as text. It is not ok where the field has no index:
// then each record has to be looked at.
func (t *Tx) Row(collection, field, value string) (row Row, ok bool) {
	table := t.table(collection)
	if table == nil {
		return Row{tx: t}, field == ""
	}
	row = Row{records: table.records, tx: t}
	if field == "" {
		row.count, row.gapless = table.count, uint64(table.count) == table.last
		return row, true
	}
	i := slices.Index(table.Indexes, field)
	if i < 0 {
		return Row{}, false
	}
	row.indexed = true
	if known := table.under(i, value); known != nil {
		row.orders, row.count = known.orders, known.orders.Len()
	}
	return row, true
}

// textsStep is how many texts are looked at for one step of work.
const textsStep = 16

// Texts walks the texts by which an index knows records, each once and in no
// order that is told. None of the records is read.
func (t *Tx) Texts(collection, field string) iter.Seq[string] {
	return func(yield func(string) bool) {
		table := t.table(collection)
		if table == nil {
			return
		}
		i, n := slices.Index(table.Indexes, field), 0
		if i < 0 {
			return
		}
		table.indexes[i].Ascend(0, func(it trie.Item[*under]) bool {
			if n++; n%textsStep == 0 {
				t.Spend(1)
			}
			return yield(it.Value.text)
		})
	}
}

// Len counts the records.
func (r Row) Len() int { return r.count }

// Rank counts the records that were made before an order.
func (r Row) Rank(order uint64) int {
	switch {
	case r.gapless:
		return min(int(max(order, 1)-1), r.count)
	case r.indexed:
		return r.orders.Rank(order)
	}
	return r.records.Rank(order)
}

// Holds tells whether a record that the collection has is in the row.
func (r Row) Holds(record *Record) bool {
	return !r.indexed || len(r.orders.Of(record.Order)) > 0
}

// From walks the records from the one that so many come before: to the newest,
// or where down is set to the oldest.
func (r Row) From(before int, down bool) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		first, ok := r.order(before)
		if !ok {
			return
		}
		read := func(record *Record) bool {
			r.tx.met(record)
			return yield(record)
		}
		if !r.indexed {
			walk(r.records, first, down, func(it trie.Item[*Record]) bool { return read(it.Value) })
			return
		}
		walk(r.orders, first, down, func(it trie.Item[struct{}]) bool {
			found := r.records.Of(it.Key)
			return len(found) == 0 || read(found[0].Value)
		})
	}
}

// order gives the order of the record that so many come before.
func (r Row) order(before int) (uint64, bool) {
	switch {
	case before < 0 || before >= r.count:
		return 0, false
	case r.gapless:
		return uint64(before) + 1, true
	case r.indexed:
		return r.orders.Key(before)
	}
	return r.records.Key(before)
}

func walk[V comparable](m trie.Map[V], from uint64, down bool, yield func(trie.Item[V]) bool) {
	if down {
		m.Descend(from, yield)
		return
	}
	m.Ascend(from, yield)
}
