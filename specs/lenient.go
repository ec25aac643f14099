package specs

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"parity/specs/body"
	"parity/specs/document"
	"parity/specs/schema"
	"parity/specs/words"
)

// A contract that somebody else wrote says more than its service holds its
// callers to. What services let pass is read all the same, and its violations
// are marked Lax:
//
//	oneOf of which several fit, allOf of closed schemas   ─▶ as anyOf, as one object
//	JSON under another content type, a line at a time     ─▶ as what the operation takes
//	JSON where a form without files is declared           ─▶ as the form's fields
//	a body where none is declared                         ─▶ as it came
//	/things/, /upload/things                              ─▶ as /things
//	an id where the contract shows what has it            ─▶ as it came
//	parameters of a query in another case                 ─▶ as the contract writes them
//	a body without the id that its path says              ─▶ as it came
//	anything for a value of which no more is said than    ─▶ as it came
//	that it is an object

// casedOf gives the names of parameters by their names in lower case; those that
// differ in case alone are left out.
func casedOf(fields []document.Node) map[string]string {
	names := make(map[string]string, len(fields))
	for i := range fields {
		lower := strings.ToLower(fields[i].Name)
		if _, double := names[lower]; double {
			names[lower] = ""
			continue
		}
		names[lower] = fields[i].Name
	}
	return names
}

// recased gives a query with the names of its parameters as the contract writes
// them: ?count=2 for Count, as services take it.
func (p *part) recased(raw string) string {
	if p == nil || p.cased == nil {
		return raw
	}
	var out []string
	for i, pair := range strings.Split(raw, "&") {
		end := strings.IndexAny(pair, "=[%")
		if end < 0 {
			end = len(pair)
		}
		own := p.cased[strings.ToLower(pair[:end])]
		if own == "" || own == pair[:end] {
			continue
		}
		if out == nil {
			out = strings.Split(raw, "&")
		}
		out[i] = own + pair[end:]
	}
	if out == nil {
		return raw
	}
	return strings.Join(out, "&")
}

// repeated marks what a body lacks that the path says: the id of what is changed,
// where a document uses the whole record for the body.
func (o *Operation) repeated(path map[string]string, found []Violation) []Violation {
	if !o.contract.schemas.lenient || len(path) == 0 {
		return found
	}
	_, last, _ := strings.Cut(o.Path[strings.LastIndexByte(o.Path, '/')+1:], "{")
	last = words.Bare(strings.TrimSuffix(last, "}"))
	for i := range found {
		v := &found[i]
		name := words.Bare(strings.TrimPrefix(v.Pointer, "/"))
		if v.Rule != RuleRequired || last == "" || strings.Count(v.Pointer, "/") != 1 {
			continue
		}
		v.Lax = v.Lax || name == last || name == "id" && strings.HasSuffix(last, "id") || strings.HasPrefix(last, name+"or") && strings.HasSuffix(name, "id")
	}
	return found
}

// Refused gives the violations that a service would refuse a request for.
func Refused(found []Violation) []Violation {
	for i := range found {
		if !found[i].Lax {
			return found
		}
	}
	return nil
}

// lax marks violations.
func lax(found []Violation) []Violation {
	for i := range found {
		found[i].Lax = true
	}
	return found
}

// relaxed gives what is left of violations where a schema is read leniently:
// all of them, marked, where nothing is.
func (k *checker) relaxed(in string, value any, found []Violation) []Violation {
	if k.mode != request || !k.schemas.lenient {
		return found
	}
	for i := range found {
		found[i].Lax = k.refers(found[i])
	}
	if !combined(found) {
		return found
	}
	k.relaxing.Do(func() { k.loose = k.schemas.checker(k.pointer, k.schema, lenient) })
	if still := k.loose.check(in, value); len(still) > 0 {
		return still
	}
	return lax(found)
}

// refers tells whether an id was sent where the contract shows what has it, as
// many services take it, or a plain value where it says no more than object.
func (k *checker) refers(v Violation) bool {
	if v.Rule != RuleType || v.Want != "object" || v.Got == "an array" || v.Got == "null" || v.Got == "" || k.shape == nil || v.Pointer == "" {
		return false
	}
	steps := strings.Split(strings.TrimPrefix(v.Pointer, "/"), "/")
	names := k.shape.namesAt(steps)
	if last := strings.ToLower(steps[len(steps)-1]); len(names) == 0 && (last == "value" || last == "default" || last == "defaultvalue") {
		return true // generators write interface{} and Object as an object of which nothing is said
	}
	return slices.Contains(names, "id") || slices.Contains(names, "gid") || slices.Contains(names, "uuid")
}

// combined tells whether violations may come of how schemas are put together.
func combined(found []Violation) bool {
	for i := range found {
		if found[i].Rule == "oneOf" || found[i].Rule == RuleUnknown {
			return true
		}
	}
	return false
}

