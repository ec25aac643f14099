package world

import (
	"cmp"
	"encoding/json"
	"errors"
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
// fake that made it, and with ErrOverworked at one that becomes longer than a
// reply may be: see Work.
func Encode(v any) []byte { return encode(v, nil) }

func encode(v any, where *spot) []byte {
	e := encoders.Get().(*encoder)
	if _, _, err := e.value(v, 0, where); errors.Is(err, errLong) {
		panic(ErrOverworked)
	} else if err != nil {
		panic(fmt.Sprintf("world.Encode: %v", err)) // and e is dropped, half done as it is
	}
	out := slices.Clone(e.out)
	e.release()
	return out
}

// newRecord normalises a value and encodes it in one walk, which is most of
// what a write costs. The collection tells what its records look like; known,
// which values are encoded already.
func newRecord(d *declared, id string, given map[string]any, known *memo) (r *Record, json []byte, err error) {
	e := encoders.Get().(*encoder)
	e.keeps, e.known = true, known
	value, _, err := e.value(given, 0, &d.spot)
	if err != nil {
		return nil, nil, err
	}
	r, json = &Record{ID: id}, slices.Clone(e.out)
	r.decoded.Store(&content{value.(map[string]any), e.deepest})
	if r.keep(d, json, e.spliced) {
		d.fresh.written.add(r)
	}
	e.release()
	return r, json, nil
}

// encoders keeps buffers between calls: a POST encodes several records.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// largestKept bounds what the pool holds on to, in bytes and in fields.
const largestKept = 64 << 10

// An encoder writes one document. Fields and places are stacks: each object
// whose keys have to be sorted pushes its fields, sorts their places, writes
// them, and pops.
type encoder struct {
	out     []byte
	fields  []field
	places  []place
	deepest int // how many objects and lists lay within one another

	// keeps makes it an encoder of records: what a world cannot keep is an
	// error, and what has to change comes back changed.
	keeps   bool
	known   *memo
	spliced []splice
}

// A splice is where another record's JSON stands.
type splice struct {
	at, size int
	of       *Record
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
	clear(e.spliced)
	e.out, e.deepest, e.keeps, e.known, e.spliced = e.out[:0], 0, false, nil, e.spliced[:0]
	encoders.Put(e)
}

// value writes v, and gives it as normalise does. At is where in a
// collection's records it stands, nil when it stands in none.
func (e *encoder) value(v any, depth int, at *spot) (kept any, changed bool, err error) {
	switch x := v.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case bool:
		e.out = strconv.AppendBool(e.out, x)
	case string:
		if valid, is := e.text(x); !is {
			return valid, true, e.fits()
		}
		return v, false, e.fits()
	case int64:
		e.out = strconv.AppendInt(e.out, x, 10)
	case int:
		e.out = strconv.AppendInt(e.out, int64(x), 10)
		return int64(x), true, nil
	case float64:
		return e.float(x)
	case map[string]any:
		return e.object(x, depth, at)
	case []any:
		return e.list(x, depth, at)
	default:
		if !e.keeps && e.stored(v) {
			return v, false, e.fits()
		}
		n, _, err := normalise(v, depth)
		if err != nil {
			return nil, false, err
		}
		_, _, err = e.value(n, depth, at)
		return n, true, err
	}
	return v, false, nil
}

// stored writes what is encoded already.
func (e *encoder) stored(v any) bool {
	switch x := v.(type) {
	case *Record:
		e.out = append(e.out, x.JSON()...)
	case []*Record:
		e.out = append(e.out, '[')
		for i, r := range x {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			if e.out = append(e.out, r.JSON()...); e.fits() != nil {
				return true
			}
		}
		e.out = append(e.out, ']')
	case json.RawMessage:
		e.out = append(e.out, x...)
	default:
		return false
	}
	return true
}

// longest is how many bytes one document may become. What a client sends is
// shorter by far; what a fake puts together of it need not be.
const longest = 32 << 20

var errLong = fmt.Errorf("it is longer than %d MiB as JSON", longest>>20)

// fits looks at how long it has become. A record is as long as it is.
func (e *encoder) fits() error {
	if len(e.out) > longest && !e.keeps {
		return errLong
	}
	return nil
}

// enter counts a level of nesting.
func (e *encoder) enter(depth int) error {
	if depth >= maxDepth {
		return errDepth
	}
	e.deepest = max(e.deepest, depth+1)
	return nil
}

func (e *encoder) object(m map[string]any, depth int, at *spot) (any, bool, error) {
	if m == nil {
		e.out = append(e.out, "null"...)
		return nil, true, nil
	}
	if len(m) > 0 && depth > 0 && e.splice(m, depth) {
		return m, false, nil
	}
	if err := e.enter(depth); err != nil {
		return nil, false, err
	}
	if len(m) == 0 {
		e.out = append(e.out, '{', '}')
		return m, false, nil
	}
	for _, s := range at.shapes() {
		if kept, ok, err := e.shaped(m, depth, s); ok || err != nil {
			return kept.value(), kept.changed, err
		}
	}
	return e.sorted(m, depth, at)
}

// splice writes an object by the bytes of the record that it is the value of.
func (e *encoder) splice(m map[string]any, depth int) bool {
	r, deep := e.known.of(m)
	if r == nil || depth+deep > maxDepth {
		return false
	}
	at := len(e.out)
	e.out = r.append(e.out)
	if r.apart() {
		e.spliced = append(e.spliced, splice{at, len(e.out) - at, r})
	}
	e.deepest = max(e.deepest, depth+deep)
	return true
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

func (e *encoder) list(list []any, depth int, at *spot) (any, bool, error) {
	if list == nil {
		e.out = append(e.out, "null"...)
		return nil, true, nil
	}
	if err := e.enter(depth); err != nil {
		return nil, false, err
	}
	kept, copied := list, false
	e.out = append(e.out, '[')
	for i, value := range list {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		n, changed, err := e.value(value, depth+1, at)
		if err != nil {
			return nil, false, fmt.Errorf("%d: %w", i, err)
		}
		if !changed || !e.keeps {
			continue
		}
		if !copied {
			kept, copied = slices.Clone(list), true
		}
		kept[i] = n
	}
	e.out = append(e.out, ']')
	return kept, copied, nil
}

// float writes as JavaScript's JSON.stringify does, which encoding/json follows
// too: an exponent only for the very large and the very small.
func (e *encoder) float(f float64) (any, bool, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, false, fmt.Errorf("%v is not a JSON number", f)
	}
	if i, whole := number(f).(int64); whole {
		e.out = strconv.AppendInt(e.out, i, 10)
		return i, true, nil
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
	return f, false, nil
}

const hexDigits = "0123456789abcdef"

// text writes a string, and tells whether it is UTF-8; valid is what it is
// then, or was made.
func (e *encoder) text(s string) (valid string, is bool) {
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
		valid, _ = e.text(strings.ToValidUTF8(s, "\uFFFD"))
		return valid, false
	}
	e.out = append(e.out, s[start:]...)
	e.out = append(e.out, '"')
	return s, true
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
