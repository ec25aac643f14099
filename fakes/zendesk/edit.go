package zendesk

import (
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// An edit is one change of a ticket under way: what it becomes, what is said in
// it, and what its audit will tell.
type edit struct {
	c       *call
	before  *world.Record // nil: the ticket is new
	value   map[string]any
	author  int64
	via     map[string]any
	comment map[string]any // to be written; nil: nothing is said
	uploads []*world.Record
	more    []any         // events beside those of fields
	calls   []invocation  // webhooks that rules call
	rule    *world.Record // the automation whose edit this is; nil: a user's
}

// apiVia is how what is done by the API came about.
func apiVia() map[string]any {
	return map[string]any{"channel": "api", "source": map[string]any{"from": map[string]any{}, "to": map[string]any{}, "rel": nil}}
}

func (c *call) edit(r *world.Record) *edit {
	return &edit{c: c, before: r, value: with(r.Value(), nil), author: c.callerID(), via: apiVia()}
}

// told are the fields that audits tell of, in the order in which they do, as
// recorded.
var told = []string{
	"subject", "requester_id", "priority", "type", "status", "tags", "assignee_id", "group_id", "organization_id", "brand_id", "ticket_form_id", "custom_status_id",
	"problem_id", "due_at", "external_id", "collaborator_ids", "follower_ids", "email_cc_ids",
}

// save writes the ticket, its comment and its audit, has the triggers run, and
// tells everybody. An edit that changes nothing leaves no audit.
func (e *edit) save() (*world.Record, map[string]any) {
	c := e.c
	n := id(e.value, "id")
	auditID := c.fresh(audits)
	events := e.events(auditID)
	if len(events) == 0 && e.before != nil {
		return e.before, e.audit(auditID, []any{})
	}
	changed := e.rule == nil || !kit.Same(e.before.Value(), e.value)
	e.value["updated_at"], e.value["generated_timestamp"] = c.now(), c.Now.Unix()
	if changed { // triggers run on changes, and on no notification
		events = append(events, e.pullTriggers(auditID)...)
	}
	r := c.write(tickets, n, e.before, e.value)
	e.measure()
	e.clockSLA()
	c.watch(e.value)
	audit := e.audit(auditID, events)
	c.fake.store.Create(c.Tx, audits, key(auditID), audit)
	e.announce()
	e.tellAgents()
	for _, one := range e.calls {
		c.invoke(one)
	}
	return r, audit
}

// events tells what an edit says and changes. What a rule does it tells itself.
func (e *edit) events(audit int64) []any {
	if e.rule != nil {
		return e.carryOut(e.rule, "automation", audit)
	}
	e.settleStatus()
	return append(append(e.commentEvent(audit), e.fieldEvents()...), e.more...)
}

func (e *edit) audit(n int64, events []any) map[string]any {
	return map[string]any{
		"id": n, "ticket_id": e.value["id"], "created_at": e.c.now(), "author_id": e.author,
		"metadata": map[string]any{"system": map[string]any{"client": kit.Clip(e.c.Header.Get("User-Agent")), "ip_address": "203.0.113.7", "location": "Parity", "latitude": int64(0), "longitude": int64(0)}, "custom": map[string]any{}},
		"events":   events, "via": e.via,
	}
}

// fieldEvents tells what changed: Create for a new ticket, else Change.
func (e *edit) fieldEvents() []any {
	if e.before != nil {
		return e.c.changes(e.before.Value(), e.value, nil)
	}
	var events []any
	tell := func(field string, is any) {
		events = append(events, map[string]any{"id": e.c.fresh(audits), "type": "Create", "field_name": field, "value": is})
	}
	for _, field := range told {
		is := said(e.value[field])
		items, many := is.([]any)
		if is == nil && field != "type" && field != "priority" || many && len(items) == 0 { // these two are told once, as null
			continue
		}
		tell(field, is)
	}
	is := fieldsByID(e.value["custom_fields"])
	for _, n := range slices.Sorted(keysOf(is)) {
		if is[n] != nil {
			tell(key(n), said(is[n]))
		}
	}
	return events
}

// changes tells how a ticket differs from what it was. via is nil where the
// audit says how that came about.
func (c *call) changes(old, now, via map[string]any) []any {
	var events []any
	tell := func(field string, was, is any) {
		if kit.Same(was, is) {
			return
		}
		event := map[string]any{"id": c.fresh(audits), "type": "Change", "field_name": field, "value": is, "previous_value": was}
		if via != nil {
			event["via"] = via
		}
		events = append(events, event)
	}
	for _, field := range told {
		tell(field, said(old[field]), said(now[field]))
	}
	was, is := fieldsByID(old["custom_fields"]), fieldsByID(now["custom_fields"])
	for _, n := range slices.Sorted(keysOf(is)) {
		tell(key(n), said(was[n]), said(is[n]))
	}
	return events
}

// said is a value as audits have it: ids are text.
func said(v any) any {
	switch x := v.(type) {
	case int64, float64, bool:
		return cast.Plain(x)
	case []any:
		out := make([]any, len(x))
		for i, one := range x {
			out[i] = said(one)
		}
		return out
	}
	return v
}

func keysOf(m map[int64]any) func(func(int64) bool) {
	return func(yield func(int64) bool) {
		for n := range m {
			if !yield(n) {
				return
			}
		}
	}
}

// fieldsByID reads custom_fields.
func fieldsByID(v any) map[int64]any {
	items, _ := v.([]any)
	out := make(map[int64]any, len(items))
	for _, one := range items {
		if field, ok := one.(map[string]any); ok {
			out[id(field, "id")] = field["value"]
		}
	}
	return out
}

// joined is a name for messages.
func joined(names []string) string { return strings.Join(names, ", ") }
