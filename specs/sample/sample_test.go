package sample_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
)

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// seeded draws by a seed and a key.
func seeded(seed int) func(string, int) int {
	return func(key string, n int) int {
		sum := fnv.New64a()
		fmt.Fprint(sum, seed, key) // a hash never fails
		h := sum.Sum64()
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		h ^= h >> 32
		return int(h >> 1 % uint64(n))
	}
}

// read gives the schema S of a document of a version, whose schemas are written
// as the fields of an object.
func read(t testing.TB, version, schemas string) (*schema.Schema, string) {
	t.Helper()
	text := `{"openapi":"` + version + `","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{` + schemas + `}}}`
	d, err := document.Open(fstest.MapFS{"api.json": {Data: []byte(text)}}, "api.json")
	if err != nil {
		t.Fatal(err)
	}
	api, err := openapi.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	s := api.Component("S")
	if s == nil {
		t.Fatal("there is no schema S")
	}
	return s, text
}

// oracle compiles schema S with another library, formats and all.
func oracle(t testing.TB, text string) func(any) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		found, err := regexp2.Compile(pattern, regexp2.ECMAScript)
		return ecmaText{found}, err
	})
	if err := c.AddResource("api.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("api.json#/components/schemas/S")
	if err != nil {
		t.Fatal(err)
	}
	return func(value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return compiled.Validate(plain)
	}
}

type ecmaText struct{ *regexp2.Regexp }

func (p ecmaText) MatchString(text string) bool {
	ok, err := p.Regexp.MatchString(text)
	return err == nil && ok
}

// keywords are schemas of JSON Schema 2020-12, S and those it refers to.
type keyword struct{ name, schemas string }

