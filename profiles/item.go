package profiles

import (
	"slices"
	"time"
)

// item is a part of a document: checked for its shape, and knowing where it
// stands, so that whatever is found wrong with it later can say so. A nil item
// is a key that is not there.
type item struct {
	place
	key    *key
	bad    bool // there, and already found wrong
	source string
	value  any // of a scalar: string, uint64, int64, float64, bool, time.Duration or time.Time; of anything, what it comes to
	inset  int // characters between where the item stands and its text; -1: not on one line
	list   []*item
	fields []field
}

// field is one key of a map.
type field struct {
	place
	name string
	item *item
}

func (i *item) get(name string) *item {
	if i == nil {
		return nil
	}
	for _, f := range i.fields {
		if f.name == name {
			return f.item
		}
	}
	return nil
}

// ok tells that the item is there, and in shape.
func (i *item) ok() bool { return i != nil && !i.bad }

// sound tells that the item and all that is in it are in shape.
func (i *item) sound() bool {
	if i.bad {
		return false
	}
	for _, e := range i.list {
		if !e.sound() {
			return false
		}
	}
	for _, f := range i.fields {
		if !f.item.sound() {
			return false
		}
	}
	return true
}

// isMap tells a value of any kind that is a map.
func (i *item) isMap() bool { _, ok := i.value.(map[string]any); return ok }

// isList tells a value of any kind that is a list.
func (i *item) isList() bool { _, ok := i.value.([]any); return ok }

// where gives the place of the item, or of what should have had it.
func (i *item) where(otherwise place) place {
	if i == nil {
		return otherwise
	}
	return i.place
}

// at gives the place of a column (from 1) of the item's text.
func (i *item) at(column int) place {
	p := i.place
	if i.inset >= 0 && column > 0 {
		p.col += i.inset + column - 1
	}
	return p
}

func scalar[T any](i *item) T {
	var none T
	if !i.ok() {
		return none
	}
	v, _ := i.value.(T)
	return v
}

func (i *item) str() string         { return scalar[string](i) }
func (i *item) count() uint64       { return scalar[uint64](i) }
func (i *item) span() time.Duration { return scalar[time.Duration](i) }
func (i *item) time() time.Time     { return scalar[time.Time](i) }

// flag gives a boolean, or what it is without being said.
func (i *item) flag(otherwise bool) bool {
	if !i.ok() {
		return otherwise
	}
	return scalar[bool](i)
}

// strings gives the items of a list of texts that are in shape.
func (i *item) strings() []string {
	if !i.ok() {
		return nil
	}
	var all []string
	for _, e := range i.list {
		if e.ok() {
			all = append(all, e.str())
		}
	}
	return all
}

// merge lays over on top of under, by key. Maps are merged, lists that add up are
// put together, everything else is replaced. What over says comes first, since of two rules that decide an
// outcome the first wins, and the nearer file is to win.
func merge(over, under *item) *item {
	switch {
	case over == nil:
		return under
	case under != nil && over.key.adds && over.ok() && under.ok():
		return added(over, under)
	case under == nil, over.bad, under.bad, over.key != under.key && over.key.kind != under.key.kind,
		over.key.kind != object && over.key.kind != table, over.key.unit:
		return over
	}
	merged := *over
	merged.fields = make([]field, 0, len(over.fields)+len(under.fields))
	have := make(map[string]int, len(over.fields))
	for _, f := range over.fields {
		have[f.name] = len(merged.fields)
		merged.fields = append(merged.fields, f)
	}
	// Parameters belong to their fault: they are not inherited by another one.
	refaulted := over.get("inject") != nil && over.get("with") == nil
	for _, f := range under.fields {
		if refaulted && f.name == "with" {
			continue
		}
		if at, ok := have[f.name]; ok {
			merged.fields[at].item = merge(merged.fields[at].item, f.item)
			continue
		}
		merged.fields = append(merged.fields, f)
	}
	return &merged
}

// added puts two lists together, each text once.
func added(over, under *item) *item {
	both, have := *over, over.strings()
	both.list = slices.Clone(over.list)
	for _, e := range under.list {
		if !slices.Contains(have, e.str()) {
			both.list = append(both.list, e)
		}
	}
	return &both
}
