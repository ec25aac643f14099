package specs

import (
	"cmp"
	"slices"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/openapi"
)

// Advise tells what is not wrong in a contract, and what will still surprise
// whoever plays it: lists of which the rest cannot be read, parameters that
// change nothing, paths that differ in the names of their parameters alone.
func (c *Contract) Advise() []Diagnostic {
	var found []Diagnostic
	tell := func(source *openapi.Operation, code, message string) {
		found = append(found, diagnose(source.Node, source.Pointer, code, message))
	}
	model := c.Model()
	shapes, methods := map[string]*openapi.Operation{}, map[string]bool{}
	for _, source := range c.api.Operations {
		shape := bareShape(source.Path)
		doubled := methods[source.Method+shape] // which is a fault
		methods[source.Method+shape] = true
		if first := shapes[shape]; first == nil {
			shapes[shape] = source
		} else if first.Path != source.Path && !doubled {
			tell(source, "alike-paths", source.Path+" differs from "+first.Path+stands(&Operation{parts: &parts{source: first}})+" in the names of its parameters alone")
		}
		role := model.Roles[source]
		if role == nil || role.List == nil || role.Kind != anatomy.List && role.Kind != anatomy.Search {
			continue
		}
		name := source.Method + " " + source.Path
		switch p := role.List; {
		case p.Style == "none" && p.Limit != "":
			tell(source, "unpaged-list", name+" is cut by "+p.Limit+", and has no parameter that leads to the rest")
		case p.Cursor != "" && p.Next == "":
			tell(source, "unpaged-list", name+" is paged by "+p.Cursor+", and no field of its reply holds the next one: it is told in the header Link, and the last id is taken for one")
		}
		if idle := idle(source, role.List); len(idle) > 0 {
			tell(source, "ignored-parameter", name+" lists the same whatever "+strings.Join(idle, ", ")+" says: no field of the records has that name")
		}
	}
	slices.SortStableFunc(found, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code))
	})
	return found
}

// Idle lists the parameters of a list that change nothing of what it shows; none
// of what is no list.
func (c *Contract) Idle(op *Operation) []string {
	role := c.Model().Roles[op.source]
	if role == nil || role.List == nil || role.Kind != anatomy.List && role.Kind != anatomy.Search {
		return nil
	}
	return idle(op.source, role.List)
}

// idle lists the parameters of a list's query that change nothing of what it
// shows.
func idle(source *openapi.Operation, p *anatomy.Paging) []string {
	used := []string{p.Limit, p.Cursor, p.Before, p.Offset, p.Page, p.Sort, p.Order, p.Query}
	parameters, _ := source.Parameters()
	var names []string
	for _, q := range parameters {
		if q.In != inQuery || slices.Contains(used, q.Name) || p.Filters[q.Name] != "" || p.Ranges[q.Name].Field != "" || deep(p, q.Name) {
			continue
		}
		names = append(names, q.Name)
	}
	return names
}

// deep tells whether a list knows a field of a parameter: created[gte].
func deep(p *anatomy.Paging, name string) bool {
	within := func(known string) bool { return strings.HasPrefix(known, name+"[") }
	for known := range p.Filters {
		if within(known) {
			return true
		}
	}
	for known := range p.Ranges {
		if within(known) {
			return true
		}
	}
	return slices.ContainsFunc([]string{p.Limit, p.Cursor, p.Offset, p.Page}, within)
}

// bareShape is a path without the names of its parameters.
func bareShape(path string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(path, "{")
		b.WriteString(before)
		_, rest, closed := strings.Cut(after, "}")
		if !ok || !closed {
			return b.String()
		}
		b.WriteString("{}")
		path = rest
	}
}
