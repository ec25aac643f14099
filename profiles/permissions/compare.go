package permissions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// How a cell of one profile stands to that of another.
const (
	Broader        = "broader"         // the first lets more through
	Narrower       = "narrower"        // the first lets less through
	OtherCondition = "other condition" // as much, by another gate or under another condition
)

// A Difference is an operation of an identity that two profiles decide otherwise.
type Difference struct {
	Kind      string      `json:"kind"`
	Identity  string      `json:"identity"`
	Operation string      `json:"operation"`
	Class     class.Class `json:"class"` // the higher of both
	A         []Outcome   `json:"a"`
	B         []Outcome   `json:"b"`
}

// Compare decides every identity and operation of either under both. An identity
// that one of them does not have is a stranger there, and of a service that one
// does not bind all is refused.
func Compare(a, b Subject) []Difference {
	var found []Difference
	identities := slices.Compact(slices.Sorted(slices.Values(append(a.Identities(), b.Identities()...))))
	for _, pair := range paired(a, b) {
		in, on := a.at(pair, 0), b.at(pair, 1)
		for _, identity := range identities {
			in, on := in(identity), on(identity)
			if kind := kindOf(in.Outcomes, on.Outcomes); kind != "" {
				found = append(found, Difference{
					Kind: kind, Identity: identity, Operation: in.Operation, Class: class.Highest(in.Class, on.Class), A: in.Outcomes, B: on.Outcomes,
				})
			}
		}
	}
	order := []string{Broader, Narrower, OtherCondition}
	slices.SortStableFunc(found, func(a, b Difference) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
	return found
}

// paired gives the operations of both, each as either of them has it: contracts of
// one name may be two.
func paired(a, b Subject) [][2]*specs.Operation {
	var all [][2]*specs.Operation
	left, right := a.Operations(), b.Operations()
	for len(left) > 0 || len(right) > 0 {
		at := 0
		switch {
		case len(left) == 0:
			at = 1
		case len(right) == 0:
			at = -1
		default:
			at = byName(left[0], right[0])
		}
		var pair [2]*specs.Operation
		if at <= 0 {
			pair[0], left = left[0], left[1:]
		}
		if at >= 0 {
			pair[1], right = right[0], right[1:]
		}
		all = append(all, pair)
	}
	return all
}

// at gives what decides one of a pair. What only the other has is refused: no
// operation is known there.
func (s Subject) at(pair [2]*specs.Operation, n int) func(identity string) Cell {
	op := cmp.Or(pair[n], pair[1-n])
	is := s.class(op)
	return func(identity string) Cell {
		cell := s.decide(identity, op, Call{}, is)
		if pair[n] == nil && slices.Contains(s.Profile.Services, op.Service) {
			cell.Outcomes = []Outcome{{Decision: trail.PolicyRefused, Code: policy.CodeNoPolicy}}
		}
		return cell
	}
}

// rank is the order of decisions: the higher lets more through.
func rank(o Outcome) int {
	return slices.Index([]trail.Decision{trail.PolicyRefused, trail.PolicyCaptured, trail.PolicyHeld, trail.PolicyAllowed}, o.Decision)
}

// kindOf says how one cell stands to another; "": they decide alike. Where both
// have the same conditions each outcome is held against its own; else the one
// lets more through whose least is no less than the other's most.
func kindOf(a, b []Outcome) string {
	if d := a[0].Decision; d == trail.PolicyAllowed || d == trail.PolicyRefused {
		if !slices.ContainsFunc(append(slices.Clone(a), b...), func(o Outcome) bool { return o.Decision != d }) {
			return "" // whatever says so
		}
	}
	same := slices.EqualFunc(a, b, func(a, b Outcome) bool { return a.When == b.When })
	if !same {
		return kindOfRanks(least(a)-most(b), most(a)-least(b), true)
	}
	down, up, changed := 0, 0, false
	for i := range a {
		down, up = min(down, rank(a[i])-rank(b[i])), max(up, rank(a[i])-rank(b[i]))
		changed = changed || a[i].Decision != trail.PolicyRefused && a[i].Decision == b[i].Decision && gateOf(a[i]) != gateOf(b[i])
	}
	return kindOfRanks(down, up, changed)
}

// kindOfRanks goes by how far the first is below the second at least, and at most.
func kindOfRanks(down, up int, changed bool) string {
	switch {
	case down >= 0 && up > 0:
		return Broader
	case up <= 0 && down < 0:
		return Narrower
	case down != 0 || up != 0 || changed:
		return OtherCondition
	}
	return ""
}

// gateOf is the gate that decided; a stage is none, whichever it is, and a gate
// that lets a call pass is none either.
func gateOf(o Outcome) string {
	if o.Decision == trail.PolicyAllowed || strings.HasPrefix(o.By, "stage ") {
		return ""
	}
	return o.By
}

func least(all []Outcome) int { return rank(slices.MinFunc(all, lower)) }
func most(all []Outcome) int  { return rank(slices.MaxFunc(all, lower)) }

func lower(a, b Outcome) int { return cmp.Compare(rank(a), rank(b)) }

// Reason says in words what becomes of a call under a profile of that name.
func Reason(name string, all []Outcome) string {
	parts := make([]string, len(all))
	for i, o := range all {
		switch o.Decision {
		case trail.PolicyRefused:
			parts[i] = name + ": " + o.Code
			if o.By != "" {
				parts[i] += " (" + o.By + ")"
			}
		case trail.PolicyHeld:
			parts[i] = name + " holds it (" + said(o.By) + ")"
		case trail.PolicyCaptured:
			parts[i] = name + " keeps it as a draft (" + said(o.By) + ")"
		default:
			parts[i] = name + " allows it"
		}
		if o.When != "" {
			parts[i] += " when " + o.When
		}
		if i > 0 {
			parts[i] = strings.TrimPrefix(strings.TrimPrefix(parts[i], name+": "), name+" ")
		}
	}
	return strings.Join(parts, ", else ")
}

// said is who decided, in words: a stage or a mode says so by itself, a name is a
// gate's.
func said(by string) string {
	if strings.HasPrefix(by, "stage ") || strings.HasPrefix(by, "mode ") {
		return by
	}
	return "gate " + by
}

// Count says how many differences there are of each kind.
func Count(all []Difference) string {
	counts := map[string]int{}
	for _, d := range all {
		counts[d.Kind]++
	}
	return fmt.Sprintf("%d broader, %d narrower, %d under another condition", counts[Broader], counts[Narrower], counts[OtherCondition])
}
