package world

import (
	"slices"

	"parity/fakes/trie"
)

// Declared lists the declarations of all collections, by name.
func (w *World) Declared() []Collection {
	all := make([]Collection, len(w.schema.collections))
	for i, d := range w.schema.collections {
		all[i] = d.Collection
	}
	return all
}

// Lacks gives those of the declarations that are not in force in this world:
// the collections that it does not have, and those with an index that it does
// not keep. They are what With would change.
func (w *World) Lacks(collections ...Collection) []Collection {
	var lacking []Collection
	for _, c := range collections {
		t := w.table(c.Name)
		if t == nil || t.Hidden != c.Hidden || hasMore(c.Indexes, t.Indexes) || hasMore(c.Sorted, t.Sorted) {
			lacking = append(lacking, c)
		}
	}
	return lacking
}

// With gives a world that has these collections too, empty ones. One that is
// there already keeps its records and indexes and gains the indexes that it
// lacked; all others are shared with this world, which stays as it is. A
// collection never goes away, nor does an index: whoever still reads by one
// finds it.
func (w *World) With(collections ...Collection) (*World, error) {
	lacking := w.Lacks(collections...)
	if len(lacking) == 0 {
		return w, nil
	}
	tables := slices.Collect(w.tables())
	for _, c := range lacking {
		old := w.table(c.Name)
		if old != nil {
			c.Indexes, c.Sorted = union(old.Indexes, c.Indexes), union(old.Sorted, c.Sorted)
		}
		d, err := declare(c, w.schema.fresh)
		if err != nil {
			return nil, err
		}
		if old == nil {
			tables = append(tables, newTable(d))
			continue
		}
		tables[w.schema.position[c.Name]] = old.redeclared(d)
	}
	return gather(tables, w.schema.fresh)
}

// redeclared gives the table under another declaration, which has the indexes of
// its own, in their order, and perhaps more.
func (t *table) redeclared(d *declared) *table {
	d.hash = t.hash // by which the tries that they share have placed all
	n := newTable(d)
	n.last, n.count, n.records, n.ids = t.last, t.count, t.records, t.ids
	copy(n.indexes, t.indexes)
	copy(n.sorted, t.sorted)
	t.records.Ascend(0, func(it trie.Item[*Record]) bool {
		r := it.Value
		for i := len(t.paths); i < len(d.paths); i++ {
			if text, ok := indexText(r.At(d.paths[i]...)); ok {
				n.index(i, text, r.Order)
			}
		}
		for i := len(t.ranks); i < len(d.ranks); i++ {
			if number, ok := r.number(d.ranks[i]); ok {
				n.group(i, number, r.Order)
			}
		}
		return true
	})
	return n
}

// hasMore tells whether any of these is not among those.
func hasMore(these, those []string) bool {
	return slices.ContainsFunc(these, func(s string) bool { return !slices.Contains(those, s) })
}

// union gives those and the others of these, each once.
func union(those, these []string) []string {
	all := slices.Clone(those)
	for _, s := range these {
		if !slices.Contains(those, s) {
			all = append(all, s)
		}
	}
	return all
}
