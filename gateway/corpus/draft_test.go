package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"parity/specs/body"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
)

// A draft is a request as values, before it is written down.
type draft struct {
	op     *openapi.Operation
	values []given
	media  *openapi.Media // nil: no body
	body   any
	raw    []byte // of a body that is spoilt beyond values

	doubled bool // another path has the same shape: what does not fit this one may fit that
}

// given is the value of a parameter.
type given struct {
	openapi.Parameter
	value any
	text  bool // value is text, sent as it is
}

func (d draft) parameters() []openapi.Parameter {
	all, _ := d.op.Parameters()
	return all
}

func (d draft) clone() draft {
	d.values = slices.Clone(d.values)
	return d
}

// question asks an oracle about the request.
func (d draft) question() question {
	q := question{Do: "request", Path: d.op.Path, Method: d.op.Method}
	for _, v := range d.values {
		q.Values = append(q.Values, outside{In: v.In, Name: v.Name, Value: v.value, Text: v.text})
	}
	if d.media != nil {
		q.Type = d.media.Type
		q.Content, _ = json.Marshal(d.body) // values are JSON's
		q.Text = !isJSON(q.Type)
	}
	return q
}

// request writes a draft down.
func (d draft) request(base string) (*http.Request, error) {
	path, beyond := d.op.Path, ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path, beyond = path[:i], path[i:]
	}
	header := http.Header{}
	query, err := d.write(&path, header)
	if err != nil {
		return nil, err
	}
	query = append(query, d.fixed(beyond)...)
	d.credentials(header, &query)
	for name := range header {
		if strings.ContainsAny(name, " \t:()<>@,;/[]?={}\"\\") {
			return nil, fmt.Errorf("no header can have the name %q", name)
		}
	}
	var content []byte
	if d.media != nil {
		var kind string
		if content, kind, err = d.encode(); err != nil {
			return nil, err
		}
		header.Set("Content-Type", kind)
	}
	target := base + path
	if len(query) > 0 {
		target += "?" + strings.Join(query, "&")
	}
	r, err := http.NewRequest(d.op.Method, target, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	r.Header = header
	return r, nil
}

// credentials shows what the operation wants to be shown.
func (d draft) credentials(header http.Header, query *[]string) {
	wants := d.op.Security()
	if len(wants) == 0 {
		return
	}
	for _, name := range wants[0] {
		scheme, ok := d.op.API().Scheme(name)
		if !ok {
			continue
		}
		if d.gives(scheme) {
			continue
		}
		switch {
		case scheme.Type == "apiKey" && scheme.In == "query":
			*query = append(*query, url.QueryEscape(scheme.Name)+"=key-1234567890")
		case scheme.Type == "apiKey" && scheme.In == "cookie":
			header.Add("Cookie", scheme.Name+"=key-1234567890")
		case scheme.Type == "apiKey":
			header.Set(scheme.Name, "key-1234567890")
		case scheme.Type == "http" && scheme.Scheme == "basic":
			header.Set("Authorization", "Basic YWRhOnNlY3JldA==")
		case scheme.Type == "http" && scheme.Scheme != "bearer":
			header.Set("Authorization", scheme.Scheme+" token-1234567890")
		default:
			header.Set("Authorization", "Bearer token-1234567890")
		}
	}
}

// gives tells whether a parameter is what the scheme asks for, too.
func (d draft) gives(scheme openapi.Scheme) bool {
	for _, v := range d.values {
		if scheme.Type == "apiKey" && v.In == scheme.In && strings.EqualFold(v.Name, scheme.Name) {
			return true
		}
	}
	return false
}

// write puts the values where they belong, and gives those of the query.
func (d draft) write(path *string, header http.Header) (query []string, err error) {
	for _, v := range d.values {
		text, err := v.written()
		if err != nil {
			return nil, err
		}
		switch v.In {
		case "path":
			*path = strings.ReplaceAll(*path, "{"+v.Name+"}", text)
		case "header":
			header.Set(v.Name, text)
		case "cookie":
			header.Add("Cookie", text)
		default:
			if text != "" {
				query = append(query, text)
			}
		}
	}
	return query, nil
}

// written is a parameter as a client sends it.
func (v given) written() (string, error) {
	text, isText := v.value.(string)
	if !v.text || !isText {
		return body.EncodeParameter(v.Parameter, v.value)
	}
	switch v.In {
	case "path":
		return url.PathEscape(text), nil
	case "header":
		return text, nil
	default:
		return url.QueryEscape(v.Name) + "=" + url.QueryEscape(text), nil
	}
}

// fixed are the parts of a query that a path itself has, as far as no parameter
// has them too.
func (d draft) fixed(beyond string) (query []string) {
	for part := range strings.FieldsFuncSeq(beyond, func(r rune) bool { return r == '?' || r == '#' || r == '&' }) {
		name, value, _ := strings.Cut(part, "=")
		skip := strings.ContainsAny(name, "/{}")
		for _, v := range d.values {
			if value == "{"+v.Name+"}" && v.In == "path" {
				value = url.QueryEscape(pathText(v.value))
			} else {
				skip = skip || v.Name == name
			}
		}
		if !skip {
			query = append(query, name+"="+strings.Trim(value, "{}"))
		}
	}
	return query
}

