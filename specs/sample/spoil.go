package sample

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/specs/document"
	"parity/specs/schema"
)

// Bounds of the ways to break one value.
const (
	maxBreaks     = 300
	maxBreakDepth = 4
)

// A Broken value is one that a schema refuses, and why.
type Broken struct {
	Value any
	Rule  string // type, required, enum, minimum … : the keyword that it breaks
	Path  string // JSON pointer to where it is broken; of required, to the record
}

// A fracture is one way to break a value. Making it tells whether the part of
// the value that was looked at is refused.
type fracture struct {
	rule, path string
	make       func() (broken any, refused bool)
}

// rank orders fractures by how little they hurt one who does not look for them.
func (f fracture) rank() int {
	switch f.rule {
	case "required":
		return 0
	case "foreign":
		return 1
	default:
		return 2
	}
}

// Spoil breaks a valid value in one place, drawn among all the ways to break it.
// It is not ok where the schema refuses nothing. The value itself is not changed.
func (m *Maker) Spoil(s *schema.Schema, value any) (Broken, bool) {
	library := m.library()
	r := run{Maker: m, library: library}
	all := r.fractures(nil, library.shape(s), value, "", 0)
	if len(all) == 0 {
		return Broken{}, false
	}
	first := m.draw("spoil", len(all))
	for _, formats := range []bool{false, true} { // what is of a format is less certain
		for i := range all {
			f := all[(first+i)%len(all)]
			if (f.rule == "format") != formats {
				continue
			}
			if broken, refused := f.make(); refused && !r.judges(s, broken) {
				return Broken{Value: broken, Rule: f.rule, Path: f.path}, true
			}
		}
	}
	return Broken{}, false
}

func (r *run) fractures(all []fracture, outer *shape, value any, path string, depth int) []fracture {
	if outer.never || len(all) > maxBreaks || depth > maxBreakDepth {
		return all
	}
	w := &wreck{run: r, outer: outer, sh: r.settle(outer, value), path: path, depth: depth, all: all}
	w.mistype(value)
	if w.sh.chosen {
		switch value.(type) {
		case string:
			w.add("enum", "not-one-of-these")
		case int64, float64:
			w.add("enum", int64(987_654_321))
		}
	}
	switch value := value.(type) {
	case string:
		w.text(value)
	case []any:
		w.array(value)
	case map[string]any:
		w.object(value)
	default:
		if n, ok := asNumber(value); ok {
			w.number(n)
		}
	}
	return w.all
}

// A wreck is one value, and what breaks it.
type wreck struct {
	*run
	outer *shape // before its branches are chosen
	sh    *shape
	path  string
	depth int
	all   []fracture

	futile int // breaks further down that did not matter here
}

// maxFutile is after how many such breaks no more are tried: it is likely that
// another branch takes anything.
const maxFutile = 4

func (w *wreck) add(rule string, broken any) {
	w.lazily(rule, w.path, func() (any, bool) { return broken, true })
}

// lazily adds what is to be looked at once it is asked for.
func (w *wreck) lazily(rule, path string, make func() (any, bool)) {
	w.all = append(w.all, fracture{rule, path, func() (any, bool) {
		if w.futile >= maxFutile && path != w.path {
			return nil, false
		}
		broken, refused := make()
		if !refused || w.foreign {
			return broken, refused
		}
		if refused = !w.fits(w.outer, broken); !refused && path != w.path {
			w.futile++
		}
		return broken, refused
	}})
}

// mistype gives values of other types. For a segment they are texts, and what
// wants a text cannot be given another type.
func (w *wreck) mistype(value any) {
	kind := kindOf(value)
	switch {
	case kind&aNumber != 0:
		w.add("type", "not-a-number")
		if w.sh.kinds&aFraction == 0 && !w.Segment {
			w.add("type", 0.5)
		}
	case kind == aBool:
		w.add("type", "not-a-boolean")
	case kind == aNull:
		w.add("type", "not-null")
	case w.Segment:
	case kind == aString:
		w.add("type", int64(12345))
		w.add("type", map[string]any{"not": "a string"})
	case kind == anArray:
		w.add("type", "not-an-array")
		w.add("type", map[string]any{"not": "an array"})
	case kind == anObject:
		w.add("type", "not-an-object")
		w.add("type", []any{})
	}
	if w.sh.kinds&aNull == 0 && !w.Segment && w.depth > 0 { // no body at all is another matter
		w.add("type", nil)
	}
}

