package faults

import (
	"slices"
	"strings"

	"parity/specs/schema"
)

// A table is an object as far as its schema names what is in it. One that names
// nothing and takes anything is free: its names are those of the account, or of
// the records.
//
//	properties: {type: object, additionalProperties: {type: string}}
type table struct {
	object, named, closed bool
	rest                  *schema.Schema // of its values; nil: anything
}

// take reads one part of what the schema says.
func (t *table) take(v *schema.View) {
	t.object = t.object || v.Rest != nil || slices.Contains(v.Types, "object")
	t.named = t.named || len(v.Properties) > 0
	t.closed = t.closed || v.Closed
	if t.rest == nil {
		t.rest = v.Rest
	}
}

func (t *table) free() bool { return t.object && !t.named && !t.closed }

// holds tells whether a name in a profile may mean one of those that a free
// field stands for: what is before one of its dots means the object.
func (f field) holds(name string) bool {
	outer := field{path: f.path[:len(f.path)-1]}
	if len(outer.path) == 0 {
		return true
	}
	for i := range len(name) {
		if name[i] == '.' && i+1 < len(name) && outer.is(name[:i]) {
			return true
		}
	}
	return false
}

// inside reads a name that holds tells of as a path from the free field's object
// on, however far down.
func (f field) inside(name string) []field {
	outer := field{path: f.path[:len(f.path)-1]}
	var found []field
	add := func(rest string) {
		one := f
		one.path = slices.Concat(outer.path, strings.Split(rest, "."))
		found = append(found, one)
	}
	if len(outer.path) == 0 {
		add(name)
	}
	for i := range len(name) {
		if name[i] == '.' && i+1 < len(name) && len(outer.path) > 0 && outer.is(name[:i]) {
			add(name[i+1:])
		}
	}
	return found
}

// within lists the fields that a body has for a free one, in the order of their
// names. What the contract says of their values holds for each; where it says
// nothing, what they are.
func (f field) within(body any) []field {
	var found []field
	known := map[string]bool{}
	for _, s := range f.spots(body) {
		one := f
		one.path = below(f.path[:len(f.path)-1], s.name)
		if known[s.name] || len(found) == mostFields || s.name == "*" { // a path has * for all of them
			continue
		}
		known[s.name] = true
		if one.kinds == 0 {
			one.kinds = kindsOf(s.value())
		}
		found = append(found, one)
	}
	slices.SortFunc(found, func(a, b field) int { return strings.Compare(a.String(), b.String()) })
	return found
}

func kindsOf(value any) schema.Kinds {
	switch value.(type) {
	case string:
		return schema.String
	case int64:
		return schema.Integer
	case float64:
		return schema.Number
	case bool:
		return schema.Boolean
	case map[string]any:
		return schema.Object
	case []any:
		return schema.Array
	}
	return schema.Null
}
