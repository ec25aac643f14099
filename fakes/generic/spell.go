package generic

import (
	"maps"
	"slices"
)

// spelt gives what was sent by the names that records have for it: a form that
// writes FriendlyName means friendly_name, also where a record has that already.
func (f *form) spelt(sent map[string]any) map[string]any {
	out, own := sent, false
	if f.open || f.knows(sent) {
		return sent
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		if f.has(name) {
			continue
		}
		field, ok := f.alike(name)
		if _, both := out[field]; !ok || both {
			continue
		}
		if !own {
			out, own = maps.Clone(sent), true
		}
		out[field] = out[name]
		delete(out, name)
	}
	return out
}

// knows tells whether the form has a field by each name that was sent.
func (f *form) knows(sent map[string]any) bool {
	for name := range sent {
		if !f.has(name) {
			return false
		}
	}
	return true
}
