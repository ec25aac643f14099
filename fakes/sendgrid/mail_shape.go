package sendgrid

import (
	"maps"
	"slices"
	"strconv"

	"parity/fakes/cast"
)

// A form is what a value of a mail has to be. SendGrid tells of what is not in
// the words of a JSON Schema library, all at once, before it looks closer.
// Source: answers posted at github.com/sendgrid/sendgrid-php/issues/559 and
// /869, sendgrid-ruby/issues/138.
type form struct {
	kind   string // object, array, string, integer, boolean, texts (an object of texts), any
	fields []field
	items  *form
}

type field struct {
	name string
	form
}

func one(kind string, names ...string) []field {
	out := make([]field, len(names))
	for i, name := range names {
		out[i] = field{name, form{kind: kind}}
	}
	return out
}

func record(parts ...[]field) form { return form{kind: "object", fields: slices.Concat(parts...)} }

func arrayOf(items form) form { return form{kind: "array", items: &items} }

func sub(name string, f form) []field { return []field{{name, f}} }

// mailForm is the body of POST /v3/mail/send.
var mailForm = func() form {
	address := record(one("string", "email", "name"))
	addresses := arrayOf(address)
	setting := func(parts ...[]field) form { return record(append([][]field{one("boolean", "enable")}, parts...)...) }
	return record(
		sub("from", address),
		sub("personalizations", arrayOf(record(
			sub("to", addresses), sub("cc", addresses), sub("bcc", addresses), sub("from", address),
			one("string", "subject"), one("texts", "headers", "substitutions"), one("object*", "dynamic_template_data"),
			one("texts", "custom_args"), one("integer", "send_at"),
		))),
		sub("reply_to", address), sub("reply_to_list", addresses),
		one("string", "subject"),
		sub("content", arrayOf(record(one("string", "type", "value")))),
		sub("attachments", arrayOf(record(one("string", "content", "type", "filename", "disposition", "content_id", "name")))),
		one("string", "template_id"), one("texts", "sections", "headers"),
		sub("categories", arrayOf(form{kind: "string"})),
		one("texts", "custom_args"), one("integer", "send_at"), one("string", "batch_id"),
		sub("asm", record(one("integer", "group_id"), sub("groups_to_display", arrayOf(form{kind: "integer"})))),
		one("string", "ip_pool_name"),
		sub("mail_settings", record(
			sub("bcc", setting(one("string", "email"))),
			sub("bypass_list_management", setting()), sub("bypass_spam_management", setting()),
			sub("bypass_bounce_management", setting()), sub("bypass_unsubscribe_management", setting()),
			sub("footer", setting(one("string", "text", "html"))),
			sub("sandbox_mode", setting()),
			sub("spam_check", setting(one("integer", "threshold"), one("string", "post_to_url"))),
		)),
		sub("tracking_settings", record(
			sub("click_tracking", setting(one("boolean", "enable_text"))),
			sub("open_tracking", setting(one("string", "substitution_tag"))),
			sub("subscription_tracking", setting(one("string", "text", "html", "substitution_tag"))),
			sub("ganalytics", setting(one("string", "utm_source", "utm_medium", "utm_term", "utm_content", "utm_campaign"))),
		)),
	)
}()

// misshapen lists what of a body is of another type than it has to be, or has
// a name that there is not.
func misshapen(f form, value any, path string) []problem {
	if wanted := f.wants(); wanted != "" && kindOf(value) != wanted {
		return []problem{{message: "Invalid type. Expected: " + wanted + ", given: " + kindOf(value) + ".", field: path, help: help(path)}}
	}
	switch f.kind {
	case "object":
		return f.inside(cast.Object(value), path)
	case "texts":
		var found []problem
		for _, name := range slices.Sorted(maps.Keys(cast.Object(value))) {
			found = append(found, misshapen(form{kind: "string"}, cast.Object(value)[name], below(path, name))...)
		}
		return found
	case "array":
		var found []problem
		for i, item := range cast.List(value) {
			found = append(found, misshapen(*f.items, item, below(path, strconv.Itoa(i)))...)
		}
		return found
	}
	return nil
}

func (f form) wants() string {
	switch f.kind {
	case "texts", "object*":
		return "object"
	}
	return f.kind
}

func (f form) inside(value map[string]any, path string) []problem {
	var found []problem
	known := make(map[string]bool, len(f.fields))
	for _, one := range f.fields {
		known[one.name] = true
		if v, sent := value[one.name]; sent {
			found = append(found, misshapen(one.form, v, below(path, one.name))...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		if !known[name] {
			found = append(found, problem{message: "Additional property " + clip(name) + " is not allowed.", field: below(path, clip(name))})
		}
	}
	return found
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// kindOf names a value's type as JSON Schema does.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
