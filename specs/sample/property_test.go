package sample_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"parity/specs/sample"
)

// aSchema draws a schema of several keywords, which may well contradict.
func aSchema(t *rapid.T, depth int) map[string]any {
	s := map[string]any{}
	some := func(name string) bool { return rapid.IntRange(0, 2).Draw(t, name) == 0 }
	part := func() any { return aSchema(t, depth-1) }
	parts := func() []any { return []any{part(), part()} }
	number := rapid.IntRange(0, 6)
	types := []string{"string", "integer", "number", "boolean", "object", "array", "null"}
	s["type"] = rapid.SampledFrom(types).Draw(t, "type")
	if some("two types") {
		s["type"] = []any{s["type"], rapid.SampledFrom(types).Filter(func(name string) bool { return name != s["type"] }).Draw(t, "other type")}
	}
	for _, name := range []string{
		"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minimum", "maximum",
		"exclusiveMinimum", "exclusiveMaximum",
	} {
		if rapid.IntRange(0, 7).Draw(t, "has "+name) == 0 {
			s[name] = number.Draw(t, name)
		}
	}
	if some("pattern") {
		s["pattern"] = rapid.SampledFrom([]string{"^[a-z]+$", "^a", "b$", `\d`}).Draw(t, "pattern")
	}
	if some("multipleOf") {
		s["multipleOf"] = rapid.SampledFrom([]float64{1, 2, 0.5, 3}).Draw(t, "multipleOf")
	}
	if depth == 0 {
		return s
	}
	if some("properties") {
		s["properties"] = map[string]any{"a": part(), "b": part()}
	}
	if some("required") {
		s["required"] = rapid.SampledFrom([][]string{{"a"}, {"b"}, {"a", "c"}}).Draw(t, "required")
	}
	if some("closed") {
		s["additionalProperties"] = rapid.SampledFrom([]any{false, true}).Draw(t, "additionalProperties")
	} else if some("rest") {
		s["additionalProperties"] = part()
	}
	if some("items") {
		s["items"] = part()
		s["uniqueItems"] = some("uniqueItems")
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		if rapid.IntRange(0, 5).Draw(t, "has "+name) == 0 {
			s[name] = parts()
		}
	}
	if rapid.IntRange(0, 7).Draw(t, "has not") == 0 {
		s["not"] = part()
	}
	return s
}

// Whatever a schema says, a value that is called ok is valid, and one broken
// from it is not.
func TestOkMeansValidAndBrokenMeansInvalid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text, err := json.Marshal(aSchema(r, 2))
		if err != nil {
			r.Fatal(err)
		}
		s, whole := read(t, "3.1.0", `"S":`+string(text))
		valid := oracle(t, whole)
		maker := sample.Maker{
			Draw: seeded(rapid.Int().Draw(r, "seed")), Now: now,
			Optional: sample.Optional(rapid.IntRange(0, 3).Draw(r, "optional")),
		}
		value, ok := maker.Value(s, "body")
		if !ok {
			return
		}
		if err := valid(value); err != nil {
			r.Fatalf("%s: %#v: %v", text, value, err)
		}
		if broken, ok := maker.Spoil(s, value); ok && valid(broken.Value) == nil {
			r.Fatalf("%s: %s at %q: %#v is valid", text, broken.Rule, broken.Path, broken.Value)
		}
	})
}
