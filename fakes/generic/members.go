package generic

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/specs/anatomy"
)

// Members are what a list shows on all its pages together, in its order.
//
//	one filter at most, that an index knows,  ─▶ row       what is on the page is read
//	and no order but that of creation
//	anything else                             ─▶ gathered  each member was read
type members interface {
	size() int
	// cut gives those of some places.
	cut(from, to int) []*entry
	// behind counts those that come up to the member that a mark names, and with
	// it. Where that one is gone from a list in the order of creation, it counts
	// those that would come before it.
	behind(m mark) (int, bool)
}

// Gathered members were looked at one by one.
type gathered struct {
	call         *call
	all          []*entry
	down, sorted bool
}

func (g gathered) size() int { return len(g.all) }

func (g gathered) cut(from, to int) []*entry { return g.all[from:to] }

func (g gathered) behind(m mark) (int, bool) {
	for i, e := range g.all {
		if e.key == m.key || m.before < 0 && g.call.idOf(e) == m.key {
			return i + 1, true
		}
	}
	if g.sorted || m.order == 0 {
		return 0, false
	}
	n := 0
	for _, e := range g.all {
		if e.stored != nil && (e.stored.Order < m.order) == !g.down {
			n++
		}
	}
	return n, true
}

// A row is members that a collection or an index leads to, in the order of
// creation or the other way round.
type row struct {
	world.Row
	call *call
	full string // their collection
	down bool
}

func (r row) size() int { return r.Len() }

func (r row) cut(from, to int) []*entry {
	if from >= to {
		return nil
	}
	first := from
	if r.down {
		first = r.Len() - 1 - from
	}
	entries, found := make([]entry, 0, to-from), make([]*entry, 0, to-from)
	for record := range r.From(first, r.down) {
		entries = append(entries, *entryOf(record))
		if found = append(found, &entries[len(entries)-1]); len(found) == to-from {
			break
		}
	}
	return found
}

func (r row) behind(m mark) (int, bool) {
	if record, ok := r.call.Tx.Get(r.full, m.key); ok && r.Holds(record) {
		if r.down {
			return r.Len() - r.Rank(record.Order), true
		}
		return r.Rank(record.Order) + 1, true
	}
	if m.before < 0 { // a record may show another id than it is kept under
		return gathered{call: r.call, all: r.cut(0, r.Len()), down: r.down}.behind(m)
	}
	switch {
	case m.order == 0:
		return 0, false
	case r.down:
		return r.Len() - r.Rank(m.order), true
	}
	return r.Rank(m.order), true
}

// matching gives the members that a list asks for, in the order that it asks
// for.
func (c *call) matching(list *anatomy.Paging, in scope) members {
	if r, ok := c.narrowed(list, in); ok {
		r.down = c.falls(list)
		return r
	}
	looked := c.looked()
	all := slices.DeleteFunc(c.candidates(list, in), func(e *entry) bool {
		c.Spend(looked)
		return !c.keeps(list, e)
	})
	c.sort(list, all)
	_, sorted := c.asked(list.Sort)
	return gathered{call: c, all: all, down: c.falls(list), sorted: sorted}
}

// narrowed gives the row that a list asks for, where what it asks for is one.
func (c *call) narrowed(list *anatomy.Paging, in scope) (row, bool) {
	if c.asksAny(list.Sort, list.Query) || c.asksAny(slices.Collect(maps.Keys(list.Ranges))...) {
		return row{}, false
	}
	field, words := "", ""
	for parameter, of := range list.Filters {
		wanted, ok := c.asked(parameter)
		if !ok {
			continue
		}
		only, single := text(wanted)
		if field != "" || of == "" || !single || strings.Contains(only, ",") {
			return row{}, false
		}
		field, words = of, only
	}
	if field == "" {
		return c.row(c.plan.res, in)
	}
	if len(in.ids) > 0 || c.plan.res.Singleton || c.plan.res.latent() {
		return row{}, false
	}
	found, ok := c.Tx.Row(c.plan.res.full, field, words)
	return row{Row: found, call: c, full: c.plan.res.full}, ok && (found.Len() > 0 || c.unheld(field, words))
}

// unheld tells whether surely no member has a value in a field, in whatever way
// it is written: then there is nothing to be looked at.
func (c *call) unheld(field, words string) bool {
	r := c.plan.res
	v := r.form.at(dotted(field)).View()
	if len(v.Types) == 0 || slices.ContainsFunc(v.Types, func(kind string) bool { return !slices.Contains(scalars, kind) }) {
		return false // what an index does not know may hold it
	}
	for known := range c.Tx.Texts(r.full, field) {
		if strings.EqualFold(known, words) {
			return false
		}
	}
	return true
}

// scalars are the types whose values an index knows.
var scalars = []string{"string", "integer", "boolean", "null"}

func (c *call) asksAny(parameters ...string) bool {
	return slices.ContainsFunc(parameters, func(parameter string) bool {
		_, ok := c.asked(parameter)
		return ok
	})
}

// row gives the members in a scope, where the world has them side by side: all
// of them, or those whose field holds the id of their one parent.
func (c *call) row(r *resource, in scope) (row, bool) {
	field, id := "", ""
	switch {
	case c.unmade(r), r.Singleton, len(in.ids) > 1, len(in.ids) == 1 && (r.local || in.remembered()):
		return row{}, false
	case len(in.ids) == 1:
		field, id = in.fields[0], in.ids[0]
	}
	found, ok := c.Tx.Row(r.full, field, id)
	return row{Row: found, call: c, full: r.full}, ok
}

// unmade tells whether members are there that nobody made.
func (c *call) unmade(r *resource) bool { return r.latent() && c.stillLatent(r) }

// all gives the members in a scope, in the order in which they were made.
func (c *call) all(r *resource, in scope) members {
	if found, ok := c.row(r, in); ok {
		return found
	}
	return gathered{call: c, all: c.members(r, in)}
}

// candidates gives those members that may match: all, or those that an index
// leads to.
func (c *call) candidates(list *anatomy.Paging, in scope) []*entry {
	r := c.plan.res
	if r.latent() {
		return c.members(r, in)
	}
	for _, parameter := range slices.Sorted(maps.Keys(list.Filters)) {
		field := list.Filters[parameter]
		wanted, ok := c.asked(parameter)
		words, single := text(wanted)
		if !ok || !single || strings.Contains(words, ",") || len(in.ids) > 0 {
			continue
		}
		var found []*entry
		for record := range c.Tx.Find(r.full, field, words, 0) {
			found = append(found, entryOf(record))
		}
		if len(found) == 0 {
			break // it may be written otherwise: look at each
		}
		slices.Reverse(found)
		return found
	}
	return c.members(r, in)
}
