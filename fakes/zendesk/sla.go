package zendesk

import (
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// The collections of what service levels are made of.
const (
	slaPolicies  = "sla_policies"
	metricEvents = "ticket_metric_events"
	clocks       = "clocks" // by ticket: how far each of its metrics is
)

// slaMetrics are what a policy can set targets for, and how events name them.
// Source: developer.zendesk.com/api-reference/ticketing/business-rules/sla_policies.
var slaMetrics = []struct{ metric, event string }{
	{"first_reply_time", "reply_time"},
	{"next_reply_time", "reply_time"},
	{"requester_wait_time", "requester_wait_time"},
	{"agent_work_time", "agent_work_time"},
	{"periodic_update_time", "periodic_update_time"},
	{"pausable_update_time", "pausable_update_time"},
	{"total_resolution_time", "total_resolution_time"},
}

// A slaClock is how far one metric of a ticket is. It runs since an instant, after
// what was spent before.
//
//	"" ──▶ active ◀──▶ paused
//	          └──▶ achieved ──▶ active again, as the next instance
type slaClock struct {
	stage        string
	since, spent int64 // seconds
	target       int64 // minutes; 0: none
	instance     int64
	breached     bool
	policy       int64
}

func (k slaClock) kept() map[string]any {
	return map[string]any{"stage": k.stage, "since": k.since, "spent": k.spent, "target": k.target, "instance": k.instance, "breached": k.breached, "policy": k.policy}
}

func keptClock(v any) slaClock {
	m, _ := v.(map[string]any)
	return slaClock{cast.Text(m["stage"]), id(m, "since"), id(m, "spent"), id(m, "target"), id(m, "instance"), m["breached"] == true, id(m, "policy")}
}

// due is when a running clock passes its target.
func (k slaClock) due() (time.Time, bool) {
	return time.Unix(k.since+k.target*60-k.spent, 0).UTC(), k.stage == "active" && k.target > 0
}

// clocksOf gives the clocks of a ticket.
func (c *call) clocksOf(ticket string) map[string]slaClock {
	out := map[string]slaClock{}
	if r, ok := c.Tx.Get(full(clocks), ticket); ok {
		held, _ := r.Value()["metrics"].(map[string]any)
		for metric, v := range held {
			out[metric] = keptClock(v)
		}
	}
	return out
}

func (c *call) keepClocks(ticket string, all map[string]slaClock) {
	held := map[string]any{}
	for metric, k := range all {
		held[metric] = k.kept()
	}
	c.keep(clocks, ticket, map[string]any{"id": ticket, "metrics": held})
}

// clockSLA moves the clocks of a ticket on by what a change of it says, and sets
// when the next target is missed.
func (e *edit) clockSLA() {
	c, n := e.c, key(id(e.value, "id"))
	if e.value["status"] == "deleted" {
		c.cancel(timerBreach, n)
		return
	}
	all := c.clocksOf(n)
	e.applyPolicy(all)
	for _, one := range slaMetrics {
		for _, move := range e.moves(one.metric, all) {
			all[one.metric] = e.turn(one.event, all[one.metric], move)
		}
	}
	c.keepClocks(n, all)
	c.awaitBreach(n, all)
}

// moves tells what a change does to one clock.
// Source: support.zendesk.com, "Understanding metrics you can measure with SLA
// policies".
func (e *edit) moves(metric string, all map[string]slaClock) []string {
	k, status := all[metric], cast.Text(e.value["status"])
	asked := e.comment != nil && e.comment["public"] == true && !e.agent(id(e.comment, "author_id"))
	answered := e.comment != nil && e.comment["public"] == true && !asked
	running := k.stage == "active" || k.stage == "paused"
	done := status == "solved" || status == "closed"
	switch metric {
	case "requester_wait_time":
		return k.toward(map[string]string{"new": "active", "open": "active", "hold": "active", "pending": "paused"}[status])
	case "agent_work_time":
		return k.toward(map[string]string{"new": "active", "open": "active", "hold": "paused", "pending": "paused"}[status])
	case "total_resolution_time":
		return k.toward(map[bool]string{false: "active"}[done])
	case "first_reply_time", "next_reply_time":
		first := all["first_reply_time"].stage
		begins := first == "" && metric == "first_reply_time" || first == "achieved" && metric == "next_reply_time"
		switch {
		case running && (answered || done):
			return []string{"fulfill"}
		case asked && begins && !running && !done:
			return []string{"activate"}
		}
		return nil
	}
	switch { // updates of agents
	case running && done:
		return []string{"fulfill"}
	case answered && !done && running:
		return []string{"fulfill", "activate"}
	case answered && !done && e.before != nil:
		return []string{"activate"}
	case running && metric == "pausable_update_time":
		return k.toward(map[bool]string{true: "paused", false: "active"}[status == "pending"])
	}
	return nil
}

// toward tells how a clock gets to a stage; "" is the end of what it measures.
func (k slaClock) toward(stage string) []string {
	switch {
	case stage == k.stage, stage == "" && (k.stage == "" || k.stage == "achieved"):
		return nil
	case stage == "":
		return []string{"fulfill"}
	case stage == "active":
		return []string{"activate"}
	case k.stage == "active":
		return []string{"pause"}
	}
	return []string{"activate", "pause"}
}

// turn makes one move of a clock, and keeps the event of it.
func (e *edit) turn(event string, k slaClock, move string) slaClock {
	now := e.at().Unix()
	if k.stage == "active" {
		k.spent += now - k.since
	}
	k.since = now
	switch move {
	case "activate":
		if k.stage == "" || k.stage == "achieved" {
			k.instance, k.spent, k.breached = k.instance+1, 0, false
		}
		k.stage = "active"
	case "pause":
		k.stage = "paused"
	case "fulfill":
		k.stage = "achieved"
	}
	if k.target == 0 && !slices.Contains([]string{"reply_time", "agent_work_time", "requester_wait_time"}, event) {
		return k // measured for policies only
	}
	e.c.metricEvent(id(e.value, "id"), event, k.instance, move, e.at(), nil)
	if move == "fulfill" {
		e.c.metricEvent(id(e.value, "id"), event, k.instance, "update_status", e.at(), map[string]any{"status": minutes(k.spent / 60)})
	}
	return k
}

func (c *call) metricEvent(ticket int64, metric string, instance int64, kind string, at time.Time, more map[string]any) {
	n := c.fresh(metricEvents)
	c.fake.store.Create(c.Tx, metricEvents, key(n), with(map[string]any{
		"id": n, "ticket_id": ticket, "metric": metric, "instance_id": max(instance, 1), "type": kind, "time": stamp(at),
	}, more))
}

// applyPolicy sets the targets of the first policy whose filter holds, for the
// ticket's priority. A ticket without one has none.
func (e *edit) applyPolicy(all map[string]slaClock) {
	c := e.c
	targets, policy := map[string]map[string]any{}, (*world.Record)(nil)
	for _, r := range c.inOrder(slaPolicies) {
		filter, _ := r.Value()["filter"].(map[string]any)
		if !c.holds(filter, matter{ticket: e.value}) {
			continue
		}
		policy = r
		for _, one := range cast.List(r.Value()["policy_metrics"]) {
			if m, ok := one.(map[string]any); ok && m["priority"] == e.value["priority"] && e.value["priority"] != nil {
				targets[cast.Text(m["metric"])] = m
			}
		}
		break
	}
	for _, one := range slaMetrics {
		k, target := all[one.metric], targets[one.metric]
		n := id(target, "target")
		if seconds := id(target, "target_in_seconds"); seconds > 0 {
			n = seconds / 60
		}
		if n == k.target && (n == 0 || k.policy == id(value(policy), "id")) {
			continue
		}
		k.target, k.policy = n, 0
		if n > 0 {
			k.policy = id(value(policy), "id")
			c.metricEvent(id(e.value, "id"), one.event, k.instance, "apply_sla", e.at(), map[string]any{"sla": map[string]any{
				"target": n, "target_in_seconds": n * 60, "business_hours": target["business_hours"] == true,
				"policy": map[string]any{"id": policy.Value()["id"], "title": policy.Value()["title"], "description": policy.Value()["description"]},
			}})
		}
		all[one.metric] = k
	}
}

// awaitBreach sets a timer for the next target that will be missed.
func (c *call) awaitBreach(ticket string, all map[string]slaClock) {
	c.cancel(timerBreach, ticket)
	if due, ok := nextDue(all); ok {
		c.schedule(timerBreach, ticket, due.Sub(c.Now))
	}
}

func nextDue(all map[string]slaClock) (next time.Time, ok bool) {
	for _, k := range all {
		if due, runs := k.due(); runs && !k.breached && (!ok || due.Before(next)) {
			next, ok = due, true
		}
	}
	return next, ok
}

// breach keeps that targets were missed.
func (c *call) breach(ticket string) {
	all := c.clocksOf(ticket)
	n, _ := whole(ticket)
	for _, one := range slaMetrics {
		k := all[one.metric]
		if due, runs := k.due(); runs && !k.breached && !due.After(c.Now) {
			k.breached = true
			all[one.metric] = k
			c.metricEvent(n, one.event, k.instance, "breach", due, nil)
		}
	}
	c.keepClocks(ticket, all)
	c.awaitBreach(ticket, all)
	if r, ok := c.find(tickets, n); ok { // conditions may look at breaches
		c.watch(r.Value())
	}
}

func (c *call) nextBreach(ticket int64) (time.Time, bool) {
	return nextDue(c.clocksOf(key(ticket)))
}

func (c *call) lastBreach(ticket int64) (last time.Time, ok bool) {
	for _, k := range c.clocksOf(key(ticket)) {
		if due, runs := k.due(); runs && k.breached && due.After(last) {
			last, ok = due, true
		}
	}
	return last, ok
}
