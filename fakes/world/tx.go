package world

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// What a write can be refused for; errors.Is tells which. Each comes wrapped,
// with the collection and the id.
var (
	ErrExists     = errors.New("already exists")
	ErrMissing    = errors.New("does not exist")
	ErrCollection = errors.New("is not declared")
	ErrValue      = errors.New("cannot be kept")
	ErrCommitted  = errors.New("the transaction is committed; begin another")
)

// A Tx changes a world, for one goroutine. It has every method of Reader and
// reads its own writes. A Tx that is not committed leaves no trace.
type Tx struct {
	view
	base    *World
	owned   []int // which tables are forks of this Tx alone
	shelved []int // which shelves are; nil: not even the list of them
	changes []Change
	alone   bool   // what is written is the service's own doing
	work    *Work  // what may still be done; nil: all
	known   memo   // records of this Tx, which others of it may hold
	after   *World // set by Commit
}

var _ Reader = (*Tx)(nil)

// Insert adds a record. The world takes value over: the caller must not change
// it, or anything in it, afterwards.
// Errors: ErrExists, ErrCollection, ErrValue, ErrCommitted.
func (t *Tx) Insert(collection, id string, value map[string]any) (*Record, error) {
	i, err := t.target(collection)
	if err != nil {
		return nil, err
	}
	if _, exists := t.at(i).get(id); exists {
		return nil, fmt.Errorf("%s %q %w", collection, id, ErrExists)
	}
	r, json, err := t.record(i, id, value)
	if err != nil {
		return nil, err
	}
	into := t.own(i)
	r.Version, r.Order = 1, into.last+1
	into.insert(r, nil)
	t.note(Create, collection, r, json, nil)
	return r, nil
}

// Update replaces a record's value; its Version grows by one, its Order stays.
// The world takes value over, as for Insert.
// Errors: ErrMissing, ErrCollection, ErrValue, ErrCommitted.
func (t *Tx) Update(collection, id string, value map[string]any) (*Record, error) {
	i, old, err := t.existing(collection, id)
	if err != nil {
		return nil, err
	}
	r, json, err := t.record(i, id, value)
	if err != nil {
		return nil, err
	}
	r.Version, r.Order = old.Version+1, old.Order
	t.own(i).replace(old, r)
	t.note(Update, collection, r, json, old)
	return r, nil
}

// Delete removes a record. Its id can be used again, its order cannot.
// Errors: ErrMissing, ErrCollection, ErrCommitted.
func (t *Tx) Delete(collection, id string) error {
	i, old, err := t.existing(collection, id)
	if err != nil {
		return err
	}
	t.own(i).remove(old)
	t.note(Delete, collection, nil, nil, old)
	return nil
}

// Changes lists what was written so far, in order. The caller must not change
// what it gets.
func (t *Tx) Changes() []Change { return t.changes[:len(t.changes):len(t.changes)] }

// Commit gives the changed world, or the one that the transaction began with
// when nothing was written. Writes are refused from here on.
func (t *Tx) Commit() *World {
	switch {
	case t.after != nil:
	case len(t.changes) == 0:
		t.after = t.base
	default:
		t.after = &World{t.view}
	}
	return t.after
}

// Get is as Reader has it.
func (t *Tx) Get(collection, id string) (*Record, bool) {
	r, ok := t.view.Get(collection, id)
	if ok {
		t.met(r)
	}
	return r, ok
}

// Newest is as Reader has it.
func (t *Tx) Newest(collection string, before uint64) iter.Seq[*Record] {
	return t.frozen(collection, t.view.Newest(collection, before))
}

// Oldest is as Reader has it.
func (t *Tx) Oldest(collection string, after uint64) iter.Seq[*Record] {
	return t.frozen(collection, t.view.Oldest(collection, after))
}

// Find is as Reader has it.
func (t *Tx) Find(collection, field, value string, before uint64) iter.Seq[*Record] {
	if table := t.table(collection); table != nil && !slices.Contains(table.Indexes, field) {
		return t.sifted(t.Newest(collection, before), field, value)
	}
	return t.frozen(collection, t.view.Find(collection, field, value, before))
}

