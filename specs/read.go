package specs

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/specs/body"
	"parity/specs/schema"
)

// A part is one place of a message: its schema as a judge and as a shape.
type part struct {
	*checker
	must  []string          // of parameters: those that have to be there
	cased map[string]string // of a query: parameters by their names in lower case, where that is read leniently
}

// The places where parameters are.
const (
	inPath        = "path"
	inQuery       = "query"
	inHeader      = "header"
	inCookie      = "cookie"
	inQueryString = "querystring"
)

func (s *schemas) part(pointer string, of *schema.Schema, mode mode) *part {
	return &part{checker: s.checker(pointer, of, mode)}
}

// known gives the shape of a part; nil where there is no part or no schema.
func (p *part) known() *shape {
	if p == nil {
		return nil
	}
	p.sift()
	return p.shape
}

// Read decodes a request and judges it by the contract. Text in paths, queries
// and forms gets the type that the contract declares; JSON keeps its own. With
// violations the Input holds what could be decoded, for the journal; nothing
// should act on it.
func (o *Operation) Read(r Request) (Input, []Violation) {
	o.read()
	input := Input{Path: r.Path}
	found := o.readPath(r.Path)
	query, wrong := o.readQuery(r.Query)
	input.Query = query
	found = append(found, wrong...)
	found = append(found, o.readHeader(r.Header)...)
	found = append(found, o.readBody(&input, r)...)
	if len(found) > 1 {
		found = ordered(found)
	}
	return input, found
}

// judged holds what was decoded against a part, unless it could not be decoded.
func (p *part) judged(in string, values map[string]any, wrong *body.Problem) []Violation {
	if wrong != nil {
		return []Violation{violationOf(in, wrong)}
	}
	if p == nil {
		return nil
	}
	if values == nil {
		values = map[string]any{}
	}
	return p.check(in, values)
}

func violationOf(in string, p *body.Problem) Violation {
	return Violation{In: in, Pointer: p.Pointer, Rule: p.Rule, Message: p.Message, Want: p.Want, Got: p.Got}
}

func (o *Operation) readPath(path map[string]string) []Violation {
	if o.path == nil {
		return nil
	}
	values, wrong := o.reader.Path(path)
	return o.path.judged(inPath, values, wrong)
}

func (o *Operation) readQuery(raw string) (map[string]any, []Violation) {
	if raw == "" && (o.query == nil || len(o.query.must) == 0) {
		return nil, nil
	}
	values, wrong := o.reader.Query(o.query.recased(raw))
	found := o.query.judged(inQuery, values, wrong)
	if o.query == nil && o.refuseUnknown {
		for name := range values {
			found = append(found, Violation{
				In: inQuery, Pointer: Pointer(name), Rule: RuleUnknown,
				Message: "is not known here: this operation takes no query parameters", Got: plainly(values[name]),
			})
		}
	}
	return values, found
}

func (o *Operation) readHeader(header http.Header) []Violation {
	var found []Violation
	if o.header != nil {
		values, wrong := o.reader.Header(header)
		found = o.header.judged(inHeader, values, wrong)
	}
	if o.cookie != nil {
		values, wrong := o.reader.Cookie(header.Values("Cookie"))
		found = append(found, o.cookie.judged(inCookie, values, wrong)...)
	}
	return found
}

