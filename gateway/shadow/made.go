package shadow

import (
	"slices"

	"parity/specs"
	"parity/specs/body"
)

// given are the names under which answers give the id of what was made.
func given() []string { return []string{"id", "number", "ts", "gid", "uuid", "iid", "key"} }

// Made are the ids that the answer to a call gives to what the call made: at its top,
// or in the one object that stands there, as {"ticket": {"id": 7}}. What the call
// itself has said is none.
func Made(reply []byte, in specs.Input) []string {
	value, wrong := body.DecodeJSON(reply)
	top, ok := value.(map[string]any)
	if wrong != nil || !ok {
		return nil
	}
	if inner := only(top); inner != nil {
		top = inner
	}
	var ids []string
	for _, name := range given() {
		id, ok := plain(top[name])
		if ok && id != "" && !says(in, id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// only is the one object among the values of another; nil: there is none, or there
// are several, or it has an id itself.
func only(top map[string]any) (found map[string]any) {
	for _, name := range given() {
		if _, ok := top[name]; ok {
			return nil
		}
	}
	for _, value := range top {
		if inner, ok := value.(map[string]any); ok {
			if found != nil {
				return nil
			}
			found = inner
		}
	}
	return found
}

// says tells whether a call has a value anywhere.
func says(in specs.Input, text string) bool {
	for _, value := range in.Path {
		if value == text {
			return true
		}
	}
	return holds(in.Query, text) || holds(in.Body, text) || holds(in.Value, text)
}

func holds(value any, text string) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			if holds(inner, text) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return holds(inner, text) })
	default:
		is, ok := plain(v)
		return ok && is == text
	}
	return false
}
