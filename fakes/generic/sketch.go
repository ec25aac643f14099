package generic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/openapi"
)

// Sketch writes the first behaviour file of a contract: what was inferred, with
// why, to be corrected and added to. Reading it back changes nothing.
func Sketch(contract *specs.Contract) []byte {
	s := newSketch(contract)
	s.line(0, "# What was inferred from the contract of %s. Correct what is wrong, leave out", contract.Service)
	s.line(0, "# what is right, and add what no contract says: see fakes/generic/README.md.")
	s.line(0, "behaviour: %s", scalar(contract.Service))
	var kept []*anatomy.Resource
	for _, r := range s.model.Resources {
		if s.has[r] {
			kept = append(kept, r)
		}
	}
	if len(kept) > 0 {
		s.line(0, "")
		s.line(0, "resources:")
	}
	for _, r := range kept {
		s.resource(r)
	}
	s.operations()
	s.errors()
	return []byte(s.out.String())
}

type sketch struct {
	api     *openapi.API
	model   *anatomy.Model
	has     map[*anatomy.Resource]bool            // has operations
	common  map[*anatomy.Resource]*anatomy.Paging // of its lists, where they have one; else nil
	doubled map[*openapi.Operation]bool           // an earlier one has the same shape of path: the file cannot name it
	out     strings.Builder
}

func newSketch(contract *specs.Contract) *sketch {
	api := contract.API()
	s := &sketch{
		api: api, model: contract.Model(), has: map[*anatomy.Resource]bool{},
		common: map[*anatomy.Resource]*anatomy.Paging{}, doubled: map[*openapi.Operation]bool{},
	}
	shapes := map[string]bool{}
	for _, op := range api.Operations {
		name := shape(op.Method + " " + op.Path)
		s.doubled[op] = shapes[name]
		shapes[name] = true
		role := s.model.Roles[op]
		if role == nil || role.Resource == nil {
			continue
		}
		r := role.Resource
		s.has[r] = true
		if role.Kind != anatomy.List || role.List == nil {
			continue
		}
		if first, known := s.common[r]; !known {
			s.common[r] = role.List
		} else if first != nil && !alike(first, role.List) {
			s.common[r] = nil
		}
	}
	return s
}

func (s *sketch) line(indent int, format string, args ...any) {
	s.out.WriteString(strings.Repeat("  ", indent) + fmt.Sprintf(format, args...) + "\n")
}

func (s *sketch) resource(r *anatomy.Resource) {
	before := s.out.Len()
	s.line(1, "%s: # %s", scalar(r.Name), comment(r.Why))
	empty := s.out.Len()
	defer func() {
		if s.out.Len() == empty {
			whole := s.out.String()
			s.out.Reset()
			s.out.WriteString(whole[:before])
			s.line(1, "%s: {} # %s", scalar(r.Name), comment(r.Why))
		}
	}()
	if name := r.Record.Name(); r.Record != nil && s.api.Component(name) != nil && s.api.Component(name).Target() == r.Record.Target() {
		s.line(2, "record: %s", scalar(name))
	}
	by := "server"
	if r.ID.Client {
		by = "client"
	}
	if !r.Singleton {
		s.line(2, "id: {field: %s, by: %s}%s", scalar(r.ID.Field), by, s.idWhy(r))
	}
	for _, field := range []struct{ key, name string }{
		{"created", r.Created}, {"updated", r.Updated}, {"version", r.Version}, {"status", r.Status},
	} {
		if field.name != "" {
			s.line(2, "%s: %s", field.key, scalar(field.name))
		}
	}
	if len(r.Server) > 0 {
		s.line(2, "server: %s # clients cannot set them", listOf(r.Server))
	}
	if len(r.Unique) > 0 {
		s.line(2, "unique: %s", listOf(r.Unique))
	}
	if len(r.Refers) > 0 {
		s.line(2, "refers: %s", tableOf(r.Refers))
	}
	if p := s.common[r]; p != nil {
		s.line(2, "list:")
		s.paging(3, p)
	}
}

// idWhy says what ids look like.
func (s *sketch) idWhy(r *anatomy.Resource) string {
	var parts []string
	for _, part := range []string{r.ID.Type, r.ID.Format} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if r.ID.Prefix != "" {
		parts = append(parts, "begins with "+r.ID.Prefix)
	}
	if len(parts) == 0 {
		return ""
	}
	return " # " + comment(strings.Join(parts, ", "))
}

func alike(a, b *anatomy.Paging) bool {
	return fmt.Sprintf("%+v", *a) == fmt.Sprintf("%+v", *b) // maps are printed in the order of their keys
}

