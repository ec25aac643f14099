package shadow

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"parity/faults/trail"
)

// orders notes which pairs the person did in another order than the agent. Only acts
// about one record have an order that says something; those of one instant have none.
func (p *pairing) orders() {
	about := map[string][]*pair{}
	for _, one := range p.pairs {
		for _, record := range one.agent.records() {
			about[record] = append(about[record], one)
		}
	}
	for _, record := range slices.Sorted(maps.Keys(about)) {
		group := about[record]
		in := inOrder(group)
		for i, one := range group {
			if in[i] || one.ordered() {
				continue
			}
			one.why = append(one.why, inOtherOrder+other(group, i))
		}
	}
}

// other says which act it was done before, or after.
func other(group []*pair, at int) string {
	one := group[at]
	for i, two := range group {
		before := one.person.At.Before(two.person.At)
		if i < at && before || i > at && two.person.At.Before(one.person.At) {
			word := "after"
			if before {
				word = "before"
			}
			return fmt.Sprintf("the person did it %s line %d, which is the agent's #%d", word, two.person.Person.Line, two.agent.Agent.Event)
		}
	}
	return "the person did it at another point"
}

// inOrder tells which of the pairs, that are in the agent's order, are in the
// person's too: as many as can be.
func inOrder(group []*pair) []bool {
	var tails []int // of the best line of each length: its last pair
	before := make([]int, len(group))
	for i, one := range group {
		at := sort.Search(len(tails), func(k int) bool { return group[tails[k]].person.At.After(one.person.At) })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	in := make([]bool, len(group))
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		in[i] = true
	}
	return in
}

// records are those that an act is about: what its path names last, and what it
// refers to.
func (f *flat) records() (all []string) {
	names := parameters(f.Operation.Path)
	if len(names) > 0 {
		last := f.Operation.Bare()
		last = last[:strings.LastIndexByte(last, '}')+1]
		for name, value := range f.Input.Path {
			last = strings.ReplaceAll(last, "{"+name+"}", "\x00"+value)
		}
		all = append(all, f.Operation.Service+" "+last)
	}
	for _, key := range sortedKeys(f.leaves) {
		if l := f.leaves[key]; l.in != inPath && (l.sense == trail.SenseTarget || l.sense == trail.SenseRecipient) {
			if one := f.Operation.Service + " " + l.spelled; !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

func sortedKeys(leaves map[string]*leaf) []string { return slices.Sorted(maps.Keys(leaves)) }
