package exchange

import (
	"bytes"
	"maps"
	"net/http"
	"slices"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/specs"
)

// perform asks the fake as the plan says, once other people's edits that come
// before the call are made. asked tells that the fake was asked already, to
// judge a condition on its result.
func (x *Exchange) perform(t *run.Turn, asked bool) {
	if x.plan.Again() {
		x.takeBack(t)
		asked = false
		x.editBefore(t)
	}
	switch {
	case x.plan.Skip:
		x.takeBack(t)
		x.reply = fakes.Reply{} // what was tried to judge a rule has not happened
		x.unasked()
	case !asked:
		x.ask(t)
	}
	if x.plan.NoCommit {
		x.takeBack(t)
	}
	x.requeue(t)
	x.accept(t)
	x.spendApproval(t)
	x.note(t)
	x.run.attend(t)
}

// note has the world keep what rules want to remember.
func (x *Exchange) note(t *run.Turn) {
	for _, n := range x.plan.Notes() {
		if n.Taken && x.reply.Status/100 != 2 {
			continue
		}
		kit.Keep(t.Tx(), fakes.NotesCollection, n.ID, n.Value)
	}
}

// unasked notes that faults in how the fake is asked had nothing to do: another
// rule has it not asked at all.
func (x *Exchange) unasked() {
	for _, w := range x.plan.Works(faults.Asking) {
		faults.Settle(x.entry.Strikes, w, faults.Nothing("another rule decided the outcome, and the service was not asked"))
	}
}

// ask asks the fake in the way that the plan has it.
func (x *Exchange) ask(t *run.Turn) {
	works := x.plan.Works(faults.Asking)
	if len(works) == 0 {
		x.act(t)
		return
	}
	x.enter(Act)
	if i := slices.IndexFunc(works, func(w faults.Work) bool { return w.Heeds != nil }); i >= 0 {
		x.heed(t, works[i])
		x.remember(t)
		return
	}
	var once, again fakes.Reply
	switch way := x.plan.Ask; {
	case way.Ago > 0:
		once, again = x.ago(t)
		x.reply = again
	case way.Twice:
		once, again = x.twice(t, works)
		x.reply = once
	default:
		again = x.askOf(x.keyless(x.call(t)))
		once, x.reply = again, again
	}
	x.remember(t)
	for _, w := range works {
		if w.Asked != nil {
			faults.Settle(x.entry.Strikes, w, w.Asked(once, again))
		}
	}
}

// ago asks the fake as things are, and as they were a while ago: where it would
// then have refused, and what is asked for has been answered, as they were when
// it first would have been.
func (x *Exchange) ago(t *run.Turn) (now, then fakes.Reply) {
	now = x.askOf(x.call(t))
	x.takeBack(t)
	in := func(w *world.World) fakes.Reply {
		call := x.call(t)
		call.Tx = w.Begin()
		return x.askOf(call)
	}
	then = in(t.Past(x.plan.Ask.Ago))
	if !x.plan.Ask.Answered || !faults.Refuses(then) || faults.Refuses(now) {
		return now, then
	}
	if first, ago, ok := t.PastWhere(x.plan.Ask.Ago, func(w *world.World) bool { return !faults.Refuses(in(w)) }); ok {
		x.plan.Ask.Ago = ago
		return now, in(first)
	}
	return now, then
}

// keyless takes the idempotency key out of a call.
func (a *arrived) keyless(c *fakes.Call) *fakes.Call {
	if header := a.op.Anatomy.Key; header != "" && c.Header.Get(header) != "" {
		c.Header = c.Header.Clone()
		c.Header.Del(header)
	}
	if field := a.op.Anatomy.KeyField; field != "" && c.Input.Body[field] != nil {
		c.Input.Body = maps.Clone(c.Input.Body)
		delete(c.Input.Body, field)
	}
	return c
}

// editBefore has others change the world before the call, each in an event of
// its own.
func (x *Exchange) editBefore(t *run.Turn) {
	if x.within.of != nil {
		return // see cannot
	}
	for _, w := range x.plan.Works(faults.BeforeCall) {
		tx := t.State.World.Begin()
		done := w.Edit(x.scene(t, tx, w.Rule))
		faults.Settle(x.entry.Strikes, w, done)
		if done.Not != "" {
			continue
		}
		e := x.edit(w, done)
		e.Edit.Before = true
		if err := t.Interject(e, tx); err != nil {
			x.run.Room.NoteRefused(x.line.log, err)
		}
	}
}

