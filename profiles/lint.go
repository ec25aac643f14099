package profiles

import (
	"cmp"
	"slices"

	"parity/faults"
	"parity/specs"
)

// lint warns of rules that are well formed and do not do what they seem to.
func (b *binder) lint(rules []drafted) {
	var deciders []drafted
	for _, d := range rules {
		if b.misfits(d) {
			continue
		}
		at := d.field.item.get("inject").where(d.field.place)
		if d.fault.Phase == faults.After && !b.writes(d) {
			b.warn(d.field.item.get("call").where(d.field.place), "name an operation that writes, or inject timeout or error",
				"rule %s: these calls change nothing, so there is no success to lose", d.Name)
		}
		if !d.fault.Decides || d.fault.Connection {
			continue
		}
		if by, ok := b.outranked(d, deciders); ok {
			b.warn(at, "put "+d.Name+" before it, or give "+by+" a trigger or a condition",
				"rule %s can never fire: %s comes first and decides the outcome of each of its calls", d.Name, by)
		}
		if always(d) && len(deciders) < maxDeciders {
			deciders = append(deciders, d)
		}
	}
}

// misfits tells whether no call of a rule has what its fault needs, and says
// so.
func (b *binder) misfits(d drafted) bool {
	fits, why := len(b.ops) == 0, ""
	for _, op := range b.ops {
		if !d.rule.Matches(op) {
			continue
		}
		service, _ := b.catalogue.Service(op.Service)
		lacks := d.rule.Misfit(op, service.Fake)
		fits, why = fits || lacks == "", cmp.Or(lacks, why)
	}
	if fits || why == "" {
		return false
	}
	b.wrong(d.field.item.get("call").where(d.field.place), "", "rule %s: %s cannot strike here: %s", d.Name, d.fault.Name, why)
	return true
}

// maxDeciders bounds how many rules each other one is compared with.
const maxDeciders = 100

// writes tells whether any operation that the rule is about changes the world.
func (b *binder) writes(d drafted) bool {
	return len(b.ops) == 0 || slices.ContainsFunc(b.ops, func(op *specs.Operation) bool {
		return b.effectOf(op) != specs.Read && matches(d, op)
	})
}

// outranked finds a rule before d that decides each call that d is about.
func (b *binder) outranked(d drafted, before []drafted) (string, bool) {
	for _, by := range before {
		covered := len(b.ops) > 0
		for _, op := range b.ops {
			covered = covered && (!matches(d, op) || matches(by, op))
		}
		if covered {
			return by.Name, true
		}
	}
	return "", false
}

// always tells a rule that fires on each call that it is about.
func always(d drafted) bool {
	_, limited := d.With["limit"]
	return d.When == nil && !limited && d.field.item.get("trigger") == nil
}

func matches(d drafted, op *specs.Operation) bool {
	return slices.ContainsFunc(d.Calls, func(p faults.Pattern) bool { return p.Match(op) })
}
