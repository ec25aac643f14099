package hubspot

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
)

// definitionsV1 are the numbers by which v1 names the ways of association: of
// which types they lead from one to the other. What is an engagement in v1 is
// any of five types.
// Source: developers.hubspot.com/docs/methods/crm-associations/crm-associations-overview.
var definitionsV1 = map[string][2]string{
	"1": {"contacts", "companies"}, "2": {"companies", "contacts"}, "3": {"deals", "contacts"}, "4": {"contacts", "deals"},
	"5": {"deals", "companies"}, "6": {"companies", "deals"}, "7": {"companies", engagements}, "8": {engagements, "companies"},
	"9": {"contacts", engagements}, "10": {engagements, "contacts"}, "11": {"deals", engagements}, "12": {engagements, "deals"},
	"13": {"companies", "companies"}, "14": {"companies", "companies"}, "15": {"contacts", "tickets"}, "16": {"tickets", "contacts"},
	"17": {"tickets", engagements}, "18": {engagements, "tickets"}, "19": {"deals", "line_items"}, "20": {"line_items", "deals"},
	"25": {"companies", "tickets"}, "26": {"tickets", "companies"}, "27": {"deals", "tickets"}, "28": {"tickets", "deals"},
}

// engagements stands for all types of engagement in the table above.
const engagements = "engagements"

// How many ids a page has: by default, and at most.
const (
	mostLinksV1 = 100
)

// endV1 finds the type of one end of a definition, and tells whether the record
// is there.
func (c *call) endV1(kind, id string) (*objectType, bool) {
	if kind == engagements {
		e, there := c.engagementOf(id)
		return e.o, there
	}
	o := c.fake.types.byName[kind]
	return o, c.alive(o, id)
}

func listAssociationsV1(c *call) (answer, *refusal) {
	d, known := definitionsV1[c.Input.Path["definitionId"]]
	if !known || c.Input.Path["category"] != "HUBSPOT_DEFINED" {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "Association definition is not valid"}
	}
	ids := []int64{}
	if from, there := c.endV1(d[0], c.Input.Path["objectId"]); there {
		for _, to := range c.typesV1(d[1]) {
			for _, l := range c.links(from, c.Input.Path["objectId"], to) {
				ids = append(ids, whole(l.id))
			}
		}
	}
	slices.Sort(ids)
	limit, after := c.count("limit", mostLinksV1), c.number("offset")
	shown, last, more := []any{}, after, false
	for _, id := range ids {
		if id <= after {
			continue
		}
		if more = len(shown) == limit; more {
			break
		}
		shown, last = append(shown, id), id
	}
	return ok(map[string]any{"results": shown, "hasMore": more, "offset": last})
}

func (c *call) typesV1(kind string) []*objectType {
	if kind != engagements {
		return []*objectType{c.fake.types.byName[kind]}
	}
	var all []*objectType
	for _, a := range activities {
		all = append(all, c.fake.types.byName[a.collection])
	}
	return all
}

// changeAssociationsV1 makes associations, or takes them away: one, or a list of
// them. Making refuses all where one is not good; what is not there need not be
// taken away.
func changeAssociationsV1(c *call) (answer, *refusal) {
	inputs := []map[string]any{c.Input.Body}
	if list, is := c.Input.Value.([]any); is {
		inputs = cast.Objects(any(list))
	}
	away := strings.Contains(c.Operation.Path, "/delete")
	var all []association
	var wrong []any
	for _, input := range inputs {
		d, known := definitionsV1[cast.Plain(input["definitionId"])]
		if !known {
			wrong = append(wrong, "definition="+cast.Plain(input["definitionId"])+" is not valid")
			continue
		}
		a := association{fromID: cast.Plain(input["fromObjectId"]), toID: cast.Plain(input["toObjectId"])}
		good := true
		for i, id := range []string{a.fromID, a.toID} {
			o, there := c.endV1(d[i], id)
			if !there {
				good = false
				wrong = append(wrong, upperV1(c, d[i])+"="+id+" is not valid")
			}
			if i == 0 {
				a.from = o
			} else {
				a.to = o
			}
		}
		if good {
			all = append(all, a)
		}
	}
	if wrong != nil && !away {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "One or more associations are invalid", errors: wrong}
	}
	for _, a := range all {
		if away {
			c.cut(a.from, a.fromID, a.to, a.toID)
		} else {
			c.put(a)
		}
	}
	return done()
}

func upperV1(c *call, kind string) string {
	if kind == engagements {
		return "ENGAGEMENT"
	}
	return c.fake.types.byName[kind].upper
}

// importAssociationsV1 takes in what a record is associated with.
func (c *call) importAssociationsV1(shown map[string]any) {
	d, known := definitionsV1[c.Input.Path["definitionId"]]
	if !known || d[0] == engagements || d[1] == engagements {
		return
	}
	from, to := c.fake.types.byName[d[0]], c.fake.types.byName[d[1]]
	c.importObject(from, map[string]any{"id": c.Input.Path["objectId"]})
	for _, id := range cast.List(shown["results"]) {
		c.importObject(to, map[string]any{"id": cast.Plain(id)})
		c.put(association{from: from, fromID: c.Input.Path["objectId"], to: to, toID: cast.Plain(id)})
	}
}