func (o *Operation) readBody(input *Input, r Request) []Violation {
	declared := r.Header.Get("Content-Type")
	if len(bytes.TrimSpace(r.Body)) == 0 {
		return o.readNoBody(input)
	}
	kind := body.Kind(declared)
	if o.anyKind {
		switch {
		case len(o.bodies) == 0:
			return nil // it is not looked at
		case len(o.bodies) == 1 && body.IsJSON(o.bodies[0].pattern):
			kind, declared = o.bodies[0].pattern, o.bodies[0].pattern
		}
	}
	if kind == "" && declared != "" {
		return []Violation{{In: "body", Rule: RuleContentType, Message: "the Content-Type header cannot be read", Got: shorten(declared), Want: o.bodyKinds()}}
	}
	if len(o.bodies) == 0 {
		return o.unasked(input, kind, r.Body)
	}
	entry := find(o.bodies, kind)
	var other []Violation
	if entry == nil {
		other = []Violation{{In: "body", Rule: RuleContentType, Message: "wants a body of " + o.bodyKinds(), Got: shorten(declared), Want: o.bodyKinds()}}
		if !o.contract.schemas.lenient {
			return other
		}
		as, ok := o.another(input, declared, r.Body)
		if !ok {
			return other
		}
		if other = lax(other); as == "" {
			return other
		}
		if entry = find(o.bodies, as); body.IsJSON(as) || strings.Contains(entry.pattern, "*") {
			kind, declared = as, as
		}
	}
	if kind == "" {
		kind, declared = entry.pattern, entry.pattern
	}
	decoded := o.decode(entry, kind, declared, r.Body)
	if decoded.wrong != nil {
		return []Violation{violationOf("body", decoded.wrong)}
	}
	var found []Violation
	if decoded.known {
		found = o.repeated(r.Path, entry.part.check("body", decoded.value))
	}
	if input.Parts = decoded.parts; len(input.Parts) > 0 {
		decoded.value = told(decoded.value)
	}
	if object, ok := decoded.value.(map[string]any); ok {
		input.Body = object
	} else {
		input.Value = decoded.value
	}
	return append(other, found...)
}

// unasked reads a body that the contract does not speak of.
func (o *Operation) unasked(input *Input, kind string, data []byte) []Violation {
	if text := strings.TrimSpace(string(data)); text == "{}" {
		return nil // what some clients send for "nothing"
	}
	wrong := Violation{In: "body", Rule: RuleUnknown, Message: "this operation takes no body: parameters go into the query"}
	if wrong.Lax = o.contract.schemas.lenient; wrong.Lax && body.IsJSON(kind) {
		if value, broken := body.DecodeJSON(data); broken == nil {
			input.Body, _ = value.(map[string]any)
		}
	}
	return []Violation{wrong}
}

// longestText bounds the text of one part that is kept as it came.
const longestText = 64 << 10 // bytes

