// Package exchange is one straight line from a request that came in, whichever
// way, to what went out on the wire.
//
//	admit ▶ match ▶ permit ▶ plan ▶ act ▶ record │ ▶ enact ▶ settle
//	└──────── decide, touching no socket ────────┘   └─ the wire ─┘
//
// A Line answers for all runs, and is made once. An Exchange is one request on
// its way, in four parts: what arrived, what policy says of it, what was decided,
// what goes out. What the line needs of whoever owns the runs it names itself: Runs (which run is
// it), Journal (where events go), Room (does it take them), and Playback (a
// record that answers in the place of fakes).
package exchange

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/ingress"
	"parity/specs"
	"parity/specs/coding"
	"parity/specs/secret"
)

// Step is one step of an exchange. The set is closed: metrics use it as a
// label.
type Step string

// The steps, in order.
const (
	Admit  Step = "admit"
	Match  Step = "match"
	Permit Step = "permit"
	Plan   Step = "plan"
	Act    Step = "act"
	Record Step = "record"
	Enact  Step = "enact"
	Settle Step = "settle"
)

// Exchange is one request on its way: what arrived, what was decided about it,
// and what goes out. It belongs to one goroutine.
type Exchange struct {
	line      *Line
	run       *Run
	rev       *Revision
	step      Step
	replaying bool // it is one of a record, decided again
	arrived
	ruled
	decided
	outgoing
	within carried
	reached
}

// arrived is the request: what the client sent, and what the contract makes of
// it. From permit on nothing changes it.
type arrived struct {
	r      *http.Request
	began  time.Time // real time
	heard  time.Time // when the whole request was there
	origin ingress.Origin

	prefix           string        // of the path: the part that names the run
	base             string        // what the client put before the service's own path
	path             string        // escaped, as the service knows it
	body             []byte        // inflated
	service          fakes.Service // zero: none answers for it
	op               *specs.Operation
	known            *known
	input            specs.Input
	identity         string
	fingerprint      string // of what is meant, by which retries are known
	preauthenticated bool   // a record says that the service took its credential
}

// served tells whether a service was found.
func (a *arrived) served() bool { return a.service.Name != "" }

// decided is what becomes of the request, up to the event that says so.
type decided struct {
	refused  bool // its connection is refused: it does not happen
	busy     bool // its run has too many under way: it does not happen
	answered bool // reply is decided, nothing more is asked

	plan      faults.Plan
	held      bool // the call's idempotency key is reserved
	accepted  bool // what the call asks for is done later
	reply     fakes.Reply
	links     bool // the fake's own reply, which was replaced, leads to where the client reached the service
	broken    bool // a client cannot read what is left of the reply
	entry     trail.Exchange
	described bool        // the entry has what is kept of the request
	came      []came      // secrets
	hides     secret.Hide // x.hide as a value
	event     *trail.Event
	looked    looked // where there is no event
}

// outgoing is what goes out on the wire, and what came of that.
type outgoing struct {
	w          http.ResponseWriter
	waited     time.Duration // because a rule had it wait
	encoded    *coding.Body  // the reply's body as it goes out, once it is known
	settlement trail.Settlement
}

// ServeHTTP takes one request down the line.
func (l *Line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if l.turnAway(w, r) {
		return
	}
	x, _ := l.spent.Get().(*Exchange)
	if x == nil {
		x = new(Exchange)
	}
	x.line, x.r, x.w, x.began = l, r, w, l.wall.Now()
	x.heard = x.began
	l.metrics.RequestBegan()
	defer x.end()
	x.enter(Admit)
	x.admit()
	if x.refused {
		ingress.Sever(w, r)
		return
	}
	if x.busy {
		l.full(w, errRunBusy)
		return
	}
	if x.front() {
		x.show()
		return
	}
	x.enter(Match)
	x.match()
	x.enter(Permit)
	x.permit()
	x.decide()
	x.enter(Enact)
	x.enact()
	x.enter(Settle)
	x.settle()
}

func (x *Exchange) enter(s Step) {
	x.step = s
	if x.line.before != nil {
		x.line.before(s)
	}
}

// end is what happens last, whatever happened before: a panic costs this
// exchange and no other. A panic that means "cut the stream" goes on.
func (x *Exchange) end() {
	defer x.line.metrics.RequestEnded()
	if x.run != nil {
		defer x.run.calls.Add(-1)
	}
	p := recover()
	if p == nil {
		x.spend()
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares what was recovered like this, too
		panic(p)
	}
	x.line.metrics.Panicked(string(x.step))
	said := x.loggable(fmt.Sprint(p))
	x.line.log.Error("panic in an exchange", "step", x.step, "panic", said, "method", x.r.Method, "service", x.entry.Service, "operation", x.entry.Operation, "stack", string(debug.Stack()))
	x.fallen(fmt.Sprintf("panic in %s: %s", x.step, said))
}

// spend gives x to an exchange to come. What is kept of it is in its event.
func (x *Exchange) spend() {
	clear(x.came)
	line := x.line
	*x = Exchange{decided: decided{hides: x.hides, came: x.came[:0]}}
	line.spent.Put(x)
}

// fallen records an exchange that a defect of ours has cost, and tells the
// client so. A second panic on the way ends in a cut connection.
func (x *Exchange) fallen(note string) {
	defer func() {
		if p := recover(); p != nil {
			panic(http.ErrAbortHandler)
		}
	}()
	if x.event == nil && x.run != nil {
		x.entry.Outcome, x.entry.Fidelity, x.entry.Note, x.entry.Committed, x.entry.Whole = trail.Panicked, trail.None, note, false, false
		x.entry.Status, x.entry.Strikes = http.StatusInternalServerError, nil
		x.describe()
		x.event, _ = x.run.Decide(x.line.wall.Now(), time.Time{}, func(t *run.Turn) *trail.Event {
			x.release(t)
			return x.bareEvent(t)
		})
	}
	if x.step == Enact || x.step == Settle {
		x.settlement.Error = note
		x.settle()
		panic(http.ErrAbortHandler) // part of a reply may be out already
	}
	problem(x.w, http.StatusInternalServerError, "gateway-defect",
		"Parity itself broke on this call; nothing was changed. The run's trace has the details.")
	x.settlement.Error = note
	x.settle()
}
