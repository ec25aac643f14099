package sample

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
)

// An expression is a pattern of ECMA-262, ready to match and to be written by.
// What Go's own package understands is matched by it, in linear time; the rest,
// such as lookahead, by regexp2, for no longer than a moment.
type expression struct {
	quick *regexp.Regexp
	slow  *regexp2.Regexp
	tree  *syntax.Regexp // what a text is made by; nil: nothing is known
	odd   bool           // others may not be able to read it
	ahead *syntax.Regexp // the same, with what lookahead asks for in its place; nil where there is none
}

// patience is for how long a text is held against a pattern that may take for
// ever. What is not decided by then does not match.
const patience = 100 * time.Millisecond

// Bounds of patterns.
const (
	maxPattern = 20_000
	maxKnown   = 20_000 // patterns kept
)

// expressions are the patterns met so far. They depend on nothing but their
// text, so that all may share them.
type expressions struct {
	mu    sync.RWMutex
	known map[string]*expression
}

func (e *expressions) get(pattern string) *expression {
	e.mu.RLock()
	found := e.known[pattern]
	e.mu.RUnlock()
	if found != nil {
		return found
	}
	found = compile(pattern)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil || len(e.known) >= maxKnown {
		e.known = map[string]*expression{}
	}
	e.known[pattern] = found
	return found
}

func compile(pattern string) *expression {
	e := &expression{}
	if len(pattern) > maxPattern {
		return e
	}
	known := javaClasses.Replace(pattern)
	e.odd = known != pattern
	pattern = known
	if quick, err := regexp.Compile(pattern); err == nil && !differs(pattern) {
		e.quick = quick
	} else {
		slow, err := regexp2.Compile(pattern, regexp2.ECMAScript)
		if err != nil {
			slow, err = regexp2.Compile(pattern, regexp2.None)
		}
		if err == nil {
			slow.MatchTimeout = patience
			e.slow = slow
		}
		e.odd = e.odd || err != nil
	}
	e.tree = parse(plain(pattern, false), pattern)
	if strings.Contains(pattern, "(?=") {
		e.ahead = parse(plain(pattern, true))
	}
	return e
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
			if letter && strings.IndexByte("dDwWsSbBnrtfv", rest[1]) < 0 || rest[1] >= 0x80 {
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

// match tells whether a text has the pattern in it. A pattern that nobody can
// read says nothing.
func (e *expression) match(text string) bool {
	switch {
	case e.quick != nil:
		return e.quick.MatchString(text)
	case e.slow != nil:
		ok, err := e.slow.MatchString(text)
		return err == nil && ok
	default:
		return true
	}
}

// parse reads what can be read of a pattern into a tree to write by. What
// matches must be tried: lookaround is left out, and counts are held down.
func parse(written ...string) *syntax.Regexp {
	for _, text := range written {
		if tree, err := syntax.Parse(text, syntax.Perl); err == nil {
			return tree
		}
	}
	return nil
}

// plain writes a pattern in Go's words. What lookahead asks for is left out, or
// put in its place.
func plain(pattern string, ahead bool) string {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			i += writeEscape(&out, rest)
		case inClass:
			inClass = rest[0] != ']'
			if rest[0] == '[' {
				out.WriteByte('\\')
			}
			out.WriteByte(rest[0])
			i++
		case strings.HasPrefix(rest, "[^]"):
			out.WriteString(`(?s:.)`)
			i += 3
		case rest[0] == '[':
			inClass = true
			out.WriteByte('[')
			if i++; strings.HasPrefix(rest, "[^") {
				out.WriteByte('^')
				i++
			}
		case ahead && strings.HasPrefix(rest, "(?="):
			out.WriteString("(?:")
			i += 3
		case lookaround(rest):
			i += enclosed(rest)
		case rest[0] == '{':
			n, text := counted(rest)
			out.WriteString(text)
			i += n
		default:
			out.WriteByte(rest[0])
			i++
		}
	}
	return out.String()
}

// writeEscape writes one escape and tells how long it was.
func writeEscape(out *strings.Builder, rest string) int {
	hex := func(from, n int) bool {
		if len(rest) < from+n {
			return false
		}
		out.WriteString(`\x{` + rest[from:from+n] + `}`)
		return true
	}
	switch c := rest[1]; {
	case c == 'u' && strings.HasPrefix(rest, `\u{`) && strings.Contains(rest, "}"):
		end := strings.IndexByte(rest, '}')
		out.WriteString(`\x{` + rest[3:end] + `}`)
		return end + 1
	case c == 'u' && hex(2, 4):
		return 6
	case c == 'x' && hex(2, 2):
		return 4
	case c == '0':
		out.WriteString(`\x00`)
	case c == 'c' && len(rest) > 2:
		return 3
	case c >= '1' && c <= '9', c == 'k', c == 'Z', c == 'z', c == 'A', c == 'G': // back-references, and anchors of others
	case strings.IndexByte("dDwWsSbBnrtfvpP", c) >= 0 || strings.IndexByte(`\.+*?()|[]{}^$`, c) >= 0:
		out.WriteString(rest[:2])
	case c < 0x80 && !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'):
		out.WriteString(rest[:2]) // -, /, quotes: Go takes any of them
	default:
		out.WriteByte(c)
	}
	return 2
}

func lookaround(rest string) bool {
	return strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!") || strings.HasPrefix(rest, "(?<=") || strings.HasPrefix(rest, "(?<!")
}

// enclosed gives the length of a group, its brackets included.
func enclosed(rest string) int {
	deep, inClass := 0, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\':
			i++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '(':
			deep++
		case c == ')':
			if deep--; deep == 0 {
				return i + 1
			}
		}
	}
	return len(rest)
}

// counted writes {n,m} within what Go takes.
func counted(rest string) (int, string) {
	n := strings.IndexByte(rest, '}')
	if n < 0 || n > 16 {
		return 1, `\{`
	}
	from, to, ranged := strings.Cut(rest[1:n], ",")
	low, ok := digits(from)
	high, full := digits(to)
	if !ok || ranged && to != "" && !full {
		return 1, `\{`
	}
	switch {
	case !ranged:
		return n + 1, braces(low, low)
	case to == "":
		return n + 1, braces(low, -1)
	default:
		return n + 1, braces(low, max(low, high))
	}
}
