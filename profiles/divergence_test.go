package profiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

func TestADivergenceIsWrittenRememberedAndClosed(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 12, 0, 0, 0, 0, time.UTC)
	d := profiles.Divergence{Name: "twice", Run: "r1", Date: day, Production: `Refunded "twice": 20 €`, Missing: "a late settlement"}
	for name, c := range map[string]struct{ was, after, closed string }{
		"none yet": {
			"# mine\nprofile: p # of mine\nservices: {stripe: {}}\n",
			"# mine\nprofile: p # of mine\nservices: {stripe: {}}\ndivergences:\n  twice:\n    run: \"r1\"\n    date: 2026-11-12\n    production: \"Refunded \\\"twice\\\": 20 €\"\n    missing: \"a late settlement\"\n",
			"  twice:\n    closed: 2026-11-30\n    run: \"r1\"\n",
		},
		"another": {
			"profile: p\nservices: {stripe: {}}\ndivergences:\n    old: {run: a, date: 2026-01-02, production: b, closed: 2026-02-03} # done\n",
			"divergences:\n    twice:\n      run: \"r1\"\n      date: 2026-11-12\n",
			"    twice:\n      closed: 2026-11-30\n      run: \"r1\"\n",
		},
	} {
		file := filepath.Join(t.TempDir(), "p.yaml")
		if err := os.WriteFile(file, []byte(c.was), 0o600); err != nil {
			t.Fatal(err)
		}
		o := options(t, "")
		p, err := profiles.SaveDivergence(file, d, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := p.Divergences[len(p.Divergences)-1]; name == "none yet" && !cmp.Equal(d, got) || !p.Divergences[0].Open() {
			t.Errorf("%s: %+v", name, p.Divergences)
		}
		if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Error(), "divergence twice is open since 2026-11-12: \"Refunded") {
			t.Errorf("%s: warnings %v", name, p.Warnings)
		}
		if text := read(t, file); !strings.Contains(text, c.after) || !strings.HasPrefix(text, c.was[:20]) {
			t.Errorf("%s:\n%s", name, text)
		}
		if _, err := profiles.SaveDivergence(file, d, o); err == nil || !strings.Contains(err.Error(), "choose another name") {
			t.Errorf("%s: the same once more: %v", name, err)
		}
		p, err = profiles.CloseDivergence(file, "twice", time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), o)
		if err != nil || len(p.Warnings) > 0 || !strings.Contains(read(t, file), c.closed) {
			t.Errorf("%s: %v %v\n%s", name, err, p, read(t, file))
		}
		for missing, says := range map[string]string{"twice": "choose another name", "never": "no divergence never"} {
			if _, err := profiles.CloseDivergence(file, missing, day, o); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %s closed: %v", name, missing, err)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestADivergenceHasWhatItTakes(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"{run: a, date: 2026-01-02}":                                               "divergence d has no production",
		"{run: a, date: soon, production: b}":                                      "2026-11-12",
		"{run: a, date: 2026-01-02, production: b, closed: 2025-12-31}":            "divergence d is closed before it happened",
		"{run: a, date: 2026-01-02, production: b, rehearsal: c, mising: nothing}": "did you mean missing",
	} {
		_, err := profiles.Parse("p.yaml", []byte("profile: p\nservices: {stripe: {}}\ndivergences:\n  d: "+text+"\n"), options(t, ""))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
