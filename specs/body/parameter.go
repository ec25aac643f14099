package body

import (
	"net/http"
	"strings"

	"parity/specs/openapi"
)

// Options are what some vendors do otherwise.
type Options struct {
	Brackets bool // lists only with brackets, for names that no parameter has
}

// Parameters reads what stands outside the body of one operation's requests.
// Nothing in it changes after NewParameters.
type Parameters struct {
	path, header []*parameter
	query        *fields
	cookie       *fields
	whole        *parameter // 3.2: in querystring
}

// Bounds on the shapes that are found beforehand.
const (
	maxPrepared      = 4000 // of one operation's parameters, or of one form
	maxPreparedDepth = 4
)

// A parameter is one as its text is to be read.
type parameter struct {
	openapi.Parameter
	shape     shape
	separator string // between the items of a list in one value; "" where each has its own
	exploded  bool   // an object whose parts stand on their own
}

func newParameter(p openapi.Parameter) *parameter {
	out := &parameter{Parameter: p, shape: shapeOf(p.Schema)}
	if p.Content != "" {
		return out
	}
	out.separator = ","
	switch {
	case p.Style == "deepObject":
		out.separator = ""
	case (p.In == "query" || p.In == "cookie") && p.Explode:
		out.separator = ""
		out.exploded = out.shape.takes(anObject)
	case p.Style == "spaceDelimited":
		out.separator = " "
	case p.Style == "pipeDelimited":
		out.separator = "|"
	}
	return out
}

// NewParameters makes a reader for an operation's parameters. It is made once
// for each operation, not for each request.
func NewParameters(list []openapi.Parameter, options Options) *Parameters {
	out := &Parameters{query: newFields(shape{}, options.Brackets), cookie: newFields(shape{}, false)}
	budget := maxPrepared
	for _, one := range list {
		p := newParameter(one)
		p.shape = p.shape.prepared(maxPreparedDepth, &budget)
		switch p.In {
		case "path":
			out.path = append(out.path, p)
		case "header":
			out.header = append(out.header, p)
		case "query":
			out.query.add(p)
		case "cookie":
			out.cookie.add(p)
		case "querystring":
			out.whole = p
		}
	}
	return out
}

// Path types the parameters of a path, given unescaped. Names that are not
// declared keep their text.
func (ps *Parameters) Path(texts map[string]string) (map[string]any, *Problem) {
	if len(texts) == 0 {
		return nil, nil
	}
	out := make(map[string]any, len(texts))
	if declared := ps.path; len(declared) != len(texts) || len(declared) > 1 || texts[declared[0].Name] == "" {
		for name, text := range texts {
			out[name] = text
		}
	}
	for _, p := range ps.path {
		text, given := texts[p.Name]
		if !given {
			continue
		}
		value, wrong := p.segment(text)
		if wrong != nil {
			out[p.Name] = text
			return out, p.blame(wrong, text)
		}
		out[p.Name] = value
	}
	return out, nil
}

// Header types the declared headers that are given, by their declared names.
func (ps *Parameters) Header(header http.Header) (map[string]any, *Problem) {
	if len(ps.header) == 0 {
		return nil, nil
	}
	out := make(map[string]any, len(ps.header))
	for _, p := range ps.header {
		given := header.Values(p.Name)
		if len(given) == 0 {
			continue
		}
		text := given[0]
		if len(given) > 1 && p.shape.takes(anArray|anObject) {
			text = strings.Join(given, ",")
		}
		value, wrong := p.simple(text, " \t")
		if wrong != nil {
			return out, p.blame(wrong, text)
		}
		out[p.Name] = value
	}
	return out, nil
}

func (p *parameter) blame(wrong *Problem, text string) *Problem {
	wrong.Pointer = "/" + escape(p.Name) + wrong.Pointer
	if wrong.Got == "" {
		wrong.Got = shorten(text)
	}
	return wrong
}

