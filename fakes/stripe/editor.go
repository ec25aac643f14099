package stripe

import (
	"fmt"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Subject names the record that a call is about. Stripe still answers for what
// was deleted, as it does here: its record stays.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) { return kit.Subject(fc) }

// Edit changes a record. Stripe's records have no version: who writes to one
// that has changed since overwrites the change.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := &call{Call: fc, fake: f}
	value, err := f.store.Laid(short, r, set)
	if err != nil {
		return err
	}
	if tags, ok := set["metadata"].(map[string]any); ok {
		value["metadata"] = kit.Merge(cast.Object(r.Value()["metadata"]), tags)
	}
	if _, dated := r.Value()["updated"]; dated {
		value["updated"] = c.now()
	}
	if value["id"] != r.Value()["id"] {
		return fmt.Errorf("stripe %s %s: an id does not change", short, id)
	}
	if err := f.store.Fits(short, id, value); err != nil {
		return err
	}
	c.update(short, value)
	return nil
}

// Remove deletes what Stripe lets be deleted, with all that follows.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, _, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	op, ok := kit.Deletion(f.store.Contract, short)
	if !ok {
		return fmt.Errorf("stripe deletes no %s", short)
	}
	other := kit.As(fc, op, map[string]string{op.Anatomy.Member: id}, nil)
	c := &call{Call: other, fake: f, version: f.version}
	if _, refused := f.handlers[op.ID](c); refused != nil {
		return fmt.Errorf("stripe deletes no %s %s: %s", short, id, refused.message)
	}
	return nil
}

// Copy makes another record like one there is, made at the call's instant.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return "", err
	}
	c := &call{Call: fc, fake: f}
	prefix, letters := id[:strings.LastIndexByte(id, '_')+1], len(id)
	if letters -= len(prefix); letters < 8 { // ids that a client chose
		letters = 14
	}
	copied := c.NewID(prefix, letters)
	value := map[string]any{}
	for field, held := range r.Value() {
		switch field {
		case "id":
			held = copied
		case "created":
			held = c.now()
		default:
			held = kit.Renamed(held, id, copied)
		}
		value[field] = held
	}
	if err := f.store.Fits(short, copied, value); err != nil {
		return "", err
	}
	c.create(short, value)
	return copied, nil
}
