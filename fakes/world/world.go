// Package world keeps the state of every fake of one run, copy-on-write.
//
//	World 1 ──Begin──▶ Tx ──Commit──▶ World 2        World 1 is still there,
//	   │               │ writes copy the               for readers, forks and
//	   └──▶ readers    │ collections they touch        the journal's checkpoints
//	                   └──▶ Changes ──World 1.Apply──▶ World 2 again
//
// A World never changes for those who hold one, so a reader needs no lock and
// a fork is a pointer. A Tx writes to copies of the collections that it
// touches; what it did is a list of Changes, and applying those to the world
// that it began with gives the very world that it committed: same records,
// versions and orders, same Hash.
//
// A collection is made of tries, which are never written to: a write makes
// another that shares all but a path with it. Ids and index values lead to
// orders, and only one trie leads from there to the record, so that an Update
// copies a path in one trie:
//
//	"ch_2"  ──ids────────────┐
//	                         ├──▶ 2 ──records──▶ *Record
//	"cus_1" ──customer──▶ 2 ─┘
package world

import (
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
)

// A Collection declares one kind of record before the first is written.
type Collection struct {
	// Name is the service and what it keeps, such as "stripe.charges".
	Name string `json:"name"`
	// Indexes names the fields that Find looks up, top-level or dotted
	// ("customer", "metadata.order_id"). Strings, whole numbers and booleans
	// are indexed, by their text; records without the field are not.
	Indexes []string `json:"indexes,omitempty"`
	// Sorted names the fields, written alike, that Ascending walks by. Records
	// whose field is no whole number are not in its walk.
	Sorted []string `json:"sorted,omitempty"`
	// Hidden marks bookkeeping, such as stored idempotency keys. It is not in
	// Collections or Dump; it is in Hash, since a fake behaves by it.
	Hidden bool `json:"hidden,omitempty"`
	// Ledger marks what a service writes down by itself of what is done, such as
	// its log of events: nobody asks for it.
	Ledger bool `json:"ledger,omitempty"`
}

// A World is the state of all collections at one moment. It is immutable and
// safe for concurrent use; it has every method of Reader. Begin starts a
// change, whose Commit is another World.
type World struct {
	view
}

var _ Reader = (*World)(nil)

// New makes an empty world. A name or index that is empty or comes twice is an
// error.
func New(collections ...Collection) (*World, error) {
	tables, known := make([]*table, len(collections)), newFresh()
	for i, c := range collections {
		d, err := declare(c, known)
		if err != nil {
			return nil, err
		}
		tables[i] = newTable(d)
	}
	return gather(tables, known)
}

// gather makes a world of tables, which it sorts.
func gather(tables []*table, known *fresh) (*World, error) {
	slices.SortFunc(tables, func(a, b *table) int { return strings.Compare(a.Name, b.Name) })
	s := &schema{collections: make([]*declared, len(tables)), position: make(map[string]int, len(tables)), fresh: known}
	for i, t := range tables {
		if _, twice := s.position[t.Name]; twice {
			return nil, fmt.Errorf("collection %q is declared twice; declare it once, with all its indexes", t.Name)
		}
		s.position[t.Name], s.collections[i] = i, t.declared
	}
	return &World{view{schema: s, shelves: shelve(tables)}}, nil
}

// Begin starts a transaction on this world. Several may be open at once; each
// commits to a world of its own, so whoever publishes worlds keeps one writer.
func (w *World) Begin() *Tx {
	return &Tx{view: w.view, base: w}
}

// A schema is what all worlds that come of one New or With share: the
// declarations, by name.
type schema struct {
	collections []*declared
	position    map[string]int
	fresh       *fresh
}

// A declared collection has the paths of its indexes split once, and knows what
// its records look like.
type declared struct {
	Collection
	paths [][]string // of Indexes
	ranks [][]string // of Sorted
	spot  spot
	packs packs
	// fresh is that of all collections.
	fresh *fresh
	// hash places an id or a text in a trie. No walk follows the order of
	// hashes: it shows nowhere that they differ from process to process.
	hash func(text string) uint64
}

func declare(c Collection, known *fresh) (*declared, error) {
	if c.Name == "" {
		return nil, fmt.Errorf("a collection has no name; name it as service.things, such as stripe.charges")
	}
	seed := maphash.MakeSeed()
	d := &declared{Collection: c, fresh: known, hash: func(text string) uint64 { return maphash.String(seed, text) }}
	d.Indexes, d.Sorted = slices.Clone(c.Indexes), slices.Clone(c.Sorted)
	var err error
	if d.paths, err = fieldPaths(c.Name, "index", d.Indexes); err != nil {
		return nil, err
	}
	if d.ranks, err = fieldPaths(c.Name, "sorted index", d.Sorted); err != nil {
		return nil, err
	}
	return d, nil
}

// fieldPaths splits the fields of one kind of index.
func fieldPaths(collection, kind string, fields []string) ([][]string, error) {
	paths := make([][]string, len(fields))
	for i, field := range fields {
		paths[i] = strings.Split(field, ".")
		if slices.Contains(paths[i], "") {
			return nil, fmt.Errorf("collection %q has the %s %q, which is not a field path such as customer or metadata.order_id", collection, kind, field)
		}
		if slices.Contains(fields[:i], field) {
			return nil, fmt.Errorf("collection %q declares the %s %q twice", collection, kind, field)
		}
	}
	return paths, nil
}

// A view is what World and Tx have in common: tables to read, one for each
// collection of the schema.
type view struct {
	schema  *schema
	shelves []*shelf
}

// A shelf is some of the tables of a world, which has a hundred or two: a write
// copies the shelf that its table stands on and not the list of all.
type shelf [shelfSize]*table

const shelfSize = 16

func shelve(tables []*table) []*shelf {
	shelves := make([]*shelf, (len(tables)+shelfSize-1)/shelfSize)
	for i, t := range tables {
		if i%shelfSize == 0 {
			shelves[i/shelfSize] = new(shelf)
		}
		shelves[i/shelfSize][i%shelfSize] = t
	}
	return shelves
}

// at gives the table of a collection by its position.
func (v *view) at(i int) *table {
	t := v.shelves[i/shelfSize][i%shelfSize]
	if t.later != nil {
		return t.later()
	}
	return t
}

// tables gives all of them, by name.
func (v *view) tables() iter.Seq[*table] {
	return func(yield func(*table) bool) {
		for i := range v.schema.collections {
			if !yield(v.at(i)) {
				return
			}
		}
	}
}

// table gives the named collection's table; nil when none is declared.
func (v *view) table(collection string) *table {
	if i, ok := v.schema.position[collection]; ok {
		return v.at(i)
	}
	return nil
}
