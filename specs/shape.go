package specs

import (
	"maps"
	"slices"

	"parity/specs/schema"
)

// A shape is the names that a schema has for the parts of a value: to find what
// is secret or not declared, and what a misspelt name may have meant.
type shape struct {
	properties   map[string]*shape
	rest         *shape // of properties that have no name
	items        *shape
	alternatives []*shape // anyOf, oneOf, allOf
	secret       bool     // format: password
	email        bool     // format: email
	open         bool     // properties without a name of their own are expected
	alone        [1]*shape
}

// only gives the shape as a list of its own.
func (s *shape) only() []*shape { return s.alone[:] }

// shapeOf makes the shape of a schema, once; it is called under mu.
func (s *schemas) shapeOf(of *schema.Schema) *shape {
	if of == nil {
		return nil
	}
	of = of.Target()
	if known, ok := s.shapes[of]; ok {
		return known
	}
	if s.depth++; s.depth > deepestChain {
		s.depth--
		out := &shape{open: true}
		out.alone[0] = out
		return out
	}
	defer func() { s.depth-- }()
	view := of.View()
	out := &shape{secret: view.Format == "password", email: view.Format == "email"}
	out.alone[0] = out
	s.shapes[of] = out
	for _, choices := range [][]*schema.Schema{view.AnyOf, view.OneOf, view.AllOf} {
		for _, choice := range choices {
			out.alternatives = append(out.alternatives, s.shapeOf(choice))
		}
	}
	if len(view.Properties) > 0 {
		out.properties = make(map[string]*shape, len(view.Properties))
		for _, p := range view.Properties {
			out.properties[p.Name] = s.shapeOf(p.Schema)
		}
	}
	out.items, out.rest = s.shapeOf(view.Items), s.shapeOf(view.Rest)
	out.open = view.Rest != nil || view.Later || len(view.Properties) == 0
	return out
}

// seen are the shapes that were looked into already: schemas may be made of
// themselves, and of the same ones in many ways.
type seen map[*shape]bool

// mostSeen ends the search: it is made for each value.
const mostSeen = 4096

// first tells whether a shape is met for the first time, and worth a look.
func (s seen) first(of *shape) bool {
	if of == nil || s[of] || len(s) == mostSeen {
		return false
	}
	s[of] = true
	return true
}

// property finds the shape of a named part; nil when nothing is said of it.
func (s *shape) property(name string, met seen) *shape {
	if !met.first(s) {
		return nil
	}
	if found := s.properties[name]; found != nil {
		return found
	}
	var found []*shape
	for _, other := range s.alternatives {
		if one := other.property(name, met); one != nil && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	switch len(found) {
	case 0:
		return s.rest
	case 1:
		return found[0]
	default:
		return &shape{alternatives: found}
	}
}

func (s *shape) item(met seen) *shape {
	if !met.first(s) {
		return nil
	}
	if s.items != nil {
		return s.items
	}
	for _, other := range s.alternatives {
		if found := other.item(met); found != nil {
			return found
		}
	}
	return nil
}

func (s *shape) names(met seen) []string {
	if !met.first(s) {
		return nil
	}
	out := slices.Collect(maps.Keys(s.properties))
	for _, other := range s.alternatives {
		out = append(out, other.names(met)...)
	}
	return out
}
