package sample_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/specs/sample"
)

func value(t *testing.T, m sample.Maker, version, schemas string) any {
	t.Helper()
	s, _ := read(t, version, schemas)
	got, ok := m.Value(s, "body")
	if !ok {
		t.Fatalf("nothing found; came to %#v", got)
	}
	return got
}

// names lists the fields of a record and of those in it, dotted, sorted.
func names(value any, under string) (all []string) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			all = append(append(all, under+name), names(field, under+name+".")...)
		}
	case []any:
		for _, item := range value {
			all = append(all, names(item, under)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestValueLeavesOutWhatIsNotForItsSide(t *testing.T) {
	t.Parallel()
	const card = `{"type":"object","required":["id","secret","n"],"properties":{
		"id":{"type":"string","readOnly":true},"secret":{"type":"string","writeOnly":true},"n":{"type":"integer"}}}`
	tests := []struct{ name, schemas, request, reply string }{
		{"itself", `"S":` + card, "n secret", "id n"},
		{"in a list", `"S":{"type":"array","minItems":1,"items":` + card + `}`, "n secret", "id n"},
		{"in allOf", `"S":{"allOf":[` + card + `,{"type":"object","properties":{"m":{"type":"integer"}}}]}`, "m n secret", "id m n"},
		{"in oneOf", `"S":{"oneOf":[` + card + `]}`, "n secret", "id n"},
		{"in one of two", `"S":{"oneOf":[` + card + `,{"type":"string","enum":[]}]}`, "n secret", "id n"},
		{"by reference", `"S":{"type":"object","required":["c"],"properties":{"c":{"$ref":"#/components/schemas/C"}}},"C":` + card, "c c.n c.secret", "c c.id c.n"},
		{"required elsewhere", `"S":{"allOf":[{"required":["id","secret"]},` + card + `]}`, "n secret", "id n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for side, want := range map[sample.Side]string{sample.Request: test.request, sample.Reply: test.reply} {
				for _, optional := range []sample.Optional{sample.Usual, sample.All, sample.None} {
					got := strings.Join(names(value(t, sample.Maker{Side: side, Optional: optional}, "3.0.3", test.schemas), ""), " ")
					if optional == sample.None {
						got, want = strings.ReplaceAll(got, "m ", ""), strings.ReplaceAll(want, "m ", "")
					}
					if got != want {
						t.Errorf("side %d, optional %d: fields %q, want %q", side, optional, got, want)
					}
				}
			}
		})
	}
}

// A field is drawn by its place: asking for fewer or more fields, or for others
// in between, does not change it.
func TestFieldIsTheSameWhateverElseIsDrawn(t *testing.T) {
	t.Parallel()
	s, _ := read(t, "3.0.3", `"S":{"type":"object","required":["id","email"],"properties":{"id":{"type":"string","format":"uuid"},
		"email":{"type":"string"},"note":{"type":"string"},"created":{"type":"string","format":"date-time"},"amount":{"type":"number"}}}`)
	maker := sample.Maker{Draw: seeded(3), Now: now, Optional: sample.All}
	all, _ := maker.Value(s, "contact")
	maker.Optional = sample.None
	few, _ := maker.Value(s, "contact")
	other, _ := maker.Value(s, "lead")
	for _, name := range []string{"id", "email"} {
		if all.(map[string]any)[name] != few.(map[string]any)[name] {
			t.Errorf("%s is %v with all fields, %v with few", name, all.(map[string]any)[name], few.(map[string]any)[name])
		}
		if all.(map[string]any)[name] == other.(map[string]any)[name] {
			t.Errorf("%s is %v under another key too", name, all.(map[string]any)[name])
		}
	}
	maker.Optional = sample.All
	if again, _ := maker.Value(s, "contact"); !cmp.Equal(all, again) {
		t.Errorf("the same key gives another value:\n%s", cmp.Diff(all, again))
	}
}

