package specs

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"parity/specs/secret"
)

// Redacted stands where a secret was.
const Redacted = secret.Redacted

// Redact gives a request's body, as Read decoded it, without what the contract
// marks with format: password, and without fields that it does not know. It
// gives the body itself where there is nothing of the kind. In the place of what
// it takes out stands what hide gives; of a field that is not known, Redacted.
func (o *Operation) Redact(body any, hide secret.Hide) any {
	for _, m := range o.read().bodies {
		if known := m.part.known(); known != nil {
			body, _ = redact([]*shape{known}, "", body, hide)
		}
	}
	return body
}

// Plainly hides a secret without a word of it.
func Plainly(_, _ string) string { return Redacted }

// WithoutSecrets gives a request's body, as Read decoded it, without the fields
// of objects that the contract marks with format: password. It gives the body
// itself where there are none.
func (o *Operation) WithoutSecrets(body any) any {
	for _, m := range o.read().bodies {
		if known := m.part.known(); known != nil {
			body, _ = withoutSecrets([]*shape{known}, body)
		}
	}
	return body
}

func withoutSecrets(of []*shape, v any) (clean any, changed bool) {
	of = widened(of)
	switch v := v.(type) {
	case map[string]any:
		kept := v
		for name, value := range v {
			inner := partsNamed(of, name)
			secret := marked(inner)
			left, less := withoutSecrets(inner, value)
			if !secret && !less {
				continue
			}
			if !changed { // most have nothing of the kind
				kept, changed = maps.Clone(v), true
			}
			if kept[name] = left; secret {
				delete(kept, name)
			}
		}
		return kept, changed
	case []any:
		each := itemsOf(of)
		kept := v
		for i, item := range v {
			left, less := withoutSecrets(each, item)
			if marked(each) {
				left, less = Redacted, true // a list keeps its length
			}
			if less && !changed {
				kept, changed = slices.Clone(v), true
			}
			if less {
				kept[i] = left
			}
		}
		return kept, changed
	}
	return v, false
}

// marked tells whether the contract marks one of some shapes as a password.
func marked(of []*shape) bool {
	return slices.ContainsFunc(widened(of), func(s *shape) bool { return s.secret })
}

func itemsOf(of []*shape) []*shape {
	return eachOf(of, func(s *shape) *shape { return s.items })
}

// partsNamed gives the shapes of a named part.
func partsNamed(of []*shape, name string) []*shape {
	return eachOf(of, func(s *shape) *shape {
		if part := s.properties[name]; part != nil {
			return part
		}
		return s.rest
	})
}

// eachOf gives a part of each of some shapes, where it has one.
func eachOf(of []*shape, part func(*shape) *shape) []*shape {
	if len(of) == 1 { // mostly, and for each part of a body
		if part := part(of[0]); part != nil {
			return part.only()
		}
		return nil
	}
	var inner []*shape
	for _, s := range of {
		if part := part(s); part != nil {
			inner = append(inner, part)
		}
	}
	return inner
}

// Credential tells whether the contract has its callers show who they are by a
// query parameter, header or cookie of that name.
func (c *Contract) Credential(in, name string) bool {
	for _, s := range c.credentials() {
		if s.In == in && (s.Name == name || in == inHeader && strings.EqualFold(s.Name, name)) {
			return true
		}
	}
	return false
}

// SecretHeader tells whether the contract marks a header that the operation takes
// with format: password, or each of a list in it.
func (o *Operation) SecretHeader(header string) bool {
	o.read()
	known := o.header.known()
	if known == nil {
		return false
	}
	for name, s := range known.properties {
		if strings.EqualFold(name, header) {
			of := widened([]*shape{s})
			return marked(of) || marked(itemsOf(of))
		}
	}
	return false
}

// Anonymous gives a query, as Read decoded it, without credentials. It gives
// the query itself where there are none.
func (o *Operation) Anonymous(query map[string]any) map[string]any {
	var clean map[string]any
	for name, value := range query {
		if value == "" || !o.contract.Credential(inQuery, name) {
			continue
		}
		if clean == nil {
			clean = maps.Clone(query)
		}
		clean[name] = Redacted
	}
	if clean == nil {
		return query
	}
	return clean
}

// RedactPath takes out of an escaped path what the contract marks with format:
// password; values are the path's parameters, as they were matched.
func (o *Operation) RedactPath(path string, values map[string]string, hide secret.Hide) string {
	known := o.read().path.known()
	if known == nil {
		return path
	}
	for name, value := range values {
		if s := known.properties[name]; s != nil && value != "" && (s.secret || len(s.alternatives) > 0) { // a text has no parts
			if clean, is := redact([]*shape{s}, name, value, hide); is {
				path = strings.ReplaceAll(path, url.PathEscape(value), clean.(string))
			}
		}
	}
	return path
}

// Secrets lists, in order, the parameters of a query, as Read decoded it, that
// hold credentials or what the contract marks with format: password.
func (o *Operation) Secrets(query map[string]any) []string {
	var names []string
	known := o.read().query.known()
	for name, value := range query {
		is := o.contract.Credential(inQuery, name)
		if !is && known != nil && known.properties[name] != nil {
			_, is = redact([]*shape{known.properties[name]}, name, value, Plainly)
		}
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// secretAt tells whether what stands at a place is secret.
func (s *shape) secretAt(at []string) bool {
	here := widened([]*shape{s})
	for i := 0; ; i++ {
		if slices.ContainsFunc(here, func(s *shape) bool { return s != nil && s.secret }) {
			return true
		}
		if i == len(at) {
			return false
		}
		var next []*shape
		for _, s := range here {
			for _, part := range []*shape{s.properties[at[i]], s.items, s.rest} {
				if part != nil {
					next = append(next, part)
				}
			}
		}
		here = widened(next)
	}
}

// redact copies what it has to change and nothing else. The value may have any
// of the shapes, and each of those that they are made of.
func redact(of []*shape, name string, v any, hide secret.Hide) (any, bool) {
	of = widened(of)
	for _, s := range of {
		if s.secret && v != nil && v != "" {
			return hide(name, secret.Said(v)), true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return redactFields(of, v, hide)
	case []any:
		return redactItems(of, name, v, hide)
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

func redactItems(of []*shape, name string, items []any, hide secret.Hide) (any, bool) {
	each := itemsOf(of)
	var clean []any
	for i, item := range items {
		redacted, ok := redact(each, name, item, hide)
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

func redactFields(of []*shape, fields map[string]any, hide secret.Hide) (any, bool) {
	named := slices.ContainsFunc(of, func(s *shape) bool { return len(s.properties) > 0 })
	var clean map[string]any
	for name, value := range fields {
		inner := partsNamed(of, name)
		redacted, ok := redact(inner, name, value, hide)
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
