package kit

import "maps"

// Merge lays changed tags over old ones and returns a new map: an empty value
// deletes its key, and a change that is "" as a whole deletes all.
func Merge(old map[string]any, change any) map[string]any {
	changes, ok := change.(map[string]any)
	if !ok {
		if change == "" {
			return map[string]any{}
		}
		return old
	}
	merged := make(map[string]any, len(old)+len(changes))
	maps.Copy(merged, old)
	for key, value := range changes {
		if value == "" {
			delete(merged, key)
		} else {
			merged[key] = value
		}
	}
	return merged
}

// Before gives, of each field that differs between two versions of a record,
// what the old one held: nil where it held nothing.
func Before(old, changed map[string]any) map[string]any {
	before := map[string]any{}
	for key, value := range changed {
		if was := old[key]; !Same(was, value) {
			before[key] = was
		}
	}
	for key, was := range old {
		if _, still := changed[key]; !still {
			before[key] = was
		}
	}
	return before
}

// Same compares two values of records.
func Same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for key, value := range x {
			other, ok := y[key]
			if !ok || !Same(value, other) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Same(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case map[string]any, []any:
		return false // comparing them with == would panic
	}
	return a == b
}
