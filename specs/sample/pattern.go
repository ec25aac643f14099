package sample

import (
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"

	"parity/specs/pattern"
)

// An expression is a pattern of ECMA-262, ready to match and to be written by.
type expression struct {
	judge *pattern.Pattern // nil: nobody can read it
	late  atomic.Int32     // texts that it took too long for
	all   *atomic.Int32    // those of all patterns
	tree  *syntax.Regexp   // what a text is made by; nil: nothing is known
	odd   bool             // others may not be able to read it
	ahead *syntax.Regexp   // the same, with what lookahead asks for in its place; nil where there is none
}

// maxKnown bounds how many patterns are kept.
const maxKnown = 20_000

// How many texts may take too long. A pattern, or a library, that had more of
// them is matched by nothing it would have to try.
const (
	mostLate    = 3   // of one pattern
	mostLateAll = 100 // of all
)

// expressions are the patterns met so far. They depend on nothing but their
// text, so that all may share them.
type expressions struct {
	mu    sync.RWMutex
	known map[string]*expression
	late  atomic.Int32
}

func (e *expressions) get(pattern string) *expression {
	e.mu.RLock()
	found := e.known[pattern]
	e.mu.RUnlock()
	if found != nil {
		return found
	}
	found = compile(pattern)
	found.all = &e.late
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil || len(e.known) >= maxKnown {
		e.known = map[string]*expression{}
	}
	e.known[pattern] = found
	return found
}

func compile(text string) *expression {
	judge, err := pattern.Compile(text)
	if err != nil {
		return &expression{odd: true}
	}
	e := &expression{judge: judge, odd: judge.Odd}
	e.tree = parse(plain(judge.Text, false), judge.Text)
	if strings.Contains(judge.Text, "(?=") {
		e.ahead = parse(plain(judge.Text, true))
	}
	return e
}

// match tells whether a text has the pattern in it. A pattern that nobody can
// read says nothing.
func (e *expression) match(text string) bool {
	if e.judge == nil {
		return true
	}
	if !e.quick() && (e.late.Load() >= mostLate || e.all.Load() >= mostLateAll) {
		return false
	}
	matched, err := e.judge.Match(text)
	if err != nil {
		e.late.Add(1)
		e.all.Add(1)
	}
	return matched && err == nil
}

// quick tells whether matching takes no longer than the text is long.
func (e *expression) quick() bool { return e.judge != nil && e.judge.Quick() }

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
