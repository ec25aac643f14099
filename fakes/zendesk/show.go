package zendesk

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/world"
)

// addresses are the fields that begin with where the client reached us.
var addresses = []string{"url", "html_url", "content_url", "mapped_content_url", "brand_url"}

// show gives a record as a reply has it.
func (c *call) show(r *world.Record) map[string]any { return c.render(r.Value()) }

func (c *call) render(value map[string]any) map[string]any {
	out := maps.Clone(value)
	for _, field := range addresses {
		if s, ok := out[field].(string); ok {
			out[field] = c.rebase(s)
		}
	}
	return out
}

// rebase moves an address of ours to the base under which this client came.
func (c *call) rebase(address string) string {
	for _, mark := range []string{"/api/v2/", "/attachments/token/", "/hc/"} {
		if at := strings.Index(address, mark); at >= 0 {
			return c.Base + address[at:]
		}
	}
	return address
}

// address is where a record is found.
func (c *call) address(path string, id int64) string { return c.Base + path + "/" + key(id) + ".json" }

// one answers with a record in its envelope.
func (c *call) one(under string, r *world.Record) (answer, *refusal) {
	value := map[string]any{under: c.show(r)}
	c.sideload(value, under)
	return answer{value: value}, nil
}

// sideload adds the records that those of a reply point to: include=users,groups.
// Source: developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/side_loading.
func (c *call) sideload(value map[string]any, under string) {
	asked := c.query("include")
	if asked == "" {
		return
	}
	items, many := value[under].([]any)
	if !many {
		items = []any{value[under]}
	}
	for what := range strings.SplitSeq(asked, ",") {
		if c.within(strings.TrimSpace(what), items) {
			continue
		}
		collection, fields := loads(strings.TrimSpace(what))
		if collection == "" {
			continue
		}
		value[collection] = c.pointed(collection, items, fields)
	}
}

// within adds to each ticket what an inclusion shows in it, if it is one that does.
func (c *call) within(what string, items []any) bool {
	add := map[string]func(string) any{
		"slas":          func(n string) any { return c.slas(n) },
		"metric_events": func(n string) any { return c.metricEventsOf(n) },
		"comment_count": func(n string) any { return int64(len(c.those(comments, "ticket_id", n, nil))) },
		"metric_sets":   func(n string) any { return c.metricSet(n) },
		"dates":         func(n string) any { return c.dates(n) },
	}[what]
	if add == nil {
		return false
	}
	for _, item := range items {
		if ticket, ok := item.(map[string]any); ok && ticket["generated_timestamp"] != nil { // of a ticket alone
			ticket[map[string]string{"metric_sets": "metric_set"}[what]+map[bool]string{true: what}[what != "metric_sets"]] = add(key(id(ticket, "id")))
		}
	}
	return true
}

// loads says which records an inclusion adds, and which fields point to them.
func loads(what string) (collection string, fields []string) {
	if _, inner, ok := strings.Cut(what, "("); ok { // tickets(users): of a search
		what = strings.TrimSuffix(inner, ")")
	}
	switch what {
	case "users":
		return users, []string{"requester_id", "submitter_id", "assignee_id", "author_id", "user_id", "collaborator_ids", "follower_ids", "email_cc_ids"}
	case "groups":
		return groups, []string{"group_id", "default_group_id"}
	case "organizations":
		return organizations, []string{"organization_id"}
	case "brands":
		return brands, []string{"brand_id"}
	case "ticket_forms":
		return ticketForms, []string{"ticket_form_id"}
	case "sections":
		return sections, []string{"section_id"}
	case "categories":
		return categories, []string{"category_id"}
	case "custom_statuses":
		return customStatuses, []string{"custom_status_id"}
	case "roles":
		return customRoles, []string{"custom_role_id"}
	case "identities":
		return identities, nil
	case "tickets":
		return tickets, []string{"ticket_id"}
	}
	return "", nil
}

func (c *call) pointed(collection string, items []any, fields []string) []any {
	seen, out := map[int64]bool{}, []any{}
	add := func(n int64) {
		if n == 0 || seen[n] {
			return
		}
		seen[n] = true
		if r, ok := c.find(collection, n); ok {
			out = append(out, c.show(r))
		}
	}
	for _, item := range items {
		value, _ := item.(map[string]any)
		for _, field := range fields {
			switch x := value[field].(type) {
			case []any:
				for _, n := range ids(x) {
					add(n)
				}
			case int64:
				add(x)
			}
		}
		if collection == identities {
			for r := range c.Tx.Find(full(identities), "user_id", key(id(value, "id")), 0) {
				out = append(out, c.show(r))
			}
		}
	}
	return out
}

// those gives the records whose indexed field has a value, oldest first.
func (c *call) those(collection, field, value string, keep func(*world.Record) bool) []*world.Record {
	out := []*world.Record{}
	for r := range c.Tx.Find(full(collection), field, value, 0) {
		if keep == nil || keep(r) {
			out = append(out, r)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// every gives the records of a collection that are wanted, oldest first.
func (c *call) every(collection string, keep func(*world.Record) bool) []*world.Record {
	out := []*world.Record{}
	for r := range c.Tx.Oldest(full(collection), 0) {
		if keep == nil || keep(r) {
			out = append(out, r)
		}
	}
	return out
}

// several answers with the records that ids or external_ids name, in the order
// of their ids, organizations in that of their names, as recorded.
func (c *call) several(collection string, keep func(*world.Record) bool) (answer, *refusal) {
	some := []*world.Record{}
	for _, n := range ids(c.query("ids")) {
		if r, ok := c.find(collection, n); ok && (keep == nil || keep(r)) {
			some = append(some, r)
		}
	}
	if external := c.query("external_ids"); external != "" {
		for one := range strings.SplitSeq(external, ",") {
			some = append(some, c.those(collection, "external_id", one, keep)...)
		}
	}
	by := "id"
	if collection == organizations {
		by = "name"
	}
	slices.SortStableFunc(some, func(a, b *world.Record) int { return compare(by, a.Value()[by], b.Value()[by]) })
	return c.list(listing{collection: collection, some: some, narrowed: true})
}

// count answers how many there are. Zendesk refreshes that once in a while.
func (c *call) count(n int) (answer, *refusal) {
	return answer{value: map[string]any{"count": map[string]any{"value": int64(n), "refreshed_at": c.now()}}}, nil
}
