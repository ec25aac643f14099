package zendesk

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// Import puts the records that a reply of the real service shows into the world.
// Replies of earlier years lack fields: those are as in a new record. A list
// that is all there is shows also what a new account would not have kept.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	c := &call{Call: fc, fake: f, asker: map[string]any{"id": int64(ownerID), "role": "admin"}}
	if status/100 != 2 {
		return
	}
	var raw any
	if json.Unmarshal(body, &raw) != nil {
		raw = nil
	}
	reply, _ := world.Normalise(raw).(map[string]any)
	if fc.Operation.Method == http.MethodDelete {
		c.takenForGranted(reply)
		return
	}
	undone(reply)
	me := fc.Operation.ID == "ShowCurrentUser"
	for name, inner := range reply {
		for _, k := range imported() {
			switch x := inner.(type) {
			case map[string]any:
				if name == k.one || name == "ticket" && k.collection == tickets {
					c.importOne(k, x)
					if me {
						c.keep(callers, c.Identity, map[string]any{"user": id(x, "id")})
					}
				}
			case []any:
				if name == k.many || name == "results" || name == "rows" {
					c.importList(k, name, x)
				}
			}
		}
		if items, ok := inner.([]any); ok {
			c.onlyThese(name, items, reply)
		}
	}
}

// undone gives a ticket back what a recorded change, told by its audit, took.
func undone(reply map[string]any) {
	ticket, _ := reply["ticket"].(map[string]any)
	events, _ := cast.Object(reply["audit"])["events"].([]any)
	if ticket == nil || len(events) == 0 {
		return
	}
	before := with(ticket, nil)
	for _, one := range events {
		event, _ := one.(map[string]any)
		if field := cast.Text(event["field_name"]); event["type"] == "Change" {
			was := event["previous_value"]
			if n, ok := whole(was); ok && strings.HasSuffix(field, "_id") && field != "external_id" {
				was = n
			}
			before[field] = was
			if field == "subject" {
				before["raw_subject"] = was
			}
		}
	}
	reply["ticket"] = before
}

// A mould is how records of a kind are made whole.
type mould struct {
	collection, one, many string
	blank                 func(*call) map[string]any
}

func imported() []mould {
	all := []mould{
		{tickets, "ticket", "tickets", func(c *call) map[string]any {
			return with(blankTicket(c), map[string]any{"encoded_id": "", "status": "open"})
		}},
		{users, "user", "users", blankUser},
		{phoneNumbers, "phone_number", phoneNumbers, func(c *call) map[string]any {
			return map[string]any{"country_id": nil, "created_at": c.now(), "number": nil, "name": nil, "nickname": nil, "display_number": nil, "location": nil, "toll_free": false, "transcription": true, "recorded": true}
		}},
		{identities, "identity", identities, func(c *call) map[string]any {
			return map[string]any{"type": "email", "value": "", "verified": true, "primary": true, "undeliverable_count": int64(0), "deliverable_state": "deliverable"}
		}},
		{comments, "comment", comments, func(c *call) map[string]any {
			n, _ := whole(c.Input.Path["ticket_id"])
			return map[string]any{"type": "Comment", "html_body": "", "plain_body": "", "attachments": []any{}, "audit_id": int64(0), "ticket_id": n, "via": apiVia(), "metadata": map[string]any{}}
		}},
		{audits, "audit", audits, func(c *call) map[string]any { return map[string]any{"metadata": map[string]any{}, "via": apiVia()} }},
		{articles, "article", articles, func(c *call) map[string]any {
			return map[string]any{
				"comments_disabled": false, "draft": false, "promoted": false, "position": int64(0), "vote_sum": int64(0), "vote_count": int64(0), "outdated": false,
				"outdated_locales": []any{}, "edited_at": c.now(), "user_segment_id": nil, "permission_group_id": int64(1), "content_tag_ids": []any{}, "label_names": []any{}, "body": "",
			}
		}},
	}
	all = append(all, importedByProducts()...)
	for _, k := range kinds() {
		blank := k.blank
		all = append(all, mould{k.collection, k.one, k.collection, func(*call) map[string]any { return blank }})
	}
	return all
}

// importedByProducts are what tickets leave behind, and what became none.
func importedByProducts() []mould {
	return []mould{
		{ticketMetrics, "ticket_metric", ticketMetrics, func(c *call) map[string]any {
			return c.blankMetrics(map[string]any{"id": int64(0), "created_at": c.now(), "updated_at": c.now()})
		}},
		{suspendedTickets, "suspended_ticket", suspendedTickets, func(*call) map[string]any {
			return map[string]any{"author": map[string]any{}, "subject": nil, "content": nil, "cause": "", "cause_id": int64(0), "message_id": nil, "ticket_id": nil, "recipient": nil, "via": apiVia(), "attachments": []any{}, "brand_id": nil, "error_messages": nil}
		}},
		{satisfactionRatings, "satisfaction_rating", satisfactionRatings, func(*call) map[string]any {
			return map[string]any{"assignee_id": nil, "group_id": nil, "requester_id": int64(0), "ticket_id": int64(0), "score": "offered", "comment": nil, "reason": nil, "reason_code": nil, "reason_id": nil}
		}},
		{sharingAgreements, "sharing_agreement", sharingAgreements, func(*call) map[string]any {
			return map[string]any{"name": "", "type": "inbound", "status": "accepted", "partner_name": nil, "remote_subdomain": nil}
		}},
	}
}

