// Package sample makes values for schemas: valid, plausible, and the same for
// the same draws; it fills up records that are there in part; and it breaks
// valid values in one place.
//
//	schema ─▶ shape: what all of allOf say together ─┬─ choose: anyOf, oneOf, if
//	                                                 ├─ objects, arrays
//	Draw(key, n) ────────────────────────────────────┴─ numbers, texts by format,
//	                                                    pattern, example and name
//	                                                          │
//	                              what is to be tried ◀─ judge ┘
//
// Where a value would hold itself, it is ended by the shortest way: by null, an
// empty list, what may be left out, or another branch.
//
// Nothing is drawn but by keys, which are made of the places of values: a field
// has the same value whatever else is in its record.
package sample

import (
	"hash/fnv"
	"strconv"
	"time"

	"parity/specs/schema"
)

// A Side says for whom a value is. The zero value is a request.
type Side uint8

// The sides.
const (
	Request Side = iota // what is readOnly is left out
	Reply               // what is writeOnly is left out
)

// Optional says which of the fields that are not required a value has.
type Optional uint8

// How many of the optional fields there are. None of these breaks a bound of a
// schema, or goes round in a circle.
const (
	Usual Optional = iota // those near the top, simple ones further down, no deprecated ones
	Some                  // by draws, every other one
	All                   // all, as far down as values go
	None
)

// A Maker makes values. It may be used at the same time if its Draw may.
type Maker struct {
	// Draw gives a number from 0 up to, not including, n. The same key and n
	// give the same number. Where it is nil, a hash of the key is taken.
	Draw     func(key string, n int) int
	Now      time.Time // what times are around; the zero value is a day in 2026
	Side     Side
	Optional Optional
	Segment  bool     // texts are not empty, and may stand in a path or a header as they are
	Library  *Library // nil: nothing is kept from one value to the next
}

// Bounds of one value.
const (
	maxValues = 2000  // after these, only what is required
	maxMade   = 20000 // those that were made and thrown away included
	maxDepth  = 12
)

// Value makes a value for a schema. Its name is the one of the field or
// parameter it is for: a hint, and part of the draws' keys. Values are int64,
// float64, bool, string, nil, []any and map[string]any.
//
// It is not ok when no value was found that fits: there is none, as for a record
// that must hold itself, or a pattern is too hard. The value is then as close as
// could be made.
func (m *Maker) Value(s *schema.Schema, name string) (value any, ok bool) {
	library := m.library()
	sh := library.shape(s)
	var first any
	at := place{key: name, name: name}
	for i, optional := range []Optional{m.Optional, None, Usual, All, None} {
		if i > 0 && i < 4 && optional == m.Optional {
			continue
		}
		at.optional, at.ending = optional, i == 4
		r := run{Maker: m, library: library}
		value, ok := r.value(sh, at)
		if ok && library.fits(s, value, m.Side) {
			return value, true
		}
		if i == 0 {
			first = value
		}
	}
	if value, ok := m.given(library, s, sh); ok {
		return value, true
	}
	return first, false
}

// given is an example or a default of the schema that fits it.
func (m *Maker) given(library *Library, s *schema.Schema, sh *shape) (any, bool) {
	all := sh.examples
	if sh.fallback != nil {
		all = append(all[:len(all):len(all)], sh.fallback.Value())
	}
	for _, value := range all {
		if value = m.sided(library, sh, value, 0); library.fits(s, value, m.Side) {
			return value, true
		}
	}
	return nil, false
}

// sided takes out of an example what is not for this side.
func (m *Maker) sided(library *Library, sh *shape, value any, depth int) any {
	switch value := value.(type) {
	case map[string]any:
		kept := make(map[string]any, len(value))
		for name, field := range value {
			f := sh.byName[name]
			switch {
			case f == nil || depth > maxDepth:
				kept[name] = field
			case !m.leaves(f):
				kept[name] = m.sided(library, f.of(library), field, depth+1)
			}
		}
		return kept
	case []any:
		if len(sh.items) == 0 {
			return value
		}
		kept := make([]any, len(value))
		for i := range value {
			kept[i] = m.sided(library, library.of(sh.items[0]), value[i], depth+1)
		}
		return kept
	default:
		return value
	}
}

// leaves tells whether a field is not for this side.
func (m *Maker) leaves(f *field) bool {
	return m.Side == Request && f.readOnly || m.Side == Reply && f.writeOnly
}

func (m *Maker) library() *Library {
	if m.Library != nil {
		return m.Library
	}
	return &Library{}
}

func (m *Maker) draw(key string, n int) int {
	if n <= 1 {
		return 0
	}
	if m.Draw != nil {
		return m.Draw(key, n)
	}
	sum := fnv.New64a()
	sum.Write([]byte(key)) // a hash never fails
	h := sum.Sum64()
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	return int(h >> 1 % uint64(n))
}

func (m *Maker) now() time.Time {
	if m.Now.IsZero() {
		return time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	}
	return m.Now.UTC()
}

// A run is the making of one value.
type run struct {
	*Maker
	library *Library
	made    int
	judged  int      // steps of judgements
	foreign bool     // values are broken by fields that they do not have, too
	stack   []*shape // that the value is inside of
}

// A place is where a value goes.
type place struct {
	key      string // of its draws
	parent   string // key of the record it is in
	name     string // of the field
	depth    int
	optional Optional
	ending   bool // it is to hold as little as may be
}

func (p place) in(name string) place {
	return place{key: p.key + "/" + name, parent: p.key, name: name, depth: p.depth + 1, optional: p.optional, ending: p.ending}
}

func (p place) item(i int) place {
	return place{key: p.key + "/" + strconv.Itoa(i), parent: p.key, name: singular(p.name), depth: p.depth + 1, optional: p.optional, ending: p.ending}
}

// again is the same place for another try.
func (p place) again(try int) place {
	if try > 0 {
		p.key += "~" + strconv.Itoa(try)
	}
	return p
}

func (r *run) pick(p place, use string, n int) int { return r.draw(p.key+"#"+use, n) }

// inside tells whether a value of a shape would hold itself.
func (r *run) inside(sh *shape) bool {
	for _, outer := range r.stack {
		for _, part := range sh.parts {
			for _, other := range outer.parts {
				if part.Target() == other.Target() {
					return true
				}
			}
		}
	}
	return false
}
