package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

// Decode reads one JSON object, with its numbers as Normalise has them.
// Anything but one whole object is an error.
func Decode(data []byte) (map[string]any, error) {
	d := decoders.Get().(*decoder)
	m, ok := d.whole(data)
	d.release()
	if ok {
		return m, nil
	}
	return decodeAny(data)
}

// decodeAny reads what a decoder leaves, and says what is wrong with the rest.
func decodeAny(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if m == nil {
		return nil, errors.New("not a JSON object: null")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not one JSON object: something follows it at byte %d", d.InputOffset())
	}
	n, _, err := normalise(m, 0)
	if err != nil {
		return nil, err
	}
	return n.(map[string]any), nil
}

// A decoder reads what Encode writes, which a run that goes on after a restart
// has to read in full: three times as fast as encoding/json, and with names and
// short texts that records have in common kept once. It gives up where it is not
// sure.
type decoder struct {
	data   []byte
	at     int
	names  []string // of the objects that are being read
	values []any    // of those, and of lists
	known  [256]string

	deepest int    // how many objects and lists lay within one another
	buffer  []byte // for a record that is not kept in one piece
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// mostShared is how long a text is at most that is looked for among the known.
const mostShared = 24

// whole reads data; not ok where it is not one object, or not a plain one.
func (d *decoder) whole(data []byte) (m map[string]any, ok bool) {
	d.data, d.at, d.deepest = data, 0, 0
	if d.next() == '{' {
		var value any
		if value, ok = d.object(0); ok {
			m = value.(map[string]any)
			ok = d.next() == 0 && d.at == len(data)
		}
	}
	return m, ok
}

// reach reads what stands at a path in JSON as Encode writes it; nil where
// nothing does.
func (d *decoder) reach(data []byte, path []string) any {
	s := scanner{data: data}
	for _, name := range path {
		if !s.seek(name) {
			return nil
		}
	}
	d.data, d.at = data, s.at
	value, _ := d.value(len(path))
	return value
}

// release gives the decoder to whoever needs one next.
func (d *decoder) release() {
	clear(d.values) // the pool must not keep values alive
	clear(d.names)
	d.data, d.names, d.values = nil, d.names[:0], d.values[:0]
	if cap(d.names)+cap(d.values)+cap(d.buffer) <= largestKept {
		decoders.Put(d)
	}
}

// next skips white space and gives the byte after it; 0 at the end.
func (d *decoder) next() byte {
	for ; d.at < len(d.data); d.at++ {
		switch c := d.data[d.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (d *decoder) value(depth int) (any, bool) {
	switch d.next() {
	case '{':
		return d.object(depth)
	case '[':
		return d.list(depth)
	case '"':
		return d.text()
	case 't':
		return true, d.word("true")
	case 'f':
		return false, d.word("false")
	case 'n':
		return nil, d.word("null")
	}
	return d.number()
}

func (d *decoder) word(w string) bool {
	is := bytes.HasPrefix(d.data[d.at:], []byte(w))
	d.at += len(w)
	return is
}

func (d *decoder) object(depth int) (any, bool) {
	if depth >= maxDepth {
		return nil, false
	}
	d.deepest = max(d.deepest, depth+1)
	d.at++
	base, from := len(d.names), len(d.values)
	for c := d.next(); c != '}'; c = d.next() {
		if len(d.names) > base {
			if c != ',' {
				return nil, false
			}
			d.at++
			c = d.next()
		}
		if c != '"' {
			return nil, false
		}
		name, ok := d.text()
		if !ok || d.next() != ':' {
			return nil, false
		}
		d.at++
		value, ok := d.value(depth + 1)
		if !ok {
			return nil, false
		}
		d.names, d.values = append(d.names, name), append(d.values, value)
	}
	d.at++
	m := make(map[string]any, len(d.names)-base)
	for i, name := range d.names[base:] {
		m[name] = d.values[from+i]
	}
	clear(d.values[from:])
	d.names, d.values = d.names[:base], d.values[:from]
	return m, true
}

func (d *decoder) list(depth int) (any, bool) {
	if depth >= maxDepth {
		return nil, false
	}
	d.deepest = max(d.deepest, depth+1)
	d.at++
	from := len(d.values)
	for c := d.next(); c != ']'; c = d.next() {
		if len(d.values) > from {
			if c != ',' {
				return nil, false
			}
			d.at++
		}
		value, ok := d.value(depth + 1)
		if !ok {
			return nil, false
		}
		d.values = append(d.values, value)
	}
	d.at++
	list := make([]any, len(d.values)-from)
	copy(list, d.values[from:])
	clear(d.values[from:])
	d.values = d.values[:from]
	return list, true
}

func (d *decoder) text() (string, bool) {
	d.at++
	from, plain := d.at, true
	for ; d.at < len(d.data); d.at++ {
		switch c := d.data[d.at]; {
		case c == '"':
			raw := d.data[from:d.at]
			d.at++
			if plain {
				return d.shared(raw), true
			}
			if !utf8.Valid(raw) {
				return "", false
			}
			if bytes.IndexByte(raw, '\\') < 0 {
				return string(raw), true
			}
			var s string
			err := json.Unmarshal(d.data[from-1:d.at], &s)
			return s, err == nil
		case c == '\\':
			plain = false
			d.at++ // what is escaped ends no text
		case c < ' ':
			return "", false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return "", false
}

// shared gives a text, the very one that was met before where it is a short one.
func (d *decoder) shared(raw []byte) string {
	if len(raw) == 0 || len(raw) > mostShared {
		return string(raw)
	}
	h := uint32(2166136261) // FNV-1a
	for _, c := range raw {
		h = (h ^ uint32(c)) * 16777619
	}
	known := &d.known[byte(h^h>>8^h>>16)]
	if *known != string(raw) {
		*known = string(raw)
	}
	return *known
}

// mostDigits is how many digits of a whole number surely fit.
const mostDigits = 18

func (d *decoder) number() (any, bool) {
	from, n := d.at, int64(0)
	for d.at < len(d.data) && d.data[d.at] >= '0' && d.data[d.at] <= '9' {
		n = n*10 + int64(d.data[d.at]-'0')
		d.at++
	}
	digits := d.at - from
	for d.at < len(d.data) && bytes.IndexByte([]byte("+-.eE0123456789"), d.data[d.at]) >= 0 {
		d.at++
	}
	text := d.data[from:d.at]
	if digits == len(text) && digits > 0 && digits <= mostDigits && (text[0] != '0' || digits == 1) {
		return n, true
	}
	if !json.Valid(text) {
		return nil, false
	}
	value, err := parseNumber(string(text))
	return value, err == nil
}
