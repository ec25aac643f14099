package world

import (
	"slices"

	"parity/fakes/tape"
	"parity/fakes/trie"
)

// A world is saved as what it has otherwise than another, which whoever loads it
// has too: the one that its run began with, or one that was saved before it.
//
//	base, records 1 2 3 ──┐
//	world, records 1 2'4 ─┴▶ Save ──▶ 2', 3 is gone, 4 ──▶ base.Load ──▶ world
//
// What the two share is passed over, and neither read nor written.

// Save writes what w has otherwise than base, which it extends.
func (w *World) Save(base *World, to *tape.Writer) {
	var lacking []Collection
	if w.schema != base.schema { // which are many, in each of many worlds of a run
		lacking = base.Lacks(w.Declared()...)
	}
	to.Number(uint64(len(lacking)))
	for _, c := range lacking {
		saveCollection(c, to)
	}
	// What services write down of others' records comes after these: see share.
	for _, quiet := range []bool{false, true} {
		for t := range w.tables() {
			if t.quiet() == quiet {
				t.save(base.table(t.Name), to)
			}
		}
	}
	to.Text("") // of no table
}

// Extends tells whether w declares all that base does, and perhaps more: what is
// loaded has all that was there before.
func (w *World) Extends(base *World) bool {
	for _, d := range base.schema.collections {
		t := w.table(d.Name)
		if t == nil || t.Hidden != d.Hidden || t.Ledger != d.Ledger || !begins(t.Indexes, d.Indexes) || !begins(t.Sorted, d.Sorted) {
			return false
		}
	}
	return true
}

func begins(all, first []string) bool {
	return len(all) >= len(first) && slices.Equal(all[:len(first)], first)
}

// Pieces end where orders pass a multiple of together, if least records were
// written since: as the orders of a collection are handed out, what is written of
// older ones comes to the same pieces as before.
const together, least = 256, 64

// save writes what a table has otherwise than another; nil: than an empty one.
func (t *table) save(base *table, to *tape.Writer) {
	if base == nil {
		base = newTable(t.declared)
	}
	begun, before, written := false, uint64(0), 0
	begin := func() {
		if !begun {
			begun = true
			to.Text(t.Name)
			to.Number(base.last)
			to.Number(uint64(base.count)) //nolint:gosec // a count
			to.Number(t.last)
		}
	}
	if base.last != t.last {
		begin()
	}
	trie.Differ(base.records, t.records, func(order uint64) bool {
		begin()
		if order/together != before/together {
			to.Cut(written >= least)
			written = 0
		}
		to.Number(order - before)
		before, written = order, written+1
		r, there := t.at(order)
		if !there {
			to.Number(0)
			return true
		}
		to.Number(r.Version)
		to.Text(r.ID)
		to.Bytes(r.JSON())
		return to.Err() == nil
	})
	if begun {
		to.Number(0)
		to.Cut(false)
	}
}

// Load gives the world that Save was asked to write of a world like this one.
func (w *World) Load(from *tape.Reader) (*World, error) {
	var lacking []Collection
	for n := from.Number(); from.Loop(&n); {
		lacking = append(lacking, loadCollection(from))
	}
	if from.Err() != nil {
		return nil, from.Err()
	}
	base, err := w.With(lacking...)
	if err != nil {
		return nil, err
	}
	t := base.Begin()
	for {
		name := from.Text()
		if name == "" || from.Err() != nil {
			break
		}
		if i, ok := t.schema.position[name]; ok {
			t.load(i, from)
		} else {
			from.Torn()
		}
	}
	if from.Err() != nil {
		return nil, from.Err()
	}
	return &World{t.view}, nil
}

// load reads what a table has otherwise.
func (t *Tx) load(i int, from *tape.Reader) {
	into, d := t.own(i), t.schema.collections[i]
	if from.Number() != into.last || from.Number() != uint64(into.count) { //nolint:gosec // a count
		from.Torn() // it was saved beside another world
	}
	last, order, fresh := from.Number(), uint64(0), into.count == 0
	var all []*Record
	for from.Err() == nil {
		by := from.Number()
		if by == 0 {
			break
		}
		order += by
		version := from.Number()
		if version == 0 {
			into.replaced(order, nil, from)
			continue
		}
		c := Change{ID: from.Text(), Version: version, Order: order, After: from.Bytes()}
		if from.Err() != nil {
			return
		}
		r, err := c.record(d, &t.known)
		if err != nil {
			from.Torn()
			return
		}
		t.known.add(r)
		if all = append(all, r); !fresh {
			into.replaced(order, r, from)
		}
	}
	if fresh {
		into.fill(all)
	}
	into.last = last
}

// replaced puts a record, or nothing, where there may be one of that order.
func (t *table) replaced(order uint64, now *Record, from *tape.Reader) {
	old, there := t.at(order)
	switch {
	case now == nil && !there:
		from.Torn()
	case now == nil:
		t.remove(old)
	case there && old.ID == now.ID:
		t.replace(old, now)
	default:
		if there {
			t.remove(old)
		}
		t.insert(now, nil)
	}
}

// fill gives an empty table its records, by order: in a fifth of the time that it
// takes to insert them.
func (t *table) fill(all []*Record) {
	t.count = len(all)
	records, ids := make([]trie.Item[*Record], len(all)), make([]trie.Item[uint64], len(all))
	for i, r := range all {
		records[i] = trie.Item[*Record]{Key: r.Order, Value: r}
		ids[i] = trie.Item[uint64]{Key: t.hash(r.ID), Value: r.Order}
	}
	t.records, t.ids = trie.Of(records), trie.Of(ids)
	for i, path := range t.paths {
		by := map[string][]trie.Item[struct{}]{}
		for _, r := range all {
			if text, ok := indexText(r.At(path...)); ok {
				by[text] = append(by[text], trie.Item[struct{}]{Key: r.Order})
			}
		}
		items := make([]trie.Item[*under], 0, len(by))
		for text, orders := range by {
			items = append(items, trie.Item[*under]{Key: t.hash(text), Value: &under{text: text, orders: trie.Of(orders)}})
		}
		t.indexes[i] = trie.Of(items)
	}
	for i, path := range t.ranks {
		by := map[int64][]trie.Item[struct{}]{}
		for _, r := range all {
			if number, ok := r.number(path); ok {
				by[number] = append(by[number], trie.Item[struct{}]{Key: r.Order})
			}
		}
		items := make([]trie.Item[*under], 0, len(by))
		for number, orders := range by {
			items = append(items, trie.Item[*under]{Key: rank(number), Value: &under{orders: trie.Of(orders)}})
		}
		t.sorted[i] = trie.Of(items)
	}
}

func saveCollection(c Collection, to *tape.Writer) {
	to.Text(c.Name)
	for _, fields := range [][]string{c.Indexes, c.Sorted} {
		to.Number(uint64(len(fields)))
		for _, field := range fields {
			to.Text(field)
		}
	}
	to.Flag(c.Hidden)
	to.Flag(c.Ledger)
}

func loadCollection(from *tape.Reader) Collection {
	c := Collection{Name: from.Text()}
	for _, fields := range []*[]string{&c.Indexes, &c.Sorted} {
		for n := from.Number(); from.Loop(&n); {
			*fields = append(*fields, from.Text())
		}
	}
	c.Hidden, c.Ledger = from.Flag(), from.Flag()
	return c
}
