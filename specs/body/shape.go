package body

import (
	"slices"

	"parity/specs/document"
	"parity/specs/schema"
)

// The JSON types, by the names that read well where a shape is asked for them.
const (
	aBoolean  = schema.Boolean
	anInteger = schema.Integer
	aNumber   = schema.Number
	aString   = schema.String
	anArray   = schema.Array
	anObject  = schema.Object
	aNull     = schema.Null
)

// maxAlternatives ends the search in schemas with more allOf, anyOf and oneOf.
const maxAlternatives = 256

// A shape is as much of a schema as is needed to give text its type: what it
// may be, and what its parts are. Whether the value is right is not its
// business, so it takes what any of the alternatives says.
type shape struct {
	views []*schema.View // the schema, and all that allOf, anyOf and oneOf add
	kinds schema.Kinds   // 0: nothing is said
	whole *schema.View   // of the one schema that it was made of; nil where there were several
	known *known         // found beforehand; nil where it is found when asked for
}

// known are the shapes of a shape's parts.
type known struct {
	parts map[string]shape // by name
	rest  shape            // of parts without a name
	items items
}

func shapeOf(schemas ...*schema.Schema) shape {
	var s shape
	for _, one := range schemas {
		if one != nil {
			s.views = with(s.views, one.View())
		}
	}
	for _, v := range s.views {
		s.kinds |= kindsOf(v)
	}
	if len(schemas) == 1 && len(s.views) > 0 {
		s.whole = s.views[0]
	}
	return s
}

func with(views []*schema.View, v *schema.View) []*schema.View {
	if len(views) >= maxAlternatives || slices.Contains(views, v) {
		return views
	}
	views = append(views, v)
	for _, list := range [...][]*schema.Schema{v.AllOf, v.AnyOf, v.OneOf} {
		for _, one := range list {
			views = with(views, one.View())
		}
	}
	return views
}

func kindsOf(v *schema.View) schema.Kinds {
	out := v.Kinds()
	if out == 0 {
		if len(v.Properties) > 0 || v.Rest != nil {
			out |= anObject
		}
		if v.Items != nil || len(v.PrefixItems) > 0 {
			out |= anArray
		}
		for i := range v.Enum.Len() {
			out |= kindOf(v.Enum.At(i))
		}
		out |= kindOf(v.Const)
	}
	if v.Nullable {
		out |= aNull
	}
	return out
}

func kindOf(n *document.Node) schema.Kinds {
	switch n.Kind() {
	case document.Bool:
		return aBoolean
	case document.Number:
		return aNumber
	case document.String:
		return aString
	case document.Array:
		return anArray
	case document.Object:
		return anObject
	case document.Null:
		return aNull
	default:
		return 0
	}
}

// takes tells whether one of some kinds is among those of the shape.
func (s shape) takes(k schema.Kinds) bool { return s.kinds&k != 0 }

// only tells whether the shape is of these kinds, or null.
func (s shape) only(k schema.Kinds) bool { return s.kinds&k != 0 && s.kinds&^(k|aNull) == 0 }

// prepared is the same shape with its parts found beforehand, down to a depth:
// for shapes that are kept. budget is how many may be found in all.
func (s shape) prepared(depth int, budget *int) shape {
	if depth == 0 || *budget <= 0 || !s.takes(anObject|anArray) {
		return s
	}
	found := known{parts: map[string]shape{}, rest: s.others()}
	for _, v := range s.views {
		for _, p := range v.Properties {
			if _, twice := found.parts[p.Name]; twice || *budget <= 0 {
				continue
			}
			*budget--
			inner, _ := s.property(p.Name)
			found.parts[p.Name] = inner.prepared(depth-1, budget)
		}
	}
	if *budget <= 0 {
		return s
	}
	found.items = s.items()
	found.items.first = found.items.first.prepared(depth-1, budget)
	s.known = &found
	return s
}

// property gives the shape of a named part; named is false for one that only
// additionalProperties speaks of.
func (s shape) property(name string) (inner shape, named bool) {
	if s.known != nil {
		if inner, named = s.known.parts[name]; named {
			return inner, true
		}
		return s.known.rest, false
	}
	found := make([]*schema.Schema, 0, 4)
	for _, v := range s.views {
		if one := v.Get(name); one != nil {
			found = append(found, one)
		}
	}
	if len(found) > 0 {
		return shapeOf(found...), true
	}
	return s.others(), false
}

// others gives the shape of the parts that have no name.
func (s shape) others() shape {
	var found []*schema.Schema
	for _, v := range s.views {
		if v.Rest != nil {
			found = append(found, v.Rest)
		}
	}
	return shapeOf(found...)
}

// has tells whether a part is known by its name.
func (s shape) has(name string) bool {
	if s.known != nil {
		_, named := s.known.parts[name]
		return named
	}
	for _, v := range s.views {
		if v.Get(name) != nil {
			return true
		}
	}
	return false
}

// open tells whether an object may have parts that it has no names for, and
// says so: with a schema for them, or by naming no parts at all.
func (s shape) open() bool {
	named := false
	for _, v := range s.views {
		if v.Rest != nil {
			return true
		}
		named = named || len(v.Properties) > 0 || v.Closed
	}
	return !named
}

// items are the shapes of an array's items.
type items struct {
	of    shape
	first shape
	tuple int // so many have a shape of their own
}

func (s shape) items() items {
	if s.known != nil {
		return s.known.items
	}
	out := items{of: s, first: s.item(0)}
	for _, v := range s.views {
		out.tuple = max(out.tuple, len(v.PrefixItems))
	}
	return out
}

// at gives the shape of the i-th item.
func (it *items) at(i int) shape {
	if i == 0 || it.tuple == 0 {
		return it.first
	}
	return it.of.item(min(i, it.tuple))
}

func (s shape) item(i int) shape {
	found := make([]*schema.Schema, 0, 4)
	for _, v := range s.views {
		switch {
		case i < len(v.PrefixItems):
			found = append(found, v.PrefixItems[i])
		case v.Items != nil:
			found = append(found, v.Items)
		}
	}
	return shapeOf(found...)
}
