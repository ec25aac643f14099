package body

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// fields are the names that a query or a form has.
type fields struct {
	known    map[string]*parameter
	exploded []*parameter
	rest     shape // of a form: what it says of names without a parameter
	brackets bool
}

func newFields(rest shape, brackets bool) *fields {
	return &fields{known: map[string]*parameter{}, rest: rest, brackets: brackets}
}

func (f *fields) add(p *parameter) {
	f.known[p.Name] = p
	if p.exploded {
		f.exploded = append(f.exploded, p)
	}
}

// Query types a raw query. Names that are not declared are there with their
// text, nested where they have brackets.
func (ps *Parameters) Query(raw string) (map[string]any, *Problem) {
	if raw == "" {
		return nil, nil
	}
	if ps.whole != nil {
		return ps.queryString(raw)
	}
	return ps.query.decode(raw)
}

// queryString reads a query that is one value (OpenAPI 3.2: in: querystring),
// which has the parameter's name in what is returned.
func (ps *Parameters) queryString(raw string) (map[string]any, *Problem) {
	p := ps.whole
	if IsForm(Kind(p.Content)) {
		value, wrong := newFields(p.shape, false).decode(raw)
		return map[string]any{p.Name: value}, wrong
	}
	text, err := url.PathUnescape(raw)
	if err != nil {
		return nil, badEscape(p.Name, raw)
	}
	value, wrong := p.content(text)
	if wrong != nil {
		return nil, p.blame(wrong, text)
	}
	return map[string]any{p.Name: value}, nil
}

// A Form reads forms (application/x-www-form-urlencoded) of one schema. Nothing
// in it changes after NewForm.
type Form struct{ fields *fields }

// NewForm makes a reader for a form, to be kept: it costs more than one form.
func NewForm(s *schema.Schema, encoding []openapi.Encoding, options Options) *Form {
	budget := maxPrepared
	return newForm(shapeOf(s).prepared(maxPreparedDepth, &budget), encoding, options)
}

func newForm(s shape, encoding []openapi.Encoding, options Options) *Form {
	out := newFields(s, options.Brackets)
	for _, e := range encoding {
		out.add(formParameter(e, s))
	}
	return &Form{out}
}

// Decode types a form.
func (f *Form) Decode(data []byte) (map[string]any, *Problem) {
	return f.fields.decode(string(data))
}

// DecodeForm types a form whose reader is not kept.
func DecodeForm(data []byte, s *schema.Schema, encoding []openapi.Encoding, options Options) (map[string]any, *Problem) {
	return newForm(shapeOf(s), encoding, options).Decode(data)
}

// formParameter says what an encoding says as a parameter of a query. A content
// type counts where no style is given.
func formParameter(e openapi.Encoding, rest shape) *parameter {
	p := openapi.Parameter{Name: e.Field, In: "query", Style: e.Style, Explode: e.Explode}
	styled := e.Style != "" || e.Node.Get("explode") != nil || e.Node.Get("allowReserved") != nil
	if IsJSON(Kind(e.ContentType)) && !styled {
		p.Content = e.ContentType
	}
	if p.Style == "" {
		p.Style = "form"
	}
	out := newParameter(p)
	out.shape, _ = rest.property(e.Field)
	out.exploded = e.Style == "form" && e.Explode && out.shape.only(anObject)
	return out
}

func (f *fields) decode(raw string) (map[string]any, *Problem) {
	var whole map[string][]string // values with their escapes, of parameters whose separators must be told from data
	reader := formReader{
		literal: func(name string) bool { return f.known[name] != nil || f.rest.has(name) },
		raw: func(name, value string) bool {
			p := f.known[name]
			if p == nil || p.Content == "" && (p.separator == "" || !p.shape.takes(anArray|anObject)) {
				return false
			}
			if whole == nil {
				whole = map[string][]string{}
			}
			whole[name] = append(whole[name], value)
			return true
		},
	}
	tree, wrong := reader.read(raw)
	if wrong != nil {
		return nil, wrong
	}
	t := typing{form: tree}
	out := make(map[string]any, tree.count(0)+len(whole))
	if whole != nil {
		if wrong := f.wholes(out, whole); wrong != nil {
			return out, wrong
		}
	}
	for i := tree[0].first; i != 0; i = tree[i].next {
		name := tree[i].name
		pointer := "/" + escape(name)
		if whole[name] != nil {
			return out, twofold(pointer)
		}
		f.field(&t, out, i, pointer)
	}
	return out, t.failed
}

