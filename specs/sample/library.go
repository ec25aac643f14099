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

// of gives the shape of several schemas; that of one is kept.
func (l *Library) of(parts []*schema.Schema) *shape {
	if len(parts) == 1 {
		return l.shape(parts[0])
	}
	return l.merge(parts, nil)
}

func (l *Library) matches(pattern, text string) bool {
	return l.expressions.get(pattern).match(text)
}
