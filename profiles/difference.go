package profiles

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// differences reads the known differences, and adds the one that a clock of
// the profile's own is.
func (b *binder) differences(c clock.Options) []Difference {
	var all []Difference
	table := b.tree.get("differences")
	if table.ok() {
		for _, f := range table.fields {
			if f.item.ok() {
				all = append(all, b.difference(f))
			}
		}
	}
	named := slices.ContainsFunc(all, func(d Difference) bool { return d.Name == ownClock })
	if named || (c.Start.IsZero() && c.Mode != clock.Stepped && (c.Speed == 0 || c.Speed == 1)) {
		return all
	}
	everything, err := faults.ParsePattern("*")
	if err != nil {
		return all
	}
	d := RunClock()
	d.Covers = []faults.Pattern{everything}
	return append(all, d)
}

// silent finds the services that no known difference is declared for: no fake is
// the service itself, and a verdict on one of which nothing is said is taken for
// more than it is. What a service of the profile's own cannot show follows from
// how its calls are answered, and is said with each verdict; so a profile that
// declares anything is not asked for more.
func (b *binder) silent(all []Difference) Problems {
	all = slices.DeleteFunc(slices.Clone(all), func(d Difference) bool { return d.Name == ownClock })
	var names []string
	for _, s := range b.catalogue.Services() {
		_, ships := b.o.Catalogue.Service(s.Name)
		declared := slices.ContainsFunc(all, func(d Difference) bool {
			return slices.ContainsFunc(d.Covers, func(p faults.Pattern) bool {
				if named := p.Service(); named != "" && named != s.Name {
					return false
				}
				return s.Contract != nil && slices.ContainsFunc(s.Contract.Operations, p.Match)
			})
		})
		if b.bound[s.Name] && !declared && (ships || len(all) == 0) {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	shipped := Library()
	known := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(shipped, name) })
	hint := "say under differences: what production does otherwise"
	if len(known) > 0 {
		hint = "add extends: [" + strings.Join(known, ", ") + "], which says what is known, or " + hint
	}
	at := b.tree.get("services").where(b.tree.place)
	return Problems{{
		File: at.file, Line: at.line, Column: at.col, Hint: hint, Warning: true,
		Message: "no known difference from production is declared for " + words.And(names),
	}}
}

// RunClock is the difference that a clock is which is not the agent's, whatever
// it covers.
func RunClock() Difference {
	return Difference{
		Name:       ownClock,
		Production: "Services and the agent live by the same time.",
		Here:       "The services live by the run's clock, and the agent by its own.",
		So:         "Nothing here shows how the agent deals with the age of what it reads.",
		Weakens:    []string{"timing"}, // not freshness: a read still shows what was written
	}
}

// Overlay is the difference that a run's own writes are which are laid over what a
// real service answers, of the operations that it covers.
func Overlay() Difference {
	return Difference{
		Name:       "overlay",
		Production: "What a service answers follows from all that was written to it.",
		Here:       "The run's own writes went to a fake, and what they change there is laid over the real service's replies.",
		So:         "Nothing here shows what the real service would have made of these writes: what it computes, refuses or does later.",
		Weakens:    []string{"effects", "content"},
	}
}

// ShadowMultistep is the difference that captured writes are in a run that reads a
// real service as it is, of the operations that it covers.
func ShadowMultistep() Difference {
	return Difference{
		Name:       "shadow-multistep",
		Production: "A write that succeeds is there when it is read back, and the next step builds on it.",
		Here:       "A write was captured, and the real service that the agent goes on reading does not have it.",
		So:         "After its first captured step the agent saw a world that did not follow: what it did from there on shows little.",
		Weakens:    []string{"effects", "freshness"},
	}
}

// ownClock is the name of the difference that a set clock is.
const ownClock = "run-clock"

func (b *binder) difference(f field) Difference {
	it := f.item
	b.complete(f, "difference")
	d := Difference{
		Name: f.name, Covers: b.patterns(it.get("covers"), loosely), Production: it.get("production").str(),
		Here: it.get("here").str(), So: it.get("so").str(), Weakens: it.get("weakens").strings(),
	}
	accepted := it.get("accepted")
	if !accepted.ok() {
		return d
	}
	d.Accepted = &Accepted{By: accepted.get("by").str(), Until: accepted.get("until").time()}
	if accepted.get("by") == nil {
		b.wrong(accepted.place, "such as {by: billing-qa, until: 2027-03-01}", "difference %s is accepted by nobody", f.name)
	}
	if until := accepted.get("until"); until.ok() {
		switch d.Accepted.Standing(b.o.Wall.Now()) {
		case trail.Expired:
			b.warn(until.place, "look at it again, and accept it anew", "difference %s was accepted until %s, which has passed", f.name, until.source)
		case trail.Expiring:
			b.warn(until.place, "look at it again, and accept it anew", "difference %s is accepted until %s, which is near", f.name, until.source)
		}
	}
	return d
}

// soon is how long before an acceptance expires that is said.
const soon = 14 * 24 * time.Hour

// Standing tells how the acceptance stands at an instant. It has expired as soon
// as the day begins until which it holds, in UTC.
func (a *Accepted) Standing(now time.Time) trail.Standing {
	switch left := a.Until.Sub(now); {
	case a.Until.IsZero() || left > soon:
		return trail.InForce
	case left > 0:
		return trail.Expiring
	}
	return trail.Expired
}
