package generic

import (
	"sync"

	"parity/specs/sample"
	"parity/specs/schema"
)

// A library keeps what was worked out of schemas, so that it is worked out once.
type library struct {
	sample.Library
	forms sync.Map // *schema.Schema, a target -> *form
}

// form gives what a schema says of an object.
func (l *library) form(s *schema.Schema) *form {
	target := s.Target()
	if found, ok := l.forms.Load(target); ok {
		return found.(*form)
	}
	found, _ := l.forms.LoadOrStore(target, formOf(target))
	return found.(*form)
}

// at follows a path into a schema; nil where it leads to nothing.
func (l *library) at(s *schema.Schema, place path) *schema.Schema {
	for _, name := range place {
		if s == nil {
			return nil
		}
		if _, ok := placed(name); ok && typed(s).Items != nil {
			s = typed(s).Items
			continue
		}
		s = l.form(s).fields[name]
	}
	return s
}
