package sample

import (
	"slices"

	"parity/specs/document"
	"parity/specs/schema"
)

// later reads the keywords of JSON Schema that a View leaves out.
func (s *shape) later(v *schema.View) {
	n := v.Node()
	if !v.Later || n == nil || len(s.parts) == 0 {
		return
	}
	set := s.parts[0].Set()
	if of := n.Get("contains"); of != nil {
		c := contained{of: set.At(of), least: 1}
		if least, ok := n.Get("minContains").Count(); ok {
			c.least = least
		}
		s.contains = append(s.contains, c)
		s.hard = true
	}
	patterns := n.Get("patternProperties")
	for i := range patterns.Len() {
		s.byPattern = append(s.byPattern, patterned{patterns.At(i).Name, set.At(patterns.At(i))})
	}
	if names := n.Get("propertyNames"); names != nil {
		s.names = append(s.names, set.At(names))
		s.hard = true
	}
	for _, name := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		if found := n.Get(name); found.Len() > 0 {
			s.dependent = append(s.dependent, found)
			s.hard = true
		}
	}
	if n.Get("unevaluatedItems").False() || n.Get("unevaluatedProperties") != nil {
		s.hard = true
	}
	s.conditional(v, n, set)
}

// conditional makes a group of if, then and else.
func (s *shape) conditional(v *schema.View, n *document.Node, set *schema.Set) {
	when := n.Get("if")
	if when == nil || n.Get("then") == nil && n.Get("else") == nil {
		return
	}
	s.hard = true
	if slices.Contains(s.decided, decision{v, ofIf}) {
		return
	}
	g := &group{decision: decision{v, ofIf}, branches: [][]*schema.Schema{{set.At(when)}, nil}}
	if then := n.Get("then"); then != nil {
		g.branches[0] = append(g.branches[0], set.At(then))
	}
	if otherwise := n.Get("else"); otherwise != nil {
		g.branches[1] = append(g.branches[1], set.At(otherwise))
	}
	s.groups = append(s.groups, g)
}

// finish draws together what only all views tell.
func (s *shape) finish() {
	s.close()
	for _, v := range s.views {
		if v.Rest == nil {
			continue
		}
		for _, f := range s.fields { // named by others, so unnamed here
			if v.Get(f.name) == nil && !s.library.matchesAny(v.Node().Get("patternProperties"), f.name) && !slices.Contains(f.parts, v.Rest) {
				f.parts = append(f.parts, v.Rest)
			}
		}
	}
	for _, p := range s.byPattern {
		for _, f := range s.fields {
			if s.library.matches(p.pattern, f.name) && !slices.Contains(f.parts, p.of) {
				f.parts = append(f.parts, p.of)
			}
		}
	}
	if slices.ContainsFunc(s.required, func(name string) bool { return s.closed && !s.allowed[name] && !s.patternAllows(name) }) {
		s.closed, s.hard = false, true // nothing fits: better what was meant than what is required by nobody
	}
	if s.closed {
		s.fields = slices.DeleteFunc(s.fields, func(f *field) bool { return !s.allowed[f.name] && !s.patternAllows(f.name) })
	}
	if s.onlyPrefix {
		s.manyItems = min(s.manyItems, len(s.prefix))
	}
	for _, g := range s.groups {
		g.next = make([]*nextShape, len(g.branches))
		for i := range g.next {
			g.next[i] = new(nextShape)
		}
	}
	if s.kinds == 0 || s.chosen && len(s.choices) == 0 {
		s.never = true
	}
}

// close finds the names that all closed views allow: each knows its own only,
// but for unevaluatedProperties, which knows those of all.
func (s *shape) close() {
	for _, v := range s.views {
		loose := v.Later && v.Node().Get("unevaluatedProperties").False()
		if !v.Closed && !loose {
			continue
		}
		own := map[string]bool{}
		if v.Closed {
			for _, p := range v.Properties {
				own[p.Name] = true
			}
		} else {
			for _, f := range s.fields {
				own[f.name] = true
			}
		}
		if !s.closed {
			s.closed, s.allowed = true, own
			continue
		}
		for name := range s.allowed {
			if !own[name] {
				delete(s.allowed, name)
			}
		}
	}
}

func (s *shape) patternAllows(name string) bool {
	return slices.ContainsFunc(s.byPattern, func(p patterned) bool { return s.library.matches(p.pattern, name) })
}

func (l *Library) matchesAny(patterns *document.Node, name string) bool {
	for i := range patterns.Len() {
		if l.matches(patterns.At(i).Name, name) {
			return true
		}
	}
	return false
}

// of gives a field's own shape.
func (f *field) of(l *Library) *shape {
	if found := f.made.Load(); found != nil {
		return found
	}
	f.made.CompareAndSwap(nil, l.of(f.parts))
	return f.made.Load()
}

// pick gives the shape with one branch of its first group chosen.
func (s *shape) pick(branch int) *shape {
	g := s.groups[0]
	if found := g.next[branch].Load(); found != nil {
		return found
	}
	parts := append(slices.Clone(s.parts), g.branches[branch]...)
	decided := append(slices.Clone(s.decided), g.decision)
	g.next[branch].CompareAndSwap(nil, s.library.merge(parts, decided))
	return g.next[branch].Load()
}
