package body

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"parity/specs/document"
)

// MaxDepth bounds how deep a JSON body nests; vendors' bodies that nest by
// design (blocks of a page, filters of a query) stay well under it.
const MaxDepth = 64

// MaxValues bounds how many values a JSON body has, objects and lists among
// them. It is generous: a thousand mails in one call have 15,000.
const MaxValues = 250_000

// DecodeJSON reads one JSON document, the way RFC 8259 and RFC 7493 mean it: no
// second document, nothing after it, no name twice in an object, UTF-8 only and
// no half of a surrogate pair, numbers within float64. Integral numbers become
// int64.
func DecodeJSON(data []byte) (any, *Problem) {
	if !utf8.Valid(data) {
		return nil, &Problem{Rule: RuleSyntax, Message: "is not UTF-8"}
	}
	if !json.Valid(data) {
		return nil, &Problem{Rule: RuleSyntax, Message: "is not one JSON document: " + why(data)}
	}
	w := walker{data: data}
	value := w.value(0)
	if w.failed != nil {
		return nil, w.failed
	}
	return value, nil
}

// why gives the library's reason, which Valid does not.
func why(data []byte) string {
	if len(bytes.TrimSpace(data)) == 0 {
		return "it is empty"
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return "it begins with a byte order mark"
	}
	var ignored json.RawMessage
	if err := json.Unmarshal(data, &ignored); err != nil {
		return err.Error()
	}
	return "it cannot be read"
}

// A walker builds values from bytes that are known to be valid JSON; what is
// left to find are doubled names, depth and numbers out of range.
type walker struct {
	data   []byte
	at     int
	way    [MaxDepth + 1]step // to the value that is being read
	depth  int                // steps of it
	values int
	failed *Problem
}

// longestStep bounds one step of a pointer, in bytes.
const longestStep = 256

// A step leads into an object, or to an item of an array. It becomes part of a
// pointer only where something is wrong: a name may be as long as the body, and
// have as many items.
type step struct {
	name string
	item int // -1: of an object
}

func (w *walker) fail(rule, message string) {
	if w.failed != nil {
		return
	}
	var pointer strings.Builder
	for _, s := range w.way[:w.depth] {
		pointer.WriteByte('/')
		if s.item >= 0 {
			pointer.WriteString(strconv.Itoa(s.item))
		} else {
			pointer.WriteString(escape(document.Clip(s.name, longestStep)))
		}
	}
	w.failed = &Problem{Pointer: pointer.String(), Rule: rule, Message: message}
}

// inside reads a value that is a step further in.
func (w *walker) inside(s step) any {
	w.way[w.depth] = s
	w.depth++
	value := w.value(w.depth)
	w.depth--
	return value
}

// peek skips white space and gives the next byte.
func (w *walker) peek() byte {
	for {
		switch c := w.data[w.at]; c {
		case ' ', '\t', '\n', '\r':
			w.at++
		default:
			return c
		}
	}
}

func (w *walker) value(depth int) any {
	if depth > MaxDepth {
		w.fail(RuleSize, fmt.Sprintf("nests deeper than %d", MaxDepth))
		return nil
	}
	if w.values++; w.values > MaxValues {
		w.fail(RuleSize, fmt.Sprintf("has more than %d values", MaxValues))
		return nil
	}
	switch w.peek() {
	case '{':
		return w.object()
	case '[':
		return w.array()
	case '"':
		return w.text()
	case 't':
		w.at += len("true")
		return true
	case 'f':
		w.at += len("false")
		return false
	case 'n':
		w.at += len("null")
		return nil
	default:
		return w.number()
	}
}

func (w *walker) object() any {
	out := map[string]any{}
	w.at++
	for w.failed == nil && w.peek() != '}' {
		name := w.text()
		if _, twice := out[name]; twice {
			w.way[w.depth] = step{name, -1}
			w.depth++
			w.fail(RuleSyntax, "is given twice in one object")
			return nil
		}
		w.peek()
		w.at++ // the colon
		out[name] = w.inside(step{name, -1})
		if w.failed == nil && w.peek() == ',' {
			w.at++
			w.peek()
		}
	}
	w.at++
	return out
}

func (w *walker) array() any {
	out := []any{}
	w.at++
	for w.failed == nil && w.peek() != ']' {
		out = append(out, w.inside(step{item: len(out)}))
		if w.failed == nil && w.peek() == ',' {
			w.at++
		}
	}
	w.at++
	return out
}

// text reads a string; escapes, which are rare, are left to the library.
func (w *walker) text() string {
	start := w.at
	escaped := false
	w.at++
	for w.data[w.at] != '"' {
		if w.data[w.at] == '\\' {
			escaped = true
			w.at++
		}
		w.at++
	}
	w.at++
	if !escaped {
		return string(w.data[start+1 : w.at-1])
	}
	var text string
	if err := json.Unmarshal(w.data[start:w.at], &text); err != nil {
		w.fail(RuleSyntax, err.Error())
	}
	if strings.ContainsRune(text, utf8.RuneError) { // the library has put it in the place of what it cannot hold
		if half, _ := LoneSurrogate(w.data[start:w.at]); half != "" {
			w.fail(RuleSyntax, "has "+half+halfOfPair+": send both, or leave it out")
		}
	}
	return text
}

// halfOfPair says what is wrong with a lone surrogate.
const halfOfPair = ", one half of a surrogate pair without the other, which is no character"

// WholeText refuses JSON that has half of a surrogate pair without the other, and
// says where; what is no JSON is for others to refuse.
func WholeText(data []byte) error {
	if half, at := LoneSurrogate(data); half != "" {
		before := data[:at]
		line := bytes.Count(before, []byte("\n")) + 1
		return fmt.Errorf("line %d, column %d: there is %s%s: write both, or leave it out", line, at-bytes.LastIndexByte(before, '\n'), half, halfOfPair)
	}
	return nil
}

// LoneSurrogate gives the escape in JSON that is half of a surrogate pair without
// the other half, and where it begins; "": there is none. No text of Unicode
// holds one (RFC 7493, section 2.1), and readers differ on what becomes of it.
func LoneSurrogate(text []byte) (half string, place int) {
	const length = len(`\ud800`)
	for at := 0; at < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		escape := text[at:]
		at++ // what is escaped begins no escape
		if len(escape) < length || escape[1] != 'u' || !utf16.IsSurrogate(unit(escape)) {
			continue
		}
		rest := escape[length:]
		if len(rest) < length || !bytes.HasPrefix(rest, []byte(`\u`)) || utf16.DecodeRune(unit(escape), unit(rest)) == utf8.RuneError {
			return string(escape[:length]), at - 1
		}
		at += 2*length - 2 // to the end of both
	}
	return "", 0
}

// unit is what an escape of valid JSON stands for, as \ud800 does.
func unit(escape []byte) rune {
	n, _ := strconv.ParseUint(string(escape[2:6]), 16, 16)
	return rune(n) //nolint:gosec // 16 bits
}

func (w *walker) number() any {
	start := w.at
	for w.at < len(w.data) && bytes.IndexByte([]byte("+-.0123456789eE"), w.data[w.at]) >= 0 {
		w.at++
	}
	text := string(w.data[start:w.at])
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		w.fail(RuleSyntax, "is a number that float64 cannot hold")
		return nil
	}
	return whole(n)
}
