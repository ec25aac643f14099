package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"parity/specs"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A sample is the least that a contract asks of a call of an operation.
type sample struct {
	target      string // path and query
	kind        string // of the body; "": there is none
	body        string
	path        map[string]string
	query, sent map[string]any
}

// sampleOf makes the least call of an operation; false: its body is of a kind that
// is not made here.
func sampleOf(op *specs.Operation) (s sample, ok bool) {
	s.path, s.query = map[string]string{}, map[string]any{}
	parameters, _ := op.Source().Parameters()
	values := url.Values{}
	for _, p := range parameters {
		text := fmt.Sprint(least(p.Schema, 6))
		switch {
		case p.In == "path":
			s.path[p.Name] = text
		case p.In == "query" && p.Required && p.Name != "token":
			s.query[p.Name] = text
			values.Set(p.Name, text)
		}
	}
	s.target = regexp.MustCompile(`\{([^}]*)\}`).ReplaceAllStringFunc(op.Path, func(name string) string {
		name = name[1 : len(name)-1]
		if s.path[name] == "" {
			s.path[name] = "x"
		}
		return url.PathEscape(s.path[name])
	})
	if len(values) > 0 {
		s.target += "?" + values.Encode()
	}
	body, _ := op.Source().Body()
	if body == nil || op.Method == "GET" || len(body.Content) == 0 {
		return s, true
	}
	return s, s.encode(body.Content)
}

// encode writes the body as the first kind that it can be.
func (s *sample) encode(content []openapi.Media) bool {
	for _, m := range content {
		value, _ := least(m.Schema, 6).(map[string]any)
		if value == nil {
			value = map[string]any{}
		}
		switch {
		case strings.HasPrefix(m.Type, "application/json"):
			text, err := json.Marshal(value)
			if err != nil {
				return false
			}
			s.kind, s.body, s.sent = "application/json", string(text), value
			return true
		case strings.HasPrefix(m.Type, "application/x-www-form-urlencoded"):
			form := url.Values{}
			for name, v := range value {
				text, plain := v.(string)
				if !plain {
					encoded, _ := json.Marshal(v)
					text = string(encoded)
				}
				form.Set(name, text)
			}
			s.kind, s.body, s.sent = m.Type, form.Encode(), value
			return true
		}
	}
	return false
}

// least is the least value that a schema takes.
func least(of *schema.Schema, depth int) any {
	if of == nil || depth == 0 {
		return "x"
	}
	v := of.View()
	switch {
	case v.Example != nil && len(v.Properties) == 0 && v.Items == nil:
		return v.Example.Value()
	case v.Const != nil:
		return v.Const.Value()
	case v.Enum != nil && v.Enum.Len() > 0:
		return v.Enum.At(0).Value()
	case len(v.AllOf) > 0:
		all := map[string]any{}
		for _, part := range v.AllOf {
			if some, ok := least(part, depth-1).(map[string]any); ok {
				for name, value := range some {
					all[name] = value
				}
			}
		}
		return all
	case len(v.OneOf) > 0:
		return least(v.OneOf[0], depth-1)
	case len(v.AnyOf) > 0:
		return least(v.AnyOf[0], depth-1)
	}
	return leastOfKind(v, depth)
}

func leastOfKind(v *schema.View, depth int) any {
	is := func(kind string) bool { return slices.Contains(v.Types, kind) }
	switch {
	case is("object") || len(v.Properties) > 0:
		all := map[string]any{}
		for _, name := range v.Required {
			all[name] = least(v.Get(name), depth-1)
		}
		return all
	case is("array"):
		return []any{least(v.Items, depth-1)}
	case is("boolean"):
		return true
	case is("integer"), is("number"):
		if v.Low != nil {
			return int(*v.Low)
		}
		return 1
	}
	text := map[string]string{"date-time": "2026-03-02T13:00:00Z", "date": "2026-03-02", "email": "ada@example.com", "uri": "https://example.com/x", "uuid": "3f2a91bc-0000-4000-8000-000000000000"}[v.Format]
	if text == "" {
		text = "x"
	}
	for v.MinLength != nil && len(text) < *v.MinLength {
		text += "x"
	}
	return text
}
