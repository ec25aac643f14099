package specs

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"parity/specs/schema"
)

// kinds is a set of JSON types.
type kinds uint8

const (
	aBoolean kinds = 1 << iota
	anInteger
	aNumber
	aString
	anArray
	anObject
	aNull
)

// A shape is as much of a schema as is needed to give text its type: what it
// may be, and what its parts are. Whether the value is right is not its
// business.
type shape struct {
	kinds        kinds // 0 where only the alternatives say
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
	out.kinds = kindsOf(view)
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

func kindsOf(v *schema.View) kinds {
	var out kinds
	for _, name := range v.Types {
		out |= kindNamed(name)
	}
	if v.Nullable {
		out |= aNull
	}
	if out&^aNull == 0 {
		if len(v.Properties) > 0 || v.Rest != nil {
			out |= anObject
		}
		if v.Items != nil {
			out |= anArray
		}
	}
	return out
}

func kindNamed(name string) kinds {
	switch name {
	case "boolean":
		return aBoolean
	case "integer":
		return anInteger
	case "number":
		return aNumber
	case "string":
		return aString
	case "array":
		return anArray
	case "object":
		return anObject
	default:
		return aNull
	}
}

func (s *shape) accepts(depth int) kinds {
	out := s.kinds
	if depth < deepestShape {
		for _, other := range s.alternatives {
			out |= other.accepts(depth + 1)
		}
	}
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

// scalar gives text the first type that it can have here; text that has none
// of them stays text, for the schema to refuse with the type it wanted.
func (s *shape) scalar(text string) any {
	if s == nil {
		return text
	}
	accepted := s.accepts(0)
	if accepted&anInteger != 0 && isDecimal(text) {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	}
	if accepted&aNumber != 0 && isDecimal(text) {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return whole(n)
		}
	}
	if accepted&aBoolean != 0 && (text == "true" || text == "false") {
		return text == "true"
	}
	return text
}

// isDecimal keeps out what Go's parsers take and JSON does not: hexadecimal,
// underscores, inf, nan, a plus in front.
func isDecimal(text string) bool {
	if text == "" || text[0] == '+' || text[0] == '.' {
		return false
	}
	return strings.Trim(text, "0123456789.-+eE") == ""
}

// whole gives an integral number as int64, as worlds keep them, if it fits.
func whole(n float64) any {
	const exact = 1 << 53
	if n == math.Trunc(n) && n >= -exact && n <= exact {
		return int64(n)
	}
	return n
}
