package generic

import (
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/specs/anatomy"
)

// Members of a resource that no operation creates (countries, plans, the one
// account) are there from the start. They are made up anew at each read, always
// the same, and written when something first changes them: reading leaves the
// world alone.

// fromStart is how many of them a list shows.
const fromStart = 3

func (c *call) mark(r *resource, key, state string) {
	collection, id := c.fake.service+latentSuffix, r.full+"|"+key
	value := map[string]any{"id": id, "state": state}
	put := c.Tx.Insert
	if _, there := c.Tx.Get(collection, id); there {
		put = c.Tx.Update
	}
	_, err := put(collection, id, value)
	c.must(err)
}

func (c *call) marked(r *resource, key string) string {
	record, ok := c.Tx.Get(c.fake.service+latentSuffix, r.full+"|"+key)
	if !ok {
		return ""
	}
	return cast.Plain(record.Value()["state"])
}

// stillLatent tells whether nobody has put records of his own into the world:
// then those are all that there are.
func (c *call) stillLatent(r *resource) bool {
	for oldest := range c.Tx.Oldest(r.full, 0) {
		return c.marked(r, oldest.ID) != ""
	}
	return true
}

// derived makes up the member with an id.
func (c *call) derived(r *resource, in scope, id string) (*entry, bool) {
	key := r.key(in, id)
	if c.marked(r, key) == "gone" || r.Singleton && r.creates && !c.presumed(r) {
		return nil, false
	}
	value, _ := c.fake.fixed(r.full, r.scopeName(in), id).value(r.Record, r.Name).(map[string]any)
	if value == nil {
		value = map[string]any{}
	}
	if own, ok := c.fake.exampleOf(r); ok && (r.Singleton || cast.Plain(own.id) == id) {
		value = own.value
	}
	value = r.form.succeeded(value)
	if id != "" {
		value = c.fake.identify(r, value, id)
	}
	value = r.adopt(value, in)
	for field, fixed := range r.rules.defaults {
		value = dotted(field).set(value, fixed)
	}
	return &entry{key: key, value: value}, true
}

// fixedSeed gives a seed that is the same in every run.
func fixedSeed(parts ...string) chance.Seed {
	n, err := strconv.ParseUint(chance.Hash(parts...)[:16], 16, 64)
	if err != nil {
		panic(err) // chance.Hash gives hex
	}
	return chance.Seed(n)
}

// fromTheStart lists the members of a parent that nobody made.
func (c *call) fromTheStart(r *resource, in scope) []*entry {
	var found []*entry
	for i := range fromStart {
		if e, ok := c.at(r, in, c.startID(r, in, i)); ok {
			found = append(found, e)
		}
	}
	return found
}

// startID gives the id of one of the members of a parent that nobody made.
func (c *call) startID(r *resource, in scope, i int) string {
	if own, ok := c.fake.exampleOf(r); ok && i == 0 && cast.Plain(own.id) != "" {
		return cast.Plain(own.id)
	}
	drawn := fixedSeed(r.full, r.scopeName(in), "of", strconv.Itoa(i))
	fixed := *c.Call
	at := 0
	fixed.NewID = func(prefix string, length int) string {
		at++
		return prefix + chance.ID(drawn, length, strconv.Itoa(at))
	}
	return cast.Plain((&call{Call: &fixed, fake: c.fake, plan: c.plan}).mint(r))
}

// identify puts an id into a record, in its field's type.
func (f *Fake) identify(r *resource, value map[string]any, id any) map[string]any {
	if r.ID.Field == "" {
		return value
	}
	own, ok := f.typedID(r, id)
	if !ok {
		return value // it can be no id of this resource
	}
	return dotted(r.ID.Field).set(value, own)
}

// typedID gives an id as its field has it.
func (f *Fake) typedID(r *resource, id any) (any, bool) {
	at := dotted(r.ID.Field)
	own, ok := f.bentTo(r.form.at(at), id)
	return own, ok && (len(at) != 1 || f.mayStand(r.form, at[0], own))
}

// adopt puts the parents' ids into a record that has fields for them.
func (r *resource) adopt(value map[string]any, in scope) map[string]any {
	for i, field := range in.fields {
		s := r.form.at(dotted(field))
		if field == "" || s == nil && !r.form.open {
			continue
		}
		var id any = in.ids[i]
		if !fits(s, id, 0) {
			bent, ok := bend(s, id)
			if !ok {
				continue
			}
			id = bent
		}
		value = dotted(field).set(value, id)
	}
	return value
}

// A shown record is the example that the contract has of a resource.
type shown struct {
	value map[string]any
	id    any
}

// exampleOf gives the record in the example of a resource's read.
func (f *Fake) exampleOf(r *resource) (shown, bool) {
	if r.Record == nil {
		return shown{}, false
	}
	f.examples.Do(f.gatherExamples)
	own, ok := f.known[r]
	return own, ok
}

// gatherExamples reads the examples of all reads, once.
func (f *Fake) gatherExamples() {
	f.known = map[*resource]shown{}
	for _, op := range f.contract.Operations {
		operation := op.Source()
		role := f.model.Roles[operation]
		if role == nil || role.Kind != anatomy.Read || f.res[role.Resource] == nil || role.Output.Many {
			continue
		}
		r := f.res[role.Resource]
		p := &plan{replies: repliesOf(operation), role: role}
		t := p.success()
		body, ok := f.example(op, t)
		if !ok {
			continue
		}
		inner, _ := pointer(role.Output.Path).get(body)
		value, ok := world.Normalise(inner).(map[string]any)
		if _, known := f.known[r]; ok && !known && valid(r.Record, value, 0) {
			id, _ := dotted(r.ID.Field).get(value)
			f.known[r] = shown{value, id}
		}
	}
}
