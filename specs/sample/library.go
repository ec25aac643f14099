package sample

import (
	"sync"

	"parity/specs/schema"
)

// A Library keeps what was worked out of schemas and patterns, so that it is
// worked out once. It may be shared by Makers, of several contracts and at the
// same time; its zero value is ready.
type Library struct {
	shapes      sync.Map // *schema.Schema, a target -> *shape
	together    sync.Map // several, as a few -> *shape
	heights     sync.Map // heightOf -> int
	expressions expressions
}

func (l *Library) shape(s *schema.Schema) *shape {
	if s == nil {
		return l.merge(nil, nil)
	}
	target := s.Target()
	if found, ok := l.shapes.Load(target); ok {
		return found.(*shape)
	}
	found, _ := l.shapes.LoadOrStore(target, l.merge([]*schema.Schema{target}, nil))
	return found.(*shape)
}

// few are as many schemas as are often put together.
type few [4]*schema.Schema

// of gives the shape of several schemas. That of a few is kept.
func (l *Library) of(parts []*schema.Schema) *shape {
	var key few
	switch {
	case len(parts) == 1:
		return l.shape(parts[0])
	case len(parts) == 0 || len(parts) > len(key):
		return l.merge(parts, nil)
	}
	for i, part := range parts {
		key[i] = part.Target()
	}
	if found, ok := l.together.Load(key); ok {
		return found.(*shape)
	}
	found, _ := l.together.LoadOrStore(key, l.merge(parts, nil))
	return found.(*shape)
}

// Fits tells whether a value is as a schema says, for one side. It is quick and
// says no word of why; what cannot be told within its bounds fits.
func (l *Library) Fits(s *schema.Schema, value any, side Side) bool {
	return s == nil || l.fits(s, value, side)
}

func (l *Library) matches(pattern, text string) bool {
	return l.expressions.get(pattern).match(text)
}
