package specs

import (
	"net/url"
	"slices"
	"strings"

	"parity/specs/body"
	"parity/specs/openapi"
)

// A condition is what a path says beyond the path. Contracts that describe
// calls of procedures write /?Action=CreateUser and
// /#X-Amz-Target=DynamoDB.GetItem: the one is in the query, or in a form; the
// other in a header, or in one of those.
type condition struct {
	name  string
	value string
	any   bool // any value
}

// conditions splits a path from what it says beyond.
func conditions(path string) (string, []condition) {
	at := strings.IndexAny(path, "?#")
	if at < 0 {
		return path, nil
	}
	var found []condition
	for text := range strings.FieldsFuncSeq(path[at:], func(r rune) bool { return r == '?' || r == '#' || r == '&' }) {
		name, value, ok := strings.Cut(text, "=")
		if strings.ContainsAny(name, "/{}") {
			continue // text that tells a reader something
		}
		if decoded, err := url.QueryUnescape(value); err == nil {
			value = decoded
		}
		found = append(found, condition{name: name, value: value, any: !ok || strings.ContainsRune(value, '{')})
	}
	return path[:at], found
}

// placed gives parameters the place in which they come: a contract may write
// /icons?term={term}, and call term a parameter of the path.
func placed(path string, list []openapi.Parameter) []openapi.Parameter {
	at := strings.IndexAny(path, "?#")
	if at < 0 {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		p := &list[i]
		if written := "{" + p.Name + "}"; p.In == inPath && !strings.Contains(path[:at], written) && strings.Contains(path[at:], written) {
			p.In, p.Style = inQuery, "form"
		}
	}
	return list
}

// apart chooses among operations of one method and one shape of path: the one
// whose conditions all hold, most of them first; else the first without any
// whose parameters in the path, required ones in the query, and body fit; else
// the first of those whose body does not; else the first without any.
func (n *node) apart(call *Call, method string, found *captures) *leaf {
	var best, plain, fits, whole *leaf
	query, form := values(call.Query), url.Values(nil)
	for i := range n.leaves {
		l := &n.leaves[i]
		if l.method != method {
			continue
		}
		if len(l.when) == 0 {
			if plain == nil {
				plain = l
			}
			if whole == nil && l.fits(query, found) {
				if fits == nil {
					fits = l
				}
				if len(Refused(l.op.readBody(&Input{}, Request{Header: call.Header, Body: call.Body}))) == 0 {
					whole = l
				}
			}
			continue
		}
		if form == nil {
			form = call.form()
		}
		if l.holds(call, query, form) && (best == nil || len(l.when) > len(best.when)) {
			best = l
		}
	}
	switch {
	case best != nil:
		return best
	case whole != nil:
		return whole
	case fits != nil:
		return fits
	default:
		return plain
	}
}

func (l *leaf) holds(call *Call, query, form url.Values) bool {
	for _, c := range l.when {
		given := false
		for _, list := range [][]string{query[c.name], call.Header.Values(c.name), form[c.name]} {
			for _, value := range list {
				given = given || c.any || value == c.value
			}
		}
		if !given {
			return false
		}
	}
	return true
}

// fits tells whether a call could be meant for an operation, by what is in its
// path and whether the query has what is required.
func (l *leaf) fits(query url.Values, found *captures) bool {
	p := l.op.read()
	if p.query != nil {
		for _, name := range p.query.must {
			if _, ok := query[name]; !ok {
				return false
			}
		}
	}
	return len(l.op.readPath(l.path(found))) == 0
}

func values(raw string) url.Values {
	parsed, _ := url.ParseQuery(raw) // what can be read of it
	return parsed
}

func (c *Call) form() url.Values {
	if body.IsForm(body.Kind(c.Header.Get("Content-Type"))) {
		return values(string(c.Body))
	}
	return url.Values{}
}
