package body

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	textSchema   = `{"type": "string"}`
	listSchema   = `{"type": "array", "items": {"type": "string"}}`
	colourSchema = `{"type": "object", "properties": {"R": {"type": "integer"}, "G": {"type": "integer"}, "B": {"type": "integer"}}}`
)

// TestTableOfStyles holds the table of the OpenAPI specification, "Style
// Examples", both ways; objects are written in the order of their names.
// Source: https://spec.openapis.org/oas/v3.1.1.html#style-examples
func TestTableOfStyles(t *testing.T) {
	t.Parallel()
	list := []any{"blue", "black", "brown"}
	colour := map[string]any{"R": int64(100), "G": int64(200), "B": int64(150)}
	tests := []struct {
		in, style               string
		explode                 bool
		text, list, object, nix string
	}{
		{"path", "matrix", false, ";color=blue", ";color=blue,black,brown", ";color=B,150,G,200,R,100", ";color="},
		{"path", "matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";B=150;G=200;R=100", ";color="},
		{"path", "label", false, ".blue", ".blue,black,brown", ".B,150,G,200,R,100", "%2E"},
		{"path", "label", true, ".blue", ".blue.black.brown", ".B=150.G=200.R=100", "%2E"},
		{"path", "simple", false, "blue", "blue,black,brown", "B,150,G,200,R,100", ""},
		{"path", "simple", true, "blue", "blue,black,brown", "B=150,G=200,R=100", ""},
		{"header", "simple", false, "blue", "blue,black,brown", "B,150,G,200,R,100", ""},
		{"header", "simple", true, "blue", "blue,black,brown", "B=150,G=200,R=100", ""},
		{"query", "form", false, "color=blue", "color=blue,black,brown", "color=B,150,G,200,R,100", "color="},
		{"query", "form", true, "color=blue", "color=blue&color=black&color=brown", "B=150&G=200&R=100", "color="},
		{"cookie", "form", false, "color=blue", "color=blue,black,brown", "color=B,150,G,200,R,100", "color="},
		{"cookie", "form", true, "color=blue", "color=blue; color=black; color=brown", "B=150; G=200; R=100", "color="},
		{"cookie", "cookie", true, "color=blue", "color=blue; color=black; color=brown", "B=150; G=200; R=100", "color="},
		{"query", "spaceDelimited", false, "", "color=blue%20black%20brown", "color=B%20150%20G%20200%20R%20100", ""},
		{"query", "pipeDelimited", false, "", "color=blue%7Cblack%7Cbrown", "color=B%7C150%7CG%7C200%7CR%7C100", ""},
		{"query", "deepObject", true, "", "", "color[B]=150&color[G]=200&color[R]=100", ""},
	}
	for _, test := range tests {
		for _, one := range []struct {
			schema, text string
			value        any
		}{{textSchema, test.text, "blue"}, {listSchema, test.list, list}, {colourSchema, test.object, colour}, {textSchema, test.nix, ""}} {
			if one.text == "" {
				continue
			}
			p := readParameter(t, fmt.Sprintf(`{"name": "color", "in": %q, "style": %q, "explode": %v, "schema": %s}`, test.in, test.style, test.explode, one.schema))
			place := fmt.Sprintf("%s %s explode=%v %v", test.in, test.style, test.explode, one.value)
			text, err := EncodeParameter(p, one.value)
			if err != nil || text != one.text {
				t.Errorf("%s is written %q (%v), want %q", place, text, err, one.text)
			}
			got, _, wrong := read(p, one.text)
			if diff := cmp.Diff(one.value, got); wrong != nil || diff != "" {
				t.Errorf("%s: %q is read wrongly: %v %s", place, one.text, wrong, diff)
			}
		}
	}
}

// styles are all combinations that the specification has, but for the types of
// which a style has no form.
var styles = []struct {
	in, style string
	lists     bool // scalars too
	scalars   bool
	nests     bool
}{
	{"path", "simple", true, true, false},
	{"path", "label", true, true, false},
	{"path", "matrix", true, true, false},
	{"header", "simple", true, true, false},
	{"cookie", "form", true, true, false},
	{"cookie", "cookie", true, true, false},
	{"query", "form", true, true, true},
	{"query", "spaceDelimited", true, false, false},
	{"query", "pipeDelimited", true, false, false},
	{"query", "deepObject", false, false, true},
}

const nestedSchema = `{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}},
	"b": {"type": "object", "properties": {"c": {"type": "boolean"}, "d": {"type": "array", "items": {"type": "object", "properties": {"e": {"type": "number"}}}}}}}}`

// drawers make values of a schema.
func drawers(text *rapid.Generator[string]) map[string]*rapid.Generator[any] {
	whole := rapid.Map(rapid.Int64(), func(n int64) any { return n })
	number := rapid.Map(rapid.Float64Range(-1e6, 1e6), whole2)
	list := func(item *rapid.Generator[any]) *rapid.Generator[any] {
		return rapid.Map(rapid.SliceOfN(item, 1, 5), func(l []any) any { return l })
	}
	texts := rapid.Map(text, func(s string) any { return s })
	object := func(fields map[string]*rapid.Generator[any]) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			out := map[string]any{}
			for name, g := range fields {
				if rapid.Bool().Draw(t, name+"?") || len(out) == 0 {
					out[name] = g.Draw(t, name)
				}
			}
			return out
		})
	}
	boolean := rapid.Map(rapid.Bool(), func(b bool) any { return b })
	return map[string]*rapid.Generator[any]{
		textSchema:            texts,
		`{"type": "integer"}`: whole,
		`{"type": "number"}`:  number,
		`{"type": "boolean"}`: boolean,
		listSchema:            list(texts),
		`{"type": "array", "items": {"type": "integer"}}`:                              list(whole),
		`{"type": ["array", "null"], "items": {"type": "boolean"}}`:                    list(boolean),
		`{"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}]}`: rapid.Just[any]([]any{int64(1), true}),
		colourSchema: object(map[string]*rapid.Generator[any]{"R": whole, "G": whole, "B": whole}),
		`{"type": "object", "properties": {"t": {"type": "string"}}, "additionalProperties": {"type": "integer"}}`:             object(map[string]*rapid.Generator[any]{"t": texts, "more": whole}),
		`{"allOf": [{"type": "object", "properties": {"x": {"type": "boolean"}}}, {"properties": {"y": {"type": "string"}}}]}`: object(map[string]*rapid.Generator[any]{"x": boolean, "y": texts}),
		nestedSchema: object(map[string]*rapid.Generator[any]{"a": list(whole), "b": object(map[string]*rapid.Generator[any]{
			"c": boolean, "d": list(object(map[string]*rapid.Generator[any]{"e": number})),
		})}),
	}
}