func (c *call) importList(k mould, name string, items []any) {
	for _, item := range items {
		one, ok := item.(map[string]any)
		if !ok || name == "results" && cast.Text(one["result_type"]) != k.one {
			continue
		}
		c.importOne(k, one)
	}
}

// importOne inserts a record that is not there yet, if it passes the contract
// once it is whole.
func (c *call) importOne(k mould, shown map[string]any) {
	n := id(shown, "id")
	if n == 0 {
		return
	}
	if _, there := c.Tx.Get(full(k.collection), key(n)); there {
		return
	}
	value := with(with(map[string]any{"url": "", "created_at": c.now(), "updated_at": c.now()}, k.blank(c)), nil)
	known := map[string]bool{}
	for _, v := range c.Contract.CheckRecord(k.collection, with(value, shown)) {
		if v.Rule == "unknown" || v.Rule == "additionalProperties" {
			known[strings.TrimPrefix(v.Pointer, "/")] = true
		}
	}
	otherwise := map[string]any{} // of what is shown to be null, for what may not be
	for field, v := range shown {
		if known[field] {
			continue
		}
		if v == nil && value[field] != nil {
			otherwise[field] = value[field]
		}
		value[field] = v
	}
	if len(otherwise) > 0 {
		for _, v := range c.Contract.CheckRecord(k.collection, value) {
			if field := strings.TrimPrefix(v.Pointer, "/"); otherwise[field] != nil {
				value[field] = otherwise[field]
			}
		}
	}
	for _, field := range []string{"subject", "title", "name", "description"} {
		if _, twin := value["raw_"+field]; twin && shown["raw_"+field] == nil {
			value["raw_"+field] = value[field]
		}
	}
	for _, v := range c.Contract.CheckRecord(k.collection, value) { // what this kind of record has not, such as a url
		if v.Rule == "unknown" || v.Rule == "additionalProperties" {
			delete(value, strings.TrimPrefix(v.Pointer, "/"))
		}
	}
	if len(c.Contract.CheckRecord(k.collection, value)) > 0 {
		return
	}
	if _, err := c.Tx.Insert(full(k.collection), key(n), value); err != nil {
		return
	}
	if k.collection == tickets {
		c.fieldsOf(value)
	}
	if k.collection == users {
		c.known(cast.Text(value["email"]), n)
	}
}

// fieldsOf makes the custom fields that a ticket shows.
func (c *call) fieldsOf(ticket map[string]any) {
	for n := range fieldsByID(ticket["custom_fields"]) {
		if _, known := c.find(ticketFields, n); !known && n != 0 {
			value := with(c.fake.kinds[ticketFields].blank, map[string]any{"id": n, "title": key(n), "raw_title": key(n), "url": c.address(api+ticketFields, n), "created_at": c.now(), "updated_at": c.now()})
			if _, err := c.Tx.Insert(full(ticketFields), key(n), value); err != nil {
				return
			}
		}
	}
}

// onlyThese takes away what a new account has and a full list does not show.
func (c *call) onlyThese(name string, items []any, reply map[string]any) {
	whole, _ := reply["count"].(int64)
	if int(whole) != len(items) || reply["next_page"] != nil || strings.Contains(c.Operation.Path, "{") || !strings.HasPrefix(c.Operation.ID, "List") || len(c.Input.Query) > 0 {
		return
	}
	if !slices.Contains([]string{users, groups, views, macros, ticketFields, ticketForms, brands, memberships, triggers, automations, customStatuses, customRoles}, name) || !strings.HasSuffix(c.Operation.Path, "/"+name) {
		return
	}
	shown := map[string]bool{}
	for _, item := range items {
		one, _ := item.(map[string]any)
		shown[key(id(one, "id"))] = true
	}
	for _, r := range c.every(name, func(r *world.Record) bool { return !shown[r.ID] && r.Value()["created_at"] == firstDay }) {
		c.fake.store.Delete(c.Tx, name, r.ID)
	}
}

// takenForGranted makes the record that a recorded deletion took away.
func (c *call) takenForGranted(reply map[string]any) {
	if user, ok := reply["user"].(map[string]any); ok { // users stay, inactive
		c.importOne(mould{users, "user", users, blankUser}, user)
		if r, ok := c.find(users, id(user, "id")); ok && r.Value()["active"] == false {
			c.fake.store.Update(c.Tx, users, r.ID, with(r.Value(), map[string]any{"active": true}))
		}
		return
	}
	parts := strings.Split(c.Operation.Path, "/")
	parameter := strings.Trim(parts[len(parts)-1], "{}")
	n, ok := whole(c.Input.Path[parameter])
	if !ok {
		return
	}
	for _, k := range imported() {
		if k.collection != c.Operation.Anatomy.Collection {
			continue
		}
		value := map[string]any{"id": n, "requester_id": int64(ownerID), "submitter_id": int64(ownerID), "name": key(n), "title": key(n)}
		if k.collection == tickets {
			delete(value, "name")
			delete(value, "title")
		}
		value["url"] = c.Base + api + k.collection + "/" + key(n) + ".json"
		c.importOne(k, value)
	}
}
