// Package pattern matches text by the regular expressions of contracts, which
// are ECMA-262's.
//
//	^(?!no)[a-z]+$ ──Compile──▶ Pattern ──MatchString──▶ yes, no, or too slow to tell
//
// What Go's own package reads in the same way is matched by it, in linear time;
// the rest, such as lookaround, by one that goes back and tries again, for no
// longer than a moment.
package pattern

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// Bounds of one pattern.
const (
	maxPattern = 20_000                 // bytes
	patience   = 100 * time.Millisecond // for one match
)

// A Pattern is ready to match. Nothing in it changes.
type Pattern struct {
	Text string // in words that engines of ECMA-262 read
	Odd  bool   // as it was written, an engine of ECMA-262 may not read it

	quick *regexp.Regexp
	slow  *regexp2.Regexp
}

// Compile reads a pattern. The words that Java has for classes of characters
// are understood, for documents have them.
func Compile(text string) (*Pattern, error) {
	if len(text) > maxPattern {
		return nil, fmt.Errorf("pattern has %d bytes; at most %d are read", len(text), maxPattern)
	}
	p := &Pattern{Text: javaClasses.Replace(text)}
	p.Odd = p.Text != text
	if quick, err := regexp.Compile(p.Text); err == nil && !differs(p.Text) {
		p.quick = quick
		return p, nil
	}
	slow, err := regexp2.Compile(p.Text, regexp2.ECMAScript)
	if err != nil {
		p.Odd = true
		if slow, err = regexp2.Compile(p.Text, regexp2.None); err != nil {
			return nil, fmt.Errorf("pattern %s is not a regular expression", clip(text))
		}
	}
	slow.MatchTimeout = patience
	p.slow = slow
	return p, nil
}

// String gives the pattern.
func (p *Pattern) String() string { return p.Text }

// Quick tells whether matching takes no longer than the text is long.
func (p *Pattern) Quick() bool { return p.quick != nil }

// MatchString tells whether a text has the pattern in it. What cannot be told in
// time does not match: see Match.
func (p *Pattern) MatchString(text string) bool {
	matched, _ := p.Match(text)
	return matched
}

// Match tells whether a text has the pattern in it; an error means that it takes
// too long to tell.
func (p *Pattern) Match(text string) (bool, error) {
	if p.quick != nil {
		return p.quick.MatchString(text), nil
	}
	return p.slow.MatchString(text)
}

func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// javaClasses says in words of ECMA-262 what patterns made for Java mean.
var javaClasses = strings.NewReplacer(`[\p{ASCII}]`, `[\x00-\x7F]`, `\p{ASCII}`, `[\x00-\x7F]`, `\p{XDigit}`, `[0-9a-fA-F]`, `\p{Print}`, `[ -~]`,
	`\p{Graph}`, `[!-~]`, `\p{Punct}`, `[!-\/:-@\[-`+"`"+`{-~]`, `\p{LD}`, `[\p{L}\p{Nd}]`, `\p{Alpha}`, `[a-zA-Z]`, `\p{Alnum}`, `[a-zA-Z0-9]`,
	`\p{Digit}`, `[0-9]`, `\p{Lower}`, `[a-z]`, `\p{Upper}`, `[A-Z]`, `\p{Blank}`, `[ \t]`, `\p{Space}`, `\s`)

// differs tells whether Go reads a pattern otherwise than ECMA-262 does, or may.
func differs(pattern string) bool {
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			letter := rest[1] >= 'a' && rest[1] <= 'z' || rest[1] >= 'A' && rest[1] <= 'Z' || rest[1] >= '0' && rest[1] <= '9'
			if letter && strings.IndexByte("dDwWsSbBnrtfvpP", rest[1]) < 0 || rest[1] >= 0x80 {
				return true
			}
			i++
		case strings.HasPrefix(rest, "{0") && !strings.HasPrefix(rest, "{0,") && !strings.HasPrefix(rest, "{0}"),
			strings.HasPrefix(rest, "{") && strings.Contains(rest[:min(len(rest), 16)], ",0"), strings.HasPrefix(rest, "[:"), strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "[^]"),
			strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return true
		}
	}
	return false
}
