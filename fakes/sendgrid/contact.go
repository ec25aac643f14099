package sendgrid

import (
	"maps"
	"net/http"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// contactTexts are the fields of a contact that are texts, empty when unset.
var contactTexts = []string{
	"first_name", "last_name", "unique_name", "email", "address_line_1", "address_line_2", "city", "state_province_region", "country",
	"postal_code", "phone_number", "whatsapp", "line", "facebook", "external_id", "phone_number_id", "anonymous_id",
}

// mostSampled is how many contacts the plain list has.
// Source: twilio.com/docs/sendgrid/api-reference/contacts/get-sample-contacts.
const mostSampled = 50

// shownContact is a contact with each of its fields.
func (c *call) shownContact(value map[string]any) map[string]any {
	out := make(map[string]any, len(contactTexts)+8)
	for _, field := range contactTexts {
		out[field] = cast.Text(value[field])
	}
	for _, field := range []string{"alternate_emails", "list_ids", "segment_ids"} {
		if out[field] = value[field]; out[field] == nil {
			out[field] = []any{}
		}
	}
	out["custom_fields"] = c.named(cast.Object(value["custom_fields"]))
	if ids := c.segmentsOf(value); len(ids) > 0 {
		out["segment_ids"] = ids
	}
	out["id"] = value["id"]
	for _, field := range []string{"created_at", "updated_at"} {
		if out[field] = cast.Text(value[field]); out[field] == "" {
			out[field] = iso(time.Unix(0, 0))
		}
	}
	out["_metadata"] = map[string]any{"self": c.Base + "/v3/marketing/contacts/" + cast.Text(value["id"])}
	return out
}

func (c *call) contactList(found []any, total int) map[string]any {
	return map[string]any{"result": found, "contact_count": int64(total), "_metadata": map[string]any{"self": c.Base + c.Operation.Path}}
}

func sampleContacts(c *call) (answer, *refusal) {
	page := []any{}
	c.all(contacts, func(r *world.Record) bool {
		page = append(page, c.shownContact(r.Value()))
		return len(page) < mostSampled
	})
	return ok(c.contactList(page, c.Tx.Len(full(contacts)))), nil
}

func countContacts(c *call) (answer, *refusal) {
	n := int64(c.Tx.Len(full(contacts)))
	return ok(map[string]any{"contact_count": n, "billable_count": n, "billable_breakdown": map[string]any{"total": n, "breakdown": map[string]any{}}}), nil
}

func noContact() *refusal { return refuse(http.StatusNotFound, "", "contact not found") }

func getContact(c *call, record *world.Record) (answer, *refusal) {
	return ok(c.shownContact(record.Value())), nil
}

// batchContacts reads contacts by ids; those that there are not are left out.
func batchContacts(c *call) (answer, *refusal) {
	found := []any{}
	for _, id := range cast.List(c.Input.Body["ids"]) {
		if record, known := c.get(contacts, cast.Text(id)); known {
			found = append(found, c.shownContact(record.Value()))
		}
	}
	return ok(map[string]any{"result": found}), nil
}

// searchContacts finds contacts by a condition, newest first. At most 50 are
// shown of however many there are.
func searchContacts(c *call) (answer, *refusal) {
	known := func(field string) bool {
		field = strings.ToLower(field)
		return contactField(field) || c.customField(field)
	}
	holds, err := readQuery(cast.Text(c.Input.Body["query"]), known)
	if err != nil {
		return answer{}, invalid("query", err.Error())
	}
	page, total := []any{}, 0
	c.all(contacts, func(r *world.Record) bool {
		value := search.See(c.Tx, r.ID, r.Value(), c.Now)
		if value == nil || !holds(c.contactGetter(value)) {
			return true
		}
		if total++; len(page) < mostSampled {
			page = append(page, c.shownContact(value))
		}
		return true
	})
	return ok(c.contactList(page, total)), nil
}

func contactField(field string) bool {
	switch field {
	case "contact_id", "created_at", "updated_at", "list_ids", "segment_ids", "alternate_emails", "email_domains":
		return true
	}
	for _, one := range contactTexts {
		if one == field {
			return true
		}
	}
	return false
}

// customField tells whether the account has a field of this name or id, or any
// contact has.
func (c *call) customField(field string) bool {
	if c.fieldNamed(field) != nil {
		return true
	}
	found := false
	for r := range c.Tx.Oldest(full(fields), 0) {
		found = found || strings.EqualFold(r.ID, field)
	}
	if found {
		return true
	}
	c.all(contacts, func(r *world.Record) bool {
		for name := range cast.Object(r.Value()["custom_fields"]) {
			found = found || strings.EqualFold(name, field)
		}
		return !found
	})
	return found
}

// contactGetter gives a contact's fields by the names that queries use; its own
// ones by their names or ids.
func (c *call) contactGetter(value map[string]any) func(string) any {
	own := cast.Object(value["custom_fields"])
	return func(field string) any {
		field = strings.ToLower(field)
		switch {
		case field == "contact_id":
			return value["id"]
		case field == "email_domains":
			_, domain, _ := strings.Cut(cast.Text(value["email"]), "@")
			return []any{domain}
		case field == "segment_ids":
			return c.segmentsOf(value)
		case contactField(field):
			return value[field]
		}
		for id, v := range own {
			if strings.EqualFold(id, field) {
				return v
			}
		}
		if r := c.fieldNamed(field); r != nil {
			return own[r.ID]
		}
		return nil
	}
}

// searchEmails reads contacts by addresses, exactly.
func searchEmails(c *call) (answer, *refusal) {
	result, found := map[string]any{}, false
	for _, one := range cast.List(c.Input.Body["emails"]) {
		email := cast.Text(one)
		if !isEmail(email) {
			result[email] = map[string]any{"error": "is not a valid email address"}
			continue
		}
		result[email] = map[string]any{"error": "contact not found"}
		for record := range c.fake.store.Find(c.Tx, contacts, "email", strings.ToLower(email)) {
			result[email], found = map[string]any{"contact": c.shownContact(record.Value())}, true
			break
		}
	}
	if !found {
		return answer{}, refuse(http.StatusNotFound, "", "no contacts found for the provided emails")
	}
	return ok(map[string]any{"result": result}), nil
}

// saveContact adds or changes a contact: empty values change nothing, lists are
// added to.
func (c *call) saveContact(sent map[string]any, listIDs []any) (isNew bool) {
	email := strings.ToLower(cast.Text(sent["email"]))
	var old *world.Record
	for record := range c.fake.store.Find(c.Tx, contacts, "email", email) {
		old = record
		break
	}
	value := map[string]any{"id": "", "created_at": iso(c.Now)}
	var before map[string]any
	if old != nil {
		value, before = maps.Clone(old.Value()), old.Value()
	} else {
		value["id"] = c.uuid()
	}
	for field, v := range sent {
		if v != nil && v != "" && field != "custom_fields" {
			value[field] = v
		}
	}
	if more := cast.Object(sent["custom_fields"]); len(more) > 0 {
		merged := map[string]any{}
		maps.Copy(merged, cast.Object(value["custom_fields"]))
		for name, v := range more {
			if v == nil || v == "" {
				delete(merged, name)
				continue
			}
			merged[name] = v
		}
		value["custom_fields"] = merged
	}
	ids := cast.List(value["list_ids"])
	ids = ids[:len(ids):len(ids)]
	for _, id := range listIDs {
		if !hasAny(ids, id) {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		ids = []any{}
	}
	value["email"], value["updated_at"], value["list_ids"] = email, iso(c.Now), ids
	record := c.put(contacts, cast.Text(value["id"]), value)
	search.Note(c.Tx, record.ID, before, c.Now)
	return old == nil
}

func hasAny(list []any, v any) bool {
	for _, one := range list {
		if one == v {
			return true
		}
	}
	return false
}

// forget deletes a contact.
func (c *call) forget(id string) bool {
	record, known := c.get(contacts, id)
	if !known {
		return false
	}
	search.Note(c.Tx, id, record.Value(), c.Now)
	c.fake.store.Delete(c.Tx, contacts, id)
	return true
}