// closedIn tells whether one of the schemas that another is made of takes no
// properties but its own.
func closedIn(v *schema.View, depth int) bool {
	for _, part := range v.AllOf {
		if inner := part.View(); depth < deepestMade && (inner.Closed || closedIn(inner, depth+1)) {
			return true
		}
	}
	return false
}

// namesIn gathers the properties that a schema, and all that it is made of,
// name; ok is false where others may come too.
func namesIn(v *schema.View, into map[string]bool, depth int) (ok bool) {
	if depth > deepestMade || v.Rest != nil || v.Later || v.Node().Get("additionalProperties").True() {
		return false
	}
	for _, p := range v.Properties {
		into[p.Name] = true
	}
	for _, list := range [][]*schema.Schema{v.AllOf, v.AnyOf, v.OneOf} {
		for _, part := range list {
			if !namesIn(part.View(), into, depth+1) {
				return false
			}
		}
	}
	return true
}

// another reads a body of a kind that the operation does not take, where it is
// plain what it holds: JSON that is called something else, JSON a line at a
// time, a multipart/related of JSON and a file.
func (o *Operation) another(input *Input, declared string, data []byte) (as string, ok bool) {
	kind := body.Kind(declared)
	json := ""
	for i := range o.bodies {
		if body.IsJSON(o.bodies[i].pattern) || strings.Contains(o.bodies[i].pattern, "*") {
			json = "application/json"
		}
	}
	text := bytes.TrimSpace(data)
	if form := o.formed(); json == "" && form != "" && (body.IsForm(kind) || body.IsJSON(kind) && text[0] == '{') {
		return form, true
	}
	switch {
	case kind == "multipart/related":
		return "", related(input, declared, data)
	case strings.Contains(kind, "ndjson"), strings.Contains(kind, "jsonl"):
		return "", lines(input, text)
	case json == "", kind == "", len(text) == 0, text[0] != '{' && text[0] != '[':
		return "", false
	default:
		return json, true
	}
}

// formed gives the content type of the first form with fields that an operation
// takes: documents that were converted call all bodies forms, whose services
// take JSON as well.
func (o *Operation) formed() string {
	for i := range o.bodies {
		if form := &o.bodies[i]; (body.IsForm(form.pattern) || form.pattern == "multipart/form-data") && len(form.source.Schema.View().Properties) > 0 {
			return form.pattern
		}
	}
	return ""
}

// lines reads a document of JSON from each line.
func lines(input *Input, data []byte) bool {
	list := []any{}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		value, wrong := body.DecodeJSON(line)
		if wrong != nil {
			return false
		}
		list = append(list, value)
	}
	input.Value = list
	return true
}

// related reads what is said of a file, and the file that comes after it.
// Source: RFC 2387.
func related(input *Input, declared string, data []byte) bool {
	whole, wrong := body.DecodeMultipart(data, declared, nil, nil)
	if wrong != nil {
		return false
	}
	for i := range whole.Parts {
		part := &whole.Parts[i]
		if input.Body == nil && body.IsJSON(body.Kind(part.Type)) {
			if value, wrong := body.DecodeJSON(part.Data); wrong == nil {
				input.Body, _ = value.(map[string]any)
				continue
			}
		}
		if part.FileName == "" {
			part.FileName = "media"
		}
		input.Parts = append(input.Parts, *part)
	}
	return true
}

// MatchLenient finds the operation of a call that has a slash too many at its
// end, or one too few, or begins with /upload, as services take files that
// their contracts do not mention. Beyond says what the contract has not.
func (c *Contract) MatchLenient(call *Call) (m Match, beyond string) {
	if !c.schemas.lenient {
		return Match{}, ""
	}
	other := *call
	if trimmed, ok := strings.CutSuffix(call.Path, "/"); ok {
		other.Path, beyond = trimmed, "has a slash at its end that the contract has not"
	} else {
		other.Path, beyond = call.Path+"/", "lacks the slash at its end that the contract has"
	}
	for _, root := range []*node{c.root, c.bare} {
		if m = root.match(&other); m.Operation != nil {
			return m, beyond
		}
	}
	for _, prefix := range []string{"/upload", "/resumable/upload"} {
		rest, ok := strings.CutPrefix(call.Path, prefix+"/")
		if !ok || call.Method == http.MethodGet {
			continue
		}
		other.Path = "/" + rest
		for _, root := range []*node{c.root, c.bare} {
			if m = root.match(&other); m.Operation != nil {
				return m, "begins with " + prefix + ", which the contract has not"
			}
		}
	}
	return Match{}, ""
}

// Beyond is the violation of a path that MatchLenient has found.
func Beyond(what string) Violation {
	return Violation{In: inPath, Rule: RuleUndeclared, Message: what, Lax: true}
}
