package profiles

import (
	"slices"

	"parity/faults"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
	"parity/specs/words"
)

// ApprovalWindow is the difference that the time between the last look at a real
// record and the write is, of the operations that it covers.
func ApprovalWindow() Difference {
	return Difference{
		Name:       "approval-window",
		Production: "Between a look at a record and a write to it somebody else may change the record.",
		Here:       "What was approved is read again right before the write leaves; no version of the record, which the write would name, closes the time in between.",
		So:         "Nothing here shows that the record was still as it was approved when the write arrived.",
		Weakens:    []string{"freshness"},
	}
}

// windows are the operations in mode live whose writes name no version of the record
// that they are about.
func (b *binder) windows(p *Profile) (all []faults.Pattern) {
	for _, name := range p.Real() {
		for _, op := range b.opsOf(name) {
			if p.modes[op] != policy.Live || !policy.Writes(op, b.classAtMost(op)) || op.Takes("If-Match") {
				continue
			}
			if one, err := faults.ParsePattern(op.Name()); err == nil {
				all = append(all, one)
			}
		}
	}
	return all
}

// ofModes is what follows from modes and policy together.
func (b *binder) ofModes(p *Profile) {
	b.differencesOfModes(p)
	b.liveLint(p)
}

// differencesOfModes are those that come by themselves where a run writes beside
// what it reads, or to what it reads.
func (b *binder) differencesOfModes(p *Profile) {
	add := func(d Difference, covers []faults.Pattern) {
		known := slices.ContainsFunc(p.Differences, func(one Difference) bool { return one.Name == d.Name })
		if d.Covers = covers; !known && len(covers) > 0 {
			p.Differences = append(p.Differences, d)
		}
	}
	of := func(mode policy.Mode) (covers []faults.Pattern) {
		for _, name := range p.Real() {
			if !slices.ContainsFunc(b.opsOf(name), func(op *specs.Operation) bool { return p.modes[op] == mode }) {
				continue
			}
			if all, err := faults.ParsePattern(name + " *"); err == nil {
				covers = append(covers, all)
			}
		}
		return covers
	}
	add(Overlay(), of(policy.LiveRead))
	add(ShadowMultistep(), of(policy.Shadow))
	add(ApprovalWindow(), b.windows(p))
}

// liveLint says what of a policy comes to nothing where calls go to a real service.
func (b *binder) liveLint(p *Profile) {
	a := p.Authority
	if a == nil || b.settled {
		return
	}
	at := b.tree.get("policy")
	live := func(op *specs.Operation) bool {
		return p.modes[op] == policy.Live && policy.Writes(op, b.classAtMost(op))
	}
	for _, g := range a.Gates {
		ops := slices.DeleteFunc(b.opsCalled(g.Calls), func(op *specs.Operation) bool { return !live(op) })
		f := at.get("gates").get(g.Name)
		switch said := f.get("live"); {
		case !g.Live, g.Then == policy.Refuse, g.Then == policy.Capture: // which was said
		case len(ops) == 0:
			b.warn(said.place, "take it out, or say mode: live", "gate %s is about no operation in mode live", g.Name)
		case !slices.ContainsFunc(ops, func(op *specs.Operation) bool { return b.classAtMost(op).Within(class.Reversible) }):
			b.wrong(said.place, "take it out", "gate %s: what cannot be taken back, and acts of the class admin, leave by a person's yes alone: %s", g.Name, ops[0].Name())
		case a.Stage == policy.LeastLiveStage:
			b.warn(said.place, "such as policy: {stage: 4}", "gate %s: at stage %d a person approves each call that leaves; live: true counts from the next", g.Name, a.Stage)
		}
		if g.Then == policy.Approve && len(ops) > 0 && len(g.By) > 0 && !slices.ContainsFunc(g.By, func(name string) bool { return a.Approvers[name].Person }) {
			b.warn(f.place, "add a person to by:", "gate %s asks %s, and a call that leaves for a real service wants a person: nobody is asked, and it lapses unless somebody decides", g.Name, words.And(g.By))
		}
	}
	people := slices.ContainsFunc(a.Order, func(name string) bool { return a.Approvers[name].Person })
	if len(a.Order) > 0 && !people && slices.ContainsFunc(b.ops, live) {
		b.warn(at.get("approvers").where(at.place), "add a person, such as ada: {person: true}", "calls that leave for a real service want a person's yes, and every approver stands in for one: they lapse unless somebody decides with parity approvals")
	}
}