// wholes types the values that have their escapes still.
func (f *fields) wholes(out map[string]any, whole map[string][]string) *Problem {
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		p, values := f.known[name], whole[name]
		value, wrong := p.delimited(values)
		if wrong != nil {
			return p.blame(wrong, values[0])
		}
		out[name] = value
	}
	return nil
}

// field types one name of the tree.
func (f *fields) field(t *typing, out map[string]any, at int32, pointer string) {
	name := t.form[at].name
	if p := f.known[name]; p != nil {
		node := &t.form[at]
		if p.Empty && node.first == 0 && len(node.more) == 0 && node.value == "" && p.shape.only(anArray) {
			out[name] = []any{}
			return
		}
		out[name] = t.value(at, p.shape, p.Style == "deepObject", pointer)
		return
	}
	if owner := f.owner(name); owner != nil {
		inner, _ := owner.shape.property(name)
		object, _ := out[owner.Name].(map[string]any)
		if object == nil {
			if out[owner.Name] != nil {
				t.fail(twofold("/" + escape(owner.Name)))
				return
			}
			object = map[string]any{}
			out[owner.Name] = object
		}
		object[name] = t.value(at, inner, false, "/"+escape(owner.Name)+pointer)
		return
	}
	inner, _ := f.rest.property(name)
	out[name] = t.value(at, inner, f.brackets, pointer)
}

// owner finds the object that a name is a part of: one that knows the name, or
// else one that is open.
func (f *fields) owner(name string) *parameter {
	for _, p := range f.exploded {
		if p.shape.has(name) {
			return p
		}
	}
	for _, p := range f.exploded {
		if p.shape.open() {
			return p
		}
	}
	return nil
}

// delimited reads values in which separators stand, given with their escapes:
// a separator without an escape is one for sure. Where there is none, one with
// an escape is taken for one, since most clients escape all of a value.
func (p *parameter) delimited(values []string) (any, *Problem) {
	latest := values[len(values)-1]
	if p.Content != "" {
		text, err := plain(latest)
		if err != nil {
			return nil, &Problem{Rule: RuleSyntax, Message: "is not escaped well, or is not UTF-8"}
		}
		return p.content(text)
	}
	if !p.shape.takes(anArray) {
		values = values[len(values)-1:]
	}
	var pieces []string
	for _, raw := range values {
		more, err := p.split(raw)
		if err != nil {
			return nil, &Problem{Rule: RuleSyntax, Message: "is not escaped well, or is not UTF-8: percent signs want two hexadecimal digits"}
		}
		pieces = append(pieces, more...)
	}
	switch {
	case len(pieces) == 1 && pieces[0] == "" && p.Empty && p.shape.only(anArray):
		return []any{}, nil
	case len(pieces) == 1 && !p.shape.only(anArray) && !p.shape.only(anObject) && !p.shape.only(anArray|anObject):
		return p.shape.scalar(pieces[0]), nil
	case len(pieces) > maxFields:
		return nil, tooMany(maxFields)
	}
	return p.parts(pieces, false)
}

func (p *parameter) split(raw string) ([]string, error) {
	if p.separator != " " && strings.Contains(raw, p.separator) {
		pieces := strings.Split(raw, p.separator)
		for i := range pieces {
			var err error
			if pieces[i], err = plain(pieces[i]); err != nil {
				return nil, err
			}
		}
		return pieces, nil
	}
	text, err := plain(raw)
	if err != nil {
		return nil, err
	}
	return strings.Split(text, p.separator), nil
}
