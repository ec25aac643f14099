package exchange

import (
	"net/http"
	"net/url"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
)

// carried is what a call knows of the calls within it, and such a call of the one
// that carries it. Each is decided in the turn of the whole: it meets its own
// operation's rules, counts against their limits, is an intent, and has an event
// with what it changed, right before that of the whole.
type carried struct {
	of     *Exchange                     // the call that carries it; nil: it came by itself
	answer func(*fakes.Call) fakes.Reply // of a part: asks the service for it
	before *world.Mark                   // of a part: what was written before it
	from   int                           // of a part: how many changes that was
	upto   int                           // of a part: how many with its own
	parts  []*Exchange                   // of a whole: as it was last asked, in order
	in     *world.Tx                     // of a whole: what they wrote to
	counts *faults.Tallies               // of a whole: those of the run, with its parts so far
	had    []*trail.Event                // of a whole that is decided again: its parts, as the record has them
}

// carrier has each part of the call decided as a call of its own.
func (x *Exchange) carrier(t *run.Turn) fakes.Carrier {
	x.within.parts, x.within.counts, x.within.in = nil, nil, t.Tx()
	return func(part fakes.Part, answer func(*fakes.Call) fakes.Reply) fakes.Reply {
		p := x.part(t, part, answer)
		if p.known == nil { // it stands beside the service, where no rule is
			return answer(p.call(t))
		}
		if x.within.counts == nil {
			x.within.counts = t.State.Tallies.Fork()
		}
		p.decidePart(t)
		x.within.parts = append(x.within.parts, p)
		p.within.upto = len(t.Tx().Changes())
		x.within.counts.Fold(p.partEvent(t))
		return p.reply
	}
}

// lists tells whether the call is a list of calls of its own operation.
func (x *Exchange) lists(t *run.Turn) bool {
	batcher, ok := x.service.Fake.(fakes.Batcher)
	return ok && x.hasList() && batcher.Lists(x.call(t))
}

// hasList tells whether a list was sent at all.
func (a *arrived) hasList() bool {
	if _, list := a.input.Value.([]any); list {
		return true
	}
	for _, value := range a.input.Body {
		if _, list := value.([]any); list {
			return true
		}
	}
	return false
}

// part is one of the call's, as if it had come by itself from the same client.
func (x *Exchange) part(t *run.Turn, of fakes.Part, answer func(*fakes.Call) fakes.Reply) *Exchange {
	header := of.Header
	if header == nil {
		header = http.Header{}
	}
	p := &Exchange{line: x.line, run: x.run, rev: x.rev, replaying: x.replaying}
	p.arrived = arrived{
		r:     &http.Request{Method: of.Operation.Method, URL: &url.URL{Path: of.Path, RawQuery: of.Query}, Host: x.r.Host, Header: header},
		began: x.began, heard: x.heard, origin: x.origin, base: x.base, path: of.Path, body: of.Body, service: x.service,
		op: of.Operation, known: x.rev.about(of.Operation), input: of.Input, identity: x.identity, preauthenticated: x.preauthenticated,
	}
	before := t.Tx().Mark()
	p.within = carried{of: x, answer: answer, before: &before, from: len(t.Tx().Changes())}
	if p.known == nil {
		return p
	}
	p.fingerprint = x.rev.Profile.Meaning(p.op).Fingerprint(p.identity, p.op, p.input, p.began)
	p.entry = trail.Exchange{
		Way: x.entry.Way, Service: x.entry.Service, Operation: p.known.name, Bare: p.known.bare, OperationID: p.op.ID, Effect: p.known.effect,
		Method: p.op.Method, Host: x.entry.Host, Path: p.shownPath(of.Input.Path), Part: len(x.within.parts) + 1,
	}
	if p.authority = x.authority; p.authority != nil {
		p.question = x.question
		p.question.Operation, p.question.Input, p.question.Class = p.op, p.input, p.classified()
		p.answer = p.authority.Decide(p.question)
		p.entry.Policy = p.said(p.answer)
	}
	return p
}

// decidePart plans and acts, as firstTurn does for a call that came by itself. The
// whole is permitted or not, with all its parts; and what would have the part wait
// has the whole answered later.
func (x *Exchange) decidePart(t *run.Turn) {
	x.intendPart(t)
	if x.overreaches(t) || x.outOfOrder(t) {
		return
	}
	rules := x.rules(t.State, t.Now)
	asked := x.askedFirst(t, rules)
	x.enter(Plan)
	x.consider(t, rules)
	x.cannot(x.plan.Works(faults.BeforeCall))
	x.perform(t, asked)
	x.say(t)
}

