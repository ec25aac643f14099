package kit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"parity/fakes/kit"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"short":                      {"amount", "amount"},
		"just fits":                  {strings.Repeat("a", 200), strings.Repeat("a", 200)},
		"one too many":               {strings.Repeat("a", 201), strings.Repeat("a", 199) + "…"},
		"fits in characters":         {strings.Repeat("ü", 200), strings.Repeat("ü", 200)},
		"cut between characters":     {strings.Repeat("ü", 300), strings.Repeat("ü", 199) + "…"},
		"megabytes":                  {strings.Repeat("x", 9<<20), strings.Repeat("x", 199) + "…"},
		"bytes that are not letters": {strings.Repeat("\xff", 300), strings.Repeat("\xff", 199) + "…"},
	} {
		got := kit.Clip(c.text)
		if got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, len(got), len(c.want))
		}
		if n := utf8.RuneCountInString(got); n > 200 {
			t.Errorf("%s: %d characters", name, n)
		}
	}
}
