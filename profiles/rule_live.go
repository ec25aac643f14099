package profiles

import (
	"parity/faults"
	"parity/specs"
)

// strikesLive holds a rule that says live: true against what may strike where a
// real service is called.
func (b *binder) strikesLive(p *Profile, d drafted) {
	if !d.Live {
		return
	}
	it := d.field.item
	if p == nil {
		b.wrong(it.get("live").place, "put the rule into the profile", "rule %s: what is armed while a run goes on strikes nothing real", d.Name)
		return
	}
	at, inject := it.get("live").place, it.get("inject").where(d.field.place)
	stage := b.tree.get("policy").get("stage")
	switch {
	case !stage.ok():
		b.wrong(at, "such as policy: {stage: 4}", "rule %s: what strikes live wants stage %d or above", d.Name, faults.LeastLiveStage)
	case stage.count() < faults.LeastLiveStage:
		b.wrong(at, "such as policy: {stage: 4}", "rule %s: at stage %d no rule strikes live; from stage %d on one does", d.Name, stage.count(), faults.LeastLiveStage)
	}
	if d.Trigger.Max == 0 {
		b.wrong(it.get("trigger").where(at), "such as trigger: {max: 3}", "rule %s: what strikes live says how often at most: trigger.max", d.Name)
	}
	if d.Because == "" {
		b.wrong(at, "such as because: Reads of production are slow on Mondays.", "rule %s: what strikes live says why: because", d.Name)
	}
	switch {
	case d.fault.Live == faults.LiveNever:
		b.wrong(inject, "inject one that answers in place of the service, such as error, or one that alters its reply, such as latency", "rule %s: %s is of what a fake does, and cannot strike live", d.Name, d.fault.Name)
	case d.rule.AsksForResult():
		b.wrong(it.get("when").where(at), "speak of the request", "rule %s: what strikes live is decided before the call leaves, and cannot ask for its result", d.Name)
	default:
		b.reachesLive(p, d)
	}
}

// reachesLive refuses what would strike after a write was done.
func (b *binder) reachesLive(p *Profile, d drafted) {
	call := d.field.item.get("call").where(d.field.place)
	reaches := false
	for _, i := range b.index.Find(d.rule.About()) {
		op := b.ops[i]
		if !p.Mode(op).Reaches() {
			continue
		}
		reaches = true
		if !d.fault.Live.Reaches(b.effectOf(op) == specs.Read) {
			b.wrong(call, "name reads alone, or inject one that answers in place of the service, such as error", "rule %s: %s would strike after %s was done", d.Name, d.fault.Name, op.Name())
			return
		}
	}
	if !reaches {
		b.warn(d.field.item.get("live").place, "remove it, or say the mode of its service", "rule %s: none of its calls reaches a real service", d.Name)
	}
}
