package profiles

import (
	"cmp"
	"slices"
	"strings"

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
		b.optional(d)
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
		if (always(d) || steady(d)) && len(deciders) < maxDeciders {
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

// outranked finds a rule before d that decides each call that d is about: always,
// or whenever d would.
func (b *binder) outranked(d drafted, before []drafted) (string, bool) {
	for _, by := range before {
		covered := len(b.ops) > 0 && (always(by) || occasion(by) == occasion(d))
		for _, op := range b.ops {
			covered = covered && (!matches(d, op) || matches(by, op))
		}
		if covered && (always(by) || sameCalls(b.ops, by, d)) {
			return by.Name, true
		}
	}
	return "", false
}

// sameCalls tells whether two rules are about the same calls, so that they count
// alike.
func sameCalls(ops []*specs.Operation, one, other drafted) bool {
	return !slices.ContainsFunc(ops, func(op *specs.Operation) bool { return matches(one, op) != matches(other, op) })
}

// occasion writes down when a rule fires: rules about the same calls with the
// same one fire together.
func occasion(d drafted) string {
	var s strings.Builder
	for _, key := range []string{"when", "trigger"} {
		if it := d.field.item.get(key); it != nil {
			spell(&s, it)
		}
		s.WriteByte('/')
	}
	return s.String()
}

// steady tells a rule that fires whenever another of its occasion does: no draw
// and no window of its own decides.
func steady(d drafted) bool {
	_, limited := d.With["limit"]
	return !limited && d.Trigger.Chance == nil
}

// always tells a rule that fires on each call that it is about.
func always(d drafted) bool {
	_, limited := d.With["limit"]
	return d.When == nil && !limited && d.field.item.get("trigger") == nil
}

func matches(d drafted, op *specs.Operation) bool {
	return slices.ContainsFunc(d.Calls, func(p faults.Pattern) bool { return p.Match(op) })
}
