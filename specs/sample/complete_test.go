package sample_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs/sample"
	"parity/specs/schema"
)

func TestCompleteAddsWhatAServerWould(t *testing.T) {
	t.Parallel()
	const contact = `"S":{"type":"object","required":["id","email","tags","note","plan","address"],"properties":{
		"id":{"type":"string","readOnly":true,"enum":["ct_1"]},
		"email":{"type":"string","enum":["given@example.com","made@example.com"]},
		"password":{"type":"string","writeOnly":true},
		"tags":{"type":"array","items":{"type":"string"}},
		"note":{"type":"string","nullable":true},
		"plan":{"type":"string","default":"free"},
		"seen":{"type":"boolean","readOnly":true,"enum":[false]},
		"nickname":{"type":"string"},
		"address":{"type":"object","required":["city","zip"],"properties":{"city":{"type":"string","enum":["Oslo"]},"zip":{"type":"string","enum":["0150"]},"line":{"type":"string"}}}}}`
	tests := []struct{ name, have, want string }{
		{
			"what is required, and null, empty or the default where it may be",
			`{"email":"given@example.com","address":{"zip":"0150"}}`,
			`{"id":"ct_1","email":"given@example.com","tags":[],"note":null,"plan":"free","seen":false,"address":{"city":"Oslo","zip":"0150"}}`,
		},
		{
			"what was given stays, though it does not fit",
			`{"email":"else@example.com","tags":["a"],"note":"n","plan":"paid","x":1,"address":{"city":"Rome","zip":"1","more":true}}`,
			`{"id":"ct_1","email":"else@example.com","tags":["a"],"note":"n","plan":"paid","x":1,"seen":false,"address":{"city":"Rome","zip":"1","more":true}}`,
		},
		{
			"a password is not given back",
			`{"email":"given@example.com","password":"p","nickname":"n","address":{"city":"Oslo","zip":"0150"}}`,
			`{"id":"ct_1","email":"given@example.com","nickname":"n","tags":[],"note":null,"plan":"free","seen":false,"address":{"city":"Oslo","zip":"0150"}}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, _ := read(t, "3.0.3", contact)
			var have, want, got any
			for text, into := range map[string]*any{test.have: &have, test.want: &want} {
				if err := json.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			maker := sample.Maker{Side: sample.Reply, Now: now}
			text, err := json.Marshal(maker.Complete(s, have.(map[string]any)))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			again, _ := json.Marshal(have)
			var before any
			if err := json.Unmarshal([]byte(test.have), &before); err != nil {
				t.Fatal(err)
			}
			if now, _ := json.Marshal(before); string(again) != string(now) {
				t.Errorf("what was given was changed to %s", again)
			}
		})
	}
}

func TestCompleteFollowsTheBranchThatWasGiven(t *testing.T) {
	t.Parallel()
	const schemas = `"S":{"oneOf":[{"$ref":"#/components/schemas/Card"},{"$ref":"#/components/schemas/Bank"}],"discriminator":{"propertyName":"type"}},
		"Card":{"type":"object","required":["type","brand"],"properties":{"type":{"type":"string"},"brand":{"type":"string","enum":["visa"]},"number":{"type":"string"}}},
		"Bank":{"type":"object","required":["type","country"],"properties":{"type":{"type":"string"},"country":{"type":"string","enum":["NO"]},"iban":{"type":"string"}}}`
	tests := []struct {
		name string
		have map[string]any
		want string
	}{
		{"by discriminator", map[string]any{"type": "Bank"}, "country type"},
		{"by discriminator, the other", map[string]any{"type": "Card"}, "brand type"},
		{"by a field that only it has", map[string]any{"iban": "NO93"}, "country iban type"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, _ := read(t, "3.0.3", schemas)
			for seed := range 10 {
				maker := sample.Maker{Side: sample.Reply, Draw: seeded(seed)}
				if got := strings.Join(names(maker.Complete(s, test.have), ""), " "); got != test.want {
					t.Fatalf("seed %d: %s, want %s", seed, got, test.want)
				}
			}
		})
	}
}

// What is completed from nothing, or from part of a valid record, is valid.
func TestCompletedRecordIsValid(t *testing.T) {
	t.Parallel()
	eachKeyword(t, func(t *testing.T, _ keyword, s *schema.Schema, valid func(any) error) {
		for seed := range 20 {
			maker := sample.Maker{Draw: seeded(seed), Now: now, Side: sample.Reply, Optional: sample.All}
			whole, _ := maker.Value(s, "body")
			record, ok := whole.(map[string]any)
			if !ok {
				return
			}
			have := map[string]any{}
			for _, name := range names(record, "") {
				if value, there := record[name]; there && len(have) < seed%3 {
					have[name] = value
				}
			}
			maker.Draw, maker.Optional = seeded(seed+100), sample.Usual
			if got := maker.Complete(s, have); valid(got) != nil {
				t.Fatalf("seed %d: from %v to %v: %v", seed, have, got, valid(got))
			}
		}
	})
}

func TestSpoilBreaksEachRule(t *testing.T) {
	t.Parallel()
	const schemas = `"S":{"type":"object","required":["id"],"additionalProperties":false,"minProperties":1,"properties":{
		"id":{"type":"integer","minimum":1,"maximum":9},"kind":{"type":"string","enum":["a","b"]},"code":{"type":"string","pattern":"^[a-f]{4}$"},
		"name":{"type":"string","minLength":2,"maxLength":8},"tags":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3,"uniqueItems":true},
		"rate":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"multipleOf":0.25},"when":{"type":"string","format":"date-time"}}}`
	s, text := read(t, "3.1.0", schemas)
	valid := oracle(t, text)
	seen := map[string]bool{}
	for seed := range 600 {
		maker := sample.Maker{Draw: seeded(seed), Now: now, Optional: sample.All}
		value, ok := maker.Value(s, "body")
		if !ok || valid(value) != nil {
			t.Fatalf("seed %d: %v, %t", seed, value, ok)
		}
		broken, ok := maker.Spoil(s, value)
		if !ok || valid(broken.Value) == nil {
			t.Fatalf("seed %d: %s at %s gives %v, ok %t", seed, broken.Rule, broken.Path, broken.Value, ok)
		}
		seen[broken.Rule] = true
	}
	for _, rule := range strings.Fields("type required enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern " +
		"minItems maxItems uniqueItems additionalProperties minProperties") {
		if !seen[rule] {
			t.Errorf("%s was never broken in 600 draws", rule)
		}
	}
}

func TestSpoilOfASegmentIsWrongAsTextToo(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"type":"integer"}`:                              "not-a-number",
		`{"type":"boolean"}`:                              "not-a-boolean",
		`{"type":"string","enum":["open"]}`:               "not-one-of-these",
		`{"type":"string","format":"date","minLength":1}`: "not~of~it",
	} {
		s, _ := read(t, "3.0.3", `"S":`+schema)
		maker := sample.Maker{Segment: true, Now: now}
		value, _ := maker.Value(s, "p")
		if broken, ok := maker.Spoil(s, value); !ok || broken.Value != want {
			t.Errorf("%s: %v, %t; want %s", schema, broken.Value, ok, want)
		}
	}
	s, _ := read(t, "3.0.3", `"S":{"type":"string"}`)
	maker := sample.Maker{Segment: true}
	if broken, ok := maker.Spoil(s, "any"); ok {
		t.Errorf("%v is not refused as text", broken.Value)
	}
}