func (w *wreck) text(value string) {
	sh := w.sh
	if sh.short > 0 && (sh.short > 1 || !w.Segment) {
		w.add("minLength", string([]rune(value)[:min(sh.short-1, utf8.RuneCountInString(value))]))
	}
	if sh.long < maxText*16 {
		w.add("maxLength", value+strings.Repeat("x", sh.long+1-min(sh.long, utf8.RuneCountInString(value))))
	}
	for _, pattern := range sh.patterns {
		if w.library.expressions.get(pattern).odd {
			continue
		}
		for _, wrong := range []string{"~", "wrong", "0", "-", "WRONG~pattern", "!!!"} {
			if !w.Segment || segment(wrong) {
				w.add("pattern", sized(wrong, sh.short, sh.long, true))
			}
		}
	}
	for _, format := range sh.formats {
		if !formatFits(format, "not~of~it") {
			w.add("format", "not~of~it")
		}
	}
}

func (w *wreck) number(n float64) {
	sh := w.sh
	if low := sh.low; !math.IsInf(low, -1) {
		if sh.above {
			w.add("exclusiveMinimum", tidy(low))
		} else {
			w.add("minimum", tidy(math.Floor(low)-1))
		}
	}
	if high := sh.high; !math.IsInf(high, 1) {
		if sh.below {
			w.add("exclusiveMaximum", tidy(high))
		} else {
			w.add("maximum", tidy(math.Ceil(high)+1))
		}
	}
	for _, of := range sh.multiples {
		w.add("multipleOf", tidy(n+of/2))
	}
	if slices.Contains(sh.formats, "int32") {
		w.add("format", int64(1<<40))
	}
}

func (w *wreck) array(value []any) {
	sh := w.sh
	if sh.fewItems > 0 && len(value) >= sh.fewItems {
		w.add("minItems", value[:sh.fewItems-1])
	}
	if len(value) > 0 && sh.manyItems < maxValues {
		w.lazily("maxItems", w.path, func() (any, bool) {
			long := slices.Clone(value)
			for len(long) <= sh.manyItems {
				long = append(long, value[0])
			}
			return long, true
		})
	}
	if sh.unique && len(value) > 0 {
		w.add("uniqueItems", append(slices.Clone(value), value[0]))
	}
	for i, item := range value[:min(len(value), 2)] {
		for _, f := range w.fractures(nil, sh.item(i), item, w.path+"/"+strconv.Itoa(i), w.depth+1) {
			w.lazily(f.rule, f.path, func() (any, bool) {
				changed := slices.Clone(value)
				broken, refused := f.make()
				changed[i] = broken
				return changed, refused
			})
		}
	}
}

func (w *wreck) object(value map[string]any) {
	sh := w.sh
	change := func(rule string, with func(map[string]any)) {
		w.lazily(rule, w.path, func() (any, bool) {
			changed := cloneMap(value)
			with(changed)
			return changed, true
		})
	}
	for _, name := range sh.required {
		if _, there := value[name]; there {
			change("required", func(m map[string]any) { delete(m, name) })
		}
	}
	if sh.closed {
		change("additionalProperties", func(m map[string]any) { m["parity_unknown_field"] = "unknown" })
	} else if len(sh.rest) > 0 {
		change("additionalProperties", func(m map[string]any) { m["parity_unknown_field"] = []any{[]any{}} })
	}
	if sh.manyFields < maxValues {
		change("maxProperties", func(m map[string]any) {
			for i := 0; len(m) <= sh.manyFields; i++ {
				m["parity_unknown_"+strconv.Itoa(i)] = "unknown"
			}
		})
	}
	if sh.fewFields > 0 && len(value) > 0 {
		w.add("minProperties", map[string]any{})
	}
	for _, f := range sh.fields {
		field, there := value[f.name]
		switch {
		case there:
			w.inField(f, value, field)
		case w.foreign && !f.readOnly && !f.writeOnly:
			change("foreign", func(m map[string]any) { m[f.name] = f.of(w.library).stranger() })
		}
	}
}

func (w *wreck) inField(f *field, value map[string]any, was any) {
	for _, inner := range w.fractures(nil, f.of(w.library), was, w.path+"/"+document.Escape(f.name), w.depth+1) {
		w.lazily(inner.rule, inner.path, func() (any, bool) {
			changed := cloneMap(value)
			broken, refused := inner.make()
			changed[f.name] = broken
			return changed, refused
		})
	}
}

// stranger is a value of another type than a shape takes, if there is one.
func (s *shape) stranger() any {
	switch {
	case s.kinds&aString == 0 || s.chosen:
		return "none"
	case s.kinds&aWhole == 0:
		return int64(0)
	case s.kinds&aBool == 0:
		return false
	default:
		return []any{}
	}
}
