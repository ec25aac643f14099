package zendesk

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func searchHandlers() map[string]handler {
	return map[string]handler{
		"ListSearchResults":   search,
		"CountSearchResults":  countSearch,
		"ExportSearchResults": exportSearch,
	}
}

// A hit is a record that a search found, as the index has it.
type hit struct {
	kind   string
	record *world.Record
	shown  map[string]any
}

// hits gives what a query finds, in its order. The index sees a write after a
// while.
func (c *call) hits(q *query) []hit {
	var found []hit
	lagging := c.Tx.Len(indexCollection) > 0
	for _, one := range []struct{ kind, collection string }{{"ticket", tickets}, {"user", users}, {"organization", organizations}, {"group", groups}} {
		if len(q.types) > 0 && !slices.Contains(q.types, one.kind) {
			continue
		}
		for r := range c.Tx.Newest(full(one.collection), 0) {
			shown := r.Value()
			if lagging {
				shown = c.fake.index.See(c.Tx, one.collection+"/"+r.ID, r.Value(), c.Now)
			}
			if shown == nil || shown["status"] == "deleted" || shown["active"] == false && one.kind == "user" || !c.matches(q, one.kind, shown) {
				continue
			}
			found = append(found, hit{one.kind, r, shown})
		}
	}
	if q.order != "" {
		slices.SortStableFunc(found, func(a, b hit) int {
			n := compare(q.order, a.shown[q.order], b.shown[q.order])
			if n == 0 {
				n = cmp.Compare(a.record.Order, b.record.Order)
			}
			if q.down {
				return -n
			}
			return n
		})
	}
	return found
}

// ordered takes the order from the query, or else from the parameters.
func (c *call) ordered(q *query) *query {
	if by := sortable(c.query("sort_by")); by != "" && q.order == "" {
		q.order, q.down = by, c.query("sort_order") != "asc"
	}
	return q
}

// mostFound is how many results a search shows.
// Source: developer.zendesk.com/api-reference/ticketing/ticket-management/search/#results-limit.
const mostFound = 1000

func search(c *call) (answer, *refusal) {
	if _, ok := c.Input.Query["query"]; !ok {
		return answer{}, missingQuery()
	}
	number, size, refused := c.pageNumber(mostPerPage)
	if refused != nil {
		return answer{}, refused
	}
	if number*size > mostFound && number > 1 { // recorded
		return answer{}, named(http.StatusUnprocessableEntity, "invalid", "Invalid search: Requested response size was greater than Search Response Limits")
	}
	found := c.hits(c.ordered(parse(c.query("query"), c.Now)))
	total, skip := len(found), (number-1)*size
	part := found[min(skip, total):min(skip+size, total)]
	value := map[string]any{"results": c.results(part), "facets": nil, "count": int64(total), "next_page": nil, "previous_page": nil}
	if skip+size < total {
		value["next_page"] = c.pageLink(number + 1)
	}
	if number > 1 {
		value["previous_page"] = c.pageLink(number - 1)
	}
	c.sideload(value, "results")
	return answer{value: value}, nil
}

func missingQuery() *refusal {
	return titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: query")
}

func (c *call) results(found []hit) []any {
	out := make([]any, len(found))
	for i, h := range found {
		out[i] = with(c.render(h.shown), map[string]any{"result_type": h.kind})
	}
	return out
}

func countSearch(c *call) (answer, *refusal) {
	if _, ok := c.Input.Query["query"]; !ok {
		return answer{}, missingQuery()
	}
	return answer{value: map[string]any{"count": int64(len(c.hits(parse(c.query("query"), c.Now))))}}, nil
}

// exportSearch gives all that a query finds, of one kind, by cursor.
func exportSearch(c *call) (answer, *refusal) {
	kind := cast.Text(cast.Object(c.Input.Query["filter"])["type"])
	if !slices.Contains([]string{"ticket", "user", "organization", "group"}, kind) {
		return answer{}, titled(http.StatusBadRequest, "Invalid attribute", "You passed an invalid value for the filter[type] attribute. Invalid parameter: filter[type] must be one of: ticket, organization, user, group from api/v2/search/export")
	}
	q := parse(c.query("query"), c.Now)
	q.types, q.order = []string{kind}, ""
	found := c.hits(q)
	some, kinds := make([]*world.Record, len(found)), map[string]hit{}
	for i, h := range found {
		some[i], kinds[h.record.ID] = h.record, h
	}
	if _, ok := c.Input.Query["page"].(map[string]any); !ok {
		c.Input.Query = with(c.Input.Query, map[string]any{"page": map[string]any{}})
	}
	got, refused := c.list(listing{collection: kind + "s", some: some, narrowed: true, under: "results", most: mostFound, show: func(r *world.Record) map[string]any {
		return with(c.render(kinds[r.ID].shown), map[string]any{"result_type": kind})
	}})
	if refused != nil {
		return answer{}, refused
	}
	got.value["facets"] = nil
	return got, nil
}

// matches holds a record against a query.
func (c *call) matches(q *query, kind string, r map[string]any) bool {
	for name, terms := range q.terms {
		met, wanted := false, false
		for _, t := range terms {
			is, known := c.meetsTerm(t, name, kind, r)
			if !known {
				return false
			}
			if t.negated {
				if is {
					return false
				}
				continue
			}
			wanted = true
			if ranged := t.operator != ":"; ranged && !is {
				return false
			}
			met = met || is
		}
		if wanted && !met {
			return false
		}
	}
	said := sayable(kind, r)
	for _, word := range q.words {
		if !mentions(said, strings.TrimSuffix(word, "*")) && cast.Plain(r["id"]) != word && !c.discussed(kind, r, word) {
			return false
		}
	}
	for _, word := range q.not {
		if mentions(said, word) {
			return false
		}
	}
	return true
}

// sayable is the text of a record that words are looked for in.
func sayable(kind string, r map[string]any) string {
	switch kind {
	case "ticket":
		return cast.Text(r["subject"]) + " " + cast.Text(r["description"]) + " " + strings.Join(list(r["tags"]), " ")
	case "user":
		return cast.Text(r["name"]) + " " + cast.Text(r["email"]) + " " + cast.Text(r["phone"]) + " " + cast.Text(r["notes"]) + " " + cast.Text(r["details"])
	}
	return cast.Text(r["name"]) + " " + cast.Text(r["notes"]) + " " + cast.Text(r["details"])
}

// discussed tells whether a word is in what was said in a ticket later.
func (c *call) discussed(kind string, r map[string]any, word string) bool {
	if kind != "ticket" {
		return false
	}
	for one := range c.Tx.Find(full(comments), "ticket_id", key(id(r, "id")), 0) {
		if mentions(cast.Text(one.Value()["plain_body"]), word) {
			return true
		}
	}
	return false
}
