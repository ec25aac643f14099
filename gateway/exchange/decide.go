package exchange

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/specs"
)

// decide plans, acts and records, in one turn under the run's lock. Where the
// plan says to wait before acting it takes two: one that reserves the call's
// idempotency key, and, when the wait is over, one that acts. Nothing is held
// in between.
func (x *Exchange) decide() {
	if x.run == nil {
		return
	}
	if full := x.run.Room.Full(); full != nil && x.run.Playback == nil {
		x.look(full)
		return
	}
	before := x.decided
	event, err := x.turn()
	for err == nil && event.Kind == trail.Reserved { // it waits, perhaps for one thing after another
		x.entry.Reserved = event.Seq
		event, err = x.second(event)
	}
	if errors.Is(err, errLeft) {
		x.line.metrics.Refused(codeClientLeft)
		panic(http.ErrAbortHandler) // there is nobody to answer
	}
	if overBudget(err) {
		x.turnedAway(err)
		return
	}
	if err != nil && !errors.Is(err, run.ErrEnded) {
		x.run.Room.NoteRefused(x.line.log, err)
		if full := x.run.Room.Full(); full != nil && x.entry.Reserved == 0 && x.run.Playback == nil {
			x.decided = before // it was decided as one that is recorded
			x.look(full)
			return
		}
	}
	if err != nil {
		x.unturned(err)
		return
	}
	x.event = event
	x.run.Room.NoteKept(x.line.log)
}

func (x *Exchange) firstTurn(t *run.Turn) *trail.Event {
	x.enter(Plan)
	if !x.voided(t) && x.forbidden && x.known != nil { // what is no operation is no intent
		x.intend(t)
	}
	if x.answered || !x.served() {
		return x.bare(t)
	}
	x.intend(t)
	if x.run.Playback != nil {
		x.playBack()
		x.enter(Record)
		return x.bareEvent(t)
	}
	if x.outOfOrder(t) {
		return x.bare(t)
	}
	if x.mode = x.rev.Profile.Mode(x.op); x.mode.Reaches() && x.rev.real[x.op.Service] != nil {
		return x.real(t)
	}
	ofPolicy, rules := faults.Apart(x.everyRule(t.State, t.Now))
	if x.lists(t) {
		rules = nil // they meet what is in the list
	}
	if !x.narrowed(t, ofPolicy) {
		return x.bare(t)
	}
	if !x.gated(t) {
		if x.gate.waits != "" {
			return x.waiting(t)
		}
		return x.bare(t)
	}
	asked := x.askedFirst(t, rules)
	x.enter(Plan)
	x.consider(t, rules)
	if x.plan.Hold != nil {
		t.Discard()
		x.enter(Record)
		return x.reservation(t)
	}
	x.perform(t, asked)
	if x.slipped(t) {
		return x.bare(t)
	}
	x.enter(Record)
	defer x.tally()
	return x.compose(t)
}

// askedFirst asks the fake where a rule wants to know what it answers before it is
// asked itself, and tells whether one does.
func (x *Exchange) askedFirst(t *run.Turn, rules []*faults.Rule) bool {
	if !slices.ContainsFunc(rules, (*faults.Rule).AsksForResult) {
		return false
	}
	x.act(t)
	return true
}

// bare is the event of a call that meets no rule.
func (x *Exchange) bare(t *run.Turn) *trail.Event {
	x.enter(Record)
	if len(x.plan.Notes()) > 0 {
		x.note(t)
	}
	x.describe()
	return x.bareEvent(t)
}

// intend says which intent the call is. Of what is decided again that is an input.
func (x *Exchange) intend(t *run.Turn) {
	if !x.replaying {
		x.entry.Intent = x.tallies(t).Intend(x.identity, x.fingerprint, x.known.full, x.key(), x.r.Header, t.Unsettled)
	}
}

// consider asks the rules, in file order.
func (x *Exchange) consider(t *run.Turn, rules []*faults.Rule) {
	if len(rules) == 0 {
		return
	}
	e := x.evaluation(t)
	for _, r := range rules {
		x.entry.Strikes = append(x.entry.Strikes, r.Consider(e, x.tallies(t), &x.plan))
	}
}

