package faults

import (
	"slices"
	"strings"

	"parity/specs"
)

// Index finds the operations that patterns name. What it has found it keeps:
// many rules name the same. It is for one goroutine.
type Index struct {
	operations []*specs.Operation
	exact      map[string][]int // by service, method and path, and by service and id; nil: nobody has asked
	found      map[string][]int // by the texts of patterns
}

// NewIndex gives an index over operations.
func NewIndex(operations []*specs.Operation) *Index {
	return &Index{operations: operations, found: map[string][]int{}}
}

// called gives the operations of that name. Where no rule names any, as in a
// profile without rules, a thousand names are not written down.
func (x *Index) called(name string) []int {
	if x.exact == nil {
		x.exact = make(map[string][]int, 2*len(x.operations))
		x.names()
	}
	return x.exact[name]
}

func (x *Index) names() {
	for i, op := range x.operations {
		names := []string{op.Service + "." + op.ID, spelt(op.Service, op.Method, op.Path)}
		if bare := op.Bare(); bare != op.Path {
			names = append(names, spelt(op.Service, op.Method, bare))
		}
		if suffix := op.Suffix(); suffix != "" {
			for _, name := range names[1:] {
				names = append(names, name+suffix)
			}
		}
		for _, name := range names {
			x.exact[name] = append(x.exact[name], i)
		}
	}
}

func spelt(service, method, path string) string {
	return service + " " + method + " " + anonymous(path)
}

// Find lists the operations that any of the patterns names: their places among
// those of the index, ascending. The list is not to be written to.
func (x *Index) Find(patterns []Pattern) []int {
	texts := make([]string, len(patterns))
	for i, p := range patterns {
		texts[i] = p.text
	}
	key := strings.Join(texts, "\x00")
	all, known := x.found[key]
	if known {
		return all
	}
	for _, p := range patterns {
		all = append(all, x.one(p)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	x.found[key] = all
	return all
}

func (x *Index) one(p Pattern) []int {
	if named := x.named(p); len(named) > 0 {
		return named
	}
	return x.written(p)
}

// named finds the operations whose name the pattern is.
func (x *Index) named(p Pattern) []int {
	switch {
	case !strings.ContainsAny(p.text, "*?[") && p.id != "":
		return x.called(p.service + "." + p.id)
	case !strings.ContainsAny(p.text, "*?["):
		return x.called(spelt(p.service, p.method, p.path))
	}
	var all []int
	for i, op := range x.operations {
		if p.Match(op) {
			all = append(all, i)
		}
	}
	return all
}

// written finds the operations of calls whose path the pattern writes out. As
// where calls are matched, a literal wins over a parameter.
func (x *Index) written(p Pattern) []int {
	var all []int
	least := map[string]int{} // by service and method
	of := func(op *specs.Operation) string { return op.Service + " " + op.Method }
	for i, op := range x.operations {
		if !p.May(op) {
			continue
		}
		all = append(all, i)
		if n, known := least[of(op)]; !known || p.pins(op) < n {
			least[of(op)] = p.pins(op)
		}
	}
	if strings.ContainsAny(p.path, "*?") {
		return all
	}
	return slices.DeleteFunc(all, func(i int) bool { return p.pins(x.operations[i]) > least[of(x.operations[i])] })
}

// Writes tells whether the pattern is no operation's name, but the path of some
// of their calls, written out.
func (x *Index) Writes(p Pattern) bool { return len(x.named(p)) == 0 && len(x.written(p)) > 0 }