var keywords = []keyword{
	{"boolean", `"S":{"type":"boolean"}`},
	{"integer", `"S":{"type":"integer"}`},
	{"number", `"S":{"type":"number"}`},
	{"string", `"S":{"type":"string"}`},
	{"null", `"S":{"type":"null"}`},
	{"array", `"S":{"type":"array"}`},
	{"object", `"S":{"type":"object"}`},
	{"several types", `"S":{"type":["string","integer"],"minimum":5,"minLength":3}`},
	{"anything", `"S":{}`},
	{"true", `"S":true`},
	{"enum", `"S":{"enum":["a",1,null,{"b":[2]}]}`},
	{"enum beyond its type", `"S":{"type":"string","enum":[1,2,"three"]}`},
	{"enum beyond its bounds", `"S":{"enum":[1,20,300],"maximum":250,"minimum":10}`},
	{"const", `"S":{"const":{"a":[1,"x"]}}`},
	{"minimum and maximum", `"S":{"type":"integer","minimum":7,"maximum":8}`},
	{"exclusive bounds", `"S":{"type":"integer","exclusiveMinimum":7,"exclusiveMaximum":9}`},
	{"bounds of a fraction", `"S":{"type":"number","exclusiveMinimum":0.25,"maximum":0.26}`},
	{"only a maximum", `"S":{"type":"integer","maximum":-5}`},
	{"one number", `"S":{"type":"number","minimum":0.125,"maximum":0.125}`},
	{"multipleOf", `"S":{"type":"integer","multipleOf":7,"minimum":50,"maximum":60}`},
	{"multipleOf a fraction", `"S":{"type":"number","multipleOf":0.01}`},
	{"whole multiples of a fraction", `"S":{"type":"integer","multipleOf":2.5}`},
	{"int32 of a big minimum", `"S":{"type":"integer","format":"int32","minimum":2147483646}`},
	{"minLength", `"S":{"type":"string","minLength":70}`},
	{"maxLength", `"S":{"type":"string","maxLength":2}`},
	{"no length", `"S":{"type":"string","maxLength":0}`},
	{"pattern", `"S":{"type":"string","pattern":"^[A-Z]{3}-\\d{4}$"}`},
	{"pattern with lengths", `"S":{"type":"string","pattern":"^[a-z0-9]*$","minLength":30,"maxLength":32}`},
	{"pattern with lookahead", `"S":{"type":"string","pattern":"^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$"}`},
	{"pattern that forbids", `"S":{"type":"string","pattern":"^(?!admin)[a-z]{5,10}$"}`},
	{"pattern of many", `"S":{"type":"string","pattern":"^[a-z]{1,4096}$"}`},
	{"pattern with escapes of ECMA", `"S":{"type":"string","pattern":"^[\\u0041-\\u005A\\/]{2}\\x2d\\w$"}`},
	{"pattern and format", `"S":{"type":"string","format":"date","pattern":"^20"}`},
	{"two patterns", `"S":{"allOf":[{"type":"string","pattern":"^a"},{"pattern":"z$"},{"pattern":"^[a-z]{2,9}$"}]}`},
	{"prefixItems", `"S":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"minItems":2}`},
	{"items", `"S":{"type":"array","items":{"type":"string","format":"email"},"minItems":3,"maxItems":3}`},
	{"uniqueItems", `"S":{"type":"array","items":{"enum":["a","b","c"]},"minItems":3,"uniqueItems":true}`},
	{"contains", `"S":{"type":"array","items":{"type":"integer"},"contains":{"minimum":1000000},"minContains":2}`},
	{"required", `"S":{"type":"object","required":["id","name"],"properties":{"id":{"type":"integer"}}}`},
	{"additionalProperties false", `"S":{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":false}`},
	{"additionalProperties", `"S":{"type":"object","additionalProperties":{"type":"integer","minimum":5},"minProperties":3}`},
	{"maxProperties", `"S":{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{}},"required":["d"],"maxProperties":2}`},
	{"minProperties of optional ones", `"S":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":2,"additionalProperties":false}`},
	{"patternProperties", `"S":{"type":"object","patternProperties":{"^x-[a-z]+$":{"type":"integer"}},"additionalProperties":false,"minProperties":2}`},
	{"propertyNames", `"S":{"type":"object","propertyNames":{"pattern":"^[A-Z]{4}$"},"additionalProperties":{"type":"integer"},"minProperties":2}`},
	{"dependentRequired", `"S":{"type":"object","properties":{"card":{"type":"string"},"zip":{"type":"string"}},"required":["card"],"dependentRequired":{"card":["zip","street"]}}`},
	{"dependentSchemas", `"S":{"type":"object","required":["card"],"properties":{"card":{"type":"string"},"n":{"type":"integer"}},"dependentSchemas":{"card":{"required":["n"]}}}`},
	{"if then else", `"S":{"type":"object","required":["kind"],"properties":{"kind":{"enum":["a","b"]},"x":{"type":"integer"}},"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["x"]},"else":{"required":["y"]}}`},
	{"not", `"S":{"type":"string","not":{"enum":["a","b"]}}`},
	{"not required", `"S":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"not":{"required":["a","b"]}}`},
	{"allOf", `"S":{"allOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":10}}},{"properties":{"a":{"maximum":12}},"required":["b"]}]}`},
	{"allOf of enums", `"S":{"allOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`},
	{"allOf with oneOf inside", `"S":{"allOf":[{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}},{"oneOf":[{"required":["a"],"properties":{"a":{"type":"string"}}},{"required":["b"],"properties":{"b":{"type":"string"}}}]}]}`},
	{"anyOf", `"S":{"anyOf":[{"type":"integer","minimum":5},{"type":"string","minLength":4}]}`},
	{"anyOf with a branch for nobody", `"S":{"type":"string","anyOf":[{"type":"integer"},{"type":"string","maxLength":3}]}`},
	{"oneOf of what overlaps", `"S":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`},
	{"oneOf of number and integer", `"S":{"oneOf":[{"type":"integer"},{"type":"number"}]}`},
	{"oneOf of text and uuid", `"S":{"oneOf":[{"type":"string"},{"type":"string","format":"uuid"}]}`},
	{"oneOf and anyOf", `"S":{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}],"anyOf":[{"required":["c"]},{"required":["d"]}]}`},
	{"oneOf with null", `"S":{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/T"}]},"T":{"type":"object","required":["t"],"properties":{"t":{"type":"integer"}}}`},
	{"reference with keywords beside", `"S":{"$ref":"#/components/schemas/T","required":["b"]},"T":{"type":"object","required":["a"]}`},
	{"recursion by an optional field", `"S":{"type":"object","required":["v"],"properties":{"v":{"type":"integer"},"next":{"$ref":"#/components/schemas/S"}}}`},
	{"recursion by a list", `"S":{"type":"object","required":["kids"],"properties":{"kids":{"type":"array","items":{"$ref":"#/components/schemas/S"}}}}`},
	{"recursion by a table", `"S":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/S"}}`},
	{"recursion that null ends", `"S":{"type":"object","required":["next"],"properties":{"next":{"oneOf":[{"$ref":"#/components/schemas/S"},{"type":"null"}]}}}`},
	{"recursion that a leaf ends", `"S":{"oneOf":[{"$ref":"#/components/schemas/And"},{"$ref":"#/components/schemas/Leaf"}]},"And":{"type":"object","required":["and"],"properties":{"and":{"type":"array","minItems":2,"items":{"$ref":"#/components/schemas/S"}}},"additionalProperties":false},"Leaf":{"type":"object","required":["leaf"],"properties":{"leaf":{"type":"string"}},"additionalProperties":false}`},
	{"unevaluatedProperties", `"S":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}],"properties":{"b":{"type":"integer"}},"unevaluatedProperties":false}`},
	{"closed twice", `"S":{"allOf":[{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false},{"properties":{"b":{},"c":{}},"additionalProperties":false}]}`},
	{"additionalProperties beside allOf", `"S":{"allOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"type":"object","properties":{"a":{}}}]}`},
	{"examples that do not fit", `"S":{"type":"string","minLength":5,"examples":["abc"],"default":"x"}`},
	{"formats", `"S":{"type":"object","required":["a","b","c","d","e","f","g","h","i","j","k","l","m"],"properties":{"a":{"type":"string","format":"date"},"b":{"type":"string","format":"date-time"},
		"c":{"type":"string","format":"time"},"d":{"type":"string","format":"duration"},"e":{"type":"string","format":"email"},"f":{"type":"string","format":"hostname"},
		"g":{"type":"string","format":"ipv4"},"h":{"type":"string","format":"ipv6"},"i":{"type":"string","format":"uri"},"j":{"type":"string","format":"uri-reference"},
		"k":{"type":"string","format":"uuid"},"l":{"type":"string","format":"json-pointer"},"m":{"type":"string","format":"regex"}}}`},
}