// told replaces what is no text, or a long one, in the parts of a body: what is
// kept with an exchange, and in a world, stays readable and small.
func told(value any) any {
	switch value := value.(type) {
	case string:
		if len(value) > longestText || !utf8.ValidString(value) {
			return summary([]byte(value))
		}
	case map[string]any:
		for name, inner := range value {
			value[name] = told(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = told(inner)
		}
	}
	return value
}

// summary tells one file from another.
func summary(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("file of %d bytes, %s, sha256 %x", len(data), http.DetectContentType(data), sum[:8])
}

// Summarised tells whether of a body that an exchange is kept with there is no more
// than what file it was.
func Summarised(kept []byte) bool {
	return bytes.HasPrefix(kept, []byte(`"file of `)) && bytes.Contains(kept, []byte(" bytes, ")) && bytes.Contains(kept, []byte(", sha256 "))
}

// decoded is what a body holds; known is false for bytes of a kind that no
// schema can look into.
type decoded struct {
	value any
	parts []body.Part
	known bool
	wrong *body.Problem
}

// decode reads a body by its kind.
func (o *Operation) decode(entry *media, kind, declared string, data []byte) decoded {
	switch {
	case body.IsForm(kind) && strings.HasPrefix(entry.pattern, "multipart/"): // its fields, not in parts
	case body.IsForm(kind) && !body.IsForm(entry.pattern): // "*/*": bytes, which their client calls a form
		return decoded{value: told(string(data))}
	case body.IsForm(kind):
		data, wrong := body.ToUTF8(data, declared)
		if wrong != nil {
			return decoded{wrong: wrong}
		}
		fields, wrong := entry.form.Decode(data)
		return decoded{value: fields, known: true, wrong: wrong}
	case body.IsJSON(kind) || strings.HasPrefix(kind, "multipart/"):
	case body.IsXML(kind), strings.HasPrefix(kind, "text/"):
		if entry.source.Schema == nil {
			return decoded{value: told(string(data))}
		}
	default:
		return decoded{value: told(string(data))}
	}
	value, parts, wrong := body.Decode(data, declared, entry.source, body.Options{Brackets: bool(o.arrays)})
	if wrong != nil && body.IsJSON(kind) && !body.IsJSON(entry.pattern) && entry.source.Schema == nil { // "*/*": bytes, which their client calls JSON
		return decoded{value: told(string(data))}
	}
	return decoded{value: value, parts: parts, known: true, wrong: wrong}
}

// readNoBody judges the absence of a body: an empty form, whatever its content
// type says. Then it is the fields that are missing, if any are.
func (o *Operation) readNoBody(input *Input) []Violation {
	for i := range o.bodies {
		if body.IsForm(o.bodies[i].pattern) {
			input.Body = map[string]any{}
			return o.bodies[i].part.check("body", input.Body)
		}
	}
	if bool(o.anyKind) && len(o.bodies) == 1 && body.IsJSON(o.bodies[0].pattern) {
		input.Body = map[string]any{}
		return o.bodies[0].part.check("body", input.Body)
	}
	if o.bodyRequired {
		return []Violation{{In: "body", Rule: RuleRequired, Message: "wants a body of " + o.bodyKinds(), Want: o.bodyKinds()}}
	}
	return nil
}

func (o *Operation) bodyKinds() string {
	return strings.Join(o.BodyKinds(), " or ")
}

// CheckReply judges a reply by the operation's response schema. A status that
// the contract does not name, and a body that is neither JSON, XML nor text, are
// not judged further.
func (o *Operation) CheckReply(status int, contentType string, data []byte) []Violation {
	code := strconv.Itoa(status)
	bodies, ok := o.bodiesOf(code)
	if !ok {
		return []Violation{{In: "status", Rule: RuleUnknown, Message: "is not a status of this operation", Got: code}}
	}
	if len(bodies) == 0 || len(data) == 0 {
		if len(data) == 0 && len(bodies) > 0 {
			return []Violation{{In: "body", Rule: RuleRequired, Message: "is missing"}}
		}
		return nil
	}
	kind := body.Kind(contentType)
	entry := find(bodies, kind)
	if kind == "" && contentType != "" || entry == nil {
		return []Violation{{In: "body", Rule: RuleContentType, Message: "wants " + bodies[0].pattern, Want: bodies[0].pattern, Got: shorten(contentType)}}
	}
	if body.IsForm(kind) || strings.HasPrefix(kind, "multipart/") {
		return nil // nobody answers with one
	}
	found := o.decode(entry, kind, contentType, data)
	switch {
	case found.wrong != nil:
		return []Violation{violationOf("body", found.wrong)}
	case !found.known:
		return nil
	default:
		return entry.part.check("body", found.value)
	}
}

// find gives the entry for a content type: its own, one of the same family of
// JSON, or a pattern. No content type takes the only entry there is.
func find(entries []media, kind string) *media {
	if kind == "" && len(entries) == 1 {
		return &entries[0]
	}
	for i := range entries {
		if entries[i].pattern == kind {
			return &entries[i]
		}
	}
	for i := range entries {
		pattern := entries[i].pattern
		before, after, isPattern := strings.Cut(pattern, "*")
		switch {
		case body.IsJSON(pattern) && body.IsJSON(kind), isPattern && (pattern == "*/*" || strings.HasPrefix(kind, before) && strings.HasSuffix(kind, after)):
			return &entries[i]
		}
	}
	return nil
}
