package generic

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/specs/sample"
	"parity/specs/schema"
)

// Where a contract's errors have fields whose places are not known, each says
// what its name promises, so that nobody reads words that were drawn.
//
//	errorSummary, detail, reason   ─▶ what happened
//	errorCode, type, name          ─▶ the refusal's code, or the nearest of an enum
//	status, httpStatus             ─▶ the status
//	errors: [{…}]                  ─▶ one that says all of it
//	success, ok                    ─▶ false

// told gives a value of a schema that says what happened, around what is there
// already; ok is false where its name promises nothing of the kind.
func (f *Fake) told(r *refusal, s *schema.Schema, name string, there any, depth int) (any, bool) {
	const most = 3
	v := typed(s)
	switch {
	case depth > most:
		return there, there != nil
	case listed(there) && v.Items != nil:
		return f.toldEach(r, v.Items, name, there.([]any), depth), true
	case there != nil && !mapped(there):
		return there, true
	case slices.Contains(v.Types, "object") || len(f.library.form(s).names) > 0:
		return f.toldFields(r, s, there, depth)
	case slices.Contains(v.Types, "array"):
		if steps := r.steps(plainly(name)); steps != nil && f.library.Fits(s, steps, sample.Reply) {
			return steps, true
		}
		if one, ok := f.told(r, v.Items, oneOf(name), nil, depth+1); ok && v.Items != nil {
			return []any{one}, true
		}
		return nil, false
	}
	value, ok := r.says(v, plainly(name))
	if !ok || !f.library.Fits(s, value, sample.Reply) {
		return nil, false
	}
	return value, true
}

func mapped(v any) bool { _, ok := v.(map[string]any); return ok }

func listed(v any) bool { _, ok := v.([]any); return ok }

// toldEach says in each item of a list what it does not say yet.
func (f *Fake) toldEach(r *refusal, items *schema.Schema, name string, there []any, depth int) []any {
	out := slices.Clone(there)
	for i := range out {
		if mapped(out[i]) {
			out[i], _ = f.told(r, items, oneOf(name), out[i], depth+1)
		}
	}
	return out
}

// oneOf is the name of one of several.
func oneOf(name string) string { return strings.TrimSuffix(name, "s") }

// toldFields says what happened in the fields of an object. What holds another
// error in it is left out where it may be and the object says it itself.
func (f *Fake) toldFields(r *refusal, s *schema.Schema, there any, depth int) (any, bool) {
	shape := f.library.form(s)
	out := maps.Clone(cast.Object(there))
	if out == nil {
		out = map[string]any{}
	}
	flat := len(out) > 0
	for _, whole := range []bool{false, true} {
		for _, name := range shape.names {
			v := typed(shape.fields[name])
			holds := slices.Contains(v.Types, "object") || slices.Contains(v.Types, "array") || len(f.library.form(shape.fields[name]).names) > 0
			held, had := out[name]
			if holds != whole || had && !mapped(held) && !listed(held) || holds && !had && flat && !shape.required[name] {
				continue
			}
			if value, ok := f.told(r, shape.fields[name], name, held, depth+1); ok {
				out[name], flat = value, true
			}
		}
	}
	return out, len(out) > 0
}

// says gives what a plain field of an error says, by its name.
func (r *refusal) says(v *schema.View, name string) (any, bool) {
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
	}
	switch {
	case slices.Contains(v.Types, "boolean"):
		return name == "error" || name == "iserror", has("success", "error") || name == "ok"
	case slices.Contains(v.Types, "integer") || slices.Contains(v.Types, "number"):
		return int64(r.status), has("status") || name == "code" || name == "errorcode" || name == "httpcode"
	case !v.Is("string"):
		return nil, false
	case v.Enum.Len() > 0:
		return r.nearest(v), has("code", "type", "name", "kind", "reason", "status", "error", "category")
	case r.field != "" && slices.Contains(places(), name):
		if name == "pointer" {
			return "/" + strings.ReplaceAll(r.field, ".", "/"), true
		}
		return r.field, true
	case strings.HasSuffix(name, "id"), has("link", "url", "uri", "href", "docs", "time", "date", "stack", "path", "instance", "field", "param", "pointer", "location"):
		return nil, false
	case has("title") || name == "error" && v.MaxLength != nil && *v.MaxLength < 40:
		return http.StatusText(r.status), true
	case has("code", "type", "kind", "category") || name == "name" || name == "key" || name == "slug":
		return r.code, r.code != ""
	case has("status"):
		return cast.Plain(int64(r.status)), true
	case has("message", "summary", "detail", "description", "reason", "text", "msg", "error", "info", "cause", "explanation"):
		return r.words(), true
	}
	return nil, false
}

// places are what an error calls where the trouble is.
func places() []string {
	return []string{"field", "fieldname", "param", "parameter", "property", "attribute", "pointer", "path", "location", "loc", "target"}
}

// steps gives the way to where the trouble is, as a list: ["body", "user", "name"].
func (r *refusal) steps(name string) []any {
	if r.field == "" || name != "loc" && name != "path" && name != "location" {
		return nil
	}
	steps := []any{"body"}
	for _, step := range dotted(r.field) {
		steps = append(steps, step)
	}
	return steps
}

// nearest gives the choice of an enum that comes nearest to what happened; the
// first one, where none does.
func (r *refusal) nearest(v *schema.View) any {
	status := plainly(strings.ReplaceAll(http.StatusText(r.status), " ", ""))
	tries := []string{plainly(r.code), status, cast.Plain(int64(r.status))}
	switch r.status {
	case http.StatusNotFound:
		tries = append(tries, "notfound", "missing", "nosuch", "unknown")
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		tries = append(tries, "invalid", "validation", "badrequest", "malformed", "unprocessable")
	case http.StatusConflict:
		tries = append(tries, "conflict", "exists", "duplicate", "taken")
	case http.StatusUnauthorized:
		tries = append(tries, "unauthor", "authentication", "credential", "unauthenticated")
	case http.StatusTooManyRequests:
		tries = append(tries, "rate", "toomany", "limit", "throttl")
	}
	for _, try := range tries {
		for i := range v.Enum.Len() {
			if try != "" && strings.Contains(plainly(v.Enum.At(i).Scalar()), try) {
				return v.Enum.At(i).Value()
			}
		}
	}
	return v.Enum.At(0).Value()
}

// coded gives a refusal the code that the contract's own example of the reply
// has, where the reply is for its status alone.
func (f *Fake) coded(r *refusal, t target) *refusal {
	if t.of == nil || t.media == nil || t.of.Status != cast.Plain(int64(t.status)) || len(f.rules.errors[r.code].code) > 0 {
		return r
	}
	at := pointer(f.places(t.schema()).code)
	if len(at) == 0 {
		return r
	}
	for _, n := range t.media.Examples(f.api) {
		held, _ := at.get(n.Value())
		if code, ok := held.(string); ok && code != "" {
			own := *r
			own.code, own.message = code, r.words()
			return &own
		}
	}
	return r
}
