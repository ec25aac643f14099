package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Encode writes v as compact JSON in a fixed order: of each object "id" comes
// first, then "object", then the other keys sorted, as people expect to meet a
// record. Nothing is escaped for HTML. Numbers are written as Normalise
// leaves them, so 20.0 is 20.
//
// A *Record anywhere in v is written by its stored bytes, and so is a
// json.RawMessage: a page of records encodes only its envelope.
//
// Encode panics at a value that Insert would refuse, which is a mistake in the
// fake that made it.
func Encode(v any) []byte { return encode(v, nil) }

// encode is Encode with the records whose bytes are known already.
func encode(v any, known memo) []byte {
	e := encoders.Get().(*encoder)
	e.known = known
	e.value(v, 0)
	out := slices.Clone(e.out)
	e.release() // not deferred: what a panic left half done is dropped
	return out
}

// encoders keeps buffers between calls: a POST encodes several records.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// largestKept bounds what the pool holds on to, in bytes and in fields.
const largestKept = 64 << 10

// An encoder writes one document. Fields and places are stacks: each object
// pushes its fields, sorts their places, writes them, and pops.
type encoder struct {
	out    []byte
	fields []field
	places []place
	known  memo
}

type field struct {
	key   string
	value any
}

// A place is what is sorted instead of a field: it has no pointers, which the
// garbage collector would follow at every swap, and most comparisons end at
// its first eight bytes of the key.
type place struct {
	prefix uint64
	at     int
}

func (e *encoder) release() {
	if cap(e.out) > largestKept || cap(e.fields) > largestKept {
		return
	}
	e.out, e.known = e.out[:0], nil
	encoders.Put(e)
}

func (e *encoder) value(v any, depth int) {
	switch x := v.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case bool:
		e.out = strconv.AppendBool(e.out, x)
	case string:
		e.text(x)
	case int64:
		e.out = strconv.AppendInt(e.out, x, 10)
	case int:
		e.out = strconv.AppendInt(e.out, int64(x), 10)
	case float64:
		e.float(x)
	case map[string]any:
		e.object(x, depth)
	case []any:
		e.list(x, depth)
	case *Record:
		e.out = append(e.out, x.json...)
	case []*Record:
		e.records(x)
	case json.RawMessage:
		e.out = append(e.out, x...)
	default:
		n, _, err := normalise(v, depth, nil)
		if err != nil {
			panic(fmt.Sprintf("world.Encode: %v", err))
		}
		e.value(n, depth)
	}
}

func (e *encoder) object(m map[string]any, depth int) {
	if m == nil {
		e.out = append(e.out, "null"...)
		return
	}
	if depth >= maxDepth {
		panic("world.Encode: " + errDepth.Error())
	}
	if r := e.known.of(m); r != nil {
		e.out = append(e.out, r.json...)
		return
	}
	base := len(e.fields)
	for key, value := range m {
		e.places = append(e.places, place{prefix(key), len(e.fields)})
		e.fields = append(e.fields, field{key, value})
	}
	slices.SortFunc(e.places[base:], e.compare)
	e.out = append(e.out, '{')
	for i := range len(m) {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		f := &e.fields[e.places[base+i].at]
		e.text(f.key)
		e.out = append(e.out, ':')
		e.value(f.value, depth+1)
	}
	e.out = append(e.out, '}')
	clear(e.fields[base:]) // the pool must not keep values alive
	e.fields, e.places = e.fields[:base], e.places[:base]
}

func (e *encoder) compare(a, b place) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return strings.Compare(e.fields[a.at].key, e.fields[b.at].key)
}

// prefix packs a key's first eight bytes so that they sort as the key does,
// but "id" and "object" before all others: no
// other is below 2, and those raised to it are told apart by the whole key.
func prefix(key string) uint64 {
	switch key {
	case "id":
		return 0
	case "object":
		return 1
	}
	var p uint64
	for i := range min(len(key), 8) {
		p |= uint64(key[i]) << (56 - 8*i)
	}
	return max(p, 2)
}

func (e *encoder) list(list []any, depth int) {
	if list == nil {
		e.out = append(e.out, "null"...)
		return
	}
	if depth >= maxDepth {
		panic("world.Encode: " + errDepth.Error())
	}
	e.out = append(e.out, '[')
	for i, value := range list {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.value(value, depth+1)
	}
	e.out = append(e.out, ']')
}

func (e *encoder) records(list []*Record) {
	e.out = append(e.out, '[')
	for i, r := range list {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.out = append(e.out, r.json...)
	}
	e.out = append(e.out, ']')
}

// float writes as JavaScript's JSON.stringify does, which encoding/json follows
// too: an exponent only for the very large and the very small.
func (e *encoder) float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		panic(fmt.Sprintf("world.Encode: %v is not a JSON number", f))
	}
	if i, whole := number(f).(int64); whole {
		e.out = strconv.AppendInt(e.out, i, 10)
		return
	}
	format := byte('f')
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		format = 'e'
	}
	e.out = strconv.AppendFloat(e.out, f, format, -1, 64)
	if n := len(e.out); format == 'e' && e.out[n-4] == 'e' && e.out[n-3] == '-' && e.out[n-2] == '0' {
		e.out[n-2] = e.out[n-1] // e-09 is e-9
		e.out = e.out[:n-1]
	}
}

const hexDigits = "0123456789abcdef"

func (e *encoder) text(s string) {
	begin := len(e.out)
	e.out = append(e.out, '"')
	start, ascii := 0, true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			ascii = false
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		e.out = append(e.out, s[start:i]...)
		e.escape(c)
		start = i + 1
	}
	if !ascii && !utf8.ValidString(s) {
		e.out = e.out[:begin]
		e.text(strings.ToValidUTF8(s, "\uFFFD"))
		return
	}
	e.out = append(e.out, s[start:]...)
	e.out = append(e.out, '"')
}

func (e *encoder) escape(c byte) {
	switch c {
	case '"', '\\':
		e.out = append(e.out, '\\', c)
	case '\n':
		e.out = append(e.out, '\\', 'n')
	case '\r':
		e.out = append(e.out, '\\', 'r')
	case '\t':
		e.out = append(e.out, '\\', 't')
	case '\b':
		e.out = append(e.out, '\\', 'b')
	case '\f':
		e.out = append(e.out, '\\', 'f')
	default:
		e.out = append(e.out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
	}
}
