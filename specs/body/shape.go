package body

import (
	"slices"

	"parity/specs/document"
	"parity/specs/schema"
)

// kinds is a set of JSON types.
type kinds uint8

const (
	aBoolean kinds = 1 << iota
	anInteger
	aNumber
	aString
	anArray
	anObject
	aNull
)

// maxAlternatives ends the search in schemas with more allOf, anyOf and oneOf.
const maxAlternatives = 256

// A shape is as much of a schema as is needed to give text its type: what it
// may be, and what its parts are. Whether the value is right is not its
// business, so it takes what any of the alternatives says.
type shape struct {
	views []*schema.View // the schema, and all that allOf, anyOf and oneOf add
	kinds kinds          // 0: nothing is said
	whole *schema.View   // of the one schema that it was made of; nil where there were several
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

func kindsOf(v *schema.View) kinds {
	var out kinds
	for _, name := range v.Types {
		out |= kindNamed(name)
	}
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

func kindNamed(name string) kinds {
	switch name {
	case "boolean":
		return aBoolean
	case "integer":
		return anInteger
	case "number":
		return aNumber
	case "string":
		return aString
	case "array":
		return anArray
	case "object":
		return anObject
	default:
		return aNull
	}
}

func kindOf(n *document.Node) kinds {
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
func (s shape) takes(k kinds) bool { return s.kinds&k != 0 }

// only tells whether the shape is of these kinds, or null.
func (s shape) only(k kinds) bool { return s.kinds&k != 0 && s.kinds&^(k|aNull) == 0 }

// property gives the shape of a named part; known is false for one that only
// additionalProperties speaks of.
func (s shape) property(name string) (inner shape, known bool) {
	var found []*schema.Schema
	for _, v := range s.views {
		if one := v.Get(name); one != nil {
			found = append(found, one)
		}
	}
	if len(found) > 0 {
		return shapeOf(found...), true
	}
	for _, v := range s.views {
		if v.Rest != nil {
			found = append(found, v.Rest)
		}
	}
	return shapeOf(found...), false
}

// has tells whether a part is known by its name.
func (s shape) has(name string) bool {
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

// item gives the shape of an array's i-th item.
func (s shape) item(i int) shape {
	var found []*schema.Schema
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
