package profiles

import (
	"strconv"
	"strings"

	"parity/fakes/expression"
	"parity/specs"
)

// start is where a path may begin: in a call of an operation, or in a record.
type start struct {
	contract   *specs.Contract
	collection string // that its first record belongs to
	roots      roots  // by the path's first name; nil: it begins with a field of the record
}

// way refuses a path that leads nowhere from any of its starts. Unlike an
// expression, it goes on from an id to the record.
func (b *binder) way(it *item, key string, path *expression.Path, starts []start) {
	if path == nil || b.settled || b.o.Start != nil || len(b.ops) == 0 || len(starts) == 0 {
		return
	}
	reads := path.Reads()
	if len(reads) == 0 {
		return
	}
	steps := reads[len(reads)-1].Steps
	furthest, from := -1, specs.Form{}
	for _, s := range starts {
		at, form, ok := s.follow(steps)
		if ok {
			return
		}
		if at > furthest {
			furthest, from = at, form
		} else if at == furthest {
			from = specs.EitherForm(from, form)
		}
	}
	for _, read := range reads {
		if len(read.Steps) == furthest+1 {
			(&speaking{b: b, it: it, key: key}).refuse(read, from)
		}
	}
}

// follow goes along a path; where it does not go on, it gives the step and what
// that was looked for in.
func (s start) follow(steps []string) (at int, in specs.Form, ok bool) {
	form, begin := s.contract.RecordForm(s.collection), 0
	if s.roots != nil {
		form, begin = s.roots[steps[0]](), 1
	}
	collection := s.collection
	for i := begin; i < len(steps); i++ {
		next, known := form.Field(steps[i])
		if _, err := strconv.Atoi(steps[i]); !known && err == nil {
			next, known = form.Item()
		}
		if target, refers := s.contract.Refers(collection, inRecord(steps[begin:i])); !known && refers {
			collection, begin = target, i
			form = s.contract.RecordForm(target)
			next, known = form.Field(steps[i])
		}
		if !known {
			return i, form, false
		}
		form = next
	}
	return 0, form, true
}

// inRecord is a way through a call as a field of the record that the call is
// about: body.charge is charge.
func inRecord(steps []string) string {
	if len(steps) > 1 && (steps[0] == specs.InBody || steps[0] == specs.InQuery || steps[0] == specs.InPath) {
		steps = steps[1:]
	}
	return strings.Join(steps, ".")
}

// startsOf are the starts of paths through calls of operations.
func (b *binder) startsOf(ops []*specs.Operation, of func([]*specs.Operation) roots) []start {
	var all []start
	for _, op := range ops {
		if s, ok := b.catalogue.Service(op.Service); ok && s.Contract != nil {
			all = append(all, start{s.Contract, op.Anatomy.Collection, of([]*specs.Operation{op})})
		}
	}
	return all
}

// startsIn are those of paths through records of collections.
func (b *binder) startsIn(collections []string) []start {
	var all []start
	for _, name := range collections {
		service, short, _ := strings.Cut(name, ".")
		if s, ok := b.catalogue.Service(service); ok && s.Contract != nil {
			all = append(all, start{contract: s.Contract, collection: short})
		}
	}
	return all
}
