package hubspot

import (
	"net/http"
	"strconv"

	"parity/fakes/cast"
)

// point reads one end of an association in a batch.
func point(input map[string]any, field string) string {
	return cast.Plain(cast.Object(input[field])["id"])
}

// pairs reads the inputs of a batch of associations.
func (c *call) pairs(most int) (association, []map[string]any, *refusal) {
	a, refused := c.ends()
	if refused != nil {
		return a, nil, refused
	}
	inputs, refused := c.some(most)
	return a, inputs, refused
}

func batchAssociate(c *call, a association, inputs []map[string]any) (answer, *refusal) {
	b := batch{status: http.StatusCreated}
	var refused *refusal // the last one
	for _, input := range inputs {
		a.fromID, a.toID = point(input, "from"), point(input, "to")
		if a.types, refused = c.specs(a.from, a.to, input["types"]); refused == nil {
			refused = c.there(a)
		}
		if refused != nil {
			b.errors = append(b.errors, refused.item(refused.context))
			continue
		}
		c.put(a)
		b.results = append(b.results, c.labelled(a))
	}
	if len(b.results) == 0 && refused != nil {
		return answer{}, refused
	}
	return c.reply(b)
}

func batchAssociateDefault(c *call, a association, inputs []map[string]any) (answer, *refusal) {
	b := batch{status: http.StatusOK}
	var refused *refusal // the last one
	for _, input := range inputs {
		a.fromID, a.toID = point(input, "from"), point(input, "to")
		if refused = c.there(a); refused != nil {
			b.errors = append(b.errors, refused.item(refused.context))
			continue
		}
		c.put(a)
		b.results = append(b.results, c.both(a)...)
	}
	if len(b.results) == 0 && refused != nil {
		return answer{}, refused
	}
	return c.reply(b)
}

func batchAssociations(c *call) (answer, *refusal) {
	return c.readLinks(func(a association, l link) []any { return []any{c.associated(a.from, a.to, l)} })
}

// readLinks answers with what many records are associated with. A record
// without any is an error, and the answer then is 207.
func (c *call) readLinks(show func(association, link) []any) (answer, *refusal) {
	a, inputs, refused := c.pairs(mostReads)
	if refused != nil {
		return answer{}, refused
	}
	b := batch{status: http.StatusOK}
	for _, input := range inputs {
		id := cast.Plain(input["id"])
		from, refused := offset(input["after"])
		if refused != nil {
			return answer{}, refused
		}
		links := c.links(a.from, id, a.to)
		if len(links) == 0 || !c.alive(a.from, id) {
			b.errors = append(b.errors, unassociated(a.from, a.to, id))
			continue
		}
		to := []any{}
		result := map[string]any{"from": map[string]any{"id": id}}
		for i, l := range links {
			if i < from {
				continue
			}
			if i-from == mostLinks {
				after := strconv.Itoa(i)
				result["paging"] = map[string]any{"next": map[string]any{"after": after, "link": "?after=" + after}}
				break
			}
			to = append(to, show(a, l)...)
		}
		result["to"] = to
		b.results = append(b.results, result)
	}
	return c.reply(b)
}

func batchDissociate(c *call, a association, inputs []map[string]any) (answer, *refusal) {
	for _, input := range inputs {
		for _, one := range cast.List(input["to"]) {
			c.cut(a.from, point(input, "from"), a.to, cast.Plain(cast.Object(one)["id"]))
		}
	}
	return done()
}

func batchUnlabel(c *call, a association, inputs []map[string]any) (answer, *refusal) {
	for _, input := range inputs {
		types, refused := c.specs(a.from, a.to, input["types"])
		if refused != nil {
			return answer{}, refused
		}
		a.fromID, a.toID, a.types = point(input, "from"), point(input, "to"), types
		c.unlabel(a)
	}
	return done()
}