func (s *sketch) paging(indent int, p *anatomy.Paging) {
	put := func(key, value string) {
		if value != "" {
			s.line(indent, "%s: %s", key, scalar(value))
		}
	}
	s.line(indent, "items: %s", scalar(p.Items))
	put("style", p.Style)
	put("limit", p.Limit)
	for _, n := range []struct {
		key   string
		value int
	}{{"default", p.Default}, {"most", p.Most}, {"first", p.First}} {
		if n.value != 0 {
			s.line(indent, "%s: %d", n.key, n.value)
		}
	}
	put("cursor", p.Cursor)
	put("before", p.Before)
	put("offset", p.Offset)
	put("page", p.Page)
	put("next", p.Next)
	if p.IsURL {
		s.line(indent, "url: true # next is one")
	}
	put("more", p.More)
	put("total", p.Total)
	put("prev", p.Prev)
	put("sort", p.Sort)
	put("direction", p.Order)
	put("query", p.Query)
	if len(p.Echo) > 0 {
		s.line(indent, "echo: %s", tableOf(p.Echo))
	}
	if len(p.Filters) > 0 {
		s.line(indent, "filters: %s", tableOf(p.Filters))
	}
	if len(p.Ranges) > 0 {
		s.line(indent, "ranges:")
		for _, name := range slices.Sorted(maps.Keys(p.Ranges)) {
			bound := p.Ranges[name]
			is := ""
			if bound.Op != "" {
				is = ", is: " + scalar(bound.Op)
			}
			s.line(indent+1, "%s: {field: %s%s}", scalar(name), scalar(bound.Field), is)
		}
	}
}

// operations writes those whose guess is worth a look: actions, searches, and
// what nothing is known of.
func (s *sketch) operations() {
	begun := false
	begin := func() {
		if !begun {
			s.line(0, "")
			s.line(0, "operations:")
		}
		begun = true
	}
	for _, op := range s.api.Operations {
		role := s.model.Roles[op]
		if role == nil {
			continue
		}
		name := scalar(op.Method + " " + op.Path)
		switch {
		case role.Kind == anatomy.Action && role.Resource != nil && !s.doubled[op]:
			begin()
			s.line(1, "%s: # %s", name, comment(role.Why))
			told := "say what: set: {…}, when:, effects:"
			if set := outcome(role.Resource, formOf(role.Resource.Record), role.Name); len(set) > 0 && role.Member != "" {
				told = "its name tells that it sets " + assigned(set) + "; say otherwise: set: {…}, when:, effects:"
			}
			s.line(2, "does: action # %s", told)
			s.line(2, "resource: %s", scalar(role.Resource.Name))
		case role.List != nil && role.Resource != nil && !s.doubled[op] && (role.Kind == anatomy.Search || s.common[role.Resource] == nil):
			begin()
			s.line(1, "%s: # %s", name, comment(role.Why))
			s.line(2, "does: %s", role.Kind)
			s.line(2, "resource: %s", scalar(role.Resource.Name))
			s.line(2, "list:")
			s.paging(3, role.List)
		}
	}
	s.others(begun)
}

// assigned writes what is set, in short.
func assigned(set []assignment) string {
	parts := make([]string, len(set))
	for i, a := range set {
		parts[i] = a.field + ": now"
		if !a.value.now {
			parts[i] = a.field + ": " + fmt.Sprint(a.value.fixed)
		}
	}
	return comment(strings.Join(parts, ", "))
}

// others lists in a comment the operations that are answered from examples and
// schemas.
func (s *sketch) others(begun bool) {
	const most = 40
	var names []string
	for _, op := range s.api.Operations {
		if role := s.model.Roles[op]; role == nil || role.Kind == anatomy.Other {
			names = append(names, op.Method+" "+op.Path)
		}
	}
	if len(names) == 0 {
		return
	}
	if !begun {
		s.line(0, "")
	}
	s.line(0, "# Nothing is known of these; they are answered from examples and schemas. Say")
	s.line(0, "# does: and resource: to give them a meaning.")
	for _, name := range names[:min(len(names), most)] {
		s.line(0, "#   %s", comment(name))
	}
	if more := len(names) - most; more > 0 {
		s.line(0, "#   and %d more", more)
	}
}

func (s *sketch) errors() {
	e := s.model.Errors
	if e.Schema == nil {
		return
	}
	places := map[string]string{}
	for name, at := range map[string]string{"message": e.Message, "code": e.Code, "status": e.Status} {
		if at != "" {
			places[name] = at
		}
	}
	if len(places) == 0 {
		return
	}
	s.line(0, "")
	s.line(0, "errors:")
	s.line(1, "# shape: %s", tableOf(places))
	s.line(1, `not_found: {message: "No such {resource}: {id}"}`)
}

// comment keeps a text on one line.
func comment(words string) string {
	return strings.Join(strings.Fields(strings.Map(printable, words)), " ")
}

func listOf(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = scalar(name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func tableOf(m map[string]string) string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, scalar(name)+": "+scalar(m[name]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// scalar writes a text as YAML, in quotes where it could be taken for something
// else.
func scalar(words string) string {
	plain := words != ""
	for i, r := range words {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '/' && words != "/"
		plain = plain && (letter || i > 0 && (r >= '0' && r <= '9' || r == '-' || r == '.' || r == ' ' && i < len(words)-1))
	}
	switch strings.ToLower(words) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n", "~":
		plain = false
	}
	if plain {
		return words
	}
	return strconv.Quote(words)
}
