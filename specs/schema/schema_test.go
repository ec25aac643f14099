package schema_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"parity/specs/document"
	"parity/specs/schema"
)

func set(t *testing.T, dialect schema.Dialect, text string) func(pointer string) *schema.Schema {
	t.Helper()
	d, err := document.Open(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, "a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := schema.NewSet(d, dialect)
	return func(pointer string) *schema.Schema { return s.At(d.Root().Find(pointer)) }
}

func TestDialectsMeanTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dialect schema.Dialect
		text    string
		want    string
	}{
		"3.0 strict bound":     {schema.OpenAPI30, "a: {type: number, minimum: 1, exclusiveMinimum: true, maximum: 5}", "types [number] above 1 high 5"},
		"3.1 strict bound":     {schema.OpenAPI31, "a: {type: number, exclusiveMinimum: 1, maximum: 5}", "types [number] above 1 high 5"},
		"not strict":           {schema.OpenAPI30, "a: {type: number, minimum: 1, exclusiveMinimum: false}", "types [number] low 1"},
		"3.0 null":             {schema.OpenAPI30, "a: {type: string, nullable: true}", "types [string] nullable"},
		"3.1 null":             {schema.OpenAPI31, "a: {type: [string, 'null']}", "types [string null]"},
		"3.1 that says as 3.0": {schema.OpenAPI31, "a: {type: string, nullable: true}", "types [string] nullable"},
		"vendor's null":        {schema.OpenAPI30, "a: {type: string, x-nullable: true}", "types [string] nullable"},
		"a file":               {schema.OpenAPI30, "a: {type: file}", "types [string] format binary"},
		"draft 3's required":   {schema.OpenAPI30, "a: {type: string, required: true}", "types [string]"},
		"tuple":                {schema.OpenAPI30, "a: {items: [{type: string}]}", "types [] prefix 1"},
		"bound as text":        {schema.OpenAPI30, "a: {type: string, maxLength: '5'}", "types [string] longest 5"},
		"senseless bounds":     {schema.OpenAPI30, "a: {maxLength: -1, minimum: x, multipleOf: 0, maxItems: 1.5}", "types []"},
		"boolean":              {schema.OpenAPI31, "a: false", "types [] always false"},
		"no schema":            {schema.OpenAPI30, "a: [1]", "types [] broken"},
		"null":                 {schema.OpenAPI30, "a: null", "types []"},
		"unknown type":         {schema.OpenAPI30, "a: {type: [any, string, string]}", "types [string]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := set(t, c.dialect, c.text)("/a").View()
			if diff := cmp.Diff(c.want, brief(v)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func brief(v *schema.View) string {
	var out strings.Builder
	fmt.Fprintf(&out, "types %v", v.Types)
	if v.Format != "" {
		out.WriteString(" format " + v.Format)
	}
	for name, bound := range map[string]*float64{"low": v.Low, "above": v.Above} {
		if bound != nil {
			fmt.Fprintf(&out, " %s %v", name, *bound)
		}
	}
	if v.High != nil {
		fmt.Fprintf(&out, " high %v", *v.High)
	}
	if v.MaxLength != nil {
		fmt.Fprintf(&out, " longest %d", *v.MaxLength)
	}
	if len(v.PrefixItems) > 0 {
		fmt.Fprintf(&out, " prefix %d", len(v.PrefixItems))
	}
	if v.Nullable {
		out.WriteString(" nullable")
	}
	if v.Always != nil {
		fmt.Fprintf(&out, " always %v", *v.Always)
	}
	if v.Broken != nil {
		out.WriteString(" broken")
	}
	return out.String()
}

func TestReferences(t *testing.T) {
	t.Parallel()
	const text = `
plain: {$ref: '#/defs/Pet'}
twice: {$ref: '#/plain'}
described: {$ref: '#/defs/Pet', description: A pet}
nullable: {$ref: '#/defs/Pet', nullable: true}
narrowed: {$ref: '#/defs/Pet', minProperties: 2}
gone: {$ref: '#/defs/Gone'}
round: {$ref: '#/about'}
about: {$ref: '#/round'}
self: {$ref: '#/self'}
tree: {properties: {child: {$ref: '#/tree'}}}
defs: {Pet: {type: object}}
`
	old, later := set(t, schema.OpenAPI30, text), set(t, schema.OpenAPI31, text)
	pet := old("/defs/Pet")
	for _, pointer := range []string{"/plain", "/twice", "/described", "/narrowed"} {
		if s := old(pointer); s.Target() != pet || s.View() != pet.View() || s.Name() != "Pet" || !s.Referred() {
			t.Errorf("%s is not Pet", pointer)
		}
	}
	for _, s := range []*schema.Schema{old("/nullable"), later("/nullable"), later("/narrowed")} {
		if v := s.View(); len(v.AllOf) != 1 || v.AllOf[0].Name() != "Pet" || !v.Nullable && v.MinFields == nil {
			t.Errorf("what stands beside a reference is lost: %+v", v)
		}
	}
	for _, pointer := range []string{"/gone", "/round", "/about", "/self"} {
		for _, s := range []*schema.Schema{old(pointer), later(pointer)} {
			if s.View().Broken == nil {
				t.Errorf("%s leads somewhere", pointer)
			}
		}
	}
	if tree := old("/tree"); tree.View().Get("child").Target() != tree {
		t.Error("a schema inside itself is another one")
	}
	var none *schema.Schema
	if v := none.View(); v == nil || !v.Is("string") || none.Name() != "" || none.Referred() {
		t.Error("no schema says something")
	}
}

// A vendor's ids of 24 characters are format: uuid.
func TestAFormatThatNoTextOfTheLengthsHasIsNone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{type: string, format: uuid, minLength: 24, maxLength: 24}": "",
		"{type: string, format: uuid, minLength: 40}":                "",
		"{type: string, format: uuid, maxLength: 36}":                "uuid",
		"{type: string, format: date, maxLength: 9}":                 "",
		"{type: string, format: date, minLength: 10}":                "date",
		"{type: string, format: hostname, maxLength: 9}":             "hostname",
	} {
		if got := set(t, schema.OpenAPI30, "a: "+text)("/a").View().Format; got != want {
			t.Errorf("%s has the format %q, not %q", text, got, want)
		}
	}
}
