package specs

import (
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// JSON Schema tries each of the shapes that a value may have, and each of
// theirs in turn: where a schema is part of two of its own shapes, each level
// of a value doubles the work, and sixty levels never end. What a judgement
// takes is counted before it is made.
const (
	someSteps     = 1 << 18 // for any value
	stepsForEach  = 16      // more for each value that a body holds
	deepestScale  = 4 << 10 // schemas inside one another
	siftedAtMost  = 1 << 20 // steps of a sieve
	choicesAStep  = 16      // values of an enum that are compared in one step
	manyChoices   = 16      // from here on those of a sieve are in a map
	largestInline = 32      // values of an enum that is written wherever it is referred to
	mostHidings   = 16      // ways to read one schema by what is hidden around it
)

// bearable tells whether a schema judges a value in bounded time.
func bearable(s *jsonschema.Schema, value any) bool {
	w := &scale{left: someSteps + stepsForEach*size(value)}
	w.value(s, value, nil, 0)
	return w.left >= 0
}

func size(value any) int {
	n := 1
	switch value := value.(type) {
	case map[string]any:
		for _, inner := range value {
			n += size(inner)
		}
	case []any:
		for _, inner := range value {
			n += size(inner)
		}
	}
	return n
}

// A scale counts the steps of a judgement without making it.
type scale struct{ left int }

// within is the schemas that judge one value, the last one first: a schema does
// not judge it again inside itself.
type within struct {
	schema *jsonschema.Schema
	around *within
}

func (w *scale) value(s *jsonschema.Schema, value any, around *within, depth int) {
	if s == nil || w.left < 0 {
		return
	}
	w.left--
	for at := around; at != nil; at = at.around {
		if at.schema == s {
			return
		}
	}
	if depth > deepestScale {
		w.left = -1
		return
	}
	if s.Enum != nil {
		w.left -= len(s.Enum.Values) / choicesAStep
	}
	here := &within{s, around}
	for _, same := range []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else} {
		w.value(same, value, here, depth+1)
	}
	if s.DynamicRef != nil {
		w.value(s.DynamicRef.Ref, value, here, depth+1)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, same := range list {
			w.value(same, value, here, depth+1)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		w.object(s, value, here, depth)
	case []any:
		w.array(s, value, depth)
	}
}

func (w *scale) object(s *jsonschema.Schema, value map[string]any, here *within, depth int) {
	for _, same := range s.DependentSchemas {
		w.value(same, value, here, depth+1)
	}
	for _, same := range s.Dependencies {
		if same, ok := same.(*jsonschema.Schema); ok {
			w.value(same, value, here, depth+1)
		}
	}
	for name, inner := range value {
		own := s.Properties[name]
		w.value(own, inner, nil, depth+1)
		w.value(s.PropertyNames, name, nil, depth+1)
		for _, other := range s.PatternProperties {
			w.value(other, inner, nil, depth+1)
		}
		if rest, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && own == nil {
			w.value(rest, inner, nil, depth+1)
		}
		w.value(s.UnevaluatedProperties, inner, nil, depth+1)
	}
}

func (w *scale) array(s *jsonschema.Schema, value []any, depth int) {
	first := s.PrefixItems
	rest := s.Items2020
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		rest = items
	case []*jsonschema.Schema:
		first = items
		rest, _ = s.AdditionalItems.(*jsonschema.Schema)
	}
	for i, inner := range value {
		if i < len(first) {
			w.value(first[i], inner, nil, depth+1)
		} else {
			w.value(rest, inner, nil, depth+1)
		}
		w.value(s.Contains, inner, nil, depth+1)
		w.value(s.UnevaluatedItems, inner, nil, depth+1)
	}
}