func TestValueSuitsItsName(t *testing.T) {
	t.Parallel()
	tests := []struct{ field, schema, want string }{
		{"email", `{"type":"string"}`, `^[a-z0-9]+\.[a-z0-9]+@example\.com$`},
		{"email", `{"type":"string","example":"joe@corp.test"}`, `^[a-z0-9]+\.[a-z0-9]+@example\.com$`},
		{"home_phone", `{"type":"string"}`, `^\+1202555\d{4}$`},
		{"currency", `{"type":"string"}`, `^usd$`},
		{"currency", `{"type":"string","pattern":"^[A-Z]{3}$"}`, `^[A-Z]{3}$`},
		{"country", `{"type":"string"}`, `^[A-Z]{2}$`},
		{"websiteUrl", `{"type":"string"}`, `^https://example\.com/`},
		{"created_at", `{"type":"string","format":"date-time"}`, `^2026-0[1-5]-\d\dT`},
		{"created_at", `{"type":"string","example":"2011-04-10T20:09:31Z"}`, `^2026-0[1-5]-\d\dT`},
		{"createdAt", `{"type":"string"}`, `^2026-0[1-5]-\d\dT`},
		{"created", `{"type":"integer"}`, `^17[67]\d{7}$`},
		{"created", `{"type":"integer","example":1571672154000}`, `^17[67]\d{10}$`},
		{"expires_at", `{"type":"integer"}`, `^17[78]\d{7}$`},
		{"birthday", `{"type":"string","format":"date"}`, `^(19[4-9]|200)\d-`},
		{"id", `{"type":"string"}`, `^[0-9a-z]{16}$`},
		{"customer_id", `{"type":"string","example":"cus_NffrFeUfNV2Hib"}`, `^cus_[A-Z][a-z]{3}[A-Z][a-z][A-Z][a-z][A-Z]{2}\d[A-Z][a-z]{2}$`},
		{"status", `{"type":"string","example":"open"}`, `^open$`},
		{"title", `{"type":"string"}`, `^[A-Z][a-z]+ [a-z]+$`},
		{"amount", `{"type":"integer"}`, `^\d{3,5}$`},
		{"price", `{"type":"number"}`, `^\d+(\.\d{1,2})?$`},
		{"quantity", `{"type":"integer"}`, `^[1-9]$`},
		{"is_deleted", `{"type":"boolean"}`, `^false$`},
		{"latitude", `{"type":"number","minimum":-90,"maximum":90}`, `^-?\d`},
	}
	for _, test := range tests {
		t.Run(test.field+test.schema, func(t *testing.T) {
			t.Parallel()
			for seed := range 20 {
				got := value(t, sample.Maker{Draw: seeded(seed), Now: now, Optional: sample.All}, "3.0.3",
					`"S":{"type":"object","properties":{`+strconv.Quote(test.field)+`:`+test.schema+`}}`)
				text := fmt.Sprint(got.(map[string]any)[test.field])
				if !regexp.MustCompile(test.want).MatchString(text) {
					t.Fatalf("seed %d: %s, want %s", seed, text, test.want)
				}
			}
		})
	}
}

func TestUpdatedIsNotBeforeCreatedNorInTheFuture(t *testing.T) {
	t.Parallel()
	for seed := range 300 {
		got := value(t, sample.Maker{Draw: seeded(seed), Now: now}, "3.0.3", `"S":{"type":"object","properties":{
			"updated_at":{"type":"string","format":"date-time"},"created_at":{"type":"string","format":"date-time"},"expires_at":{"type":"string","format":"date-time"}}}`)
		at := func(name string) time.Time {
			when, err := time.Parse(time.RFC3339, got.(map[string]any)[name].(string))
			if err != nil {
				t.Fatal(err)
			}
			return when
		}
		if c, u, e := at("created_at"), at("updated_at"), at("expires_at"); u.Before(c) || u.After(now) || !e.After(now) {
			t.Fatalf("seed %d: created %v, updated %v, expires %v", seed, c, u, e)
		}
	}
}

func count(value any) int {
	n := 1
	switch value := value.(type) {
	case map[string]any:
		for _, field := range value {
			n += count(field)
		}
	case []any:
		for _, item := range value {
			n += count(item)
		}
	}
	return n
}

func TestValueStaysSmallWhereSchemasAreVast(t *testing.T) {
	t.Parallel()
	var vast strings.Builder // 40 records, each with all the others in it
	for i := range 40 {
		fmt.Fprintf(&vast, `,"R%d":{"type":"object","properties":{"v":{"type":"string"}`, i)
		for k := range 40 {
			fmt.Fprintf(&vast, `,"r%d":{"$ref":"#/components/schemas/R%d"}`, k, k)
		}
		vast.WriteString(`}}`)
	}
	for _, optional := range []sample.Optional{sample.Usual, sample.Some, sample.All, sample.None} {
		got := value(t, sample.Maker{Optional: optional}, "3.0.3", `"S":{"$ref":"#/components/schemas/R0"}`+vast.String())
		if n := count(got); n > 3000 {
			t.Errorf("optional %d: %d values", optional, n)
		}
	}
}

