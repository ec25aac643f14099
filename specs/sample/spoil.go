package sample

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

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

// A fracture is one way to break a value.
type fracture struct {
	rule, path string
	make       func() any
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
			if broken := f.make(); !library.fits(s, broken, m.Side) {
				return Broken{Value: broken, Rule: f.rule, Path: f.path}, true
			}
		}
	}
	return Broken{}, false
}

func (r *run) fractures(all []fracture, sh *shape, value any, path string, depth int) []fracture {
	if sh.never || len(all) > maxBreaks || depth > maxBreakDepth {
		return all
	}
	sh = r.settle(sh, value)
	add := func(rule string, broken any) {
		all = append(all, fracture{rule, path, func() any { return broken }})
	}
	r.mistype(sh, value, add)
	if sh.chosen {
		switch value.(type) {
		case string:
			add("enum", "not-one-of-these")
		case int64, float64:
			add("enum", int64(987_654_321))
		}
	}
	switch value := value.(type) {
	case string:
		r.breakText(sh, value, add)
	case []any:
		return r.breakArray(all, sh, value, path, depth)
	case map[string]any:
		return r.breakObject(all, sh, value, path, depth)
	default:
		if n, ok := asNumber(value); ok {
			breakNumber(sh, n, add)
		}
	}
	return all
}

// mistype gives values of other types. For a segment they are texts, and what
// wants a text cannot be given another type.
func (r *run) mistype(sh *shape, value any, add func(string, any)) {
	kind := kindOf(value)
	switch {
	case kind&aNumber != 0:
		add("type", "not-a-number")
		if sh.kinds&aFraction == 0 && !r.Segment {
			add("type", 0.5)
		}
	case kind == aBool:
		add("type", "not-a-boolean")
	case kind == aNull:
		add("type", "not-null")
	case r.Segment:
	case kind == aString:
		add("type", int64(12345))
		add("type", map[string]any{"not": "a string"})
	case kind == anArray:
		add("type", "not-an-array")
		add("type", map[string]any{"not": "an array"})
	case kind == anObject:
		add("type", "not-an-object")
		add("type", []any{})
	}
	if sh.kinds&aNull == 0 && !r.Segment {
		add("type", nil)
	}
}

func (r *run) breakText(sh *shape, value string, add func(string, any)) {
	if sh.short > 0 && (sh.short > 1 || !r.Segment) {
		add("minLength", string([]rune(value)[:min(sh.short-1, utf8.RuneCountInString(value))]))
	}
	if sh.long < maxText*16 {
		add("maxLength", value+strings.Repeat("x", sh.long+1-min(sh.long, utf8.RuneCountInString(value))))
	}
	for _, pattern := range sh.patterns {
		if r.library.expressions.get(pattern).odd {
			continue
		}
		for _, wrong := range []string{"~", "wrong", "0", "-", "WRONG~pattern", "!!!"} {
			if !r.Segment || segment(wrong) {
				add("pattern", sized(wrong, sh.short, sh.long, true))
			}
		}
	}
	for _, format := range sh.formats {
		if !formatFits(format, "not~of~it") {
			add("format", "not~of~it")
		}
	}
}

func breakNumber(sh *shape, n float64, add func(string, any)) {
	if low := sh.low; !math.IsInf(low, -1) {
		if sh.above {
			add("exclusiveMinimum", tidy(low))
		} else {
			add("minimum", tidy(math.Floor(low)-1))
		}
	}
	if high := sh.high; !math.IsInf(high, 1) {
		if sh.below {
			add("exclusiveMaximum", tidy(high))
		} else {
			add("maximum", tidy(math.Ceil(high)+1))
		}
	}
	for _, of := range sh.multiples {
		add("multipleOf", tidy(n+of/2))
	}
	if slices.Contains(sh.formats, "int32") {
		add("format", int64(1<<40))
	}
}

func (r *run) breakArray(all []fracture, sh *shape, value []any, path string, depth int) []fracture {
	add := func(rule string, broken any) {
		all = append(all, fracture{rule, path, func() any { return broken }})
	}
	if sh.fewItems > 0 && len(value) >= sh.fewItems {
		add("minItems", value[:sh.fewItems-1])
	}
	if len(value) > 0 && sh.manyItems < maxValues {
		long := slices.Clone(value)
		for len(long) <= sh.manyItems {
			long = append(long, value[0])
		}
		add("maxItems", long)
	}
	if sh.unique && len(value) > 0 {
		add("uniqueItems", append(slices.Clone(value), value[0]))
	}
	for i, item := range value[:min(len(value), 2)] {
		inner := r.fractures(nil, r.itemShape(sh, i), item, path+"/"+string(rune('0'+i)), depth+1)
		for _, f := range inner {
			all = append(all, fracture{f.rule, f.path, func() any {
				changed := slices.Clone(value)
				changed[i] = f.make()
				return changed
			}})
		}
	}
	return all
}

func (r *run) breakObject(all []fracture, sh *shape, value map[string]any, path string, depth int) []fracture {
	change := func(rule, at string, with func(map[string]any)) {
		all = append(all, fracture{rule, at, func() any {
			changed := cloneMap(value)
			with(changed)
			return changed
		}})
	}
	for _, name := range sh.required {
		if _, there := value[name]; there {
			change("required", path, func(m map[string]any) { delete(m, name) })
		}
	}
	if sh.closed {
		change("additionalProperties", path, func(m map[string]any) { m["parity_unknown_field"] = "unknown" })
	} else if len(sh.rest) > 0 {
		change("additionalProperties", path, func(m map[string]any) { m["parity_unknown_field"] = []any{[]any{}} })
	}
	if sh.manyFields < maxValues {
		change("maxProperties", path, func(m map[string]any) {
			for i := 0; len(m) <= sh.manyFields; i++ {
				m["parity_unknown_"+strings.Repeat("x", i)] = "unknown"
			}
		})
	}
	if sh.fewFields > 0 && len(value) > 0 {
		all = append(all, fracture{"minProperties", path, func() any { return map[string]any{} }})
	}
	for _, f := range sh.fields {
		field, there := value[f.name]
		if !there {
			if r.foreign && !f.readOnly && !f.writeOnly {
				change("foreign", path, func(m map[string]any) { m[f.name] = f.of(r.library).stranger() })
			}
			continue
		}
		for _, inner := range r.fractures(nil, f.of(r.library), field, path+"/"+escape(f.name), depth+1) {
			change(inner.rule, inner.path, func(m map[string]any) { m[f.name] = inner.make() })
		}
	}
	return all
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

// escape writes a name as a step of a JSON pointer.
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
