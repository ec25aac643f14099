package generic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// An entry is one member of a resource: a record of the world, or one that is
// there from the start and was never written.
type entry struct {
	key    string
	value  map[string]any
	stored *world.Record // nil: never written
}

func entryOf(r *world.Record) *entry { return &entry{key: r.ID, value: r.Value(), stored: r} }

// version tells one state of an entry from the next.
func (e *entry) version() string {
	n, body := uint64(0), []byte(nil)
	if e.stored != nil {
		n, body = e.stored.Version, e.stored.JSON()
	} else {
		body = world.Encode(e.value)
	}
	return strconv.FormatUint(n, 10) + "-" + chance.Hash(string(body))[:12]
}

// find gives the member with an id, which stands in the parameter or field
// named, if it is there and belongs to the scope.
func (c *call) find(r *resource, in scope, member, id string) (*entry, bool) {
	e, ok := c.at(r, in, id)
	if ok || e != nil || id == "" || r.latent() && c.stillLatent(r) {
		return e, ok
	}
	field := r.ID.Field
	if member != r.ID.Param && member != field && r.form.has(member) {
		field = member // it is named by something else: by its slug, by its address
	} else if !r.local {
		field = ""
	}
	if field != "" {
		for record := range c.Tx.Find(r.full, field, id, 0) {
			if c.belongs(r, record, in) {
				return entryOf(record), true
			}
		}
	}
	for _, other := range r.ID.Also {
		for record := range c.Tx.Find(r.full, other, id, 0) {
			if c.belongs(r, record, in) {
				return entryOf(record), true
			}
		}
	}
	if c.presumed(r) || r.standing[id] || c.callers(r) {
		return c.derived(r, in, id)
	}
	return nil, false
}

// callers tells whether an account is meant that whoever calls was given before:
// nobody has made one here.
func (c *call) callers(r *resource) bool {
	if !r.tenant || r.seeded {
		return false
	}
	made, ok := c.Tx.Row(r.full, "", "")
	return ok && made.Len() == 0
}

// at gives the member with an id.
func (c *call) at(r *resource, in scope, id string) (*entry, bool) {
	if record, ok := c.Tx.Get(r.full, r.key(in, id)); ok {
		return entryOf(record), c.belongs(r, record, in)
	}
	switch {
	case r.Singleton:
		return c.derived(r, in, "")
	case r.latent() && c.stillLatent(r):
		return c.derived(r, in, id)
	}
	return nil, false
}

// belongs tells whether a record is in a scope.
func (c *call) belongs(r *resource, record *world.Record, in scope) bool {
	if len(in.ids) == 0 || r.Singleton {
		return true
	}
	if r.local { // by another way there its key says nothing
		return strings.Count(record.ID, "/") != len(in.ids) || strings.HasPrefix(record.ID, join(in.ids)+"/")
	}
	for i, field := range in.fields {
		if held, ok := dotted(field).get(record.Value()); ok && field != "" && cast.Plain(held) != in.ids[i] {
			return false
		}
	}
	if !in.remembered() {
		return true
	}
	link, ok := c.Tx.Get(c.fake.service+linksSuffix, r.full+"|"+record.ID)
	return !ok || link.Value()["in"] == r.scopeName(in)
}

// members lists those of a resource that are in a scope, in the order in which
// they were made.
func (c *call) members(r *resource, in scope) []*entry {
	var found []*entry
	if r.latent() && c.stillLatent(r) {
		found = c.fromTheStart(r, in)
	}
	known := map[string]bool{}
	for _, e := range found {
		known[e.key] = true
	}
	for _, record := range c.stored(r, in) {
		if !known[record.ID] && c.belongs(r, record, in) {
			found = append(found, entryOf(record))
		}
	}
	return found
}

// stored lists the records that may be in a scope.
func (c *call) stored(r *resource, in scope) []*world.Record {
	var found []*world.Record
	switch {
	case len(in.ids) == 0, in.remembered() && !r.linked && !r.local: // nothing says whose they are
		return slices.Collect(c.Tx.Oldest(r.full, 0))
	case r.local:
		for record := range c.Tx.Oldest(r.full, 0) {
			if strings.HasPrefix(record.ID, join(in.ids)+"/") {
				found = append(found, record)
			}
		}
		return found
	case in.remembered():
		for link := range c.Tx.Find(c.fake.service+linksSuffix, "in", r.scopeName(in), 0) {
			if record, ok := c.Tx.Get(r.full, cast.Plain(link.Value()["key"])); ok {
				found = append(found, record)
			}
		}
	default:
		last := len(in.ids) - 1
		for record := range c.Tx.Find(r.full, in.fields[last], in.ids[last], 0) {
			found = append(found, record)
		}
	}
	slices.Reverse(found)
	return found
}

// insert writes a new member.
func (c *call) insert(r *resource, in scope, key string, value map[string]any) *entry {
	record, err := c.Tx.Insert(r.full, key, value)
	c.must(err)
	c.last = record.Value()
	if in.remembered() {
		link := r.full + "|" + key // which may be there still, of one that was taken in anew
		kit.Keep(c.Tx, c.fake.service+linksSuffix, link, map[string]any{"id": link, "in": r.scopeName(in), "key": key})
	}
	e := entryOf(record)
	c.begin(r, e)
	return e
}

// save writes a member's new value.
func (c *call) save(r *resource, in scope, e *entry, value map[string]any) *entry {
	if e.stored == nil {
		c.mark(r, e.key, "made")
		return c.insert(r, in, e.key, value)
	}
	if kit.Same(e.stored.Value(), value) {
		return e
	}
	record, err := c.Tx.Update(r.full, e.key, value)
	c.must(err)
	c.last = record.Value()
	return entryOf(record)
}

// remove takes a member away.
func (c *call) remove(r *resource, e *entry) {
	if r.latent() || r.Singleton || !r.told || e.stored == nil || r.standing[r.idOf(e)] || r.tenant {
		c.mark(r, e.key, "gone")
	}
	if e.stored == nil {
		return
	}
	c.must(c.Tx.Delete(r.full, e.key))
	link := r.full + "|" + e.key
	if _, ok := c.Tx.Get(c.fake.service+linksSuffix, link); ok {
		c.must(c.Tx.Delete(c.fake.service+linksSuffix, link))
	}
}

// must ends an exchange at what only a mistake in this package can bring about.
func (c *call) must(err error) {
	if err != nil {
		panic(fmt.Sprintf("%s fake: %v", c.fake.service, err))
	}
}