func names(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// encode writes the body.
func (d draft) encode() ([]byte, string, error) {
	if d.raw != nil {
		return d.raw, d.media.Type, nil
	}
	return body.Encode(*d.media, d.body)
}

// preferred chooses among the kinds of body: JSON, else a form, else the first.
func preferred(all []openapi.Media) *openapi.Media {
	for _, wanted := range []func(string) bool{
		func(kind string) bool { return essence(kind) == "application/json" },
		isJSON,
		func(kind string) bool { return essence(kind) == "application/x-www-form-urlencoded" },
		func(kind string) bool { return strings.HasPrefix(essence(kind), "multipart/") },
	} {
		for i := range all {
			if wanted(all[i].Type) {
				return &all[i]
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return &all[0]
}

// values makes those of one document.
type values struct{ library *sample.Library }

func newValues() values { return values{&sample.Library{}} }

// maker draws by a seed, so that the same documents get the same requests.
func (v values) maker(seed uint64) *sample.Maker {
	return &sample.Maker{Library: v.library, Draw: func(key string, n int) int {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", seed, key) // a hash never fails
		return int(h.Sum64() >> 7 % uint64(n))
	}}
}

// draft makes a valid request of an operation: every other one with all that
// is optional outside the body, and bodies with the usual fields, all of them,
// or none that is optional. Where no value of a schema is found, the closest
// one goes; the oracle says that it is none.
func (v values) draft(op *openapi.Operation, seed uint64) draft {
	d := draft{op: op}
	m := v.maker(seed)
	parameters, _ := op.Parameters()
	for _, p := range parameters {
		if !p.Required && p.In != "path" && (seed&1 == 0 || cursor.MatchString(p.Name) || p.In == "header" && conditional.MatchString(p.Name)) {
			continue
		}
		m.Segment = p.In != "query" && p.In != "querystring"
		value, _ := m.Value(p.Schema, p.Name)
		if p.In == "header" {
			value = usual(p, value)
		}
		made := given{Parameter: p, value: value}
		if text, err := made.written(); err != nil && !p.Required && p.In != "path" || err == nil && text == "" && !p.Required {
			continue // it cannot be written, and need not
		}
		d.values = append(d.values, made)
	}
	m.Segment = false
	m.Optional = []sample.Optional{sample.Usual, sample.All, sample.None, sample.Usual}[seed>>1&3]
	if takes, _ := op.Body(); takes != nil {
		if media := preferred(takes.Content); media != nil {
			d.media = media
			d.body, _ = m.Value(media.Schema, "")
			withoutCursors(d.body, media.Schema)
			if !isJSON(media.Type) {
				d.body = filled(m, media.Schema, d.body, 4)
			}
		}
	}
	return d
}

// filled puts an item into lists that are required and empty: neither forms nor
// XML can tell an empty list from one that is missing.
func filled(m *sample.Maker, s *schema.Schema, value any, depth int) any {
	object, ok := value.(map[string]any)
	if !ok || depth == 0 {
		return value
	}
	for _, part := range append([]*schema.Schema{s}, s.View().AllOf...) {
		v := part.View()
		for _, property := range v.Properties {
			field, has := object[property.Name]
			if list, ok := field.([]any); ok && len(list) == 0 && v.Needs(property.Name) {
				if items := itemsOf(property.Schema); items != nil {
					item, _ := m.Value(items, property.Name)
					object[property.Name] = []any{item}
				}
			} else if has {
				object[property.Name] = filled(m, property.Schema, field, depth-1)
			}
		}
	}
	return object
}

func itemsOf(s *schema.Schema) *schema.Schema {
	v := s.View()
	for _, part := range v.AllOf {
		if items := part.View().Items; items != nil {
			return items
		}
	}
	return v.Items
}

// usual is what a client sends in headers that mean more than their contract
// says.
func usual(p openapi.Parameter, value any) any {
	if p.Schema.View().Enum.Len() > 0 {
		return value
	}
	switch strings.ToLower(p.Name) {
	case "authorization":
		return "Bearer token-1234567890"
	case "accept":
		return "*/*"
	}
	return value
}

// cursor names what a client only sends when it was given one.
var cursor = regexp.MustCompile(`(?i)^\$?(next|page|skip|continuation|continue|sync|pagination|start)?[-_.]?(token|cursor|marker|bookmark|continuation)$|^(starting|ending)?_?(after|before)$|^next[-_]?(page|id|key|url|link)$|^(from|since|last|start|exclusivestart)[-_]?(key|cursor|id)$|^continue$|^scroll[-_]?id$|^(since|until)_id$`)

// conditional names headers that speak of what a client was given, or of how the
// body is sent.
var conditional = regexp.MustCompile(`(?i)^(x-amz-copy-source-)?(if-(none-)?match|if-(un)?modified-since|if-range)$|^(content-(encoding|length|md5)|transfer-encoding|connection|host|expect|te|upgrade)$`)

func withoutCursors(value any, s *schema.Schema) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for name := range object {
		if cursor.MatchString(name) && !s.View().Needs(name) {
			delete(object, name)
		}
	}
}

// broken are bodies with one thing wrong, each in another way.
func (v values) broken(d draft, seed uint64) (all []sample.Broken) {
	for i := range uint64(3) {
		if one, ok := v.maker(seed+i).Spoil(d.media.Schema, d.body); ok {
			all = append(all, one)
		}
	}
	return all
}
