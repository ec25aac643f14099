package specs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/specs/body"
)

// Undeclared lists the query parameters and the fields of a body that the
// contract does not name, where it does not refuse them either: a strict
// rehearsal flags them, since nobody knows what the service does with them. A
// field is named by any of the shapes that its object may have.
func (o *Operation) Undeclared(input Input) []Violation {
	o.read()
	var found []Violation
	known := o.query.known()
	for _, name := range slices.Sorted(maps.Keys(input.Query)) {
		if known == nil || known.properties[name] == nil {
			found = append(found, Violation{In: inQuery, Pointer: Pointer(name), Rule: RuleUndeclared, Message: "is not declared in the contract"})
		}
	}
	content := input.Content()
	if content == nil || len(o.bodies) == 0 {
		return found
	}
	// Several kinds of body have one meaning: what any of them names is declared.
	var best []Violation
	for i := range o.bodies {
		u := undeclared{}
		u.walk(o.bodies[i].part.known(), content, nil)
		if i == 0 || len(u.found) < len(best) {
			best = u.found
		}
	}
	return ordered(append(found, best...))
}

// Takes tells whether the contract names a header that is a parameter of the
// operation; credentials are not among them.
func (o *Operation) Takes(header string) bool {
	o.read()
	known := o.header.known()
	if known == nil {
		return false
	}
	for name := range known.properties {
		if strings.EqualFold(name, header) {
			return true
		}
	}
	return false
}

type undeclared struct{ found []Violation }

func (u *undeclared) walk(s *shape, value any, at []string) {
	if s == nil || len(at) > body.MaxDepth || len(u.found) >= mostViolations {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			within := append(at, name)
			part := s.property(name, seen{})
			if part == nil && !s.takesMore(seen{}) {
				u.found = append(u.found, Violation{In: "body", Pointer: pointerOf(within), Rule: RuleUndeclared, Message: "is not declared in the contract", Got: plainly(inner)})
			}
			u.walk(part, inner, within)
		}
	case []any:
		of := s.item(seen{})
		for i, inner := range value {
			u.walk(of, inner, append(at, strconv.Itoa(i)))
		}
	}
}

// takesMore tells whether properties without a name of their own are expected.
// Of alternatives one is enough, as long as all together say nothing else.
func (s *shape) takesMore(met seen) bool {
	if !met.first(s) {
		return false
	}
	if s.rest != nil {
		return true
	}
	if len(s.alternatives) == 0 {
		return s.open
	}
	if len(s.properties) > 0 {
		return false
	}
	return slices.ContainsFunc(s.alternatives, func(a *shape) bool { return a.takesMore(met) })
}
