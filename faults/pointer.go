package faults

import "parity/specs"

// holder gives the object that holds what a pointer leads to, and its name
// there; nil where there is none.
func holder(value any, pointer string) (map[string]any, string) {
	names := specs.PointerNames(pointer)
	if len(names) == 0 {
		return nil, ""
	}
	last := len(names) - 1
	outer, _ := specs.ValueAt(value, specs.Pointer(names[:last]...))
	object, _ := outer.(map[string]any)
	return object, names[last]
}

// putAt sets what stands at a pointer, where something holds it, and gives the
// whole.
func putAt(value any, pointer string, now any) any {
	if pointer == "" {
		return now
	}
	if object, name := holder(value, pointer); object != nil {
		object[name] = now
	}
	return value
}

// dropAt takes away what stands at a pointer, and the objects that are empty
// without it.
func dropAt(value any, pointer string) {
	for names := specs.PointerNames(pointer); len(names) > 0; names = names[:len(names)-1] {
		object, name := holder(value, specs.Pointer(names...))
		if object == nil {
			return
		}
		if inner, isObject := object[name].(map[string]any); len(names) < len(specs.PointerNames(pointer)) && (!isObject || len(inner) > 0) {
			return
		}
		delete(object, name)
	}
}

// duplicate gives a value that can be written to without the other seeing it.
func duplicate(value any) any {
	switch v := value.(type) {
	case map[string]any:
		other := make(map[string]any, len(v))
		for name, inner := range v {
			other[name] = duplicate(inner)
		}
		return other
	case []any:
		other := make([]any, len(v))
		for i, inner := range v {
			other[i] = duplicate(inner)
		}
		return other
	}
	return value
}

// truthy tells whether a value says yes: it is true, or there is something.
func truthy(value any) bool {
	switch v := value.(type) {
	case bool:
		return v
	case string:
		return v != ""
	case map[string]any:
		return len(v) > 0
	case nil:
		return false
	}
	return true
}
