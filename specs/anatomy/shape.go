package anatomy

import (
	"parity/specs/document"
	"parity/specs/schema"
)

// Bounds on what is looked at of one schema.
const (
	maxNesting  = 6 // allOf, anyOf and oneOf in one another
	maxBranches = 8 // of anyOf or oneOf
	maxFields   = 400
	maxVisits   = 100 // schemas that one is put together from
)

// A shape is the fields of an object, wherever its schema says them.
type shape struct {
	fields []field
	index  map[string]int // canonical name -> field
	visits int
}

type field struct {
	name   string
	schema *schema.Schema
	needed bool
}

func (s *shape) get(canonical string) *field {
	if i, ok := s.index[canonical]; ok {
		return &s.fields[i]
	}
	return nil
}

// core goes through wrappers that add nothing: references, allOf of one, anyOf
// with null.
func (in *inference) core(s *schema.Schema) *schema.Schema {
	if s == nil {
		return nil
	}
	s = s.Target()
	if known, ok := in.cores[s]; ok {
		return known
	}
	at := s
	for range maxNesting {
		v := at.View()
		next := only(v.AllOf, v)
		if next == nil {
			next = only(v.AnyOf, v)
		}
		if next == nil {
			next = only(v.OneOf, v)
		}
		if next == nil {
			break
		}
		at = next.Target()
	}
	in.cores[s] = at
	return at
}

// only gives the one branch that is not null.
func only(branches []*schema.Schema, v *schema.View) *schema.Schema {
	if len(branches) == 0 || len(branches) > 3 || len(v.Properties) > 0 {
		return nil
	}
	var found *schema.Schema
	for _, branch := range branches {
		if silent(branch.View()) {
			continue
		}
		if found != nil {
			return nil
		}
		found = branch
	}
	return found
}

// silent tells whether a schema says null, or nothing that has to do with its
// shape.
func silent(v *schema.View) bool {
	if len(v.Types) == 1 && v.Types[0] == "null" {
		return true
	}
	return len(v.Types) == 0 && len(v.Properties) == 0 && len(v.AllOf) == 0 && len(v.AnyOf) == 0 && len(v.OneOf) == 0 && v.Items == nil &&
		v.Rest == nil && v.Enum == nil && v.Const == nil
}

// kind gives the type of a schema; "" where it says none, or several.
func (in *inference) kind(s *schema.Schema) string {
	if s == nil {
		return ""
	}
	s = s.Target()
	switch kind := s.Node().Get("type").Text(); kind { // most say it, and need no look at the rest
	case "object", "array", "string", "integer", "boolean", "number":
		return kind
	}
	if branches := s.Node().Get("anyOf"); branches.Len() > 1 { // an id, or what it means
		switch kind := branches.At(0).Get("type").Text(); kind {
		case "string", "integer", "number", "boolean":
			return kind
		}
	}
	if known, ok := in.kinds[s]; ok {
		return known
	}
	made := in.deduce(in.core(s))
	in.kinds[s] = made
	return made
}

// deduce finds the type of a schema by what it says.
func (in *inference) deduce(s *schema.Schema) string {
	v := s.View()
	for _, kind := range v.Types {
		if kind != "null" {
			return kind
		}
	}
	switch {
	case len(v.Properties) > 0 || v.Rest != nil:
		return "object"
	case v.Items != nil:
		return "array"
	case v.Enum.Len() > 0 && v.Enum.At(0).Text() != "":
		return "string"
	}
	for _, branches := range [][]*schema.Schema{v.AllOf, v.AnyOf, v.OneOf} {
		for _, branch := range branches {
			if b := branch.View(); len(b.Types) > 0 && b.Types[0] != "null" {
				return b.Types[0]
			} else if len(b.Properties) > 0 || len(b.AllOf) > 0 {
				return "object"
			}
		}
	}
	return ""
}

// items gives the schema of an array's items; nil for what is no array.
func (in *inference) items(s *schema.Schema) *schema.Schema {
	if in.kind(s) != "array" {
		return nil
	}
	return in.core(s).View().Items
}

// shape gives the fields of a schema; never nil.
func (in *inference) shape(s *schema.Schema) *shape {
	s = in.core(s)
	if known, ok := in.shapes[s]; ok {
		return known
	}
	made := &shape{}
	in.shapes[s] = made
	in.gather(made, s, 0)
	made.index = make(map[string]int, len(made.fields))
	for i := range made.fields {
		if name := canon(made.fields[i].name); name != "" {
			if _, ok := made.index[name]; !ok {
				made.index[name] = i
			}
		}
	}
	return made
}

func (in *inference) gather(to *shape, s *schema.Schema, depth int) {
	if s == nil || depth > maxNesting || len(to.fields) >= maxFields || to.visits >= maxVisits {
		return
	}
	to.visits++
	v := s.View()
	for _, p := range v.Properties {
		to.fields = append(to.fields, field{p.Name, p.Schema, v.Needs(p.Name)})
	}
	for _, part := range v.AllOf {
		in.gather(to, part, depth+1)
	}
	for _, branches := range [][]*schema.Schema{v.AnyOf, v.OneOf} {
		for _, branch := range branches[:min(len(branches), maxBranches)] {
			in.gather(to, branch, depth+1)
		}
	}
}

// same tells whether two schemas describe one kind of thing.
func (in *inference) same(a, b *schema.Schema) bool {
	a, b = in.core(a), in.core(b)
	if a == nil || b == nil {
		return false
	}
	if a == b || in.partOf(a, b) || in.partOf(b, a) {
		return true
	}
	key := [2]*schema.Schema{a, b}
	if known, ok := in.sames[key]; ok {
		return known
	}
	result := in.overlap(a, b) >= 0.6
	in.sames[key] = result
	return result
}

// partOf tells whether a is one of b's branches.
func (in *inference) partOf(a, b *schema.Schema) bool {
	for _, branch := range b.View().AllOf {
		if in.core(branch) == a {
			return true
		}
	}
	return in.choice(a, b)
}

// choice tells whether a is one of those that b may be.
func (in *inference) choice(a, b *schema.Schema) bool {
	v := b.View()
	for _, branches := range [][]*schema.Schema{v.AnyOf, v.OneOf} {
		for _, branch := range branches[:min(len(branches), maxBranches)] {
			if in.core(branch) == a {
				return true
			}
		}
	}
	return false
}

// overlap compares the names of fields: 1 where all of the smaller one are in
// the other.
func (in *inference) overlap(a, b *schema.Schema) float64 {
	small, big := in.shape(a), in.shape(b)
	if len(small.index) > len(big.index) {
		small, big = big, small
	}
	if len(small.index) < 2 {
		return 0
	}
	shared := 0
	for name := range small.index {
		if _, ok := big.index[name]; ok {
			shared++
		}
	}
	if shared < 2 {
		return 0
	}
	return float64(shared) / float64(len(small.index))
}

// token writes a name as the next step of a JSON pointer.
func token(name string) string { return "/" + document.Escape(name) }