func TestSchemaThatNothingFitsIsNotOkAndEnds(t *testing.T) {
	t.Parallel()
	for name, schemas := range map[string]string{
		"it holds itself":           `"S":{"type":"object","required":["s"],"properties":{"s":{"$ref":"#/components/schemas/S"}}}`,
		"it holds two of itself":    `"S":{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#/components/schemas/S"},"b":{"$ref":"#/components/schemas/S"}}}`,
		"a list that must go on":    `"S":{"type":"array","minItems":3,"items":{"$ref":"#/components/schemas/S"}}`,
		"bounds that cross":         `"S":{"type":"integer","minimum":5,"maximum":4}`,
		"nothing between":           `"S":{"type":"integer","exclusiveMinimum":5,"exclusiveMaximum":6}`,
		"types that exclude":        `"S":{"allOf":[{"type":"string"},{"type":"integer"}]}`,
		"false":                     `"S":false`,
		"an empty enum":             `"S":{"enum":[]}`,
		"an enum of another type":   `"S":{"type":"integer","enum":["a"]}`,
		"not anything":              `"S":{"not":{}}`,
		"twice the same":            `"S":{"oneOf":[{"type":"string"},{"type":"string"}]}`,
		"unique booleans":           `"S":{"type":"array","items":{"type":"boolean"},"uniqueItems":true,"minItems":3}`,
		"required, but not allowed": `"S":{"type":"object","required":["a"],"additionalProperties":false}`,
		"more items than anybody":   `"S":{"type":"array","minItems":2000000000,"items":{"type":"boolean"}}`,
		"more text than anybody":    `"S":{"type":"string","minLength":2000000000}`,
		"a pattern of nothing":      `"S":{"type":"string","pattern":"a^b"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := read(t, "3.1.0", schemas)
			if got, ok := new(sample.Maker).Value(s, "body"); ok {
				t.Errorf("%#v is called ok", got)
			}
		})
	}
}

func TestSchemaThatLeadsNowhereIsAnything(t *testing.T) {
	t.Parallel()
	for _, schemas := range []string{
		`"S":{"$ref":"#/components/schemas/Missing"}`,
		`"S":{"$ref":"#/components/schemas/S"}`,
		`"S":{"$ref":"#/components/schemas/T"},"T":{"$ref":"#/components/schemas/S"}`,
		`"S":{"allOf":[{"$ref":"#/components/schemas/S"}]}`,
		`"S":{"anyOf":[{"$ref":"#/components/schemas/S"},{"type":"string"}]}`,
		`"S":{"type":"object","required":["a"],"properties":{"a":{"$ref":"other.json"}}}`,
	} {
		for _, version := range []string{"3.0.3", "3.1.0"} {
			value(t, sample.Maker{}, version, schemas)
		}
	}
	if got, ok := new(sample.Maker).Value(nil, "body"); !ok || got == nil {
		t.Errorf("no schema: %v, %t", got, ok)
	}
}

func TestSegmentMayStandInAPath(t *testing.T) {
	t.Parallel()
	plain := regexp.MustCompile(`^[A-Za-z0-9_.~:@-]+$`)
	for _, test := range []struct{ name, schema, want string }{
		{"id", `{"type":"string"}`, ""},
		{"owner", `{"type":"string","example":"a/b"}`, ""},
		{"name", `{"type":"string","minLength":0,"maxLength":3}`, ""},
		{"title", `{"type":"string","minLength":40}`, ""},
		{"phone", `{"type":"string"}`, ""},
		{"path", `{"type":"string","pattern":"^[a-z/]*$"}`, ""},
		{"kind", `{"type":"string","enum":["a b","","c"]}`, "^c$"},
		{"anything", `{}`, ""},
		{"url", `{"type":"string","format":"uri"}`, "^https://example.com/"}, // the schema has the last word
		{"when", `{"type":"string","format":"date-time"}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, _ := read(t, "3.0.3", `"S":`+test.schema)
			want := plain
			if test.want != "" {
				want = regexp.MustCompile(test.want)
			}
			for seed := range 50 {
				maker := sample.Maker{Draw: seeded(seed), Now: now, Segment: true}
				got, ok := maker.Value(s, test.name)
				if text, _ := got.(string); !ok || !want.MatchString(text) {
					t.Fatalf("seed %d: %q, %t; want %s", seed, got, ok, want)
				}
			}
		})
	}
}

func TestDiscriminatorNamesTheShape(t *testing.T) {
	t.Parallel()
	const pets = `"Cat":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"lives":{"type":"integer"}}},
		"Dog":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"tricks":{"type":"integer"}}}`
	const branches = `"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]`
	for name, test := range map[string]struct{ schemas, cat, dog string }{
		"by name":    {`"S":{` + branches + `,"discriminator":{"propertyName":"kind"}},` + pets, "Cat", "Dog"},
		"by mapping": {`"S":{` + branches + `,"discriminator":{"propertyName":"kind","mapping":{"meow":"#/components/schemas/Cat","woof":"Dog"}}},` + pets, "meow", "woof"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[any]bool{}
			for seed := range 60 {
				got := value(t, sample.Maker{Draw: seeded(seed), Optional: sample.All}, "3.0.3", test.schemas).(map[string]any)
				_, lives := got["lives"]
				_, tricks := got["tricks"]
				if kind := got["kind"]; kind == test.cat && !lives || kind == test.dog && !tricks || kind != test.cat && kind != test.dog {
					t.Fatalf("seed %d: %v", seed, got)
				}
				seen[got["kind"]] = true
			}
			if len(seen) != 2 {
				t.Errorf("only %v in 60 draws", seen)
			}
		})
	}
}

func TestMakersShareALibraryAtTheSameTime(t *testing.T) {
	t.Parallel()
	s, _ := read(t, "3.1.0", keywords[len(keywords)-1].schemas)
	library := &sample.Library{}
	var group sync.WaitGroup
	results := make([]string, 8)
	for i := range results {
		group.Go(func() {
			maker := sample.Maker{Draw: seeded(1), Now: now, Library: library}
			got, _ := maker.Value(s, "body")
			text, _ := json.Marshal(got) // it has nothing that JSON has not
			results[i] = string(text)
		})
	}
	group.Wait()
	slices.Sort(results)
	if results[0] != results[len(results)-1] || results[0] == "" {
		t.Errorf("%s and %s", results[0], results[len(results)-1])
	}
}
