package specs

import (
	"slices"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// The parts of an exchange in which Promises looks.
const (
	InPath   = "path"
	InQuery  = "query"
	InBody   = "body"   // of the request
	InResult = "result" // the body of a success
)

// Promises tells whether the contract names a field in a part of the
// operation's exchanges, and whether it is always there.
func (o *Operation) Promises(part, field string) (named, always bool) {
	if o.parts == nil {
		return false, false // made by hand: nothing is known of it
	}
	switch part {
	case InQuery:
		parameters, _ := o.source.Parameters()
		for _, p := range parameters {
			if p.In == "query" && p.Name == field {
				return true, p.Required
			}
		}
	case InBody:
		if b, _ := o.source.Body(); b != nil {
			return promised(b.Content, field)
		}
	case InResult:
		responses, _ := o.source.Responses()
		for _, r := range responses {
			if !strings.HasPrefix(r.Status, "2") {
				continue
			}
			if named, always = promised(r.Content, field); named {
				return named, always
			}
		}
	}
	return false, false
}

func promised(content []openapi.Media, field string) (named, always bool) {
	for _, m := range content {
		if has, must := promisedIn(m.Schema, field, deepestForm); has {
			return true, must
		}
	}
	return false, false
}

// promisedIn looks in a schema and in the parts that all of hold; a field of
// one of several forms is not always there.
func promisedIn(s *schema.Schema, field string, depth int) (named, always bool) {
	if s = s.Target(); s == nil || depth == 0 {
		return false, false
	}
	v := s.View()
	named, always = v.Get(field) != nil, slices.Contains(v.Required, field)
	for _, part := range v.AllOf {
		has, must := promisedIn(part, field, depth-1)
		named, always = named || has, always || must
	}
	for _, forms := range [][]*schema.Schema{v.AnyOf, v.OneOf} {
		for _, form := range forms {
			has, _ := promisedIn(form, field, depth-1)
			named = named || has
		}
	}
	return named, named && always
}