// eachKeyword checks each of them, beside the judge of another library.
func eachKeyword(t *testing.T, check func(t *testing.T, test keyword, s *schema.Schema, valid func(any) error)) {
	t.Helper()
	for _, test := range keywords {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, text := read(t, "3.1.0", test.schemas)
			check(t, test, s, oracle(t, text))
		})
	}
}

func TestValueKeepsEachKeyword(t *testing.T) {
	t.Parallel()
	eachKeyword(t, func(t *testing.T, test keyword, s *schema.Schema, valid func(any) error) {
		library := &sample.Library{}
		for seed := range 40 {
			optional := []sample.Optional{sample.Usual, sample.Some, sample.All, sample.None}[seed%4]
			maker := sample.Maker{Draw: seeded(seed), Now: now, Optional: optional, Library: library}
			value, ok := maker.Value(s, "body")
			if !ok {
				t.Fatalf("seed %d: nothing found; came to %#v", seed, value)
			}
			if err := valid(value); err != nil {
				t.Fatalf("seed %d: %#v: %v", seed, value, err)
			}
		}
	})
}

func TestSpoilIsRefusedByAnotherLibrary(t *testing.T) {
	t.Parallel()
	eachKeyword(t, func(t *testing.T, test keyword, s *schema.Schema, valid func(any) error) {
		free := test.name == "anything" || test.name == "true"
		for seed := range 40 {
			maker := sample.Maker{Draw: seeded(seed), Now: now}
			value, _ := maker.Value(s, "body")
			before, _ := json.Marshal(value)
			broken, ok := maker.Spoil(s, value)
			if ok == free {
				t.Fatalf("seed %d: ok is %t for %#v", seed, ok, value)
			}
			if ok && valid(broken.Value) == nil {
				t.Fatalf("seed %d: %s at %q: %#v is valid", seed, broken.Rule, broken.Path, broken.Value)
			}
			if after, _ := json.Marshal(value); !bytes.Equal(before, after) {
				t.Fatalf("the value was changed from %s to %s", before, after)
			}
		}
	})
}
