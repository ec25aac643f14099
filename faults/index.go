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
	exact      map[string][]int // by service, method and path, and by service and id
	found      map[string][]int // by the texts of patterns
}

// NewIndex gives an index over operations.
func NewIndex(operations []*specs.Operation) *Index {
	x := &Index{operations: operations, exact: map[string][]int{}, found: map[string][]int{}}
	for i, op := range operations {
		names := []string{op.Service + "." + op.ID, spelt(op.Service, op.Method, op.Path)}
		if bare := op.Bare(); bare != op.Path {
			names = append(names, spelt(op.Service, op.Method, bare))
		}
		for _, name := range names {
			x.exact[name] = append(x.exact[name], i)
		}
	}
	return x
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
	switch {
	case !strings.ContainsAny(p.text, "*?[") && p.id != "":
		return x.exact[p.service+"."+p.id]
	case !strings.ContainsAny(p.text, "*?["):
		return x.exact[spelt(p.service, p.method, p.path)]
	}
	var all []int
	for i, op := range x.operations {
		if p.Match(op) {
			all = append(all, i)
		}
	}
	return all
}
