package sendgrid

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// Segments are contacts that meet a condition. They are made up anew each hour,
// and when that is asked for; here they are up to date whenever they are read.
const (
	segmentEvery  = time.Hour
	mostRefreshes = 2
)

// whereOf finds the condition of a query in full: SELECT … FROM … WHERE …, with
// joins to events, which are not evaluated.
var whereOf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)^\s*select\s+.+?\s+from\s+contact_data(?:\s+as\s+(\w+))?\s*(?:where\s+(.*?))?;?\s*$`)
})

// condition reads the query of a segment: of version 2 a SELECT, of version 1
// the condition alone.
// Errors: in words of the service's kind.
func (c *call) condition(query string) (predicate, string) {
	known := func(field string) bool {
		field = strings.ToLower(field)
		return contactField(field) || c.customField(field)
	}
	text := strings.TrimSpace(query)
	if strings.HasPrefix(strings.ToLower(text), "select") {
		found := whereOf().FindStringSubmatch(text)
		if found == nil {
			return nil, "invalid query: only contact_data can be selected from"
		}
		text = found[2]
		if alias := found[1]; alias != "" {
			text = strings.ReplaceAll(text, alias+".", "")
		}
	}
	if strings.TrimSpace(text) == "" {
		return func(func(string) any) bool { return true }, ""
	}
	holds, err := readQuery(text, known)
	if err != nil {
		return nil, err.Error()
	}
	return holds, ""
}

// inSegment lists the contacts of a segment, newest first: of all contacts, or
// of those in its lists.
func (c *call) inSegment(segment map[string]any) []*world.Record {
	holds, wrong := c.condition(cast.Text(segment["query_dsl"]))
	if wrong != "" {
		return nil
	}
	parents := cast.List(segment["parent_list_ids"])
	var all []*world.Record
	c.all(contacts, func(r *world.Record) bool {
		value := r.Value()
		inside := len(parents) == 0 || slices.ContainsFunc(parents, func(id any) bool { return hasAny(cast.List(value["list_ids"]), id) })
		if inside && holds(c.contactGetter(value)) {
			all = append(all, r)
		}
		return true
	})
	return all
}

// segmentsOf lists the segments that a contact is in.
func (c *call) segmentsOf(value map[string]any) []any {
	ids := []any{}
	for r := range c.Tx.Oldest(full(segments), 0) {
		s := r.Value()
		parents := cast.List(s["parent_list_ids"])
		if len(parents) > 0 && !slices.ContainsFunc(parents, func(id any) bool { return hasAny(cast.List(value["list_ids"]), id) }) {
			continue
		}
		if holds, wrong := c.condition(cast.Text(s["query_dsl"])); wrong == "" && holds(c.contactGetter(value)) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// showSegment writes a segment: in a list without its query, and alone with a
// sample of its contacts.
func (c *call) showSegment(r *world.Record, whole bool) map[string]any {
	value := r.Value()
	shown := shape(value, "id", "name", "created_at", "updated_at", "parent_list_ids", "query_version")
	members := c.inSegment(value)
	shown["contacts_count"] = int64(len(members))
	shown["sample_updated_at"], shown["next_sample_update"] = iso(c.Now), iso(c.Now.Add(segmentEvery))
	shown["status"] = map[string]any{"query_validation": "VALID"}
	shown["_metadata"] = map[string]any{"self": c.Base + "/v3/marketing/segments/2.0/" + r.ID}
	if !whole {
		return shown
	}
	shown["query_dsl"] = value["query_dsl"]
	shown["refreshes_used"], shown["max_refreshes"], shown["last_refreshed_at"] = cast.Int(value["refreshes_used"]), int64(mostRefreshes), cast.Text(value["last_refreshed_at"])
	sample := []any{}
	if c.query("contacts_sample") != "false" {
		for _, one := range members[:min(len(members), mostSampled)] {
			sample = append(sample, c.shownContact(one.Value()))
		}
	}
	shown["contacts_sample"] = sample
	return shown
}

func listSegments(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Newest(full(segments), 0) {
		parents := cast.List(r.Value()["parent_list_ids"])
		if c.query("no_parent_list_id") == "true" && len(parents) > 0 {
			continue
		}
		if wanted := c.query("parent_list_ids"); wanted != "" && !slices.ContainsFunc(strings.Split(wanted, ","), func(id string) bool { return hasAny(parents, id) }) {
			continue
		}
		all = append(all, c.showSegment(r, false))
	}
	return ok(map[string]any{"segments": all}), nil
}

func noSegment() *refusal { return refuse(http.StatusNotFound, "", "segment not found") }

func getSegment(c *call, r *world.Record) (answer, *refusal) { return ok(c.showSegment(r, true)), nil }

// describeSegment lays what was sent over a segment.
func (c *call) describeSegment(value map[string]any, self string) *refusal {
	r := &refusal{status: http.StatusBadRequest}
	body := c.Input.Body
	if name, sent := body["name"].(string); sent || self == "" {
		name = strings.TrimSpace(name)
		taken := false
		c.all(segments, func(r *world.Record) bool {
			taken = r.ID != self && r.Value()["name"] == name
			return !taken
		})
		switch {
		case name == "":
			r.problems = append(r.problems, problem{field: "name", message: "name is required"})
		case len([]rune(name)) > 100:
			r.problems = append(r.problems, problem{field: "name", message: "name must be 100 characters or fewer"})
		case taken:
			r.problems = append(r.problems, problem{field: "name", message: "a segment with that name already exists"})
		}
		value["name"] = name
	}
	if query, sent := body["query_dsl"].(string); sent || self == "" {
		if _, wrong := c.condition(query); query == "" {
			r.problems = append(r.problems, problem{field: "query_dsl", message: "query_dsl is required"})
		} else if wrong != "" {
			r.problems = append(r.problems, problem{field: "query_dsl", message: wrong})
		}
		value["query_dsl"] = query
	}
	if parents, sent := body["parent_list_ids"].([]any); sent {
		for _, id := range parents {
			if _, known := c.get(lists, cast.Text(id)); !known {
				r.problems = append(r.problems, problem{field: "parent_list_ids", message: "list " + clip(cast.Text(id)) + " does not exist"})
			}
		}
		value["parent_list_ids"] = parents
	}
	if len(r.problems) > 0 {
		return r
	}
	value["updated_at"] = iso(c.Now)
	return nil
}

func createSegment(c *call) (answer, *refusal) {
	value := map[string]any{"parent_list_ids": []any{}, "query_version": "2", "created_at": iso(c.Now), "refreshes_used": int64(0)}
	if refused := c.describeSegment(value, ""); refused != nil {
		return answer{}, refused
	}
	id := c.id(c.uuid)
	value["id"] = id
	return created(c.showSegment(c.put(segments, id, value), true)), nil
}

func updateSegment(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	if refused := c.describeSegment(value, r.ID); refused != nil {
		return answer{}, refused
	}
	return ok(c.showSegment(c.put(segments, r.ID, value), true)), nil
}

func deleteSegment(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, segments, r.ID)
	return answer{status: http.StatusAccepted}, nil
}

// refreshSegment makes a segment up anew, which may be asked for twice.
func refreshSegment(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	if cast.Int(value["refreshes_used"]) >= mostRefreshes {
		return answer{}, refuse(http.StatusTooManyRequests, "", "the maximum number of manual refreshes has been reached")
	}
	value["refreshes_used"], value["last_refreshed_at"] = cast.Int(value["refreshes_used"])+1, iso(c.Now)
	c.put(segments, r.ID, value)
	return answer{status: http.StatusAccepted, value: map[string]any{"job_id": c.uuid()}}, nil
}
