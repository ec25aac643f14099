package sample_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/dlclark/regexp2"

	"parity/specs/sample"
)

// patterns are of the kinds that contracts have.
var patterns = []string{
	`^[a-z]+$`, `^$`, ``, `a`, `^\d{3}-\d{2}-\d{4}$`, `^(foo|bar)+$`, `^[^/]+$`, `[\w.-]{1,64}`, `^arn:aws:[a-z]+:[a-z0-9-]*:\d{12}:.+$`,
	`^(?!.*--)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`, `^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$`, `^\/[a-z]+\/$`,
	`^[\u0020-\uD7FF\uE000-\uFFFD\r\n\t]*$`, `^.{1,2000}$`, `^\p{L}+$`, `\p{ASCII}{3}`, `^(?<year>\d{4})-(?<month>0[1-9]|1[0-2])$`, `^(a+)\1$`,
	`^[A-Z]{2}[A-Z0-9]{9}\d$`, `^([0-9]{1,3}\.){3}[0-9]{1,3}$`, `^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$`, `^[-a-zA-Z0-9_.]+@[a-z]+\.com$`, `^(([a-z]{2}){3}|x)$`,
	`^(?=.{5,10}$)[a-z]+(_[a-z]+)*$`, `^(?i)abc$`, `^[\s\S]{2}$`, `^a{2,}b{0}c?$`, `^\\d+$`, `^[\[\]]$`, `\bword\b`, `^x*?y+?$`, `^[a-z&&[^b]]$`,
}

func TestTextMatchesItsPattern(t *testing.T) {
	t.Parallel()
	hard := map[string]bool{`^(?i)abc$`: true, `^(a+)\1$`: true, `^[a-z&&[^b]]$`: true} // found by luck, or not at all
	for _, pattern := range patterns {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			for seed := range 20 {
				if text, ok := written(t, pattern, seed); !ok && !hard[pattern] {
					t.Fatalf("seed %d: nothing found; came to %q", seed, text)
				} else if ok && !ecmaMatches(pattern, text) {
					t.Fatalf("seed %d: %q", seed, text)
				}
			}
		})
	}
}

func written(t *testing.T, pattern string, seed int) (string, bool) {
	t.Helper()
	quoted, err := json.Marshal(pattern)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := read(t, "3.1.0", `"S":{"type":"string","pattern":`+string(quoted)+`}`)
	maker := sample.Maker{Draw: seeded(seed)}
	value, ok := maker.Value(s, "code")
	text, _ := value.(string)
	return text, ok
}

// ecmaMatches holds a text against a pattern; true where nobody can read it, or
// it takes too long.
func ecmaMatches(pattern, text string) bool {
	found, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err != nil {
		return true
	}
	found.MatchTimeout = time.Second
	ok, err := found.MatchString(text)
	return ok || err != nil
}

// Whatever the pattern: no panic, an end, and a text that matches where Value
// says so.
func FuzzPattern(f *testing.F) {
	for _, pattern := range patterns {
		f.Add(pattern, 1)
	}
	f.Fuzz(func(t *testing.T, pattern string, seed int) {
		quoted, err := json.Marshal(pattern)
		if err != nil || len(pattern) > 200 {
			t.Skip()
		}
		var same string
		if json.Unmarshal(quoted, &same) != nil || same != pattern {
			t.Skip() // not UTF-8
		}
		if text, ok := written(t, pattern, seed); ok && !ecmaMatches(pattern, text) {
			t.Errorf("%q does not match %q", text, pattern)
		}
	})
}
