package schema

// Kinds is a set of JSON types.
type Kinds uint8

// The JSON types.
const (
	Boolean Kinds = 1 << iota
	Integer
	Number
	String
	Array
	Object
	Null
)

// Kinds gives Types as a set; 0 where there are none, which is that any goes.
func (v *View) Kinds() Kinds {
	var all Kinds
	for _, name := range v.Types {
		all |= kindNamed(name)
	}
	return all
}

func kindNamed(name string) Kinds {
	switch name {
	case "boolean":
		return Boolean
	case "integer":
		return Integer
	case "number":
		return Number
	case "string":
		return String
	case "array":
		return Array
	case "object":
		return Object
	default:
		return Null
	}
}
