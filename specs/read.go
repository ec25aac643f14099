package specs

import (
	"bytes"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// A part is one place of a message: its schema as a judge and as a shape.
type part struct {
	*checker
	styles map[string]style // of parameters
	must   []string         // the parameters that have to be there
}

// The places where parameters are.
const (
	inPath   = "path"
	inQuery  = "query"
	inHeader = "header"
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

func styleOf(p openapi.Parameter) style {
	switch p.Style {
	case "deepObject":
		return style{brackets: true}
	case "spaceDelimited":
		return style{separator: " "}
	case "pipeDelimited":
		return style{separator: "|"}
	case "simple":
		return style{separator: ","}
	default:
		if p.In == inQuery && p.Explode {
			return style{}
		}
		return style{separator: ","}
	}
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

func (o *Operation) readPath(path map[string]string) []Violation {
	if o.path == nil {
		return nil
	}
	values := make(map[string]any, len(path))
	shape := o.path.known()
	for name, text := range path {
		values[name] = shape.property(name, 0).scalar(text)
	}
	return o.path.check("path", values)
}

func (o *Operation) readQuery(raw string) (map[string]any, []Violation) {
	if raw == "" && (o.query == nil || len(o.query.must) == 0) {
		return nil, nil
	}
	shape := o.query.known()
	tree, wrong := parseForm("query", raw, func(name string) bool {
		return shape != nil && shape.properties[name] != nil
	})
	if wrong != nil {
		return nil, []Violation{*wrong}
	}
	t := typing{form: tree, brackets: bool(o.arrays)}
	var styles map[string]style
	if o.query != nil {
		styles = o.query.styles
	}
	values := t.fields(shape, styles)
	if t.failed != nil {
		t.failed.In = "query"
		return values, []Violation{*t.failed}
	}
	if o.query != nil {
		return values, o.query.check("query", values)
	}
	var found []Violation
	if o.refuseUnknown {
		for name := range values {
			found = append(found, Violation{In: "query", Pointer: "/" + escape(name), Rule: RuleUnknown,
				Message: "is not known here: this operation takes no query parameters", Got: plainly(values[name])})
		}
	}
	return values, found
}

func (o *Operation) readHeader(header http.Header) []Violation {
	if o.header == nil {
		return nil
	}
	shape := o.header.known()
	values := map[string]any{}
	for name := range shape.properties {
		given := header.Values(name)
		if len(given) == 0 {
			continue
		}
		inner := shape.property(name, 0)
		if inner.accepts(0)&anArray != 0 {
			values[name] = list(strings.Split(strings.Join(given, ","), ","), inner.item(0))
			continue
		}
		values[name] = inner.scalar(given[0])
	}
	return o.header.check("header", values)
}

func (o *Operation) readBody(input *Input, r Request) []Violation {
	declared := r.Header.Get("Content-Type")
	if len(bytes.TrimSpace(r.Body)) == 0 {
		return o.readNoBody(input)
	}
	kind, ok := mediaType(declared)
	if !ok {
		return []Violation{{In: "body", Rule: RuleContentType, Message: "the Content-Type header cannot be read", Got: shorten(declared), Want: o.bodyKinds()}}
	}
	if len(o.bodies) == 0 {
		if text := strings.TrimSpace(string(r.Body)); text == "{}" {
			return nil // what some clients send for "nothing"
		}
		return []Violation{{In: "body", Rule: RuleUnknown, Message: "this operation takes no body: parameters go into the query"}}
	}
	entry := find(o.bodies, kind)
	if entry == nil {
		return []Violation{{In: "body", Rule: RuleContentType, Message: "wants a body of " + o.bodyKinds(), Got: shorten(declared), Want: o.bodyKinds()}}
	}
	if kind == "" {
		kind = entry.pattern
	}
	switch {
	case isForm(kind):
		return o.readForm(input, entry.part, r.Body)
	case isJSON(kind):
		return readJSON(input, entry.part, r.Body)
	default:
		return nil // bytes of a kind that no schema can look into
	}
}

// readNoBody judges the absence of a body: an empty form, whatever its content
// type says. Then it is the fields that are missing, if any are.
func (o *Operation) readNoBody(input *Input) []Violation {
	for i := range o.bodies {
		if isForm(o.bodies[i].pattern) {
			input.Body = map[string]any{}
			return o.bodies[i].part.check("body", input.Body)
		}
	}
	if o.bodyRequired {
		return []Violation{{In: "body", Rule: RuleRequired, Message: "wants a body of " + o.bodyKinds(), Want: o.bodyKinds()}}
	}
	return nil
}

func (o *Operation) readForm(input *Input, p *part, body []byte) []Violation {
	shape := p.known()
	tree, wrong := parseForm("body", string(body), func(name string) bool {
		return shape != nil && shape.properties[name] != nil
	})
	if wrong != nil {
		return []Violation{*wrong}
	}
	t := typing{form: tree, brackets: bool(o.arrays)}
	input.Body = t.fields(shape, nil)
	if t.failed != nil {
		t.failed.In = "body"
		return []Violation{*t.failed}
	}
	return p.check("body", input.Body)
}

func readJSON(input *Input, p *part, body []byte) []Violation {
	value, wrong := decodeJSON(body)
	if wrong != nil {
		wrong.In = "body"
		return []Violation{*wrong}
	}
	if object, ok := value.(map[string]any); ok {
		input.Body = object
	} else {
		input.Value = value
	}
	return p.check("body", value)
}

func (o *Operation) bodyKinds() string {
	return strings.Join(o.BodyKinds(), " or ")
}

// CheckReply judges a reply by the operation's response schema. A status that
// the contract does not name, and a body that is not JSON, are not judged
// further.
func (o *Operation) CheckReply(status int, contentType string, body []byte) []Violation {
	o.read()
	code := strconv.Itoa(status)
	bodies, ok := o.replies[code]
	if !ok {
		bodies, ok = o.replies[code[:1]+"XX"]
	}
	if !ok {
		bodies, ok = o.replies["DEFAULT"]
	}
	if !ok {
		return []Violation{{In: "status", Rule: RuleUnknown, Message: "is not a status of this operation", Got: code}}
	}
	if len(bodies) == 0 || len(body) == 0 {
		if len(body) == 0 && len(bodies) > 0 {
			return []Violation{{In: "body", Rule: RuleRequired, Message: "is missing"}}
		}
		return nil
	}
	kind, ok := mediaType(contentType)
	entry := find(bodies, kind)
	if !ok || entry == nil {
		return []Violation{{In: "body", Rule: RuleContentType, Message: "wants " + bodies[0].pattern, Want: bodies[0].pattern, Got: shorten(contentType)}}
	}
	if !isJSON(kind) {
		return nil
	}
	value, wrong := decodeJSON(body)
	if wrong != nil {
		wrong.In = "body"
		return []Violation{*wrong}
	}
	return entry.part.check("body", value)
}

// mediaType gives a content type in lower case without its parameters, such as
// a charset.
func mediaType(text string) (string, bool) {
	if text == "" {
		return "", true
	}
	if !strings.ContainsAny(text, "; ") && strings.ToLower(text) == text && strings.Count(text, "/") == 1 {
		return text, true
	}
	// A parameter that cannot be read does not matter: the kind is there.
	kind, _, _ := mime.ParseMediaType(text)
	return kind, kind != ""
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
		family, isPattern := strings.CutSuffix(pattern, "/*")
		switch {
		case isJSON(pattern) && isJSON(kind), pattern == "*/*", isPattern && strings.HasPrefix(kind, family+"/"):
			return &entries[i]
		}
	}
	return nil
}

func isJSON(kind string) bool {
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

func isForm(kind string) bool { return kind == "application/x-www-form-urlencoded" }
