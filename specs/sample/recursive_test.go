package sample_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parity/specs/sample"
)

// recursive are schemas that name each other.
type recursive map[string]any

// recursives draws some, each of an object of a kind of its own, which name each
// other in all the ways that there are.
func recursives(t *rapid.T) recursive {
	all := recursive{}
	names := []string{"S", "T", "U"}
	for _, name := range names {
		properties, required := map[string]any{"kind": map[string]any{"type": "string", "enum": []any{name}}}, []any{"kind"}
		for i := range rapid.IntRange(1, 3).Draw(t, name+" fields") {
			field := fmt.Sprintf("f%d", i)
			properties[field] = held(t, names, 2)
			if rapid.IntRange(0, 2).Draw(t, field+" required") > 0 {
				required = append(required, field)
			}
		}
		own := map[string]any{"type": "object", "properties": properties, "required": required}
		switch rapid.IntRange(0, 5).Draw(t, name+" more") {
		case 0:
			own["additionalProperties"] = held(t, names, 1)
			own["minProperties"] = len(properties) + rapid.IntRange(0, 2).Draw(t, "minProperties")
		case 1:
			own = map[string]any{"allOf": []any{own, map[string]any{
				"type": "object", "properties": map[string]any{"g": held(t, names, 1)}, "required": []any{"g"},
			}}}
		case 2:
			own["type"] = []any{"object", "null"}
		}
		all[name] = own
	}
	return all
}

// held draws what a field holds.
func held(t *rapid.T, names []string, depth int) any {
	ref := map[string]any{"$ref": "#/components/schemas/" + rapid.SampledFrom(names).Draw(t, "ref")}
	inner := func() any {
		if depth == 0 {
			return ref
		}
		return held(t, names, depth-1)
	}
	switch rapid.IntRange(0, 8).Draw(t, "way") {
	case 0:
		return map[string]any{"type": "string"}
	case 1:
		return map[string]any{"type": "array", "items": inner(), "minItems": rapid.IntRange(0, 2).Draw(t, "minItems")}
	case 2:
		return map[string]any{"oneOf": []any{ref, map[string]any{"type": "integer"}}}
	case 3:
		return map[string]any{"anyOf": []any{inner(), map[string]any{"type": "null"}}}
	case 4:
		return map[string]any{"allOf": []any{ref, map[string]any{"properties": map[string]any{"h": map[string]any{"type": "string"}}}}}
	case 5:
		return map[string]any{"type": "object", "additionalProperties": inner(), "minProperties": rapid.IntRange(0, 1).Draw(t, "minProperties")}
	case 6:
		return map[string]any{"type": "object", "properties": map[string]any{"in": inner()}, "required": []any{"in"}}
	case 7:
		other := map[string]any{"$ref": "#/components/schemas/" + names[(len(names)+strings.Index("STU", ref["$ref"].(string)[len("#/components/schemas/"):])+1)%len(names)]}
		return map[string]any{"oneOf": []any{ref, other}}
	}
	return ref
}

// ends tells whether a schema has a value of so many levels.
func (all recursive) ends(schema any, levels int) bool {
	if levels < 0 {
		return false
	}
	s := schema.(map[string]any)
	every := func(list any, levels int) bool {
		for _, one := range list.([]any) {
			if !all.ends(one, levels) {
				return false
			}
		}
		return true
	}
	switch {
	case s["$ref"] != nil:
		return all.ends(all[s["$ref"].(string)[len("#/components/schemas/"):]], levels)
	case s["allOf"] != nil:
		return every(s["allOf"], levels)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := s[word].([]any); ok {
			return all.ends(list[0], levels) || all.ends(list[1], levels)
		}
	}
	switch s["type"] {
	case "array":
		return s["minItems"] == 0 || all.ends(s["items"], levels-1)
	case "object", nil:
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		few, _ := s["minProperties"].(int)
		for _, name := range required {
			if !all.ends(properties[name.(string)], levels-1) {
				return false
			}
		}
		could := len(required)
		for name, property := range properties {
			if !strings.Contains(fmt.Sprint(required...), name) && all.ends(property, levels-1) {
				could++
			}
		}
		return few <= could || s["additionalProperties"] != nil && all.ends(s["additionalProperties"], levels-1)
	}
	return true
}

// A record that holds records of its kind went down until it was cut off, though
// null, an empty list, or another branch would have ended it.
func TestWhatHoldsItselfEndsWhereItCan(t *testing.T) {
	t.Parallel()
	endless := 0
	rapid.Check(t, func(r *rapid.T) {
		all := recursives(r)
		text, err := json.Marshal(all)
		if err != nil {
			r.Fatal(err)
		}
		s, whole := read(t, "3.1.0", string(text[1:len(text)-1]))
		valid := oracle(t, whole)
		maker := sample.Maker{
			Draw: seeded(rapid.Int().Draw(r, "seed")), Now: now, Side: sample.Reply,
			Optional: sample.Optional(rapid.IntRange(0, 3).Draw(r, "optional")),
		}
		value, ok := maker.Value(s, "body")
		switch ends := all.ends(all["S"], 12); {
		case ok != ends:
			r.Fatalf("%s: made %t, there is one: %t\n%#v", text, ok, ends, value)
		case !ends:
			endless++
			return
		}
		if err := valid(value); err != nil {
			r.Fatalf("%s: %#v: %v", text, value, err)
		}
		if value == nil {
			return
		}
		if full := maker.Complete(s, map[string]any{"kind": "S"}); valid(full) != nil {
			r.Fatalf("%s: completed to %#v: %v", text, full, valid(full))
		}
	})
	t.Logf("of %d no value ends", endless)
}
