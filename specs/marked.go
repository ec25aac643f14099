package specs

import (
	"maps"
	"slices"
	"strconv"
)

// The marks of a contract that say what a value in a reply is.
const (
	MarkSecret = "password" // format: password
	MarkEmail  = "email"    // format: email
)

// Marked puts each value of a decoded reply that the contract marks through a
// function: with its mark, and the name of its field. It gives the reply itself
// where nothing is marked.
func (o *Operation) Marked(status int, reply any, as func(mark, name string, value any) any) any {
	bodies, ok := o.bodiesOf(strconv.Itoa(status))
	if !ok {
		return reply
	}
	for _, m := range bodies {
		if known := m.part.known(); known != nil {
			reply, _ = markedIn([]*shape{known}, "", reply, as)
		}
	}
	return reply
}

// bodiesOf gives the replies of a status.
func (o *Operation) bodiesOf(code string) (bodies []media, ok bool) {
	o.read()
	for _, named := range []string{code, code[:1] + "XX", "DEFAULT"} {
		if bodies, ok = o.replies[named]; ok {
			return bodies, true
		}
	}
	return nil, false
}

func markedIn(of []*shape, name string, v any, as func(mark, name string, value any) any) (is any, changed bool) {
	of = widened(of)
	for _, s := range of {
		if mark := s.mark(); mark != "" && v != nil && v != "" {
			return as(mark, name, v), true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		kept := v
		for field, value := range v {
			inner, differs := markedIn(partsNamed(of, field), field, value, as)
			if !differs {
				continue
			}
			if !changed {
				kept, changed = maps.Clone(v), true
			}
			kept[field] = inner
		}
		return kept, changed
	case []any:
		kept, each := v, itemsOf(of)
		for i, item := range v {
			inner, differs := markedIn(each, name, item, as)
			if !differs {
				continue
			}
			if !changed {
				kept, changed = slices.Clone(v), true
			}
			kept[i] = inner
		}
		return kept, changed
	}
	return v, false
}

func (s *shape) mark() string {
	switch {
	case s == nil:
		return ""
	case s.secret:
		return MarkSecret
	case s.email:
		return MarkEmail
	}
	return ""
}
