package pattern_test

import (
	"strings"
	"testing"
	"time"

	"parity/specs/pattern"
)

func TestPatternsAreRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, takes, refuses string
		quick, odd              bool
	}{
		{`^[a-z]+$`, "abc", "aB", true, false},
		{`^(?!no)[a-z]+$`, "yes", "nono", false, false},
		{`^(?=.*[0-9]).{4,}$`, "abc1", "abcd", false, false},
		{`^(a)b\1$`, "aba", "abb", false, false},
		{`^\p{XDigit}+$`, "09aF", "xyz", true, true},
		{`^[\p{L}]+$`, "Grün", "1", true, false},
		{`^[^]$`, "x", "xy", false, false},
		{`^\u0041$`, "A", "B", false, false},
		{`^\/a\-b$`, "/a-b", "ab", true, false},
		{`^\p{Letter}+$`, "π", "1", true, false},
	} {
		p, err := pattern.Compile(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if !p.MatchString(c.takes) || p.MatchString(c.refuses) || p.Quick() != c.quick || p.Odd != c.odd {
			t.Errorf("%s takes %q: %v, %q: %v; quick %v, odd %v", c.pattern, c.takes, p.MatchString(c.takes), c.refuses, p.MatchString(c.refuses), p.Quick(), p.Odd)
		}
	}
	for _, text := range []string{"(open", "[z-a]", strings.Repeat("a", 100_000)} {
		if _, err := pattern.Compile(text); err == nil {
			t.Errorf("%.20s is read", text)
		}
	}
}

func TestBacktrackingEnds(t *testing.T) {
	t.Parallel()
	p, err := pattern.Compile(`^(?=a)(a+)+$`)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if matched, err := p.Match(strings.Repeat("a", 60) + "!"); matched || err == nil {
		t.Errorf("matched %v, %v after %v", matched, err, time.Since(began))
	}
}

func FuzzCompile(f *testing.F) {
	for _, text := range []string{`^(?!no)[a-z]+$`, `\p{Alpha}{2,3}`, `(a|b)*?\1`, `[[:alpha:]]`} {
		f.Add(text, "abc")
	}
	f.Fuzz(func(_ *testing.T, text, value string) {
		if len(value) > 100 {
			return
		}
		if p, err := pattern.Compile(text); err == nil {
			p.MatchString(value)
		}
	})
}
