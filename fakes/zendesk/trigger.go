package zendesk

import (
	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The collections of rules that act on tickets by themselves.
const (
	triggers    = "triggers"
	automations = "automations"
)

// pullTriggers has the triggers of the account run on a change, in order. One
// that changes the ticket has all before it looked at again; none fires twice.
// What was closed before, or is being deleted, is past them.
// Source: support.zendesk.com, "About triggers and how they work".
func (e *edit) pullTriggers(audit int64) (events []any) {
	c := e.c
	if c.quiet || c.Identity == fakes.Fixture || e.value["status"] == "deleted" || e.before != nil && !living(e.before) {
		return nil
	}
	rules, fired := c.inOrder(triggers), map[string]bool{}
	for next := 0; next < len(rules); next++ {
		rule := rules[next]
		c.Spend(1)
		conditions, _ := rule.Value()["conditions"].(map[string]any)
		if fired[rule.ID] || !c.holds(conditions, matter{ticket: e.value, edit: e}) {
			continue
		}
		fired[rule.ID] = true
		was := with(e.value, nil)
		events = append(events, e.carryOut(rule, "trigger", audit)...)
		if !kit.Same(was, e.value) {
			next = -1
		}
	}
	return events
}

// ruleVia says which rule of the account did something.
func ruleVia(rule *world.Record, rel string) map[string]any {
	return map[string]any{"channel": "rule", "source": map[string]any{
		"from": map[string]any{"deleted": false, "title": cast.Text(rule.Value()["title"]), "id": rule.Value()["id"], "revision_id": int64(1)}, "to": map[string]any{}, "rel": rel,
	}}
}

// carryOut does what a rule says, and tells what came of it. Only what changed is
// told. A ticket that is closed already is told of, and not changed.
func (e *edit) carryOut(rule *world.Record, rel string, audit int64) (events []any) {
	via := ruleVia(rule, rel)
	actions := cast.List(rule.Value()["actions"])
	if e.value["status"] != "closed" {
		was := with(e.value, nil)
		if asked := e.c.asks(actions, e.value); len(asked) > 0 {
			if asked["status"] == nil {
				asked["status"] = e.value["status"]
			}
			if refused := e.take(asked); refused != nil { // such as an agent who is gone
				e.value = with(was, nil)
			}
			e.settleStatus()
		}
		if offersRating(actions) && score(e.value) == "unoffered" {
			e.value["satisfaction_rating"] = map[string]any{"score": "offered"}
		}
		events = append(e.c.changes(was, e.value, via), e.ruleComment(actions, via, audit)...)
	}
	for _, one := range actions {
		action, _ := one.(map[string]any)
		if event := e.notification(cast.Text(action["field"]), action["value"], via); event != nil {
			events = append(events, event)
		}
	}
	return events
}