// evaluation is the call as rules see it.
func (x *Exchange) evaluation(t *run.Turn) *faults.Evaluation {
	return &faults.Evaluation{
		Operation: x.op, Input: x.input, Seed: x.run.Seed, Identity: x.identity, Intent: x.entry.Intent, Now: t.Now, Began: t.State.Began,
		Base: x.base, Host: x.entry.Host, Target: x.target(), Status: x.reply.Status,
		Fresh: x.fresh(),
		Vars:  x.vars(t), Refer: x.refer(t),
		Noted: func(id string) map[string]any {
			if note, ok := t.State.World.Get(fakes.NotesCollection, id); ok {
				return note.Value()
			}
			return nil
		},
	}
}

// target is what is asked for, as the service knows it.
func (a *arrived) target() string {
	if a.r.URL.RawQuery == "" {
		return a.path
	}
	return a.path + "?" + a.r.URL.RawQuery
}

// fresh tells whether the client asks past caches.
func (a *arrived) fresh() bool {
	return faults.PastCaches("Cache-Control", a.r.Header.Get("Cache-Control")) || faults.PastCaches("Pragma", a.r.Header.Get("Pragma"))
}

// tally counts what came of the rules that the call met.
func (x *Exchange) tally() {
	x.line.tally(x.entry.Strikes)
}

func (l *Line) tally(strikes []trail.Strike) {
	for i := range strikes {
		s := &strikes[i]
		kind := l.metrics.Fault(s.Fault)
		if s.Index > 0 {
			kind.Met()
		}
		if s.Fired {
			kind.Fired()
		}
		if s.Outranked {
			kind.Outranked()
		}
	}
}

// draw is a keyed draw of a rule for the call.
func (x *Exchange) draw(rule, purpose string) float64 {
	return chance.Draw(x.run.Seed, rule, purpose, x.identity, x.entry.Intent.ID)
}

// act asks the fake, inside the turn's transaction.
func (x *Exchange) act(t *run.Turn) {
	x.enter(Act)
	call := x.call(t)
	if x.within.of == nil && x.r.Method != http.MethodGet {
		call.Carrier = x.carrier(t)
	}
	x.reply = x.askOf(call)
	x.remember(t)
}

// call is the request as the fake sees it. Ids are drawn from the intent and
// the attempt, so other traffic cannot change them.
func (x *Exchange) call(t *run.Turn) *fakes.Call {
	if t.Work == nil {
		t.Work = fakes.WorkFor(x.body)
	}
	c := &fakes.Call{
		Work: t.Work, Operation: x.op, Contract: x.service.Contract, Input: x.input, Header: x.r.Header, Body: x.body,
		Tx: t.Tx(), Now: t.Now, Identity: x.identity, Base: x.base, Preauthenticated: x.preauthenticated, Held: x.held, IdentityOf: x.identityOf,
		NewID: x.mint(t),
	}
	if other := x.plan.Ask.For; other != nil {
		x.put(c, *other)
	}
	if x.authority != nil {
		c.Carrier = x.watch(t, c)
	}
	return c
}

// put has a call ask for something else.
func (x *Exchange) put(c *fakes.Call, in specs.Input) {
	c.Input = in
	if in.Body != nil && strings.Contains(x.r.Header.Get("Content-Type"), "json") {
		c.Body = world.Encode(in.Body)
	}
}

// mint gives ids for what one asking of the fake makes. more tells askings of
// one call apart.
func (x *Exchange) mint(t *run.Turn, more ...string) func(string, int) string {
	n, attempt := 0, strconv.Itoa(x.entry.Intent.Attempt)
	return func(prefix string, length int) string {
		n++
		parts := append([]string{"id", prefix, x.entry.Intent.ID, attempt, strconv.Itoa(n)}, more...)
		return prefix + chance.ID(ids(x.run.Seed, t.State), length, parts...)
	}
}

// key is the idempotency key of the call, where the service honours them.
func (a *arrived) key() string { return a.op.KeyOf(a.r.Header, a.input.Body) }

