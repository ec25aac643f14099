package profiles

import (
	"slices"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/specs"
)

// plain is an object whose fields have none themselves.
func plain(names ...string) map[string]func() specs.Form {
	fields := make(map[string]func() specs.Form, len(names))
	for _, name := range names {
		fields[name] = func() specs.Form { return specs.Form{} }
	}
	return fields
}

func fixed(names ...string) func() specs.Form {
	return func() specs.Form { return specs.FormOf(plain(names...)) }
}

// ofRules is what the conditions and paths of rules can speak of.
func (b *binder) ofRules(ops []*specs.Operation) roots {
	all := b.ofCalls(ops)
	all["run"], all["world"] = fixed("id", "seed", "exchanges"), b.worldForm
	return all
}

// ofCalls is what those can speak of that are about one call.
func (b *binder) ofCalls(ops []*specs.Operation) roots {
	return roots{
		"request": func() specs.Form {
			fields := plain("method", "host", "attempt", "identity")
			fields["header"] = specs.FreeForm
			return b.parted(fields, ops, specs.InPath, specs.InQuery, specs.InBody)
		},
		"result": func() specs.Form { return b.answers(ops) },
		"clock":  fixed("now", "elapsed"),
	}
}

// ofPairs is what where can speak of.
func (b *binder) ofPairs(e *Expectation) roots {
	all := roots{}
	for name, calls := range map[string][]faults.Pattern{"earlier": e.Needs, "later": e.Calls} {
		all[name] = func() specs.Form {
			fields, ops := plain("identity"), b.opsCalled(calls)
			if !e.Enforce { // which has no answer yet
				fields["result"] = func() specs.Form { return b.answers(ops) }
			}
			return b.parted(fields, ops, specs.InPath, specs.InQuery, specs.InBody)
		}
	}
	return all
}

// ofRuns is what a condition over the run as a whole can speak of.
func (b *binder) ofRuns() roots {
	return roots{"world": b.worldForm, "calls": func() specs.Form {
		fields := plain(CallFields()...)
		fields["faults"] = func() specs.Form { return specs.ListForm(specs.Form{}) }
		fields["result"] = func() specs.Form { return b.answers(b.ops) }
		return specs.ListForm(b.parted(fields, b.ops, specs.InPath, specs.InQuery, specs.InBody))
	}}
}

// parted adds parts of requests to the fields of an object.
func (b *binder) parted(fields map[string]func() specs.Form, ops []*specs.Operation, parts ...string) specs.Form {
	for _, part := range parts {
		fields[part] = func() specs.Form {
			var all []specs.Form
			for _, op := range ops {
				all = append(all, op.Form(part))
			}
			return specs.EitherForm(all...)
		}
	}
	return specs.FormOf(fields)
}

// answers is what operations answer, and how their services say no: contracts
// seldom have that.
func (b *binder) answers(ops []*specs.Operation) specs.Form {
	var all []specs.Form
	refused := map[string]bool{}
	for _, op := range ops {
		all = append(all, op.Form(specs.InResult))
		if !refused[op.Service] {
			refused[op.Service] = true
			all = append(all, b.refusals(op.Service))
		}
	}
	return specs.EitherForm(all...)
}

func (b *binder) refusals(service string) specs.Form {
	fields := map[string]func() specs.Form{}
	s, _ := b.catalogue.Service(service)
	words, ok := s.Fake.(fakes.Dialect)
	if !ok {
		for _, name := range []string{"type", "title", "status", "detail", "code", "errors"} { // RFC 9457
			fields[name] = specs.FreeForm
		}
		return specs.FormOf(fields)
	}
	for _, kind := range []fakes.ProblemKind{fakes.BadRequest, fakes.NoOperation, fakes.OutOfOrder} {
		for name := range words.Render(fakes.Problem{Kind: kind}).Result {
			fields[name] = specs.FreeForm
		}
	}
	return specs.FormOf(fields)
}

// worldForm is what services keep.
func (b *binder) worldForm() specs.Form {
	services := map[string]func() specs.Form{}
	for _, s := range b.catalogue.Services() {
		if b.bound[s.Name] && s.Contract != nil {
			services[s.Name] = func() specs.Form { return specs.FormOf(collectionsOf(s)) }
		}
	}
	return specs.FormOf(services)
}

func collectionsOf(s fakes.Service) map[string]func() specs.Form {
	fields := map[string]func() specs.Form{}
	for _, c := range s.Collections {
		if name, ok := strings.CutPrefix(c.Name, s.Name+"."); ok && !c.Hidden {
			fields[name] = func() specs.Form { return specs.ListForm(s.Contract.RecordForm(name)) }
		}
	}
	return fields
}

// ofCounted is what the when of an expectation about calls, or about new records,
// can speak of: what makes a record, any call may.
func (b *binder) ofCounted(e *Expectation) roots {
	ops := b.opsCalled(e.Calls)
	if len(e.New) > 0 || len(e.Calls) == 0 {
		ops = b.ops
	}
	all := b.ofCalls(ops)
	all["record"] = func() specs.Form { return b.recordsOf(e.New) }
	return all
}

// recordsOf is what any of some collections keeps.
func (b *binder) recordsOf(collections []string) specs.Form {
	var all []specs.Form
	for _, name := range collections {
		service, short, _ := strings.Cut(name, ".")
		if s, ok := b.catalogue.Service(service); ok && s.Contract != nil {
			all = append(all, s.Contract.RecordForm(short))
		}
	}
	return specs.EitherForm(all...)
}

// opsCalled lists the operations that calls are of.
func (b *binder) opsCalled(calls []faults.Pattern) []*specs.Operation {
	var all []*specs.Operation
	for _, p := range calls {
		for _, op := range b.opsOf(p.Service()) {
			if (p.Match(op) || p.May(op)) && !slices.Contains(all, op) {
				all = append(all, op)
			}
		}
	}
	return all
}
