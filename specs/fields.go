package specs

import (
	"strings"

	"parity/specs/schema"
)

// deepestForm bounds how far the parts of a schema are followed.
const deepestForm = 4

// ShowsField tells whether a success of the operation has a place for a field:
// at the top, in a member of it, or in the items of a list there. free tells of
// one that may have any fields.
func (o *Operation) ShowsField(name string) (shows, free bool) {
	if o.parts == nil {
		return false, true // made by hand: nothing is known of it
	}
	responses, _ := o.source.Responses()
	for _, r := range responses {
		if !strings.HasPrefix(r.Status, "2") {
			continue
		}
		for _, m := range r.Content {
			has, any := fieldIn(m.Schema, name, deepestForm)
			shows, free = shows || has, free || any
		}
	}
	return shows, free
}

// TakesField tells whether the operation's body has a place for a field: at the
// top, in a member of it, or in the items of a list there.
func (o *Operation) TakesField(name string) bool {
	if o.parts == nil {
		return false // made by hand: nothing is known of it
	}
	body, _ := o.source.Body()
	if body == nil {
		return false
	}
	for _, m := range body.Content {
		if takes, _ := fieldIn(m.Schema, name, deepestForm); takes {
			return true
		}
	}
	return false
}

func fieldIn(s *schema.Schema, name string, depth int) (shows, free bool) {
	s = s.Target()
	if s == nil || depth == 0 {
		return false, false
	}
	v := s.View()
	for _, p := range v.Properties {
		if p.Name == name {
			return true, false
		}
		has, any := fieldIn(p.Schema, name, depth-1)
		shows, free = shows || has, free || any
	}
	for _, parts := range [][]*schema.Schema{v.AllOf, v.AnyOf, v.OneOf, {v.Items}} {
		for _, part := range parts {
			has, any := fieldIn(part, name, depth-1)
			shows, free = shows || has, free || any
		}
	}
	return shows, free || v.Rest != nil
}