// sifted gives those of a walk whose field has a value.
func (t *Tx) sifted(walk iter.Seq[*Record], field, value string) iter.Seq[*Record] {
	path := strings.Split(field, ".")
	return func(yield func(*Record) bool) {
		for r := range walk {
			if text, ok := indexText(r.At(path...)); ok && text == value && !yield(r) {
				return
			}
		}
	}
}

// frozen gives up the table that a loop walks when the loop begins, so that a
// write in its body goes to a new fork; a tree must not change under a walk.
// Each record that the loop comes to is read.
func (t *Tx) frozen(collection string, walk iter.Seq[*Record]) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		if i, ok := t.schema.position[collection]; ok {
			t.owned = slices.DeleteFunc(t.owned, func(own int) bool { return own == i })
		}
		walk(func(r *Record) bool {
			t.met(r)
			return yield(r)
		})
	}
}

// target finds the table that a write means.
func (t *Tx) target(collection string) (int, error) {
	if t.after != nil {
		return 0, fmt.Errorf("%s: %w", collection, ErrCommitted)
	}
	i, ok := t.schema.position[collection]
	if !ok {
		return 0, fmt.Errorf("collection %q %w; name it in world.New", collection, ErrCollection)
	}
	return i, nil
}

// existing finds a table and the record in it that a write means.
func (t *Tx) existing(collection, id string) (int, *Record, error) {
	i, err := t.target(collection)
	if err != nil {
		return 0, nil, err
	}
	old, ok := t.at(i).get(id)
	if !ok {
		return 0, nil, fmt.Errorf("%s %q %w", collection, id, ErrMissing)
	}
	return i, old, nil
}

// usual is how many collections a call writes to at most, as a rule, and
// usualWrites how often one that creates something writes.
const usual, usualWrites = 8, 4

// own gives a table that this transaction may write to.
func (t *Tx) own(i int) *table {
	if slices.Contains(t.owned, i) {
		return t.at(i)
	}
	at := i / shelfSize
	if t.shelved == nil {
		t.shelves, t.shelved, t.owned = slices.Clone(t.shelves), make([]int, 0, usual), make([]int, 0, usual)
	}
	if !slices.Contains(t.shelved, at) {
		mine := *t.shelves[at]
		t.shelves[at], t.shelved = &mine, append(t.shelved, at)
	}
	fork := t.at(i).fork()
	t.shelves[at][i%shelfSize], t.owned = fork, append(t.owned, i)
	return fork
}

// ByItself has what do writes marked as the service's own doing.
func (t *Tx) ByItself(do func()) {
	was := t.alone
	t.alone = true
	do()
	t.alone = was
}

func (t *Tx) note(op Op, collection string, r *Record, json []byte, old *Record) {
	c := Change{Op: op, Collection: collection, Own: t.alone}
	if old != nil {
		c.ID, c.Version, c.Order, c.Before = old.ID, old.Version, old.Order, old.JSON()
	}
	if r != nil {
		c.ID, c.Version, c.Order, c.After = r.ID, r.Version, r.Order, json
		t.known.add(r)
	}
	if old != nil {
		t.known.add(old)
	}
	if t.changes == nil {
		t.changes = make([]Change, 0, usualWrites)
	}
	t.changes = append(t.changes, c)
}

// record makes the record that a value becomes, and its JSON.
func (t *Tx) record(i int, id string, value map[string]any) (*Record, []byte, error) {
	d := t.schema.collections[i]
	if value == nil {
		return nil, nil, fmt.Errorf("%s %q %w: it has no value", d.Name, id, ErrValue)
	}
	r, json, err := newRecord(d, id, value, &t.known)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %q %w: %w", d.Name, id, ErrValue, err)
	}
	t.Spend(writeStep + len(json)/bytesWrite)
	return r, json, nil
}
