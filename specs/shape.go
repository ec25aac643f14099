package specs

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
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
}

// deepestShape ends the search in schemas that are made of themselves.
const deepestShape = 8

// shapeOf makes the shape of a schema, once; it is called under mu.
func (s *schemas) shapeOf(schema *openapi3.Schema) *shape {
	if known, ok := s.shapes[schema]; ok {
		return known
	}
	out := &shape{secret: schema.Format == "password"}
	s.shapes[schema] = out
	for _, refs := range []openapi3.SchemaRefs{schema.AnyOf, schema.OneOf, schema.AllOf} {
		for _, ref := range refs {
			if ref != nil && ref.Value != nil {
				out.alternatives = append(out.alternatives, s.shapeOf(ref.Value))
			}
		}
	}
	out.kinds = kindsOf(schema)
	if len(schema.Properties) > 0 {
		out.properties = make(map[string]*shape, len(schema.Properties))
		for name, ref := range schema.Properties {
			if ref != nil && ref.Value != nil {
				out.properties[name] = s.shapeOf(ref.Value)
			}
		}
	}
	if ref := schema.Items; ref != nil && ref.Value != nil {
		out.items = s.shapeOf(ref.Value)
	}
	if ref := schema.AdditionalProperties.Schema; ref != nil && ref.Value != nil {
		out.rest = s.shapeOf(ref.Value)
	}
	return out
}

func kindsOf(schema *openapi3.Schema) kinds {
	var out kinds
	for _, name := range schema.Type.Slice() {
		out |= kindNamed(name)
	}
	if schema.Nullable {
		out |= aNull
	}
	if out&^aNull == 0 {
		if len(schema.Properties) > 0 || schema.AdditionalProperties.Schema != nil {
			out |= anObject
		}
		if schema.Items != nil {
			out |= anArray
		}
	}
	return out
}

func kindNamed(name string) kinds {
	switch name {
	case openapi3.TypeBoolean:
		return aBoolean
	case openapi3.TypeInteger:
		return anInteger
	case openapi3.TypeNumber:
		return aNumber
	case openapi3.TypeString:
		return aString
	case openapi3.TypeArray:
		return anArray
	case openapi3.TypeObject:
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