// intendPart says which intent the part is. Of one that is decided again that is an
// input.
func (x *Exchange) intendPart(t *run.Turn) {
	had := x.within.of.within.had
	if i := x.entry.Part - 1; i < len(had) {
		x.entry.Intent = had[i].Exchange.Intent
		return
	}
	x.entry.Intent = x.tallies(t).Intend(x.identity, x.fingerprint, x.known.full, x.key(), x.r.Header, t.Unsettled)
}

// cannot notes that faults had nothing to do that need the call to come by itself.
func (x *Exchange) cannot(works []faults.Work) {
	for _, w := range works {
		faults.Settle(x.entry.Strikes, w, faults.Nothing("a part of a batch has no moment of its own before it"))
	}
}

// partEvent is the part as it is counted, before anybody knows how the whole goes
// out.
func (x *Exchange) partEvent(t *run.Turn) *trail.Event {
	return &trail.Event{
		Kind: trail.Exchanged, At: trail.At(t.Now), Identity: x.identity, Seq: t.State.Seq + uint64(x.entry.Part), //nolint:gosec // counts parts
		Exchange: &x.entry,
	}
}

// stays tells whether what the parts did is to stay: it was not taken back.
func (x *Exchange) stays(t *run.Turn) bool { return x.within.in == t.Tx() && !x.reply.Overworked }

// joinParts has the reply go out as that to one of the parts would: theirs are in it.
// Where the service has refused the whole, no part of it stands, and what it wrote
// and took back is the whole's.
func (x *Exchange) joinParts(t *run.Turn) {
	if len(x.within.parts) == 0 || !x.stays(t) {
		x.within.parts = nil
		return
	}
	refused := faults.Refuses(x.reply)
	for _, p := range x.within.parts {
		if refused {
			p.entry.Committed, p.within.upto = false, 0
		}
		x.plan.Join(&p.plan)
		x.entry.Altered = x.entry.Altered || p.entry.Altered || p.entry.Fidelity == trail.Injected
	}
}

// keepParts puts the parts into the record, with how the reply to the whole goes
// out.
func (x *Exchange) keepParts(t *run.Turn) {
	parts, wire := x.within.parts, x.entry.Wire
	x.entry.Parts = len(parts)
	for _, p := range parts {
		e := &p.entry
		e.Within = t.State.Seq + uint64(len(parts)) + 1 //nolint:gosec // counts parts
		e.Wire = trail.Wire{Delay: wire.Delay, NoHead: wire.NoHead, HeadCut: wire.HeadCut, Short: wire.Short, End: wire.End}
		e.Whole = e.Whole && x.entry.Whole
		p.describe()
		p.tally()
		p.event = p.bareEvent(t)
		t.Within(p.event, p.within.upto)
	}
	for _, p := range parts {
		p.editAfter(t)
	}
}

// tallies are what is counted before the call: of a part, with those before it.
func (x *Exchange) tallies(t *run.Turn) *faults.Tallies {
	if of := x.within.of; of != nil {
		return of.within.counts
	}
	return t.State.Tallies
}

// takeBack forgets what the call wrote.
func (x *Exchange) takeBack(t *run.Turn) {
	if x.within.of == nil {
		t.Discard()
		return
	}
	t.Tx().Restore(*x.within.before)
}

// wrote lists what the call wrote.
func (x *Exchange) wrote(t *run.Turn) []world.Change { return t.Tx().Changes()[x.within.from:] }

// askOf asks the service: for a part, as the whole has it asked.
func (x *Exchange) askOf(call *fakes.Call) fakes.Reply {
	if x.within.of != nil {
		return x.within.answer(call)
	}
	return x.service.Ask(call)
}

// eachCall does something with the event of the call, and with those of its parts.
func (x *Exchange) eachCall(do func(*trail.Event)) {
	for _, p := range x.within.parts {
		if p.event != nil {
			do(p.event)
		}
	}
	do(x.event)
}

// Carries has a call that is decided again know its parts, as the record has them.
func (x *Exchange) Carries(parts []*trail.Event) { x.within.had = parts }
