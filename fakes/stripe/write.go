package stripe

import (
	"fmt"
	"maps"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// find gives a record by id.
func (c *call) find(collection, id string) (*world.Record, bool) {
	return c.Tx.Get(full(collection), id)
}

// create writes a new record.
func (c *call) create(collection string, value map[string]any) *world.Record {
	id, _ := value["id"].(string)
	c.check(collection, id, value)
	record, err := c.Tx.Insert(full(collection), id, value)
	if err != nil {
		panic(fmt.Sprintf("stripe fake: %v", err))
	}
	if searchable(collection) {
		c.fake.index.Note(c.Tx, id, nil, c.Now)
	}
	return record
}

// update replaces a record's value.
func (c *call) update(collection string, value map[string]any) *world.Record {
	id, _ := value["id"].(string)
	c.check(collection, id, value)
	if old, ok := c.find(collection, id); ok && searchable(collection) {
		c.fake.index.Note(c.Tx, id, old.Value, c.Now)
	}
	record, err := c.Tx.Update(full(collection), id, value)
	if err != nil {
		panic(fmt.Sprintf("stripe fake: %v", err))
	}
	return record
}

// remove takes a record away for good.
func (c *call) remove(collection, id string) {
	if err := c.Tx.Delete(full(collection), id); err != nil {
		panic(fmt.Sprintf("stripe fake: %v", err))
	}
}

// later sets a timer of the fake.
// What is due beyond the instants that a run's clock has never comes.
func (c *call) later(kind, subject string, due time.Time) {
	const last = 2261
	if due.Year() > last {
		return
	}
	if err := kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: kind, Subject: subject, Due: due}); err != nil {
		panic(fmt.Sprintf("stripe fake: %v", err))
	}
}

// never takes a timer away again.
func (c *call) never(kind, subject string) {
	if err := kit.Cancel(c.Tx, name, kind, subject); err != nil {
		panic(fmt.Sprintf("stripe fake: %v", err))
	}
}

// check holds every record against the contract. A breach is a mistake in this
// package, never the caller's: it panics, and the gateway answers 500 and
// journals why.
func (c *call) check(collection, id string, value map[string]any) {
	if wrong := c.fake.contract.CheckRecord(collection, value); len(wrong) > 0 {
		panic(fmt.Sprintf("stripe fake: %s %s breaks the contract at %q: %s", collection, id, wrong[0].Pointer, wrong[0].Message))
	}
}

// changed is a copy of a record's value, to be changed and written back: what
// the world holds is frozen.
func changed(r *world.Record) map[string]any { return maps.Clone(r.Value) }

// assign sets plain fields from parameters that were sent; "" unsets.
func assign(value, parameters map[string]any, fields ...string) {
	for _, field := range fields {
		sent, ok := parameters[field]
		if !ok {
			continue
		}
		if sent == "" {
			sent = nil
		}
		value[field] = sent
	}
}

// filled gives a nested parameter with each of its fields, null where it was
// not sent; nil when it was unset.
func filled(sent any, fields ...string) any {
	given, ok := sent.(map[string]any)
	if !ok {
		return nil
	}
	value := make(map[string]any, len(fields))
	for _, field := range fields {
		value[field] = nil
	}
	assign(value, given, fields...)
	return value
}

// address and shipping are the two nested shapes that several records share.
func address(sent any) any {
	return filled(sent, "city", "country", "line1", "line2", "postal_code", "state")
}

func shipping(sent any, fields ...string) any {
	value, ok := filled(sent, append([]string{"name", "phone"}, fields...)...).(map[string]any)
	if !ok {
		return nil
	}
	value["address"] = address(cast.Object(sent)["address"])
	if value["name"] == nil { // absent when unset, where the other parts are null
		delete(value, "name")
	}
	return value
}
