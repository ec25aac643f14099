package exchange

import (
	"bytes"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/gateway/approval"
	"parity/specs/words"
)

// mostPredicted bounds how many changes of records a reviewer is shown one by one.
const mostPredicted = 200

// prediction gathers what a call would do.
type prediction struct{ approval.Seen }

// predict tells what the turn has changed, before it is taken back.
func (x *Exchange) predict(t *run.Turn) approval.Seen {
	var p prediction
	diff, touches, sent, webhooks, more := []any{}, map[string]any{}, 0, 0, 0
	for _, c := range t.Tx().Changes() {
		switch {
		case c.Collection == fakes.OutboxCollection && c.Op == world.Create:
			sent++
		case c.Collection == fakes.DeliveriesCollection && c.Op == world.Create:
			webhooks++
		}
		if !x.counts(c) || x.rev.ledger[c.Collection] {
			continue
		}
		n, _ := touches[c.Collection].(int64)
		touches[c.Collection] = n + 1
		p.binds(t, c.Collection, c.ID)
		if len(diff) == mostPredicted {
			more++
			continue
		}
		diff = append(diff, change(c))
	}
	slices.SortStableFunc(diff, func(a, b any) int { // what is deleted comes first
		switch {
		case deleted(a) == deleted(b):
			return 0
		case deleted(a):
			return -1
		}
		return 1
	})
	p.subject(x, t)
	p.named(x, t)
	p.Predicted = map[string]any{
		"status": int64(x.reply.Status), "diff": diff, "touches": touches, "outbox": int64(sent), "webhooks": int64(webhooks),
		"fidelity": string(fidelityOf(x.reply)), "differences": x.differences(), "signals": x.signals(more),
	}
	if x.reply.Result != nil {
		p.Predicted["body"] = x.reply.Result
	}
	return p.Seen
}

// deleted tells whether a shown change takes a record away.
func deleted(shown any) bool {
	is, _ := shown.(map[string]any)
	return is["op"] == string(world.Delete)
}

// binds has the approval rest on a record as it was before the turn; one that the
// turn makes is none.
func (p *prediction) binds(t *run.Turn, collection, id string) {
	r, ok := t.State.World.Get(collection, id)
	name := collection + "/" + id
	if !ok || slices.ContainsFunc(p.Bound, func(b approval.Bound) bool { return b.Record == name }) {
		return
	}
	p.Bound = append(p.Bound, approval.Bound{Record: name, Version: r.Version})
	if p.About == "" {
		p.About = name
	}
}

// subject binds the record that the call is about.
func (p *prediction) subject(x *Exchange, t *run.Turn) {
	editor, ok := x.service.Fake.(fakes.Editor)
	if !ok {
		return
	}
	call := x.call(t)
	call.Tx = t.State.World.Begin()
	if collection, id := editor.Subject(call); id != "" {
		p.binds(t, collection, id)
	}
}

// named binds the records that the gate names.
func (p *prediction) named(x *Exchange, t *run.Turn) {
	g := x.gate.by.Gate
	if g == nil || len(g.Binds) == 0 {
		return
	}
	vars := map[string]any{"request": x.requestVars(), "result": x.reply.Result}
	own := x.service.Name + "." + x.op.Anatomy.Collection
	for _, path := range g.Binds {
		value, err := path.Value(vars, own, x.refer(t))
		id, ok := value.(string)
		if err != nil || !ok {
			continue
		}
		field := strings.TrimPrefix(strings.TrimPrefix(path.String(), "request."), "result.")
		if collection, _, found := x.refer(t)(own, field, id); found {
			p.binds(t, collection, id)
		}
	}
}

// change is what would become of one record, field by field.
func change(c world.Change) map[string]any {
	before, after := decoded(c.Before), decoded(c.After)
	shown := map[string]any{"op": string(c.Op), "record": c.Collection + "/" + c.ID}
	switch c.Op {
	case world.Create:
		shown["record"], shown["after"] = c.Collection+"/(new)", after
	case world.Delete:
		shown["before"] = before
	default:
		fields := map[string]any{}
		for name, value := range after {
			if was, there := before[name]; !there || !bytes.Equal(world.Encode(map[string]any{"": was}), world.Encode(map[string]any{"": value})) {
				fields[name] = []any{was, value}
			}
		}
		for name, was := range before {
			if _, there := after[name]; !there {
				fields[name] = []any{was, nil}
			}
		}
		shown["fields"] = fields
	}
	return shown
}

func decoded(json []byte) map[string]any {
	if len(json) == 0 {
		return nil
	}
	value, err := world.Decode(json)
	if err != nil {
		return nil
	}
	return value
}

// differences names the known differences that cover the call.
func (x *Exchange) differences() []any {
	names := []any{}
	for _, d := range x.rev.Profile.Differences {
		for _, p := range d.Covers {
			if p.Match(x.op) {
				names = append(names, d.Name)
				break
			}
		}
	}
	return names
}

// signals are what a reviewer should know besides.
func (x *Exchange) signals(more int) []any {
	all := []any{}
	signal := func(kind, text string) { all = append(all, map[string]any{"kind": kind, "text": text}) }
	for _, v := range x.entry.Violations {
		signal("schema", strings.TrimSpace(v.In+" "+v.Pointer+" "+v.Message))
	}
	for _, part := range x.parts {
		signal("part", "a part of a batch: "+part.Operation.Name())
	}
	if x.gate.by.Why != "" {
		signal("permission", "the gate's condition could not be evaluated: "+x.gate.by.Why)
	}
	if more > 0 {
		signal("more", "and "+words.Count(more, "more change")+", which are not shown: do not approve what you cannot see")
	}
	return all
}
