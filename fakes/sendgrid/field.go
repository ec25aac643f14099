package sendgrid

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// mostFields is how many fields of its own an account may have.
// Source: twilio.com/docs/sendgrid/ui/managing-contacts/custom-fields.
const mostFields = 120

// fieldName is what a field may be called.
// Source: github.com/sendgrid/docs/pull/5841.
var fieldName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`) })

// reservedFields are those that every contact has, with their types; the last
// ones cannot be written.
var reservedFields = [...][2]string{
	{"first_name", "Text"},
	{"last_name", "Text"},
	{"email", "Text"},
	{"alternate_emails", "Text"},
	{"address_line_1", "Text"},
	{"address_line_2", "Text"},
	{"city", "Text"},
	{"state_province_region", "Text"},
	{"postal_code", "Text"},
	{"country", "Text"},
	{"phone_number", "Text"},
	{"whatsapp", "Text"},
	{"line", "Text"},
	{"facebook", "Text"},
	{"unique_name", "Text"},
	{"external_id", "Text"},
	{"anonymous_id", "Text"},
	{"phone_number_id", "Text"},
	{"lists", "Text"},
	{"contact_id", "Text"},
	{"created_at", "Date"},
	{"updated_at", "Date"},
	{"email_domains", "Text"},
	{"last_emailed", "Date"},
	{"last_clicked", "Date"},
	{"last_opened", "Date"},
}

// written is how many of them a contact can be given.
const written = 18

func (c *call) shownField(value map[string]any) map[string]any {
	shown := shape(value, "id", "name", "field_type")
	shown["_metadata"] = map[string]any{"self": c.Base + "/v3/marketing/field_definitions/" + cast.Text(value["id"])}
	return shown
}

func listFields(c *call) (answer, *refusal) {
	own, reserved := []any{}, []any{}
	for r := range c.Tx.Oldest(full(fields), 0) {
		own = append(own, c.shownField(r.Value()))
	}
	for i, one := range reservedFields {
		field := map[string]any{"id": "_rf" + strconv.Itoa(i) + "_" + one[1][:1], "name": one[0], "field_type": one[1]}
		if i >= written {
			field["read_only"] = true
		}
		reserved = append(reserved, field)
	}
	return ok(map[string]any{"custom_fields": own, "reserved_fields": reserved, "_metadata": map[string]any{"self": c.Base + c.Operation.Path}}), nil
}

// nameField holds the name of a field against those that there are.
func (c *call) nameField(self string) (string, *refusal) {
	name := cast.Text(c.Input.Body["name"])
	switch {
	case !fieldName().MatchString(name):
		return "", invalid("name", "name should start with a letter or underscore and contain only alphanumeric characters and underscores")
	case slices.ContainsFunc(reservedFields[:], func(one [2]string) bool { return strings.EqualFold(one[0], name) }):
		return "", invalid("name", "name is a reserved field name")
	}
	if field := c.fieldNamed(name); field != nil && field.ID != self {
		return "", invalid("name", "custom field with that name already exists")
	}
	return name, nil
}

func (c *call) fieldNamed(name string) *world.Record {
	for r := range c.Tx.Oldest(full(fields), 0) {
		if strings.EqualFold(cast.Text(r.Value()["name"]), name) {
			return r
		}
	}
	return nil
}

// createField makes a field of the account's own. Its id says which it is and
// what it holds: w1_N, e2_T.
func createField(c *call) (answer, *refusal) {
	name, refused := c.nameField("")
	if refused != nil {
		return answer{}, refused
	}
	kind := cast.Text(c.Input.Body["field_type"])
	if kind != "Text" && kind != "Number" && kind != "Date" {
		return answer{}, invalid("field_type", "field_type must be one of Text, Number or Date")
	}
	if c.Tx.Len(full(fields)) >= mostFields {
		return answer{}, invalid("", "custom field limit reached")
	}
	id := c.id(func() string { return "e" + strconv.FormatInt(c.next(fields, 1), 10) + "_" + kind[:1] })
	record := c.put(fields, id, map[string]any{"id": id, "name": name, "field_type": kind})
	return ok(c.shownField(record.Value())), nil
}

func noField() *refusal { return refuse(http.StatusNotFound, "", "custom field not found") }

func updateField(c *call, record *world.Record) (answer, *refusal) {
	name, refused := c.nameField(record.ID)
	if refused != nil {
		return answer{}, refused
	}
	value := maps.Clone(record.Value())
	value["name"] = name
	return ok(c.shownField(c.put(fields, record.ID, value).Value())), nil
}

// deleteField takes a field away, and what contacts had in it.
func deleteField(c *call, record *world.Record) (answer, *refusal) {
	var had []*world.Record
	c.all(contacts, func(r *world.Record) bool {
		if _, has := cast.Object(r.Value()["custom_fields"])[record.ID]; has {
			had = append(had, r)
		}
		return true
	})
	for _, r := range had {
		value := maps.Clone(r.Value())
		value["custom_fields"] = without(cast.Object(value["custom_fields"]), record.ID)
		c.put(contacts, r.ID, value)
	}
	c.fake.store.Delete(c.Tx, fields, record.ID)
	return noContent, nil
}

// strangeFields lists the ids of fields in what was sent that there are none of.
// An account that has no fields is not held to any: a fixture may give contacts
// what it likes.
func (c *call) strangeFields(sent []any) []string {
	if c.Tx.Len(full(fields)) == 0 {
		return nil
	}
	var strange []string
	for _, one := range sent {
		for id := range cast.Object(cast.Object(one)["custom_fields"]) {
			if _, known := c.get(fields, id); !known && !slices.Contains(strange, id) {
				strange = append(strange, id)
			}
		}
	}
	slices.Sort(strange)
	return strange
}

// named gives a contact's own fields by their names: they are kept by their ids.
func (c *call) named(held map[string]any) map[string]any {
	shown := make(map[string]any, len(held))
	for id, v := range held {
		name := id
		if field, known := c.get(fields, id); known {
			name = cast.Text(field.Value()["name"])
		}
		shown[name] = v
	}
	return shown
}
