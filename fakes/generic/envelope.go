package generic

import (
	"maps"
	"net/http"
	"slices"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs/anatomy"
	"parity/specs/schema"
)

// listed answers with a page, in whatever the contract puts around it.
func (c *call) listed(p slice, list *anatomy.Paging) fakes.Reply {
	t := c.success(c.usual(http.StatusOK)...).spoken(c.plan.res)
	if t.media == nil {
		return c.obliged(c.give(t, nil), t)
	}
	whole := t.schema()
	at := pointer(list.Items)
	holder := c.fake.library.at(whole, at)
	if holder == nil && len(at) > 0 && whole != nil {
		return c.obliged(c.give(t, nil), t) // there is no place for a list
	}
	around := c.around(t, p, list)
	if least := typed(holder).MinItems; least != nil && len(p.items) < *least && typed(holder).Is("array") {
		if len(at) > 0 && !c.fake.library.form(c.fake.library.at(whole, at[:len(at)-1])).required[at[len(at)-1]] {
			return c.unlisted(t, around) // no list stands for an empty one
		}
		p.items = c.padded(p.items, *least)
	}
	reply := c.framed(t, around, at, c.shown(p, holder))
	c.links(reply.Header, p, list, t)
	return c.obliged(reply, t)
}

// A part is what stands at its place in a reply, with the rest around it.
type part struct {
	value any
	bytes any // the same, with records that are shown as they are stored for their values
}

// framed answers with a part at its place in a reply.
func (c *call) framed(t target, around any, at path, p part) fakes.Reply {
	reply := fakes.Reply{Status: t.status, Header: http.Header{}}
	around = world.Normalise(c.completed(t, around, at, p.value))
	if !isJSON(t.media.Type) {
		return c.written(reply, t, at.put(around, p.value))
	}
	reply.Header.Set("Content-Type", contentType(t.media.Type))
	whole := at.put(around, p.bytes)
	reply.Body = world.Encode(whole)
	reply.Result, _ = at.into(whole, p.value).(map[string]any)
	return reply
}

// shown gives the members of a page as a schema shows lists.
func (c *call) shown(p slice, holder *schema.Schema) part {
	if v := typed(holder); holder != nil && !v.Is("array") && v.Is("object") {
		byID := map[string]any{} // an object, with the ids for names
		for _, e := range p.items {
			byID[c.idOf(e)] = world.Normalise(c.item(v.Rest, e))
		}
		return part{byID, byID}
	}
	s := typed(holder).Items
	values, bytes := make([]any, len(p.items)), make([]any, len(p.items))
	for i, e := range p.items {
		if values[i] = c.item(s, e); c.asStored(s, e) {
			bytes[i] = e.stored
			continue
		}
		values[i] = world.Normalise(values[i])
		bytes[i] = values[i]
	}
	return part{values, bytes}
}

// asStored tells whether a schema shows a member as the world keeps it.
func (c *call) asStored(s *schema.Schema, e *entry) bool {
	r := c.plan.res
	return e.stored != nil && (same(s, r.Record) || s == nil && (r.ID.Field != "" || r.Singleton || e.value["id"] != nil))
}

// item gives a member as one of a list: as its read shows it, or with what the
// list's own schema wants.
func (c *call) item(s *schema.Schema, e *entry) any {
	one := c.project(s, e)
	object, ok := one.(map[string]any)
	if r := c.plan.res; ok && s == nil && r.ID.Field == "" && !r.Singleton && object["id"] == nil {
		object = maps.Clone(object)
		object["id"] = c.idOf(e) // nothing says how it is told
		return object
	}
	if !ok || s == nil || same(s, c.plan.res.Record) {
		return one
	}
	return c.fake.fixed(c.plan.res.full, e.key).least(s, object)
}

// around fills what stands beside the items: totals, cursors, echoes.
func (c *call) around(t target, p slice, list *anatomy.Paging) any {
	body, lay := (&neighbours{c, p, list}).of(nil, t.schema(), nil), path.into
	put := func(at string, value any) {
		place := pointer(at)
		if len(place) == 0 {
			return
		}
		s := c.fake.library.at(t.schema(), place)
		if s != nil && !fits(s, value, 0) {
			bent, ok := bend(s, value)
			if !ok {
				return
			}
			value = bent
		}
		body = lay(place, body, value)
	}
	put(list.Total, int64(p.total))
	put(list.More, p.more())
	if p.more() {
		put(list.Next, c.nextValue(p, list))
	} else if s := c.fake.library.at(t.schema(), pointer(list.Next)); s != nil && fits(s, nil, 0) && len(pointer(list.Next)) == 1 {
		put(list.Next, nil)
	} else if s != nil && len(pointer(list.Next)) > 0 && c.needsNext(t, list) {
		put(list.Next, "")
	}
	if list.Prev != "" {
		if p.from > 0 && list.IsURL {
			put(list.Prev, c.pageURL(list, max(p.from-p.limit, 0), p.limit, p.last))
		} else if p.from > 0 && p.last != "" {
			put(list.Prev, p.last)
		} else {
			put(list.Prev, nil)
		}
	}
	lay = path.put // what is echoed may be an object of the request
	for at, parameter := range list.Echo {
		switch parameter {
		case list.Limit:
			put(at, int64(p.limit))
		case list.Offset:
			put(at, int64(p.from))
		case list.Page:
			put(at, int64(list.First+p.from/max(p.limit, 1)))
		default:
			if v, ok := c.asked(parameter); ok {
				put(at, v)
			}
		}
	}
	return body
}

// needsNext tells whether the contract has a next cursor on the last page too.
func (c *call) needsNext(t target, list *anatomy.Paging) bool {
	s := t.schema()
	for _, name := range pointer(list.Next) {
		f := c.fake.library.form(s)
		if !f.required[name] {
			return false
		}
		s = f.fields[name]
	}
	return true
}

// unlisted answers with what stands around a list, and without the list.
func (c *call) unlisted(t target, around any) fakes.Reply {
	if around == nil {
		around = map[string]any{}
	}
	return c.obliged(c.give(t, around), t)
}

// padded adds members that nobody made to a list that may not be so short: to
// what matches there is always something more.
func (c *call) padded(items []*entry, least int) []*entry {
	const most = 100
	in, refused := c.scope()
	if refused != nil {
		return items
	}
	items = slices.Clone(items)
	for i := 0; len(items) < min(least, most) && i < 2*most; i++ {
		if e, ok := c.derived(c.plan.res, in, c.startID(c.plan.res, in, i)); ok && !slices.ContainsFunc(items, func(other *entry) bool { return other.key == e.key }) {
			items = append(items, e)
		}
	}
	return items
}
