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
	open         bool     // properties without a name of their own are expected
}

// deepestShape ends the search in schemas that are made of themselves.
const deepestShape = 8

// shapeOf makes the shape of a schema, once; it is called under mu.
func (s *schemas) shapeOf(of *schema.Schema) *shape {
	if of == nil {
		return nil
	}
	of = of.Target()
	if known, ok := s.shapes[of]; ok {
		return known
	}
	view := of.View()
	out := &shape{secret: view.Format == "password"}
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

// property finds the shape of a named part; nil when nothing is said of it.
func (s *shape) property(name string, depth int) *shape {
	if found := s.properties[name]; found != nil {
		return found
	}
	if depth < deepestShape {
		var found []*shape
		for _, other := range s.alternatives {
			if one := other.property(name, depth+1); one != nil && !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0]
		default:
			return &shape{alternatives: found}
		}
	}
	return s.rest
}

func (s *shape) item(depth int) *shape {
	if s.items != nil || depth >= deepestShape {
		return s.items
	}
	for _, other := range s.alternatives {
		if found := other.item(depth + 1); found != nil {
			return found
		}
	}
	return nil
}

func (s *shape) names(depth int) []string {
	out := slices.Collect(maps.Keys(s.properties))
	if depth < deepestShape {
		for _, other := range s.alternatives {
			out = append(out, other.names(depth+1)...)
		}
	}
	return out
}
