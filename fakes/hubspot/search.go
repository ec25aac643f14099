package hubspot

import (
	"cmp"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The bounds of a search.
// Source: developers.hubspot.com/docs/api-reference/search/guide.
const (
	mostGroups       = 5
	mostGroupFilters = 6
	mostFilters      = 18
	mostFound        = 200
	mostResults      = 10000
	longestQuery     = 3000
)

// farthest is the greatest offset that is counted with.
const farthest = 1 << 30

// A question is a search, read.
type question struct {
	groups     [][]filter
	query      string
	sort       string
	descending bool
	limit      int
	from       int
	view       view
}

// found is a record as the index shows it.
type found struct {
	value map[string]any
	held  map[string]any
}

func search(c *call) (answer, *refusal) {
	o, refused := c.objectType("objectType")
	if refused != nil {
		return answer{}, refused
	}
	q, refused := c.question(o)
	if refused != nil {
		return answer{}, refused
	}
	hits := c.hits(o, q)
	order(hits, q)
	page := hits[min(q.from, len(hits)):min(q.from+q.limit, len(hits))]
	total := max(int64(len(hits)), c.counted(c.asking(o)))
	results := make([]any, len(page))
	for i, hit := range page {
		results[i] = c.show(o, hit.value, q.view)
	}
	value := map[string]any{"total": total, "results": results}
	if next := q.from + q.limit; int64(next) < total {
		value["paging"] = map[string]any{"next": map[string]any{"after": strconv.Itoa(next)}}
	}
	return ok(value)
}

// asking names a search by all of it but the page.
func (c *call) asking(o *objectType) string {
	body := changed(c.Input.Body)
	delete(body, "after")
	delete(body, "limit")
	return "search/" + o.name + "/" + string(world.Encode(body))
}

// hits walks what the index shows: writes of late are not in it yet, and what
// was archived of late still is.
func (c *call) hits(o *objectType, q question) []found {
	var hits []found
	lags := c.Tx.Len(indexCollection) > 0
	for r := range c.candidates(o, q) {
		shown := r
		if lags {
			if value, behind := c.fake.index.Shown(c.Tx, o.collection+"/"+r.ID, c.Now); behind {
				if value == nil {
					continue
				}
				shown = world.Loose(r.ID, value)
			}
		}
		if shown.At("archived") == true || o.custom && shown.At("type") != o.name || !q.matches(c, o, shown) {
			continue
		}
		held, _ := shown.Value()["properties"].(map[string]any)
		hits = append(hits, found{shown.Value(), held})
	}
	return hits
}

// candidates walks the records that may be hits, oldest first: all of a type,
// or, where a value is asked for that records are indexed by, those that have
// it, and those that may have had it when they were changed.
func (c *call) candidates(o *objectType, q question) iter.Seq[*world.Record] {
	field, value := q.indexed(o)
	if field == "" {
		return c.Tx.Oldest(c.fake.store.Full(o.collection), 0)
	}
	var all []*world.Record
	for r := range c.fake.store.Find(c.Tx, o.collection, field, value) {
		all = append(all, r)
	}
	for behind := range c.fake.index.Behind(c.Tx, c.Now) {
		collection, id, _ := strings.Cut(behind, "/")
		if collection != o.collection {
			continue
		}
		if r, there := c.fake.store.Get(c.Tx, collection, id); there && kit.Text(r.Value(), field) != value {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *world.Record) int { return cmp.Compare(a.Order, b.Order) })
	return slices.Values(all)
}

// indexed gives the field and value of an equality that every hit has to meet.
func (q question) indexed(o *objectType) (field, value string) {
	if len(q.groups) != 1 {
		return "", ""
	}
	for _, f := range q.groups[0] {
		if f.operator == "EQ" && (f.property == "email" && o.name == "contacts") {
			return "properties." + f.property, strings.ToLower(f.value)
		}
	}
	return "", ""
}

func (q question) matches(c *call, o *objectType, r *world.Record) bool {
	if q.query != "" && (!r.Says(q.query) || !slices.ContainsFunc(o.searched, func(property string) bool {
		return strings.Contains(strings.ToLower(textOf(r, property)), q.query)
	})) {
		return false
	}
	return len(q.groups) == 0 || slices.ContainsFunc(q.groups, func(group []filter) bool {
		return !slices.ContainsFunc(group, func(f filter) bool { return !f.holds(c, o, r) })
	})
}

// textOf is a property of a record, which need not be decoded for it.
func textOf(r *world.Record, property string) string {
	return cast.Text(r.At("properties", property))
}

// order sorts by the one property that may be asked for; without one, by when
// records were made. Those without a value come last.
func order(hits []found, q question) {
	if q.sort == "" {
		return
	}
	slices.SortStableFunc(hits, func(a, b found) int {
		x, y := cast.Text(a.held[q.sort]), cast.Text(b.held[q.sort])
		switch {
		case x == y:
			return 0
		case x == "":
			return 1
		case y == "":
			return -1
		}
		n := compare(x, y)
		if q.descending {
			return -n
		}
		return n
	})
}

// question reads a search and holds it against its bounds.
func (c *call) question(o *objectType) (question, *refusal) {
	body := c.Input.Body
	q := question{limit: usualPage, query: strings.ToLower(strings.TrimSpace(cast.Text(body["query"]))), view: view{properties: cast.Texts(body["properties"])}}
	if n, sent := body["limit"].(int64); sent {
		q.limit = int(min(n, 1<<30))
	}
	from, refused := offset(body["after"])
	if refused != nil {
		return q, refused
	}
	q.from = from
	switch {
	case q.limit < 0:
		return q, invalid("limit must be positive")
	case q.limit > mostFound:
		return q, invalid("The requested limit of %d exceeds the maximum of %d", q.limit, mostFound)
	case q.from+q.limit > mostResults:
		return q, invalid("There was a problem with the request. Paging through more than %d results is not supported: narrow the search.", mostResults)
	case utf8.RuneCountInString(q.query) > longestQuery:
		return q, invalid("query must be at most %d characters", longestQuery)
	}
	if refused := q.readSort(c, o, body["sorts"]); refused != nil {
		return q, refused
	}
	return q, q.readGroups(c, o, body)
}

func offset(v any) (int, *refusal) {
	if v == nil || v == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(cast.Plain(v))
	if err != nil || n < 0 {
		return 0, invalid("Invalid after parameter: %s", kit.Clip(cast.Plain(v)))
	}
	return min(n, farthest), nil
}

func (q *question) readSort(c *call, o *objectType, sorts any) *refusal {
	list, _ := sorts.([]any)
	switch {
	case len(list) == 0:
		return nil
	case len(list) > 1:
		return invalid("Only one sort is allowed, and %d were given", len(list))
	}
	switch s := list[0].(type) {
	case string:
		q.sort, q.descending = strings.TrimPrefix(s, "-"), strings.HasPrefix(s, "-")
	case map[string]any:
		q.sort = cast.Text(s["propertyName"])
		switch direction := cast.Text(s["direction"]); direction {
		case "", "ASCENDING":
		case "DESCENDING":
			q.descending = true
		default:
			return badInput(": Cannot construct instance of `com.hubspot.inbounddb.publicobject.core.v3.search.Sort`, problem: No enum constant %s", kit.Clip(direction))
		}
	}
	if q.sort != "" && c.definition(o, q.sort) == nil {
		return unknownProperty(o, q.sort)
	}
	return nil
}

func unknownProperty(o *objectType, property string) *refusal {
	r := invalid("There was a problem with the request.")
	r.errors = []any{map[string]any{"message": "Property '" + kit.Clip(property) + "' does not exist on object type " + o.upper, "code": doesNotExist, "context": map[string]any{"propertyName": []any{kit.Clip(property)}}}}
	r.status = http.StatusBadRequest
	return r
}

func (q *question) readGroups(c *call, o *objectType, body map[string]any) *refusal {
	groups, _ := body["filterGroups"].([]any)
	lists := make([]any, 0, len(groups)+1)
	for _, one := range groups {
		if group, ok := one.(map[string]any); ok {
			lists = append(lists, group["filters"])
		}
	}
	if bare, ok := body["filters"].([]any); ok && len(bare) > 0 { // one group, written without
		lists = append(lists, bare)
	}
	if len(lists) > mostGroups {
		return invalid("Too many filterGroups: %d were given, and at most %d are allowed", len(lists), mostGroups)
	}
	total := 0
	for _, list := range lists {
		items, _ := list.([]any)
		if total += len(items); len(items) > mostGroupFilters || total > mostFilters {
			return invalid("Too many filters: at most %d in a group and %d in all are allowed", mostGroupFilters, mostFilters)
		}
		group := make([]filter, 0, len(items))
		for _, item := range items {
			f, refused := c.filter(o, cast.Object(item))
			if refused != nil {
				return refused
			}
			group = append(group, f)
		}
		if len(group) > 0 {
			q.groups = append(q.groups, group)
		}
	}
	return nil
}
