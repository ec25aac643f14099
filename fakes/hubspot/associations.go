package hubspot

import (
	"fmt"
	"net/http"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// mostLinks is how many associations a page has at most, and mostPairs how many
// a batch makes.
const (
	mostLinks = 500
	mostPairs = 2000
	mostReads = 1000
)

// invalidEnds is the answer to associating what is not there.
func invalidEnds(o *objectType, id string) *refusal {
	r := invalid("One or more associations are invalid")
	r.context = map[string]any{"INVALID_OBJECT_IDS": []any{o.upper + "=" + kit.Clip(id) + " is not valid"}}
	return r
}

// invalidTie is the answer to a way in which the two types cannot be associated.
func invalidTie(category string, id int64) *refusal {
	spec := category + "=" + strconv.FormatInt(id, 10)
	r := invalid("One or more associations are invalid")
	r.context = map[string]any{"associationSpec": []any{spec}, "INVALID_ASSOCIATION_TYPE_ID": []any{spec + " is not a valid association definition id"}}
	return r
}

// specs reads the ways of an association that is asked for. A number of the
// wrong direction is told as such.
func (c *call) specs(from, to *objectType, given any) ([]int64, *refusal) {
	list, _ := given.([]any)
	ids := make([]int64, 0, len(list))
	for _, one := range list {
		spec, _ := one.(map[string]any)
		id, _ := spec["associationTypeId"].(int64)
		t, ok := c.tie(from, to, id)
		if !ok {
			if _, back := c.tie(to, from, id); back {
				return nil, invalid("invalid from object type %s for associations to be created. expected: %s", from.id, to.id)
			}
			return nil, invalidTie(cast.Text(spec["associationCategory"]), id)
		}
		if t.category() != cast.Text(spec["associationCategory"]) && !t.own {
			return nil, invalidTie(cast.Text(spec["associationCategory"]), id)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// wanted reads the associations that a new record is to have.
func (c *call) wanted(o *objectType, given any) ([]association, *refusal) {
	list, _ := given.([]any)
	var all []association
	for _, one := range list {
		input, _ := one.(map[string]any)
		types, _ := input["types"].([]any)
		a := association{from: o, toID: cast.Plain(cast.Object(input["to"])["id"])}
		for _, t := range types {
			spec, _ := t.(map[string]any)
			id, _ := spec["associationTypeId"].(int64)
			to, ok := c.reached(o, id)
			if !ok {
				return nil, invalidTie(cast.Text(spec["associationCategory"]), id)
			}
			if to == nil {
				return nil, invalid("invalid from object type %s for associations to be created. expected: %s", o.id, c.expected(id))
			}
			a.to, a.types = to, append(a.types, id)
		}
		if a.to == nil {
			return nil, invalid("One or more associations are invalid")
		}
		if !c.alive(a.to, a.toID) {
			return nil, invalidEnds(a.to, a.toID)
		}
		all = append(all, a)
	}
	return all, nil
}

// reached gives the type to which a way of association leads from a type: nil
// where it leads from another.
func (c *call) reached(from *objectType, id int64) (*objectType, bool) {
	known := false
	for _, t := range c.fake.types.ties {
		if t.id == id && t.from == from.name {
			return c.fake.types.byName[t.to], true
		}
		known = known || t.id == id
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(labels), 0) {
		if r.ID != strconv.FormatInt(id, 10) {
			continue
		}
		if cast.Text(r.Value()["from"]) == from.name {
			return c.typeNamed(cast.Text(r.Value()["to"]))
		}
		known = true
	}
	if !known {
		for _, to := range append(c.ownTypes(), c.fake.types.all...) {
			if made(from.name, to.name) == id {
				return to, true
			}
		}
	}
	return nil, known
}

func (c *call) expected(id int64) string {
	for _, t := range c.fake.types.ties {
		if t.id == id {
			return c.fake.types.byName[t.from].id
		}
	}
	return "none"
}

// ends reads the two records that a path names.
func (c *call) ends() (a association, refused *refusal) {
	given := "objectType"
	if _, ok := c.Input.Path[given]; !ok {
		given = "fromObjectType"
	}
	if a.from, refused = c.objectType(given); refused != nil {
		return a, refused
	}
	if a.to, refused = c.objectType("toObjectType"); refused != nil {
		return a, refused
	}
	a.fromID, a.toID = c.Input.Path["objectId"], c.Input.Path["toObjectId"]
	return a, nil
}

// there refuses records that are not there.
func (c *call) there(a association) *refusal {
	if !c.alive(a.from, a.fromID) {
		return invalidEnds(a.from, a.fromID)
	}
	if !c.alive(a.to, a.toID) {
		return invalidEnds(a.to, a.toID)
	}
	return c.beyondLimit(a)
}

func listAssociations(c *call, a association) (answer, *refusal) {
	limit, from, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	if !c.alive(a.from, a.fromID) {
		return answer{}, missing()
	}
	links := c.links(a.from, a.fromID, a.to)
	results, after := []any{}, ""
	for i, l := range links {
		if i < from {
			continue
		}
		if len(results) == limit {
			after = strconv.Itoa(i)
			break
		}
		results = append(results, c.associated(a.from, a.to, l))
	}
	return c.page(results, after)
}

// span reads a page of associations: they are counted.
func (c *call) span() (limit, from int, refused *refusal) {
	limit = mostLinks
	if n, sent := c.Input.Query["limit"].(int64); sent {
		if _, refused = c.limit(mostLinks); refused != nil {
			return 0, 0, refused
		}
		limit = int(n)
	}
	from, refused = offset(c.query("after"))
	return limit, from, refused
}

func (c *call) associated(from, to *objectType, l link) map[string]any {
	types := make([]any, 0, len(l.types))
	for _, id := range l.types {
		if t, ok := c.tie(from, to, id); ok {
			types = append(types, t.shown())
		}
	}
	return map[string]any{"toObjectId": whole(l.id), "associationTypes": types}
}

func whole(id string) int64 {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func associate(c *call, a association) (answer, *refusal) {
	types, refused := c.specs(a.from, a.to, c.Input.Value)
	if refused != nil {
		return answer{}, refused
	}
	a.types = types
	if refused := c.there(a); refused != nil {
		return answer{}, refused
	}
	c.put(a)
	return answer{status: http.StatusCreated, value: c.labelled(a)}, nil
}

// labelled is the answer to associations with labels.
func (c *call) labelled(a association) map[string]any {
	names := []any{}
	for _, id := range a.types {
		if t, ok := c.tie(a.from, a.to, id); ok && t.label != "" {
			names = append(names, t.label)
		}
	}
	return map[string]any{
		"fromObjectTypeId": a.from.id, "fromObjectId": whole(a.fromID), "toObjectTypeId": a.to.id, "toObjectId": whole(a.toID), "labels": names,
	}
}

func dissociate(c *call, a association) (answer, *refusal) {
	c.cut(a.from, a.fromID, a.to, a.toID)
	return done()
}

func associateDefault(c *call, a association) (answer, *refusal) {
	if refused := c.there(a); refused != nil {
		return answer{}, refused
	}
	c.put(a)
	return c.reply(batch{status: http.StatusOK, results: c.both(a)})
}

// both writes an unlabelled association in both directions.
func (c *call) both(a association) []any {
	t := c.plainTie(a.from, a.to)
	one := func(from, to string, id int64) map[string]any {
		return map[string]any{
			"from": map[string]any{"id": from}, "to": map[string]any{"id": to},
			"associationSpec": map[string]any{"associationCategory": t.category(), "associationTypeId": id},
		}
	}
	return []any{one(a.fromID, a.toID, t.id), one(a.toID, a.fromID, t.inverse)}
}

// unassociated is the error of a batch for a record that has no associations,
// or is none.
func unassociated(from, to *objectType, id string) map[string]any {
	return map[string]any{
		"status": "error", "category": notFoundCategory, "subCategory": "crm.associations.NO_ASSOCIATIONS_FOUND",
		"message": fmt.Sprintf("No %s is associated with %s %s.", to.singular, from.singular, id),
		"context": map[string]any{"fromObjectId": []any{id}, "fromObjectType": []any{from.singular}, "toObjectType": []any{to.singular}},
	}
}
