package profiles

import (
	"cmp"
	"slices"
	"strings"

	"parity/faults"
	"parity/specs"
)

// lint warns of rules that are well formed and do not do what they seem to.
func (b *binder) lint(p *Profile, rules []drafted) {
	b.index, b.promised = faults.NewIndex(b.ops), map[promise][2]bool{}
	var deciders []drafted
	for _, d := range rules {
		if b.misfits(d) {
			continue
		}
		b.optional(d)
		b.strikesLive(p, d)
		at := d.field.item.get("inject").where(d.field.place)
		if d.fault.Phase == faults.After && !b.writes(d) {
			b.warn(d.field.item.get("call").where(d.field.place), "name an operation that writes, or inject timeout or error",
				"rule %s: these calls change nothing, so there is no success to lose", d.Name)
		}
		if !d.fault.Decides || d.fault.Connection {
			continue
		}
		d.occasion = occasion(d.field.item)
		if by, ok := b.outranked(d, deciders); ok {
			b.warn(at, "put "+d.Name+" before it, or give "+by+" a trigger or a condition",
				"rule %s can never fire: %s comes first and decides the outcome of each of its calls", d.Name, by)
		}
		if (always(d) || steady(d)) && len(deciders) < maxDeciders && !slices.ContainsFunc(d.Calls, b.index.Writes) {
			deciders = append(deciders, d)
		}
	}
}

// misfits tells whether no call of a rule has what its fault needs, and says
// so.
func (b *binder) misfits(d drafted) bool {
	fits, why := len(b.ops) == 0, ""
	for _, i := range b.index.Find(d.rule.About()) {
		op := b.ops[i]
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
	return len(b.ops) == 0 || slices.ContainsFunc(b.index.Find(d.Calls), func(i int) bool { return b.effectOf(b.ops[i]) != specs.Read })
}

// outranked finds a rule before d that decides each call that d is about: always,
// or whenever d would.
func (b *binder) outranked(d drafted, before []drafted) (string, bool) {
	calls := b.index.Find(d.Calls)
	for _, by := range before {
		whenever := by.occasion == d.occasion
		if len(b.ops) == 0 || !always(by) && !whenever {
			continue
		}
		decided := b.index.Find(by.Calls)
		if always(by) && within(calls, decided) || whenever && slices.Equal(calls, decided) {
			return by.Name, true
		}
	}
	return "", false
}

// within tells whether all numbers of one ascending list are in another.
func within(some, all []int) bool {
	if len(some) > len(all) {
		return false
	}
	for _, n := range some {
		if _, ok := slices.BinarySearch(all, n); !ok {
			return false
		}
	}
	return true
}

// occasion writes down when a rule fires: rules about the same calls with the
// same one fire together.
func occasion(rule *item) string {
	var s strings.Builder
	for _, key := range []string{"when", "trigger"} {
		if it := rule.get(key); it != nil {
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
