package stripe

import (
	"maps"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// find gives a record by id.
func (c *call) find(collection, id string) (*world.Record, bool) {
	record, ok := c.Tx.Get(full(collection), id)
	if !ok || !c.mine(id) {
		return nil, false
	}
	return record, true
}

// create writes a new record.
func (c *call) create(collection string, value map[string]any) *world.Record {
	record := c.fake.store.Create(c.Tx, collection, cast.Text(value["id"]), value)
	c.own(record.ID)
	if searchable(collection) {
		c.fake.index.Note(c.Tx, record.ID, nil, c.present())
	}
	return record
}

// update replaces a record's value.
func (c *call) update(collection string, value map[string]any) *world.Record {
	id := cast.Text(value["id"])
	if old, ok := c.find(collection, id); ok && searchable(collection) {
		c.fake.index.Note(c.Tx, id, old.Value(), c.present())
	}
	return c.fake.store.Update(c.Tx, collection, id, value)
}

// remove takes a record away for good.
func (c *call) remove(collection, id string) { c.fake.store.Delete(c.Tx, collection, id) }

// later sets a timer of the fake.
// What is due beyond the instants that a run's clock has never comes.
func (c *call) later(kind, subject string, due time.Time) {
	const last = 2261
	if due.Year() > last {
		return
	}
	if c.clock != "" {
		c.never(kind, subject)
		value := map[string]any{"clock": c.clock, "kind": kind, "subject": subject, "due": due.Unix()}
		_, err := c.Tx.Insert(dueCollection, kind+"/"+subject, value)
		kit.Must(name, err)
		return
	}
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: kind, Subject: subject, Due: due}))
}

// never takes a timer away again.
func (c *call) never(kind, subject string) {
	if _, ok := c.Tx.Get(dueCollection, kind+"/"+subject); ok {
		kit.Must(name, c.Tx.Delete(dueCollection, kind+"/"+subject))
	}
	kit.Must(name, kit.Cancel(c.Tx, name, kind, subject))
}

// changed is a copy of a record's value, to be changed and written back: what
// the world holds is frozen.
func changed(r *world.Record) map[string]any { return maps.Clone(r.Value()) }

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
