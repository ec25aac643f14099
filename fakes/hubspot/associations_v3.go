package hubspot

import (
	"net/http"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// v3 names the ways of association: contact_to_company. A path may have the
// number instead.
func (c *call) tieNamed(from, to *objectType, given string) (tie, *refusal) {
	for _, t := range c.ties(from, to) {
		if t.name == given || strconv.FormatInt(t.id, 10) == given {
			return t, nil
		}
	}
	r := invalid("%s is not a valid association type between %s and %s", kit.Clip(given), from.name, to.name)
	r.sub = "crm.associations.INVALID_ASSOCIATION_TYPE"
	r.context = map[string]any{"type": []any{kit.Clip(given)}, "fromObjectType": []any{from.name}, "toObjectType": []any{to.name}}
	return tie{}, r
}

func (c *call) linksV3(from, to *objectType, l link) []any {
	all := make([]any, len(l.types))
	for i, id := range l.types {
		all[i] = map[string]any{"id": l.id, "type": c.typeName(from, to, id)}
	}
	return all
}

func listAssociationsV3(c *call, a association) (answer, *refusal) {
	limit, from, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	if !c.alive(a.from, a.fromID) {
		return answer{}, missing()
	}
	var all []any
	for _, l := range c.links(a.from, a.fromID, a.to) {
		all = append(all, c.linksV3(a.from, a.to, l)...)
	}
	after := ""
	if from+limit < len(all) {
		after = strconv.Itoa(from + limit)
	}
	return c.page(append([]any{}, all[min(from, len(all)):min(from+limit, len(all))]...), after)
}

func associateV3(c *call, a association) (answer, *refusal) {
	t, refused := c.tieNamed(a.from, a.to, c.Input.Path["associationType"])
	if refused == nil {
		refused = c.there(a)
	}
	if refused != nil {
		return answer{}, refused
	}
	a.types = []int64{t.id}
	c.put(a)
	r, _ := c.find(a.from, a.fromID)
	return ok(c.show(a.from, r.Value(), view{associations: []*objectType{a.to}}))
}

func dissociateV3(c *call, a association) (answer, *refusal) {
	t, refused := c.tieNamed(a.from, a.to, c.Input.Path["associationType"])
	if refused != nil {
		return answer{}, refused
	}
	c.drop(a, t)
	return done()
}

// drop takes one way of association away; with the one that a name means, all
// that belong to it go.
func (c *call) drop(a association, t tie) {
	if t.label == "" || primaries[t.id] {
		c.cut(a.from, a.fromID, a.to, a.toID)
		return
	}
	a.types = []int64{t.id}
	c.unlabel(a)
}

func batchAssociateV3(c *call, a association, inputs []map[string]any) (answer, *refusal) {
	b := batch{status: http.StatusCreated}
	for _, input := range inputs {
		a.fromID, a.toID = point(input, "from"), point(input, "to")
		t, refused := c.tieNamed(a.from, a.to, cast.Text(input["type"]))
		if refused != nil {
			return answer{}, refused
		}
		if refused = c.there(a); refused != nil {
			b.errors = append(b.errors, refused.item(refused.context))
			continue
		}
		a.types = []int64{t.id}
		c.put(a)
		b.results = append(b.results, map[string]any{"from": map[string]any{"id": a.fromID}, "to": map[string]any{"id": a.toID}, "type": cast.Text(input["type"])})
	}
	return c.reply(b)
}

func batchAssociationsV3(c *call) (answer, *refusal) {
	return c.readLinks(func(a association, l link) []any { return c.linksV3(a.from, a.to, l) })
}

func batchDissociateV3(c *call, a association, inputs []map[string]any) (answer, *refusal) {
	for _, input := range inputs {
		t, refused := c.tieNamed(a.from, a.to, cast.Text(input["type"]))
		if refused != nil {
			return answer{}, refused
		}
		a.fromID, a.toID = point(input, "from"), point(input, "to")
		c.drop(a, t)
	}
	return done()
}

func listTypesV3(c *call, a association) (answer, *refusal) {
	results := []any{}
	for _, t := range c.ties(a.from, a.to) {
		results = append(results, map[string]any{"id": strconv.FormatInt(t.id, 10), "name": t.name})
	}
	return ok(map[string]any{"results": results})
}
