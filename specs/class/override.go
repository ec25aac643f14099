package class

import (
	"bytes"
	"iter"
	"net/url"
	"strings"

	"parity/specs"
	"parity/specs/body"
)

// overrides are the headers by which services let a call ask for another method.
// Source: Rack::MethodOverride, Symfony's HttpFoundation, Google's and Microsoft's
// API guidelines.
func overrides() [3]string {
	return [3]string{"X-Http-Method-Override", "X-Http-Method", "X-Method-Override"}
}

// byField is the field of a query or a body that asks for another method.
const byField = "_method"

// overridden tells whether a request asks for another method than its own.
func overridden(r *Request) bool {
	for _, name := range overrides() {
		for _, value := range r.Header[name] {
			if !strings.EqualFold(strings.TrimSpace(value), r.Method) {
				return true
			}
		}
	}
	for name, value := range pairs(r.Query, "&;") {
		if override(name) && !strings.EqualFold(value, r.Method) {
			return true
		}
	}
	return says(r.Input.Body, r.Method)
}

// pairs goes over the fields of a query, which stand apart by one of some
// characters.
func pairs(query, apart string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for query != "" {
			var pair string
			if at := strings.IndexAny(query, apart); at >= 0 {
				pair, query = query[:at], query[at+1:]
			} else {
				pair, query = query, ""
			}
			name, value, _ := strings.Cut(pair, "=")
			if !yield(plain(name), plain(value)) {
				return
			}
		}
	}
}

// says tells whether a body asks for another method than a call's own.
func says(body map[string]any, method string) bool {
	value, ok := body[byField]
	text, _ := value.(string)
	return ok && !strings.EqualFold(text, method)
}

// override tells whether a field asks for a method: _method, or _method[].
func override(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return strings.EqualFold(name, byField)
}

// plain undoes what stands in a query for its text; what cannot be undone stays.
func plain(text string) string {
	if !strings.ContainsAny(text, "%+") {
		return text
	}
	if undone, err := url.QueryUnescape(text); err == nil {
		return undone
	}
	return text
}

// decoded reads a body without a contract, as far as it says something here: JSON,
// whatever its content type says, and forms.
func decoded(kind string, data []byte) specs.Input {
	if begins(kind, "application/x-www-form-urlencoded") {
		object := map[string]any{}
		for name, value := range pairs(string(data), "&") {
			if override(name) {
				name = byField
			}
			if _, again := object[name]; again {
				object[name] = nil // none of them is known to be the one that counts
				continue
			}
			object[name] = value
		}
		return specs.Input{Body: object}
	}
	if !jsonish(data) {
		return specs.Input{}
	}
	value, problem := body.DecodeJSON(data)
	if problem != nil {
		return specs.Input{}
	}
	if object, ok := value.(map[string]any); ok {
		return specs.Input{Body: object}
	}
	return specs.Input{Value: value}
}

// jsonish tells whether a body begins as an object or a list of JSON does.
func jsonish(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}
