package faults

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/body"
)

// When says at which point of an exchange a Work is done.
type When int

// The points, in order.
const (
	BeforeCall When = iota // the fake is asked after it: an event of its own before the exchange
	Asking                 // in the way that the fake is asked
	Queue                  // in the call's own transaction, on the webhooks that it queued
	OnReply                // on what is sent
	AfterCall              // right after the exchange, as an event of its own
	Deciding               // once policy has decided
)

// A Work is what a fault that fired has left to do, at its point of the
// exchange. One of the functions is set, or Heeds with Told.
type Work struct {
	Rule    string
	At      When
	Edit    func(*Scene) Done                     // BeforeCall, AfterCall
	Queue   func(*Post) Done                      // Queue
	Amend   func(*Answer) Done                    // OnReply
	Asked   func(once, again fakes.Reply) Done    // Asking: what the fake said as things are, and as it was asked
	Made    func(once, again []world.Change)      // Asking: what each of two calls made
	Heeds   func(specs.Input) (specs.Input, bool) // Asking: what the service heeds of what it is sent; false: nothing of it
	Outcome func(changed bool) Done               // with Heeds: whether the world is another for it
	Ruled   func(Ruling) Done                     // Deciding
}

// Done is what came of a Work.
type Done struct {
	Did     string   // in a few words: "left out 2 of 5 items"
	Not     string   // why it found nothing to do: the fault has not fired, then
	Planted []string // values that only this reply shows
	Left    []string // ids that it left out
	Broken  bool     // a client cannot read what is left of the reply
}

// Nothing is a Done for a work that found nothing to do.
func Nothing(why string) Done { return Done{Not: why} }

// Scene is the world of a service, as somebody other than the agent meets it.
type Scene struct {
	Call   *fakes.Call // the agent's, with a transaction for the edit
	Editor fakes.Editor
	Copier fakes.Copier // nil where the fake has none
	Reply  fakes.Reply  // the agent's; empty before its call
	Draw   func(purpose string) float64
}

// Post is the webhooks that a call has queued, before they are sent.
type Post struct {
	Tx      *world.Tx // the call's own
	Queued  []fakes.Delivery
	Now     time.Time                        // the exchange's instant
	Headers func(fakes.Delivery) http.Header // of an attempt, as it would be made now
	Draw    func(purpose string) float64
}

// Answer is a reply on its way to the agent, to be altered. A body is replaced
// as a whole, never written to.
type Answer struct {
	Status int
	Header http.Header // its own: it may be written to
	Body   []byte
	Call   Request
	Method string
	Base   string    // under which the client reached the service
	Now    time.Time // the exchange's instant
	Tx     *world.Tx // the service's world after the call, to read from alone
	Draw   func(purpose string) float64
	Ask    func(specs.Input) fakes.Reply // the service once more, about something else, as things are now; nothing that it writes stays
	Steady func(purpose string) float64  // a draw that is the same for each call of the rule
}

// JSON decodes the body, for an alteration to write to; false where it is not
// one JSON document.
func (a *Answer) JSON() (any, bool) {
	value, wrong := body.DecodeJSON(a.Body)
	return value, wrong == nil
}

// Put makes value the body.
func (a *Answer) Put(value any) { a.Body = world.Encode(value) }

// Succeeded tells whether the answer is a success with a body.
func (a *Answer) Succeeded() bool { return a.Status/100 == 2 && len(a.Body) > 0 }

// Amend alters the reply once it is known.
func (p *Plan) Amend(f func(*Answer) Done) {
	p.works = append(p.works, Work{Rule: p.owner, At: OnReply, Amend: f})
}

// Edit has somebody else change the world, before the call or after it.
func (p *Plan) Edit(at When, f func(*Scene) Done) {
	p.works = append(p.works, Work{Rule: p.owner, At: at, Edit: f})
}

// Requeue changes what webhooks the call has queued.
func (p *Plan) Requeue(f func(*Post) Done) {
	p.works = append(p.works, Work{Rule: p.owner, At: Queue, Queue: f})
}

// AskAs has the fake asked in another way. judge says what came of it, of what
// the fake said as things are and of what it said so.
func (p *Plan) AskAs(way Ask, judge func(once, again fakes.Reply) Done) {
	p.Ask.Twice, p.Ask.Keyless, p.Ask.Ago = p.Ask.Twice || way.Twice, p.Ask.Keyless || way.Keyless, max(p.Ask.Ago, way.Ago)
	p.Ask.Answered = p.Ask.Answered || way.Answered
	p.works = append(p.works, Work{Rule: p.owner, At: Asking, Asked: judge})
}

// Repeat has the fake asked twice, and shows what records either call made. A
// second call that made none leaves no trace.
func (p *Plan) Repeat(see func(once, again []world.Change)) {
	p.Ask.Twice = true
	p.works = append(p.works, Work{Rule: p.owner, At: Asking, Made: see})
}

// Ignore has the service heed only a part of what it is sent, and answer as if
// it had heeded all. judge is told whether the world is another for it; where
// it says that there was nothing to do, everything is heeded.
func (p *Plan) Ignore(heeds func(specs.Input) (specs.Input, bool), judge func(changed bool) Done) {
	p.works = append(p.works, Work{Rule: p.owner, At: Asking, Heeds: heeds, Outcome: judge})
}

// Works lists what is to be done at a point, in file order.
func (p *Plan) Works(at When) []Work {
	var some []Work
	for _, w := range p.works {
		if w.At == at {
			some = append(some, w)
		}
	}
	return some
}

// Settle notes what came of a work on the strike of its rule. A fault with
// nothing to do has not fired.
func Settle(strikes []trail.Strike, w Work, d Done) {
	for i := range strikes {
		s := &strikes[i]
		if s.Rule != w.Rule || !s.Fired {
			continue
		}
		if d.Not != "" {
			s.Fired, s.Why = false, d.Not
			return
		}
		if s.Did != "" && d.Did != "" {
			s.Did += "; "
		}
		s.Did += d.Did
		s.Planted, s.Left = append(s.Planted, d.Planted...), append(s.Left, d.Left...)
		return
	}
}

// Requirer is met by injections that not every operation can have. Misfit says
// what op lacks; "" where it has what is needed.
type Requirer interface {
	Misfit(op *specs.Operation, fake fakes.Fake) string
}

// Filter is met by injections that strike some of the calls that their rule
// names: those for which Beside is not open are not counted as met, and no
// trigger is asked of them.
type Filter interface {
	Beside(CallContext) Gate
	// Limit is as that of Gatekeeper.
	Limit() int
}

// NeedsResult is met by injections that are to know what the fake answers before
// they strike.
type NeedsResult interface {
	AsksForResult()
}

// Watcher is met by injections that strike at other calls than those that the
// rule names: at the read before a write. Watches gives them; nil: the rule's
// own.
type Watcher interface {
	Watches() []Pattern
}
