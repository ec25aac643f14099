package world

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// canonical tells whether data is one object, to the byte as Encode writes it:
// it can be read and searched without being decoded first, and what is decoded
// of it later cannot fail.
func canonical(data []byte) bool {
	s := scanner{data: data}
	return s.peek() == '{' && s.object(0) && s.at == len(data)
}

// A scanner goes over JSON as Encode writes it, and makes nothing of it.
type scanner struct {
	data []byte
	at   int
}

// peek gives the byte that comes next; 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

// take goes past a byte, if it is the next one.
func (s *scanner) take(c byte) bool {
	is := s.peek() == c
	if is {
		s.at++
	}
	return is
}

func (s *scanner) value(depth int) bool {
	switch s.peek() {
	case '{':
		return s.object(depth)
	case '[':
		return s.list(depth)
	case '"':
		_, _, ok := s.text()
		return ok
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner) word(w string) bool {
	is := bytes.HasPrefix(s.data[s.at:], []byte(w))
	s.at += len(w)
	return is
}

func (s *scanner) object(depth int) bool {
	if depth >= maxDepth {
		return false
	}
	s.at++
	if s.take('}') {
		return true
	}
	var last []byte
	for first := true; ; first = false {
		name, ok := s.name()
		if !ok || !first && compareKeys(last, name) >= 0 || !s.take(':') || !s.value(depth+1) {
			return false
		}
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
		last = name
	}
}

func (s *scanner) list(depth int) bool {
	if depth >= maxDepth {
		return false
	}
	s.at++
	if s.take(']') {
		return true
	}
	for {
		if !s.value(depth + 1) {
			return false
		}
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

// name reads a key.
func (s *scanner) name() ([]byte, bool) {
	if s.peek() != '"' {
		return nil, false
	}
	raw, escaped, ok := s.text()
	if !ok || !escaped {
		return raw, ok
	}
	var name string
	err := json.Unmarshal(s.data[s.at-len(raw)-2:s.at], &name)
	return []byte(name), err == nil
}

// text reads a string whose quote is the next byte, as it is written.
func (s *scanner) text() (raw []byte, escaped, ok bool) {
	data, from, ascii := s.data, s.at+1, true
	for at := from; at < len(data); {
		c := data[at]
		switch {
		case c > '\\' && c < utf8.RuneSelf || c >= ' ' && c < '\\' && c != '"':
			at++
		case c == '"':
			s.at = at + 1
			return data[from:at], escaped, ascii || utf8.Valid(data[from:at])
		case c == '\\':
			escaped = true
			n := escapeLength(data[at:])
			if n == 0 {
				return nil, true, false
			}
			at += n
		case c < ' ':
			return nil, escaped, false
		default:
			ascii = false
			at++
		}
	}
	s.at = len(data)
	return nil, escaped, false
}

// escapeLength gives the length of an escape that Encode writes; 0 for another.
func escapeLength(data []byte) int {
	switch {
	case len(data) < 2:
		return 0
	case strings.IndexByte(`"\nrtbf`, data[1]) >= 0:
		return 2
	case len(data) < 6 || string(data[:4]) != `\u00` || data[4] > '1' || data[4] < '0':
		return 0
	}
	low := strings.IndexByte(hexDigits, data[5])
	if low < 0 || data[4] == '0' && strings.IndexByte("\n\r\t\b\f", byte(low)) >= 0 {
		return 0
	}
	return 6
}

func (s *scanner) number() bool {
	from := s.at
	s.take('-')
	first := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	digits, after := s.at-first, s.peek()
	if after != '.' && after != 'e' && digits > 0 && digits <= mostDigits {
		return s.data[first] != '0' || digits == 1 && first == from
	}
	for bytes.IndexByte([]byte("+-.e0123456789"), s.peek()) >= 0 {
		s.at++
	}
	text := s.data[from:s.at]
	n, err := parseNumber(string(text))
	return err == nil && bytes.Equal(Encode(n), text)
}

// seek goes to the value of a key in the object that is next, if it has it.
func (s *scanner) seek(key string) bool {
	if !s.take('{') || s.take('}') {
		return false
	}
	for {
		name, ok := s.name()
		if !ok || !s.take(':') {
			return false
		}
		switch c := compareKeys(name, []byte(key)); {
		case c == 0:
			return true
		case c > 0:
			return false
		}
		s.skip()
		if !s.take(',') {
			return false
		}
	}
}

// skip goes past a value.
func (s *scanner) skip() {
	for depth := 0; s.at < len(s.data); {
		switch s.data[s.at] {
		case '"':
			s.skipText()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			if depth == 0 {
				return
			}
			depth--
			s.at++
		case ',':
			if depth == 0 {
				return
			}
			s.at++
		default:
			s.at++
		}
	}
}

func (s *scanner) skipText() {
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '"':
			s.at++
			return
		case '\\':
			s.at++
		}
	}
}

// compareKeys orders keys as Encode does.
func compareKeys(a, b []byte) int {
	if x, y := keyRank(a), keyRank(b); x != y {
		return x - y
	}
	return bytes.Compare(a, b)
}

func keyRank(key []byte) int {
	switch string(key) {
	case "id":
		return 0
	case "object":
		return 1
	}
	return 2
}
