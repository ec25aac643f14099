package hubspot

import (
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// An association is two records and the ways in which they are associated, as
// numbers of the direction from the first to the second.
type association struct {
	from, to     *objectType
	fromID, toID string
	types        []int64
}

// A link is an association as seen from one of its records.
type link struct {
	id    string // of the other record
	types []int64
}

func end(o *objectType, id string) string { return o.name + "/" + id }

// pair finds the association of two records, whichever way round it is kept.
func (c *call) pair(from, to string) (r *world.Record, turned bool) {
	if r, ok := c.fake.store.Get(c.Tx, associations, from+">"+to); ok {
		return r, false
	}
	if r, ok := c.fake.store.Get(c.Tx, associations, to+">"+from); ok {
		return r, true
	}
	return nil, false
}

// put associates two records in more ways. The unlabelled one is always there,
// and the first company of a record is its primary one.
func (c *call) put(a association) {
	a.fromID, a.toID = c.current(a.from, a.fromID), c.current(a.to, a.toID)
	from, to := end(a.from, a.fromID), end(a.to, a.toID)
	add := append([]int64{}, a.types...)
	if plain := c.plainTie(a.from, a.to).id; !slices.Contains(add, plain) {
		add = append(add, plain)
	}
	c.onlyPrimary(a, add)
	r, turned := c.pair(from, to)
	if r == nil {
		add = c.firstPrimary(a, add)
		c.fake.store.Create(c.Tx, associations, from+">"+to, map[string]any{"id": from + ">" + to, "from": from, "to": to, "types": numbers(add)})
		return
	}
	held := integers(r.Value()["types"])
	for _, id := range add {
		if turned {
			id = c.inverse(a.from, a.to, id)
		}
		if !slices.Contains(held, id) {
			held = append(held, id)
		}
	}
	c.setTypes(r, held)
}

func (c *call) setTypes(r *world.Record, held []int64) {
	value := changed(r.Value())
	value["types"] = numbers(held)
	c.fake.store.Update(c.Tx, associations, r.ID, value)
}

// firstPrimary makes a company the primary one of a record that has none; one
// that is made primary takes that from another.
func (c *call) firstPrimary(a association, add []int64) []int64 {
	record, id, primary := a.from, a.fromID, int64(0)
	companies := c.fake.types.byName["companies"]
	from, to := a.from, a.to
	if a.from == companies && a.to != companies {
		record, id = a.to, a.toID
	}
	for _, t := range c.ties(from, to) {
		if primaries[t.id] {
			primary = t.id
		}
	}
	if primary == 0 || slices.Contains(add, primary) {
		return add
	}
	if len(c.links(record, id, companies)) > 0 {
		return add
	}
	return append(add, primary)
}

// onlyPrimary takes being primary from a record's other company, where one is
// made its primary company.
func (c *call) onlyPrimary(a association, add []int64) {
	if !slices.ContainsFunc(add, func(id int64) bool { return primaries[id] }) {
		return
	}
	companies := c.fake.types.byName["companies"]
	record, id, company := a.from, a.fromID, a.toID
	if a.from == companies && a.to != companies {
		record, id, company = a.to, a.toID, a.fromID
	}
	for _, l := range c.links(record, id, companies) {
		for _, t := range l.types {
			if primaries[t] && l.id != company {
				c.unlabel(association{from: record, fromID: id, to: companies, toID: l.id, types: []int64{t}})
			}
		}
	}
}

// links lists what a record is associated with, oldest first.
func (c *call) links(o *objectType, id string, to *objectType) []link {
	self, prefix := end(o, c.current(o, id)), to.name+"/"
	type at struct {
		order uint64
		link
	}
	var all []at
	for r := range c.fake.store.Find(c.Tx, associations, "from", self) {
		if other, ok := strings.CutPrefix(cast.Text(r.Value()["to"]), prefix); ok && c.alive(to, other) {
			all = append(all, at{r.Order, link{other, c.typesOf(o, to, r)}})
		}
	}
	for r := range c.fake.store.Find(c.Tx, associations, "to", self) {
		if other, ok := strings.CutPrefix(cast.Text(r.Value()["from"]), prefix); ok && c.alive(to, other) {
			held := c.typesOf(to, o, r)
			for i, t := range held {
				held[i] = c.inverse(to, o, t)
			}
			all = append(all, at{r.Order, link{other, held}})
		}
	}
	slices.SortFunc(all, func(a, b at) int { return int(int64(a.order) - int64(b.order)) })
	links := make([]link, len(all))
	for i, one := range all {
		links[i] = one.link
	}
	return links
}

func (c *call) alive(o *objectType, id string) bool {
	_, ok := c.find(o, id)
	return ok
}

// typesOf reads the ways of an association; one without any, as a fixture may
// have it, is unlabelled.
func (c *call) typesOf(from, to *objectType, r *world.Record) []int64 {
	held := integers(r.Value()["types"])
	if len(held) == 0 {
		held = []int64{c.plainTie(from, to).id}
	}
	return held
}

// cut takes all associations of two records away.
func (c *call) cut(from *objectType, fromID string, to *objectType, toID string) {
	if r, _ := c.pair(end(from, c.current(from, fromID)), end(to, c.current(to, toID))); r != nil {
		c.fake.store.Delete(c.Tx, associations, r.ID)
	}
}

// unlabel takes ways of an association away. The unlabelled one cannot be
// taken without the others.
func (c *call) unlabel(a association) {
	a.fromID, a.toID = c.current(a.from, a.fromID), c.current(a.to, a.toID)
	r, turned := c.pair(end(a.from, a.fromID), end(a.to, a.toID))
	if r == nil {
		return
	}
	held := integers(r.Value()["types"])
	for _, id := range a.types {
		if id == c.plainTie(a.from, a.to).id {
			c.fake.store.Delete(c.Tx, associations, r.ID)
			return
		}
		if turned {
			id = c.inverse(a.from, a.to, id)
		}
		held = slices.DeleteFunc(held, func(one int64) bool { return one == id })
	}
	c.setTypes(r, held)
}

// unlink takes all associations of a record away.
func (c *call) unlink(o *objectType, id string) {
	for _, r := range c.touching(o, id) {
		c.fake.store.Delete(c.Tx, associations, r.ID)
	}
}

func (c *call) touching(o *objectType, id string) []*world.Record {
	var all []*world.Record
	for _, field := range []string{"from", "to"} {
		for r := range c.fake.store.Find(c.Tx, associations, field, end(o, id)) {
			all = append(all, r)
		}
	}
	return all
}

// moveLinks gives a record the associations of another.
func (c *call) moveLinks(o *objectType, from, to string) {
	for _, r := range c.touching(o, from) {
		a, ok := c.read(r)
		c.fake.store.Delete(c.Tx, associations, r.ID)
		if !ok {
			continue
		}
		if cast.Text(r.Value()["from"]) == end(o, from) {
			a.fromID = to
		} else {
			a.toID = to
		}
		if end(a.from, a.fromID) != end(a.to, a.toID) {
			c.put(a)
		}
	}
}

func (c *call) read(r *world.Record) (association, bool) {
	from, fromID, _ := strings.Cut(cast.Text(r.Value()["from"]), "/")
	to, toID, _ := strings.Cut(cast.Text(r.Value()["to"]), "/")
	a, ok := c.typeNamed(from)
	b, ok2 := c.typeNamed(to)
	if !ok || !ok2 {
		return association{}, false
	}
	return association{from: a, to: b, fromID: fromID, toID: toID, types: c.typesOf(a, b, r)}, true
}

func integers(v any) []int64 {
	list, _ := v.([]any)
	all := make([]int64, 0, len(list))
	for _, one := range list {
		if n, ok := one.(int64); ok {
			all = append(all, n)
		}
	}
	return all
}

func numbers(list []int64) []any {
	all := make([]any, len(list))
	for i, n := range list {
		all[i] = n
	}
	return all
}
