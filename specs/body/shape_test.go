package body

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScalarsGetTheFirstTypeTheyCanHave(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		schema, text string
		want         any
	}{
		{`{"type": "integer"}`, "12", int64(12)},
		{`{"type": "integer"}`, "-12", int64(-12)},
		{`{"type": "integer"}`, "007", int64(7)},
		{`{"type": "integer"}`, "1.0", "1.0"},
		{`{"type": "integer"}`, "1e3", "1e3"},
		{`{"type": "integer"}`, "0x1F", "0x1F"},
		{`{"type": "integer"}`, "1_000", "1_000"},
		{`{"type": "integer"}`, "+1", "+1"},
		{`{"type": "integer"}`, "9223372036854775808", "9223372036854775808"},
		{`{"type": "number"}`, "1.0", int64(1)},
		{`{"type": "number"}`, "1e3", int64(1000)},
		{`{"type": "number"}`, ".5", ".5"},
		{`{"type": "number"}`, "NaN", "NaN"},
		{`{"type": "number"}`, "Infinity", "Infinity"},
		{`{"type": "number"}`, "1e999", "1e999"},
		{`{"type": "boolean"}`, "true", true},
		{`{"type": "boolean"}`, "True", "True"},
		{`{"type": "boolean"}`, "1", "1"},
		{`{"type": ["string", "integer"]}`, "12", int64(12)},
		{`{"type": ["string", "integer"]}`, "007", "007"},
		{`{"type": ["string", "number"]}`, "-0.5", -0.5},
		{`{"enum": [1, 2]}`, "1", int64(1)},
		{`{"const": true}`, "true", true},
		{`{"enum": ["1"]}`, "1", "1"},
		{`{"allOf": [{"minimum": 1}, {"type": "integer"}]}`, "1", int64(1)},
		{`{"oneOf": [{"type": "boolean"}, {"anyOf": [{"type": "integer"}]}]}`, "1", int64(1)},
		{`{"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}`, "1", int64(1)},
		{`{}`, "1", "1"},
		{`{"type": "null"}`, "null", "null"},
		{`{"allOf": [true]}`, "1", "1"},
	} {
		if diff := cmp.Diff(test.want, shapeOf(types(t, test.schema)).scalar(test.text)); diff != "" {
			t.Errorf("%s of %s: %s", test.text, test.schema, diff)
		}
	}
}

// TestSchemasMadeOfThemselves: shapes end, and so does finding them beforehand.
func TestSchemasMadeOfThemselves(t *testing.T) {
	t.Parallel()
	var branches []string
	for i := range 30 {
		branches = append(branches, fmt.Sprintf(`{"$ref": "#/$defs/s%d"}`, i))
	}
	all := strings.Join(branches, ", ")
	var defs []string
	for i := range 30 {
		defs = append(defs, fmt.Sprintf(`"s%d": {"anyOf": [%s], "properties": {"a": {"anyOf": [%s]}, "b%d": {"type": "integer"}}}`, i, all, all, i))
	}
	s := types(t, `{"anyOf": [`+all+`], "$defs": {`+strings.Join(defs, ", ")+`}}`)
	form := NewForm(s, nil, Options{})
	got, wrong := form.Decode([]byte("a[a][a][a][a][a][b7]=5&b3=x"))
	want := map[string]any{"b7": int64(5)}
	for range 6 {
		want = map[string]any{"a": want}
	}
	want["b3"] = "x"
	if diff := cmp.Diff(want, got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

// TestPreparedShapesAreTheSame: what is found beforehand is what would be found.
func TestPreparedShapesAreTheSame(t *testing.T) {
	t.Parallel()
	s := types(t, customer)
	for _, text := range []string{
		"amount=1&metadata[a]=b&locales=x&tax[][type]=1&tax[][value]=2&free[a][]=1&other[x]=1", "locales[]=a&either=true&address[line1][x]=1", "tax[0]=1",
	} {
		want, _ := DecodeForm([]byte(text), s, nil, Options{})
		got, wrong := NewForm(s, nil, Options{}).Decode([]byte(text))
		if diff := cmp.Diff(want, got); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", text, wrong, diff)
		}
	}
}
