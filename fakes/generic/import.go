package generic

import (
	"maps"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs/anatomy"
	"parity/specs/body"
)

// Import takes in what a recorded reply of the real service shows: the member
// that was read, those of a list, the one that a write took for granted, and
// those that the path says they belong to. Of two replies about one member the
// first says what it was; a later one adds what that left out.
func (f *Fake) Import(fc *fakes.Call, status int, reply []byte) {
	c := f.onBehalf(fc)
	if c == nil || status/100 != 2 || c.plan.res == nil {
		return
	}
	said, _ := body.DecodeJSON(reply) // what is no JSON says nothing
	role, r := c.plan.role, c.plan.res
	in := c.above()
	switch role.Kind {
	case anatomy.List, anatomy.Search:
		if role.List == nil {
			return
		}
		held, _ := pointer(role.List.Items).get(said)
		items, _ := held.([]any)
		if c.falls(role.List) {
			items = slices.Clone(items)
			slices.Reverse(items)
		}
		for _, item := range items {
			c.absorb(r, in, "", cast.Object(item))
		}
	case anatomy.Read, anatomy.Update, anatomy.Replace, anatomy.Action:
		inner, _ := pointer(role.Output.Path).get(said)
		seen := cast.Object(inner)
		if id := c.named(); role.Kind == anatomy.Action && !r.also(seen, id) && cast.Plain(seen[r.ID.Field]) != id {
			seen = draft{call: c, res: r, in: in}.make(id)
		}
		if c.named() != "" || r.Singleton {
			c.absorb(r, in, c.named(), seen)
		}
	case anatomy.Upsert:
		if status != 201 {
			c.absorb(r, in, c.named(), cast.Object(said))
		}
	case anatomy.Delete:
		c.absorb(r, in, c.named(), draft{call: c, res: r, in: in}.make(c.named()))
	}
}

// above is the scope of a call whose reply shows that all that the path names
// was there.
func (c *call) above() scope {
	in := scopeOf(c.plan.role.Within, c.plan.role.Parents, c.Input.Path)
	last := len(c.plan.res.Within)
	for r := c.plan.res.parent; r != nil; r = r.parent {
		last--
		if n := c.seat(r, last); !r.Singleton && n < len(in.ids) {
			c.absorb(r, in.up(n), in.ids[n], nil)
		}
	}
	return in
}

// absorb puts a member into the world as it was seen; nil: that it is there is
// all that is known. Its id is the one that the path has, or the record's own.
func (c *call) absorb(r *resource, in scope, id string, seen map[string]any) {
	if !r.kept() {
		return
	}
	if own, _ := dotted(r.ID.Field).get(seen); cast.Plain(own) != "" && (id == "" || r.also(seen, id)) {
		id = cast.Plain(own)
	}
	if id == "" && !r.Singleton { // an empty text is no id
		return
	}
	key := r.key(in, id)
	value := c.fake.mould(r.form, seen)
	record, there := c.Tx.Get(r.full, key)
	switch {
	case there && len(value) == 0:
	case there:
		maps.Copy(value, record.Value())
		c.save(r, in, entryOf(record), value)
	default:
		value = r.adopt(value, in)
		if id != "" {
			value = c.fake.identify(r, value, id)
		}
		c.insert(r, in, key, value)
	}
}

// also tells whether a record is named by something else than its id.
func (r *resource) also(record map[string]any, name string) bool {
	return slices.ContainsFunc(r.ID.Also, func(field string) bool { return cast.Plain(record[field]) == name })
}

// Refers tells which resource's ids a field of another's records holds.
func (f *Fake) Refers(collection, field string) (target string, ok bool) {
	r := f.named(collection)
	if r == nil {
		return "", false
	}
	target, ok = r.Refers[field]
	return target, ok
}

var (
	_ fakes.Importer = (*Fake)(nil)
	_ fakes.Referrer = (*Fake)(nil)
)
