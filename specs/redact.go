package specs

import (
	"maps"
	"slices"
)

// Redacted stands where a secret was.
const Redacted = "(redacted)"

// Redact gives a request's body, as Read decoded it, without what the contract
// marks with format: password, and without fields that it does not know. It
// gives the body itself where there is nothing of the kind.
func (o *Operation) Redact(body any) any {
	for _, m := range o.read().bodies {
		if known := m.part.known(); known != nil {
			body, _ = redact([]*shape{known}, body)
		}
	}
	return body
}

// redact copies what it has to change and nothing else. The value may have any
// of the shapes, and each of those that they are made of.
func redact(of []*shape, v any) (any, bool) {
	of = widened(of)
	for _, s := range of {
		if s.secret && v != nil && v != "" {
			return Redacted, true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return redactFields(of, v)
	case []any:
		return redactItems(of, v)
	}
	return v, false
}

// widened adds the alternatives of shapes to them, and theirs, each once.
func widened(of []*shape) []*shape {
	if !slices.ContainsFunc(of, func(s *shape) bool { return len(s.alternatives) > 0 }) {
		return of
	}
	met := seen{}
	var all []*shape
	var add func(of []*shape)
	add = func(of []*shape) {
		for _, s := range of {
			if met.first(s) {
				all = append(all, s)
				add(s.alternatives)
			}
		}
	}
	add(of)
	return all
}

func redactItems(of []*shape, items []any) (any, bool) {
	var each []*shape
	for _, s := range of {
		if s.items != nil {
			each = append(each, s.items)
		}
	}
	var clean []any
	for i, item := range items {
		redacted, ok := redact(each, item)
		if !ok {
			continue
		}
		if clean == nil {
			clean = slices.Clone(items)
		}
		clean[i] = redacted
	}
	if clean == nil {
		return items, false
	}
	return clean, true
}

func redactFields(of []*shape, fields map[string]any) (any, bool) {
	named := slices.ContainsFunc(of, func(s *shape) bool { return len(s.properties) > 0 })
	var clean map[string]any
	for name, value := range fields {
		var inner []*shape
		for _, s := range of {
			if part := s.properties[name]; part != nil {
				inner = append(inner, part)
			} else if s.rest != nil {
				inner = append(inner, s.rest)
			}
		}
		redacted, ok := redact(inner, value)
		if len(inner) == 0 && named { // nobody knows what is in it
			redacted, ok = Redacted, true
		}
		if !ok {
			continue
		}
		if clean == nil {
			clean = maps.Clone(fields)
		}
		clean[name] = redacted
	}
	if clean == nil {
		return fields, false
	}
	return clean, true
}
