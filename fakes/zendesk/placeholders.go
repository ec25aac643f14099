package zendesk

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/world"
)

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{\s*([A-Za-z0-9_.]+)[^}]*\}\}`) })

// A filling puts what placeholders such as {{ticket.id}} stand for into a text.
// What is not known is nothing, as in Liquid.
// Source: support.zendesk.com, "Zendesk Support placeholders reference".
type filling struct {
	e      *edit
	public bool                // notes are left out
	escape func(string) string // puts a value into what surrounds it; nil: as it is
}

func (f filling) in(text string) string {
	return placeholder().ReplaceAllStringFunc(text, func(held string) string {
		v := f.stands(placeholder().FindStringSubmatch(held)[1])
		if f.escape != nil {
			return f.escape(v)
		}
		return v
	})
}

// inJSON escapes a text that stands within quotes.
func inJSON(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return strings.Trim(string(data), `"`)
}

// mostTold is how many comments a notification tells, the newest first.
const mostTold = 10

func (f filling) stands(path string) string {
	of, field, _ := strings.Cut(path, ".")
	switch of {
	case "ticket":
		return f.ofTicket(field)
	case "current_user":
		return ofUser(f.e.c.caller(), field)
	case "satisfaction":
		return map[string]string{"current_rating": score(f.e.value)}[field]
	}
	return ""
}

func (f filling) ofTicket(field string) string {
	e, v := f.e, f.e.value
	first, rest, _ := strings.Cut(field, ".")
	switch first {
	case "requester", "assignee", "submitter":
		user, _ := e.c.find(users, id(v, first+"_id"))
		return ofUser(value(user), rest)
	case "group", "organization", "brand":
		r, _ := e.c.find(map[string]string{"group": groups, "organization": organizations, "brand": brands}[first], id(v, first+"_id"))
		return cast.Plain(value(r)[orDefault(rest, "name")])
	}
	switch field {
	case "title":
		return cast.Text(v["subject"])
	case "status", "priority":
		return titleOf(cast.Text(v[field]))
	case "ticket_type":
		return titleOf(cast.Text(v["type"]))
	case "url", "link":
		return strings.Replace(strings.TrimSuffix(cast.Text(v["url"]), ".json"), api+tickets, "/agent/tickets", 1)
	case "tags":
		return strings.Join(list(v["tags"]), " ")
	case "via":
		return cast.Text(cast.Object(v["via"])["channel"])
	case "account":
		return "Acme"
	case "due_date":
		return cast.Text(v["due_at"])
	case "id", "description", "external_id", "created_at", "updated_at", "encoded_id":
		return cast.Plain(v[field])
	}
	if strings.Contains(field, "comment") {
		return f.lately(field)
	}
	if n, ok := whole(strings.TrimPrefix(field, "ticket_field_")); ok {
		return cast.Plain(fieldsByID(v["custom_fields"])[n])
	}
	return ""
}

// lately tells what was said in a ticket: the newest comment, or several.
func (f filling) lately(field string) string {
	most, formatted := 1, strings.HasSuffix(field, "_formatted")
	if strings.Contains(field, "comments") {
		most = mostTold
	}
	public := f.public || strings.Contains(field, "public")
	var parts []string
	for r := range f.e.c.Tx.Find(full(comments), "ticket_id", key(id(f.e.value, "id")), 0) {
		if public && r.Value()["public"] != true {
			continue
		}
		parts = append(parts, f.told(r, formatted))
		if len(parts) == most {
			break
		}
	}
	return strings.Join(parts, "\n\n")
}

// told is one comment, with who said it and when where that is wanted.
func (f filling) told(r *world.Record, formatted bool) string {
	said := cast.Text(r.Value()["plain_body"])
	if !formatted {
		return said
	}
	author, _ := f.e.c.find(users, id(r.Value(), "author_id"))
	return cast.Text(value(author)["name"]) + ", " + cast.Text(r.Value()["created_at"]) + "\n" + said
}

func ofUser(user map[string]any, field string) string {
	full := cast.Text(user["name"])
	first, last, _ := strings.Cut(full, " ")
	switch field {
	case "first_name":
		return first
	case "last_name":
		return last
	case "name", "":
		return full
	case "details", "notes", "email", "phone", "id", "external_id", "signature", "role", "locale", "time_zone":
		return cast.Plain(user[field])
	}
	if extra, ok := strings.CutPrefix(field, "custom_fields."); ok {
		return cast.Plain(cast.Object(user["user_fields"])[extra])
	}
	return ""
}
