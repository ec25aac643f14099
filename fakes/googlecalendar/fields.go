package googlecalendar

import (
	"strings"

	"parity/fakes/kit"
)

// A mask is what a partial response keeps: nil keeps all below.
type mask map[string]mask

// selected cuts a reply down to what `fields` asks for.
//
//	fields=items(id,start/dateTime),nextPageToken
//
// Source: developers.google.com/workspace/calendar/api/guides/performance.
func (c *call) selected(value map[string]any) (map[string]any, *refusal) {
	wanted := c.query("fields")
	if wanted == "" {
		return value, nil
	}
	p := parser{rest: wanted}
	m, ok := p.list(0)
	if !ok || p.rest != "" {
		return nil, parameter("fields", "invalidParameter", "Invalid field selection "+kit.Clip(wanted))
	}
	kept, _ := m.of(value).(map[string]any)
	return kept, nil
}

func (m mask) of(v any) any {
	if m == nil {
		return v
	}
	switch x := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, inner := range x {
			below, named := m[name]
			if !named {
				if below, named = m["*"]; !named {
					continue
				}
			}
			kept[name] = below.of(inner)
		}
		return kept
	case []any:
		kept := make([]any, len(x))
		for i, inner := range x {
			kept[i] = m.of(inner)
		}
		return kept
	}
	return v
}

// A parser reads a field selection.
type parser struct{ rest string }

// list reads selections with commas between them.
func (p *parser) list(depth int) (mask, bool) {
	m := mask{}
	for {
		if !p.one(m, depth) {
			return nil, false
		}
		if !strings.HasPrefix(p.rest, ",") {
			return m, true
		}
		p.rest = p.rest[1:]
	}
}

// one reads a name, and what of it is wanted: after a slash, or in brackets.
func (p *parser) one(into mask, depth int) bool {
	end := strings.IndexAny(p.rest, ",/()")
	if end < 0 {
		end = len(p.rest)
	}
	name := strings.TrimSpace(p.rest[:end])
	p.rest = p.rest[end:]
	if name == "" || depth > 10 {
		return false
	}
	var below mask
	switch {
	case strings.HasPrefix(p.rest, "/"):
		p.rest = p.rest[1:]
		below = mask{}
		if !p.one(below, depth+1) {
			return false
		}
	case strings.HasPrefix(p.rest, "("):
		p.rest = p.rest[1:]
		inner, ok := p.list(depth + 1)
		if !ok || !strings.HasPrefix(p.rest, ")") {
			return false
		}
		p.rest, below = p.rest[1:], inner
	}
	if known, twice := into[name]; twice && (known == nil || below == nil) {
		into[name] = nil
		return true
	}
	if into[name] == nil {
		into[name] = below
		return true
	}
	for inner, m := range below {
		into[name][inner] = m
	}
	return true
}
