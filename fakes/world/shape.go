package world

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// A spot is a place in a collection's records where an object stands: the top,
// or what is below one key of a shape. It knows the shapes that were met there,
// so that the keys of a record are sorted once and not with every write.
//
//	stripe.events ── {id object api_version created data …}
//	                                                 └── {object previous_attributes}, {object}
//
// Spots are shared by all worlds that come of one New, of any run. They hold
// nothing that decides what is written, and whoever loses a race to add a shape
// sorts once more.
type spot struct {
	known atomic.Pointer[[]*shape]
}

// A spot with more shapes than this is one where any key may come, such as
// metadata: its later shapes are sorted each time.
const mostShapes = 4

// mostKeys bounds the objects whose shapes are worth the memory.
const mostKeys = 128

// A shape is one set of keys, in the order that they are written in.
type shape struct {
	keys []key
}

type key struct {
	name   string
	quoted string // after what is before it: `{"id":` or `,"name":`
	below  spot
}

func (at *spot) shapes() []*shape {
	if at == nil {
		return nil
	}
	if known := at.known.Load(); known != nil {
		return *known
	}
	return nil
}

// learn adds the shape of sorted fields, and gives it; nil when it is not to
// be kept.
func (at *spot) learn(fields []field, places []place) *shape {
	known := at.shapes()
	if at == nil || len(known) >= mostShapes || len(places) > mostKeys {
		return nil
	}
	s := &shape{keys: make([]key, len(places))}
	separator := byte('{')
	var e encoder
	for i, p := range places {
		e.out = append(e.out[:0], separator)
		separator = ','
		name := strings.Clone(fields[p.at].key) // which may be part of a request
		e.text(name)
		e.out = append(e.out, ':')
		s.keys[i].name, s.keys[i].quoted = name, string(e.out)
	}
	more := append(slices.Clip(slices.Clone(known)), s)
	if before := at.known.Load(); before == nil {
		at.known.CompareAndSwap(nil, &more)
	} else if len(*before) == len(known) {
		at.known.CompareAndSwap(before, &more)
	}
	return s
}

// at gives the spot below one of a shape's keys.
func (s *shape) at(i int) *spot {
	if s == nil {
		return nil
	}
	return &s.keys[i].below
}

// shaped writes an object of a known shape: nothing is sorted, and its keys
// are quoted already. It is not ok, and nothing is written, when a key of the
// shape is not among those of m.
func (e *encoder) shaped(m map[string]any, depth int, s *shape) (kept object, ok bool, err error) {
	kept = object{m: m}
	if len(m) != len(s.keys) {
		return kept, false, nil
	}
	begin := len(e.out)
	for i := range s.keys {
		k := &s.keys[i]
		value, has := m[k.name]
		if !has {
			e.out = e.out[:begin]
			return kept, false, nil
		}
		e.out = append(e.out, k.quoted...)
		n, changed, err := e.value(value, depth+1, &k.below)
		if err != nil {
			return kept, false, fmt.Errorf("%s: %w", k.name, err)
		}
		if changed && e.keeps {
			kept.set(k.name, n)
		}
	}
	e.out = append(e.out, '}')
	return kept, true, nil
}

// sorted writes an object of any shape, which at gets to know.
func (e *encoder) sorted(m map[string]any, depth int, at *spot) (any, bool, error) {
	base := len(e.fields)
	for key, value := range m {
		if e.keeps && !utf8.ValidString(key) {
			return nil, false, fmt.Errorf("the key %q is not UTF-8", key)
		}
		e.places = append(e.places, place{prefix(key), len(e.fields)})
		e.fields = append(e.fields, field{key, value})
	}
	slices.SortFunc(e.places[base:], e.compare)
	below := at.learn(e.fields, e.places[base:])
	kept := object{m: m}
	separator := byte('{')
	for i := range len(m) {
		f := e.fields[e.places[base+i].at]
		e.out = append(e.out, separator)
		separator = ','
		e.text(f.key)
		e.out = append(e.out, ':')
		n, changed, err := e.value(f.value, depth+1, below.at(i))
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", f.key, err)
		}
		if changed && e.keeps {
			kept.set(f.key, n)
		}
	}
	e.out = append(e.out, '}')
	clear(e.fields[base:]) // the pool must not keep values alive
	e.fields, e.places = e.fields[:base], e.places[:base]
	return kept.value(), kept.changed, nil
}

// An object is a map that is copied when first it has to change.
type object struct {
	m       map[string]any
	changed bool
}

func (o *object) set(key string, value any) {
	if !o.changed {
		o.m, o.changed = maps.Clone(o.m), true
	}
	o.m[key] = value
}

func (o *object) value() any { return o.m }
