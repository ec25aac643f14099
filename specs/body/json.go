package body

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// MaxDepth bounds how deep a JSON body nests; vendors' bodies that nest by
// design (blocks of a page, filters of a query) stay well under it.
const MaxDepth = 64

// DecodeJSON reads one JSON document, the way RFC 8259 and RFC 7493 mean it: no
// second document, nothing after it, no name twice in an object, UTF-8 only,
// numbers within float64. Integral numbers become int64.
func DecodeJSON(data []byte) (any, *Problem) {
	if !utf8.Valid(data) {
		return nil, &Problem{Rule: RuleSyntax, Message: "is not UTF-8"}
	}
	if !json.Valid(data) {
		return nil, &Problem{Rule: RuleSyntax, Message: "is not one JSON document: " + why(data)}
	}
	w := walker{data: data}
	value := w.value(0, "")
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
	failed *Problem
}

func (w *walker) fail(pointer, rule, message string) {
	if w.failed == nil {
		w.failed = &Problem{Pointer: pointer, Rule: rule, Message: message}
	}
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

func (w *walker) value(depth int, pointer string) any {
	if depth > MaxDepth {
		w.fail(pointer, RuleSize, fmt.Sprintf("nests deeper than %d", MaxDepth))
		return nil
	}
	switch w.peek() {
	case '{':
		return w.object(depth, pointer)
	case '[':
		return w.array(depth, pointer)
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
		return w.number(pointer)
	}
}

func (w *walker) object(depth int, pointer string) any {
	out := map[string]any{}
	w.at++
	for w.failed == nil && w.peek() != '}' {
		name := w.text()
		inner := pointer + "/" + escape(name)
		if _, twice := out[name]; twice {
			w.fail(inner, RuleSyntax, "is given twice in one object")
			return nil
		}
		w.peek()
		w.at++ // the colon
		out[name] = w.value(depth+1, inner)
		if w.failed == nil && w.peek() == ',' {
			w.at++
			w.peek()
		}
	}
	w.at++
	return out
}

func (w *walker) array(depth int, pointer string) any {
	out := []any{}
	w.at++
	for w.failed == nil && w.peek() != ']' {
		out = append(out, w.value(depth+1, pointer+"/"+strconv.Itoa(len(out))))
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
		w.fail("", RuleSyntax, err.Error())
	}
	return text
}

func (w *walker) number(pointer string) any {
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
		w.fail(pointer, RuleSyntax, "is a number that float64 cannot hold")
		return nil
	}
	return whole(n)
}