// segment reads a path parameter.
func (p *parameter) segment(text string) (any, *Problem) {
	if p.Content != "" {
		return p.content(text)
	}
	switch p.Style {
	case "label":
		rest, ok := strings.CutPrefix(text, ".")
		if !ok {
			return nil, &Problem{Rule: RuleSyntax, Message: "begins with a dot: its style is label", Want: "."}
		}
		if p.Explode && p.shape.takes(anArray|anObject) {
			return p.parts(strings.Split(rest, "."), true)
		}
		return p.simple(rest, "")
	case "matrix":
		return p.matrix(text)
	default:
		return p.simple(text, "")
	}
}

// matrix reads ;name=value, ;name=a,b and ;name=a;name=b, or an object's
// ;a=1;b=2.
func (p *parameter) matrix(text string) (any, *Problem) {
	rest, ok := strings.CutPrefix(text, ";")
	bad := &Problem{Rule: RuleSyntax, Message: "is written ;" + p.Name + "=…: its style is matrix", Want: ";" + p.Name + "="}
	if !ok {
		return nil, bad
	}
	if p.Explode && p.shape.takes(anObject) {
		if value, wrong := p.parts(strings.Split(rest, ";"), true); wrong == nil || !p.shape.takes(anArray) {
			return value, wrong
		}
	}
	pieces := strings.Split(rest, ";")
	if !p.Explode || !p.shape.takes(anArray) {
		pieces = []string{rest}
	}
	for i, piece := range pieces {
		name, value, _ := strings.Cut(piece, "=")
		if name != p.Name {
			return nil, bad
		}
		pieces[i] = value
	}
	if p.Explode && p.shape.takes(anArray) {
		return p.parts(pieces, false)
	}
	return p.simple(pieces[0], "")
}

// simple reads a list or an object with commas, or else a scalar. blanks are
// what may stand around the commas.
func (p *parameter) simple(text, blanks string) (any, *Problem) {
	if p.Content != "" {
		return p.content(text)
	}
	text = strings.Trim(text, blanks)
	if !p.shape.takes(anArray|anObject) || p.shape.takes(^(anArray|anObject|aNull)) && !strings.ContainsAny(text, ",=") {
		return p.shape.scalar(text), nil
	}
	pieces := strings.Split(text, ",")
	for i := range pieces {
		pieces[i] = strings.Trim(pieces[i], blanks)
	}
	return p.parts(pieces, p.Explode)
}

// parts makes a list of pieces, or an object of names and values: a,1,b,2 or,
// where they are assigned, a=1,b=2.
func (p *parameter) parts(pieces []string, assigned bool) (any, *Problem) {
	if !p.shape.takes(anObject) || p.shape.takes(anArray) && !(assigned && strings.Contains(pieces[0], "=")) {
		out := make([]any, len(pieces))
		all := p.shape.items()
		for i, text := range pieces {
			item := all.at(i)
			out[i] = item.nested(text)
		}
		return out, nil
	}
	if !assigned {
		if len(pieces)%2 != 0 {
			return nil, &Problem{Rule: RuleSyntax, Message: "is an object written name,value,name,value: a name is without its value"}
		}
		return p.object(pieces), nil
	}
	both := make([]string, 0, 2*len(pieces))
	for _, piece := range pieces {
		name, value, ok := strings.Cut(piece, "=")
		if !ok {
			return nil, &Problem{Rule: RuleSyntax, Message: "is an object written name=value: a name is without its value", Got: shorten(piece)}
		}
		both = append(both, name, value)
	}
	return p.object(both), nil
}

func (p *parameter) object(pieces []string) map[string]any {
	out := make(map[string]any, len(pieces)/2)
	for i := 0; i+1 < len(pieces); i += 2 {
		inner, _ := p.shape.property(pieces[i])
		out[pieces[i]] = inner.nested(pieces[i+1])
	}
	return out
}

// content reads a parameter that is written in a media type.
func (p *parameter) content(text string) (any, *Problem) {
	if IsJSON(Kind(p.Content)) {
		return DecodeJSON([]byte(text))
	}
	return p.shape.scalar(text), nil
}
