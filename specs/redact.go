package specs

// Redacted stands where a secret was.
const Redacted = "(redacted)"

// Redact gives a request's body, as Read decoded it, without what the contract
// marks with format: password, and without fields that it does not know. It
// gives the body itself where there is nothing of the kind.
func (o *Operation) Redact(body any) any {
	for _, m := range o.read().bodies {
		if known := m.part.known(); known != nil {
			body, _ = known.redact(body, 0)
		}
	}
	return body
}

// redact copies what it has to change and nothing else.
func (s *shape) redact(v any, depth int) (any, bool) {
	if s == nil || depth > deepestShape {
		return v, false
	}
	if s.secret && v != nil && v != "" {
		return Redacted, true
	}
	changed := false
	for _, alternative := range s.alternatives {
		if clean, ok := alternative.redact(v, depth+1); ok {
			v, changed = clean, true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		if clean, ok := s.redactFields(v, depth); ok {
			return clean, true
		}
	case []any:
		for i, item := range v {
			if clean, ok := s.items.redact(item, depth+1); ok {
				v = append(append(append([]any{}, v[:i]...), clean), v[i+1:]...)
				changed = true
			}
		}
		return v, changed
	}
	return v, changed
}

func (s *shape) redactFields(fields map[string]any, depth int) (map[string]any, bool) {
	var clean map[string]any
	for name, value := range fields {
		of := s.properties[name]
		if of == nil {
			of = s.rest
		}
		redacted, ok := of.redact(value, depth+1)
		if of == nil && len(s.properties) > 0 { // nobody knows what is in it
			redacted, ok = Redacted, true
		}
		if !ok {
			continue
		}
		if clean == nil {
			clean = make(map[string]any, len(fields))
			for n, v := range fields {
				clean[n] = v
			}
		}
		clean[name] = redacted
	}
	return clean, clean != nil
}
