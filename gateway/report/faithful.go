package report

import (
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// faithful counts the operations that a model answered, and those that a real
// service did, alone or with what the run had changed laid over it.
func faithful(operations []trail.Touched) (parts []string) {
	modelled, live, overlaid := 0, 0, 0
	for _, t := range operations {
		switch {
		case only(t.Fidelity, trail.Modelled):
			modelled++
		case slices.Contains(t.Fidelity, trail.Overlaid):
			overlaid++
		case slices.Contains(t.Fidelity, trail.Live):
			live++
		}
	}
	for _, of := range []struct {
		n    int
		word string
	}{{modelled, "modelled"}, {live, "live"}, {overlaid, "live and overlaid"}} {
		if of.n > 0 {
			parts = append(parts, words.Count(of.n, "operation")+", "+of.word)
		}
	}
	return parts
}

// exact tells whether an operation was answered as its service would, or by it.
func exact(list []trail.Fidelity) bool {
	return !slices.ContainsFunc(list, func(f trail.Fidelity) bool { return f != trail.Modelled && f != trail.Live && f != trail.Overlaid })
}

func only(list []trail.Fidelity, f trail.Fidelity) bool { return len(list) == 1 && list[0] == f }

// real words that a real service answered.
func real(x *trail.Exchange) string {
	if x.Fidelity != trail.Live {
		return ""
	}
	return joined(x.Fidelities())
}

// joined has fidelities as the record has them.
func joined(list []trail.Fidelity) string {
	all := make([]string, len(list))
	for i, f := range list {
		all[i] = string(f)
	}
	return strings.Join(all, ", ")
}

func fidelity(list []trail.Fidelity) string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = string(f)
		switch f {
		case trail.Generic:
			words[i] = "answered from its contract"
		case trail.Example:
			words[i] = "answered from an example"
		case trail.Injected:
			words[i] = "only faults answered"
		case trail.None:
			words[i] = "no service answered"
		}
	}
	return strings.Join(words, ", ")
}
