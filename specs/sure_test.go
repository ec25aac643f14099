package specs

import (
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"parity/specs/document"
	"parity/specs/schema"
)

// TestSieveIsSureOfFormats changes texts of formats at random: what the sieve
// passes, the library has to pass too.
func TestSieveIsSureOfFormats(t *testing.T) {
	t.Parallel()
	for format, c := range map[string]struct{ usual, wrong []string }{
		"date-time": {
			[]string{"2026-01-07T10:12:00Z", "2026-01-07T10:12:00.5Z", "2026-01-07T10:12:00.123456789Z", "2024-02-29T23:59:59Z"},
			[]string{"", "soon", "2026-01-07", "2026-02-30T10:12:00Z", "2026-01-07T10:12:60Z", "2026-01-07T24:00:00Z", "2026-01-07T1:12:000Z", "2026-01-07T10:12:00,5Z", "2026-01-07T10:12:00.Z"},
		},
		"date":  {[]string{"2026-01-07", "2024-02-29"}, []string{"", "2026-02-30", "2026-1-7", "2026-01-07T10:12:00Z"}},
		"email": {[]string{"ada@example.com", "ada.b+c-d_e@mail.example.co.uk"}, []string{"", "@", "ada", "ada@", "@example.com", ".ada@example.com", "ada.@example.com", "a..b@example.com", "ada@example..com", "ada@.example.com", "ada@-x.com", "ada@x-.com", "a@b@example.com", "ada @example.com"}},
		"uuid":  {[]string{"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"}, []string{"", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a456-4266141740000"}},
		"uri":   {[]string{"https://example.com", "http://a.example.com/b_c/~d?e=f&g=h,i+j#k.l"}, []string{"", "/a", "example.com", "https://", "http:/example.com", "https://example.com:port/", "https://exa mple.com/"}},
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			doc, err := document.Open(fstest.MapFS{"it.json": {Data: []byte(`{"type": "string", "format": "` + format + `"}`)}}, "it.json")
			if err != nil {
				t.Fatal(err)
			}
			set := schema.NewSet(doc, schema.OpenAPI30)
			k := newSchemas(set, false).checker("", set.At(doc.Root()), record)
			if err := k.compile(); err != nil {
				t.Fatal(err)
			}
			for _, text := range c.usual {
				if !k.sifts(text) {
					t.Errorf("the sieve is not sure of %s", text)
				}
			}
			for _, text := range c.wrong {
				if k.sifts(text) {
					t.Errorf("the sieve passes %q", text)
				}
			}
			rapid.Check(t, func(rt *rapid.T) {
				text := []byte(rapid.SampledFrom(c.usual).Draw(rt, "text"))
				for range rapid.IntRange(1, 3).Draw(rt, "changes") {
					text[rapid.IntRange(0, len(text)-1).Draw(rt, "place")] = rapid.SampledFrom([]byte("0123456789TtZz:.,-+ @/?#%[]a\u00e4\x7f")).Draw(rt, "byte")
				}
				if err := k.compiled.Validate(string(text)); err != nil && k.sifts(string(text)) {
					rt.Fatalf("the sieve passes %q, which the library refuses: %v", text, err)
				}
			})
		})
	}
}
