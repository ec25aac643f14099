package generic

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/specs"
)

// A path leads into a record: the names of a dotted field, or of a JSON pointer.
type path []string

func dotted(field string) path {
	switch {
	case field == "":
		return nil
	case strings.IndexByte(field, '.') < 0:
		return path{field}
	}
	return strings.Split(field, ".")
}

func pointer(text string) path { return specs.PointerNames(text) }

// get reads what a path leads to.
func (p path) get(from any) (any, bool) {
	for _, name := range p {
		switch x := from.(type) {
		case map[string]any:
			next, ok := x[name]
			if !ok {
				return nil, false
			}
			from = next
		case []any:
			i, ok := placed(name)
			if !ok || i >= len(x) {
				return nil, false
			}
			from = x[i]
		default:
			return nil, false
		}
	}
	return from, true
}

// placed reads a name that is a place in a list.
func placed(name string) (int, bool) {
	if name == "" || name[0] > '9' { // most are none, and an error would be made of each
		return 0, false
	}
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0
}

// put gives a value with another at the end of a path; what lies on the way is
// copied or made. A list on the way is filled up to the place.
func (p path) put(into, value any) any {
	if len(p) == 0 {
		return value
	}
	if i, ok := placed(p[0]); ok && i < 64 {
		if list, ok := into.([]any); ok || into == nil {
			list = slices.Clone(list)
			for len(list) <= i {
				list = append(list, nil)
			}
			list[i] = p[1:].put(list[i], value)
			return list
		}
	}
	object, _ := into.(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	object[p[0]] = p[1:].put(object[p[0]], value)
	return object
}

// into is put of what nobody else holds: nothing is copied, and own is changed.
func (p path) into(own, value any) any {
	object, ok := own.(map[string]any)
	if len(p) == 0 || !ok || object == nil {
		return p.put(own, value)
	}
	object[p[0]] = p[1:].into(object[p[0]], value)
	return object
}

// write is set of an object that nobody else holds. What lies deeper in it may
// be held by others, and is copied.
func (p path) write(own map[string]any, value any) map[string]any {
	if len(p) != 1 || own == nil {
		return p.set(own, value)
	}
	own[p[0]] = value
	return own
}

// set puts a value into an object; nowhere to put it leaves the object alone.
func (p path) set(into map[string]any, value any) map[string]any {
	if len(p) == 0 {
		return into
	}
	out, _ := p.put(into, value).(map[string]any)
	return out
}

// drop gives an object without what a path leads to.
func (p path) drop(from map[string]any) map[string]any {
	if len(p) == 0 {
		return from
	}
	inner, ok := from[p[0]]
	if !ok {
		return from
	}
	from = maps.Clone(from)
	if len(p) == 1 {
		delete(from, p[0])
		return from
	}
	if object, ok := inner.(map[string]any); ok {
		from[p[0]] = p[1:].drop(object)
	}
	return from
}

// text gives a string, a number or true and false as it stands in a path or a
// query; ok is false for anything else.
func text(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(x), true
	}
	return "", false
}