// editAfter has others change the world right after the call.
func (x *Exchange) editAfter(t *run.Turn) {
	for _, w := range x.plan.Works(faults.AfterCall) {
		var done faults.Done
		e := x.edit(w, done)
		t.Follow(e, func(tx *world.Tx) bool {
			done = w.Edit(x.scene(t, tx, w.Rule))
			e.Edit.Did = done.Did
			return done.Not == "" && len(tx.Changes()) > 0
		})
		faults.Settle(x.entry.Strikes, w, done)
	}
}

func (x *Exchange) edit(w faults.Work, done faults.Done) *trail.Event {
	return &trail.Event{
		Kind: trail.WorldEdited, Revision: x.rev.Profile.Revision,
		Edit: &trail.Edit{Service: x.service.Name, Rule: w.Rule, Did: done.Did},
	}
}

// scene is the service's world as somebody other than the agent meets it.
func (x *Exchange) scene(t *run.Turn, tx *world.Tx, rule string) *faults.Scene {
	call := x.call(t)
	call.Tx, call.NewID = tx, x.mint(t, rule)
	s := &faults.Scene{Call: call, Reply: x.reply, Draw: func(purpose string) float64 { return x.draw(rule, purpose) }}
	s.Editor, _ = x.service.Fake.(fakes.Editor)
	s.Copier, _ = x.service.Fake.(fakes.Copier)
	return s
}

// requeue changes what webhooks the call has queued.
func (x *Exchange) requeue(t *run.Turn) {
	works := x.plan.Works(faults.Queue)
	if len(works) == 0 {
		return
	}
	var queued []fakes.Delivery
	for _, c := range x.wrote(t) {
		if c.Collection != fakes.DeliveriesCollection || c.Op != world.Create {
			continue
		}
		if d, ok := kit.DeliveryOf(t.Tx(), c.ID); ok {
			queued = append(queued, d)
		}
	}
	for _, w := range works {
		done := faults.Nothing("the call queued no webhook")
		if len(queued) > 0 {
			done = w.Queue(&faults.Post{
				Tx: t.Tx(), Queued: queued, Now: t.Now, Draw: func(purpose string) float64 { return x.draw(w.Rule, purpose) },
				Headers: func(d fakes.Delivery) http.Header { return x.headers(t, d) },
			})
		}
		faults.Settle(x.entry.Strikes, w, done)
	}
}

// headers are those of an attempt to deliver, if it were made now.
func (x *Exchange) headers(t *run.Turn, d fakes.Delivery) http.Header {
	sender, ok := x.service.Fake.(fakes.WebhookSender)
	if !ok {
		return http.Header{}
	}
	header, _ := signed(sender, &fakes.Call{Contract: x.service.Contract, Tx: t.Tx(), Now: t.Now, NewID: x.mint(t, "signed")}, d)
	return header
}

// amend alters what is sent, as the plan has it.
func (x *Exchange) amend(t *run.Turn) {
	works := x.plan.Works(faults.OnReply)
	if len(works) == 0 {
		return
	}
	a := &faults.Answer{
		Status: x.reply.Status, Header: x.reply.Header.Clone(), Body: x.reply.Body, Method: x.r.Method, Base: x.base, Now: t.Now, Tx: t.Tx(),
		Call: faults.Request{
			Operation: x.op, Input: x.input, Occurrence: x.entry.Intent.Occurrence,
			Base: x.base, Host: x.entry.Host, Target: x.target(),
		},
	}
	if other := x.plan.Ask.For; other != nil {
		a.Call.Input = *other
	}
	if a.Header == nil {
		a.Header = http.Header{}
	}
	if x.keeps != nil { // the fake has nothing to do with it
		a.Tx = nil
	}
	a.Ask = func(in specs.Input) fakes.Reply {
		if x.keeps != nil {
			return fakes.Reply{}
		}
		call := x.call(t)
		call.Input, call.Tx, call.NewID = in, t.State.World.Begin(), x.mint(t, "more")
		return x.askOf(call)
	}
	for _, w := range works {
		a.Draw = func(purpose string) float64 { return x.draw(w.Rule, purpose) }
		a.Steady = func(purpose string) float64 { return chance.Draw(x.run.Seed, w.Rule, purpose) }
		done := w.Amend(a)
		faults.Settle(x.entry.Strikes, w, done)
		if done.Not == "" {
			x.entry.Altered, x.broken = true, x.broken || done.Broken
		}
	}
	if (a.Status != x.reply.Status || !bytes.Equal(a.Body, x.reply.Body)) && x.entry.FakeStatus == 0 {
		x.entry.FakeStatus, x.entry.FakeBody = x.reply.Status, x.reply.Body
	}
	x.reply.Status, x.reply.Header, x.reply.Body = a.Status, a.Header, a.Body
}
