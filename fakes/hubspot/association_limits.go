package hubspot

import (
	"net/http"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// An account may say how many records of a type one record is associated with at
// most, for each way of association.

func limitKey(from *objectType, id int64) string { return from.name + "/" + strconv.FormatInt(id, 10) }

// showLimit writes a limit with the types that it is of.
func (c *call) showLimit(a association, t tie, most int64) map[string]any {
	return map[string]any{
		"fromObjectTypeId": a.from.id, "toObjectTypeId": a.to.id, "category": t.category(), "typeId": t.id, "userEnforcedMaxToObjectIds": most, "label": t.shown()["label"],
	}
}

func (c *call) limitsBetween(a association) []any {
	all := []any{}
	for _, t := range c.ties(a.from, a.to) {
		if r, there := c.fake.store.Get(c.Tx, linkLimits, limitKey(a.from, t.id)); there {
			all = append(all, c.showLimit(a, t, cast.Int(r.Value()["most"])))
		}
	}
	return all
}

func listLinkLimits(c *call, a association) (answer, *refusal) {
	return ok(map[string]any{"results": c.limitsBetween(a)})
}

func listAllLinkLimits(c *call) (answer, *refusal) {
	results := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(linkLimits), 0) {
		from, known := c.typeNamed(cast.Text(r.Value()["from"]))
		to, known2 := c.typeNamed(cast.Text(r.Value()["to"]))
		if !known || !known2 {
			continue
		}
		if t, there := c.tie(from, to, cast.Int(r.Value()["type"])); there {
			results = append(results, c.showLimit(association{from: from, to: to}, t, cast.Int(r.Value()["most"])))
		}
	}
	return ok(map[string]any{"results": results})
}

// setLinkLimits makes or changes limits; what is no way of association is an
// error of the batch.
func setLinkLimits(c *call, a association) (answer, *refusal) {
	b := batch{status: http.StatusOK}
	for _, input := range c.inputs() {
		id, most := cast.Int(input["typeId"]), cast.Int(input["maxToObjectIds"])
		t, there := c.tie(a.from, a.to, id)
		switch {
		case !there:
			refused := invalidTie(cast.Text(input["category"]), id)
			b.errors = append(b.errors, refused.item(refused.context))
			continue
		case most < 1:
			refused := invalid("maxToObjectIds must be at least 1")
			b.errors = append(b.errors, refused.item(map[string]any{}))
			continue
		}
		key := limitKey(a.from, id)
		c.fake.store.Put(c.Tx, linkLimits, key, map[string]any{"id": key, "from": a.from.name, "to": a.to.name, "type": id, "most": most})
		b.results = append(b.results, c.showLimit(a, t, most))
	}
	return c.reply(b)
}

func clearLinkLimits(c *call, a association) (answer, *refusal) {
	for _, input := range c.inputs() {
		key := limitKey(a.from, cast.Int(input["typeId"]))
		if _, there := c.fake.store.Get(c.Tx, linkLimits, key); there {
			c.fake.store.Delete(c.Tx, linkLimits, key)
		}
	}
	return done()
}

// beyondLimit refuses an association that would be one too many.
func (c *call) beyondLimit(a association) *refusal {
	types := a.types
	if len(types) == 0 {
		types = []int64{c.plainTie(a.from, a.to).id}
	}
	for _, id := range types {
		r, there := c.fake.store.Get(c.Tx, linkLimits, limitKey(a.from, id))
		if !there {
			continue
		}
		n := int64(0)
		for _, l := range c.links(a.from, a.fromID, a.to) {
			for _, held := range l.types {
				if held == id && l.id != a.toID {
					n++
				}
			}
		}
		if most := cast.Int(r.Value()["most"]); n >= most {
			return invalid("%s %s has reached its limit of %d associations of type %d", a.from.upper, kit.Clip(a.fromID), most, id)
		}
	}
	return nil
}