// reservation is the event of a call that waits before it acts: it holds the
// call's idempotency key, and counts what the call has met.
func (x *Exchange) reservation(t *run.Turn) *trail.Event {
	if keyed, ok := x.service.Fake.(fakes.Keyed); ok && x.entry.Intent.Key != "" {
		keyed.Reserve(x.call(t))
		x.held = len(t.Tx().Changes()) > 0 // it holds nothing where another call holds the key
	}
	x.reply = fakes.Reply{} // what was tried to judge a rule has not happened
	x.tally()
	x.describe()
	x.brought()
	entry := x.entry
	entry.Outcome, entry.Fidelity, entry.Wire = trail.Answered, trail.None, trail.Wire{}
	return &trail.Event{Kind: trail.Reserved, Identity: x.identity, Revision: x.rev.Profile.Revision, Exchange: &entry}
}

// compose is the event of a call that was decided: what is to be sent, and
// what changed.
func (x *Exchange) compose(t *run.Turn) *trail.Event {
	x.joinParts(t)
	x.leadHome()
	x.say(t)
	wire := &x.plan.Wire
	x.wrap()
	x.entry.Wire = *wire
	x.entry.Whole = x.entry.Whole && wire.End == trail.Complete && !wire.Short && !wire.NoHead && !wire.HeadCut
	x.keepParts(t)
	x.editAfter(t)
	x.describe()
	return x.bareEvent(t)
}

// say settles what is answered, before it is known how that goes out.
func (x *Exchange) say(t *run.Turn) {
	x.entry.Outcome, x.entry.Fidelity = trail.Answered, fidelityOf(x.reply)
	x.entry.Replayed = x.reply.Replayed
	if x.accepted {
		x.entry.Fidelity = trail.Injected
	} else if !x.entry.Altered && x.keeps == nil { // in one of its parts, or by the real service
		x.check(t)
	}
	if x.reply.Overworked {
		x.entry.Note = fakes.Overwork
	}
	if x.plan.Skip && x.plan.Hold == nil || x.plan.Say != nil || x.plan.Page != nil {
		x.replace(t.Now)
	}
	if x.plan.Hold != nil {
		x.entry.FakeStatus, x.entry.FakeBody = x.reply.Status, x.reply.Body
		x.entry.Fidelity = trail.Injected
		x.reply = fakes.Reply{}
	}
	x.amend(t)
	x.entry.Whole = x.reply.Status/100 == 2 && x.entry.Fidelity != trail.Injected && !x.broken
	x.entry.Committed = x.entry.Committed || slices.ContainsFunc(x.wrote(t), x.counts)
}

// fidelityOf says how a fake's answer came about.
func fidelityOf(r fakes.Reply) trail.Fidelity {
	return trail.Fidelity(cmp.Or(r.Fidelity, fakes.Modelled))
}

// replace puts what the plan says in place of what the fake said, and keeps
// that for the record.
func (x *Exchange) replace(now time.Time) {
	if x.reply.Status != 0 {
		x.entry.FakeStatus, x.entry.FakeBody = x.reply.Status, x.reply.Body
		x.links = strings.Contains(x.reply.Header.Get("Location"), x.base)
	}
	x.entry.Fidelity = trail.Injected
	if page := x.plan.Page; page != nil {
		x.reply = fakes.Reply{Status: page.Status, Header: http.Header{"Content-Type": {page.ContentType}}, Body: []byte(page.Body)}
		for name, value := range page.Header {
			x.reply.Header.Set(name, value)
		}
		return
	}
	if x.plan.Say == nil {
		return
	}
	say := *x.plan.Say
	say.Method, say.Path, say.Query, say.Header = x.r.Method, x.path, x.r.URL.RawQuery, x.r.Header
	say.RequestID, say.Now = x.requestID(), now
	if d, ok := x.service.Fake.(fakes.Dialect); ok {
		x.reply = d.Render(say)
		return
	}
	x.reply = problemReply(say.Status, "injected", say.Message)
}

// bareEvent wraps the entry as it stands.
func (x *Exchange) bareEvent(*run.Turn) *trail.Event {
	if !x.served() {
		x.entry.Fidelity = trail.None
	}
	x.brought()
	made := &struct { // in one piece
		event trail.Event
		entry trail.Exchange
	}{trail.Event{Kind: trail.Exchanged, Identity: x.identity, Revision: x.rev.Profile.Revision}, x.entry}
	made.event.Exchange = &made.entry
	return &made.event
}
