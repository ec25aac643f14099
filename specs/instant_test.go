package specs

import (
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"parity/specs/document"
	"parity/specs/schema"
)

// TestSieveIsSureOfInstants changes instants at random: what the sieve passes,
// the library has to pass too.
func TestSieveIsSureOfInstants(t *testing.T) {
	t.Parallel()
	doc, err := document.Open(fstest.MapFS{"it.json": {Data: []byte(`{"type": "string", "format": "date-time"}`)}}, "it.json")
	if err != nil {
		t.Fatal(err)
	}
	set := schema.NewSet(doc, schema.OpenAPI30)
	k := newSchemas(set, false).checker("", set.At(doc.Root()), record)
	if err := k.compile(); err != nil {
		t.Fatal(err)
	}
	usual := []string{"2026-01-07T10:12:00Z", "2026-01-07T10:12:00.5Z", "2026-01-07T10:12:00.123456789Z", "2024-02-29T23:59:59Z"}
	for _, text := range usual {
		if !k.sifts(text) {
			t.Errorf("the sieve is not sure of %s", text)
		}
	}
	for _, text := range []string{"", "soon", "2026-01-07", "2026-02-30T10:12:00Z", "2026-01-07T10:12:60Z", "2026-01-07T24:00:00Z", "2026-01-07T1:12:000Z", "2026-01-07T10:12:00,5Z", "2026-01-07T10:12:00.Z"} {
		if k.sifts(text) {
			t.Errorf("the sieve passes %q", text)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := []byte(rapid.SampledFrom(usual).Draw(rt, "instant"))
		for range rapid.IntRange(1, 3).Draw(rt, "changes") {
			text[rapid.IntRange(0, len(text)-1).Draw(rt, "place")] = rapid.SampledFrom([]byte("0123456789TtZz:.,-+ ")).Draw(rt, "byte")
		}
		if err := k.compiled.Validate(string(text)); err != nil && k.sifts(string(text)) {
			rt.Fatalf("the sieve passes %q, which the library refuses: %v", text, err)
		}
	})
}
