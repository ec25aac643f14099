package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// silentNoOp says that a write was done, and does not do it.
//
//	PATCH status=closed ─▶ 200 {"status":"closed"}     world: open
func silentNoOp() *Fault {
	return &Fault{
		Name:     "silent-no-op",
		Phase:    Instead,
		Summary:  "The service's own success for a write that changed nothing, or not all that it says; nobody is told of it by webhook either.",
		Reaction: "Reads back before saying done.",
		Judging:  Judging{Class: NotDone, Twinless: ignores},
		Forms:    []Form{{Rank: 150, Fits: fitsWrites}},
		Example: `status-is-ignored:
  call: zendesk PUT /api/v2/tickets/{ticket_id}
  inject: silent-no-op
  with: {fields: [ticket.status]}
  trigger: {nth: 1}`,
		Params: []Param{
			{Name: "fields", Kind: Names, Doc: "the fields of the body that are ignored, with dots inside; the others are applied; by default nothing is", Example: "[status, priority]"},
			{Name: "keeps", Kind: Names, Doc: "the fields of the body that are applied, those at the top; all others are ignored", Example: "name"},
		},
		build: func(a Args) (Injection, error) {
			n := noOp{fields: a.names("fields"), keeps: a.names("keeps")}
			if len(n.fields) > 0 && len(n.keeps) > 0 {
				return nil, &ArgError{Key: "keeps", Message: "say which fields are ignored, or which are not: fields and keeps do not go together"}
			}
			return n, nil
		},
	}
}

type noOp struct{ fields, keeps []string }

// Misfit wants a write, and fields of it where some are named.
func (n noOp) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Effect == specs.Read {
		return op.Name() + " changes nothing: there is nothing to leave undone"
	}
	all := requestFields(op)
	for _, name := range append(n.fields[:len(n.fields):len(n.fields)], n.keeps...) {
		if len(all) > 0 && !slices.ContainsFunc(all, func(f field) bool { return f.String() == name }) && !strings.Contains(name, ".") {
			return fmt.Sprintf("%s takes no field %s", op.Name(), name)
		}
	}
	return ""
}

func (n noOp) Apply(p *Plan, _ CallContext) Mark {
	if len(n.fields) == 0 && len(n.keeps) == 0 {
		p.Ignore(func(in specs.Input) (specs.Input, bool) { return in, false }, func(changed bool) Done {
			if !changed {
				return Nothing("the call changed nothing anyway")
			}
			return Done{Did: "said that it was done, and did nothing"}
		})
		return Mark{}
	}
	var ignored []string
	p.Ignore(func(in specs.Input) (specs.Input, bool) {
		in.Body, ignored = n.left(in.Body)
		return in, true
	}, func(changed bool) Done {
		switch {
		case len(ignored) == 0:
			return Nothing("the call has none of the fields that are ignored")
		case !changed:
			return Nothing("the call comes to the same without them")
		}
		return Done{Did: "said that it was done, and ignored " + strings.Join(ignored, ", ")}
	})
	return Mark{}
}

// left gives a copy of a body without what is ignored, and names that.
func (n noOp) left(body map[string]any) (map[string]any, []string) {
	var ignored []string
	if len(n.keeps) > 0 {
		left := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(body)) {
			if slices.Contains(n.keeps, name) {
				left[name] = body[name]
			} else {
				ignored = append(ignored, name)
			}
		}
		return left, ignored
	}
	left := body
	for _, name := range n.fields {
		if without, found := lacking(left, strings.Split(name, ".")); found {
			left, ignored = without, append(ignored, name)
		}
	}
	return left, ignored
}

// lacking copies an object without the value at a path; what is not on the path
// is shared.
func lacking(object map[string]any, path []string) (map[string]any, bool) {
	value, there := object[path[0]]
	if !there {
		return object, false
	}
	left := maps.Clone(object)
	if len(path) == 1 {
		delete(left, path[0])
		return left, true
	}
	inner, ok := value.(map[string]any)
	if !ok {
		return object, false
	}
	inner, found := lacking(inner, path[1:])
	left[path[0]] = inner
	return left, found
}

// ignores tells that only a part of the write was left undone: what was asked for
// came to something else, which a run without the fault does not show.
func ignores(did string) bool { return strings.Contains(did, "ignored") }