func whole2(f float64) any { return whole(f) }

// TestReadingUndoesWriting: every style, exploded or not, with every type that
// it has a form for. Tame text is written always; of wild text, a style may say
// that it cannot write it, and what it writes comes back.
func TestReadingUndoesWriting(t *testing.T) {
	t.Parallel()
	kinds := slices.Sorted(maps.Keys(drawers(rapid.String())))
	for _, style := range styles {
		for _, kind := range kinds {
			isList := shapeOf(types(t, kind)).takes(anArray)
			isObject := shapeOf(types(t, kind)).takes(anObject)
			if !isObject && (!style.lists || !isList && !style.scalars) {
				continue
			}
			for _, explode := range []bool{false, true} {
				if explode && (style.style == "spaceDelimited" || style.style == "pipeDelimited") || !explode && style.style == "deepObject" {
					continue
				}
				p := readParameter(t, fmt.Sprintf(`{"name": "color", "in": %q, "style": %q, "explode": %v, "schema": %s}`, style.in, style.style, explode, kind))
				t.Run(fmt.Sprintf("%s %s %v %s", style.in, style.style, explode, kind), func(t *testing.T) {
					t.Parallel()
					// Generators keep notes: those of one test are not another's.
					tame := drawers(rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9äß_-]{0,8}`))
					wild := drawers(rapid.OneOf(rapid.String(), rapid.StringMatching(`[a,;=&|. %+"\[\]/?#:-]{0,6}`)))
					rapid.Check(t, func(t *rapid.T) {
						value, isTame := wild[kind].Draw(t, "wild"), rapid.Bool().Draw(t, "tame?")
						if isTame {
							value = tame[kind].Draw(t, "tame")
						}
						text, err := EncodeParameter(p, value)
						if err != nil {
							if isTame && (style.nests || kind != nestedSchema) && !(style.style == "label" && explode) {
								t.Fatalf("%v is not written: %v", value, err)
							}
							t.Skip(err)
						}
						got, _, wrong := read(p, text)
						if diff := cmp.Diff(value, got); wrong != nil || diff != "" {
							t.Fatalf("%v is written %q and read wrongly: %v %s", value, text, wrong, diff)
						}
					})
				})
			}
		}
	}
}
