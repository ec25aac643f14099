package world

import "fmt"

// Apply folds a delta into this world and gives the one that results: the very
// records, versions and orders of the transaction that made it. A delta that
// does not follow from this world is an error, and the world is as it was.
func (w *World) Apply(changes []Change) (*World, error) {
	t := w.Begin()
	for i, c := range changes {
		if err := t.apply(c); err != nil {
			return nil, fmt.Errorf("change %d of %d, %s %s %q: %w", i+1, len(changes), c.Op, c.Collection, c.ID, err)
		}
	}
	return t.Commit(), nil
}

func (t *Tx) apply(c Change) error {
	i, err := t.target(c.Collection)
	if err != nil {
		return err
	}
	old, exists := t.at(i).get(c.ID)
	switch c.Op {
	case Create:
		return t.applyCreate(i, c, exists)
	case Update:
		return t.applyUpdate(i, c, old)
	case Delete:
		if !exists || old.Version != c.Version || old.Order != c.Order {
			return follows(c, old)
		}
		t.own(i).remove(old)
		t.note(Delete, c.Collection, nil, nil, old)
		return nil
	}
	return fmt.Errorf("%q is not create, update or delete", c.Op)
}

func (t *Tx) applyCreate(i int, c Change, exists bool) error {
	if exists {
		return ErrExists
	}
	if last := t.at(i).last; c.Order <= last {
		return fmt.Errorf("it has order %d, but %d is given already; changes must be applied in the order they were made", c.Order, last)
	}
	r, err := c.record(t.schema.collections[i], &t.known)
	if err != nil {
		return err
	}
	t.own(i).insert(r, nil)
	t.note(Create, c.Collection, r, c.After, nil)
	return nil
}

func (t *Tx) applyUpdate(i int, c Change, old *Record) error {
	if old == nil || old.Version+1 != c.Version || old.Order != c.Order {
		return follows(c, old)
	}
	r, err := c.record(t.schema.collections[i], &t.known)
	if err != nil {
		return err
	}
	t.own(i).replace(old, r)
	t.note(Update, c.Collection, r, c.After, old)
	return nil
}

// record makes the record that a change wrote. Its bytes are shared, and not
// decoded before somebody asks, unless they are not as Encode writes them: what
// is searched has to be.
func (c Change) record(d *declared, known *memo) (*Record, error) {
	r := &Record{ID: c.ID, Version: c.Version, Order: c.Order}
	plain := canonical(c.After)
	if plain && !d.asValue(c.After) {
		r.keep(d, c.After, known.within(d, c.After))
		return r, nil
	}
	value, err := Decode(c.After)
	if err != nil {
		return nil, err
	}
	r.decoded.Store(&content{value: value}) // and stays
	if plain || d.quiet() {
		r.kept.Store(&kept{home: d})
		return r, nil
	}
	r.keep(d, c.After, nil)
	return r, nil
}

// follows says why a change does not follow from the record that is there.
func follows(c Change, old *Record) error {
	if old == nil {
		return ErrMissing
	}
	return fmt.Errorf("it is about version %d at order %d, but version %d at order %d is here; changes must be applied to the world they were made on",
		c.Version, c.Order, old.Version, old.Order)
}
