package gateway

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

type operation = specs.Operation

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
	Note   Step = "record"
	Enact  Step = "enact"
	Settle Step = "settle"
)

// exchange is one request on its way. It belongs to one goroutine.
type exchange struct {
	g    *Gateway
	w    http.ResponseWriter
	r    *http.Request
	step Step

	began  time.Time // real time
	heard  time.Time // when the whole request was there
	waited time.Duration
	origin ingress.Origin
	live   *tenant
	rev    *revision

	service    fakes.Service
	served     bool   // a service was found
	base       string // what the client put before the service's own path
	prefix     string // of the path: the part that names the run
	path       string // escaped, as the service knows it
	body       []byte // inflated
	op         *specs.Operation
	known      *known
	input      specs.Input
	identity   string
	finger     string
	plan       faults.Plan
	held       bool // the call's idempotency key is reserved
	links      bool // the fake's own reply, which was replaced, leads to where the client reached the service
	accepted   bool // what the call asks for is done later
	broken     bool // a client cannot read what is left of the reply
	reply      fakes.Reply
	parcel     *coding.Body // the reply's body as it goes out, once it is known
	severed    bool         // its connection is refused: it does not happen
	busy       bool         // its run has too many under way: it does not happen
	answered   bool         // reply is decided, nothing more is asked
	again      bool         // it is one of a record, decided again
	vouched    bool         // by that record: the service took its credential
	entry      trail.Exchange
	described  bool   // the entry has what is kept of the request
	came       []came // secrets
	hides      secret.Hide
	event      *trail.Event
	settlement trail.Settlement
}

// ServeHTTP takes one request down the line.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.turnAway(w, r) {
		return
	}
	x := &exchange{g: g, w: w, r: r, began: g.wall.Now()}
	x.heard = x.began
	g.metrics.RequestBegan()
	defer x.end()
	x.enter(Admit)
	x.admit()
	if x.severed {
		ingress.Sever(w, r)
		return
	}
	if x.busy {
		g.full(w, errRunBusy)
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

func (x *exchange) enter(s Step) {
	x.step = s
	if x.g.before != nil {
		x.g.before(s)
	}
}

// end is what happens last, whatever happened before: a panic costs this
// exchange and no other. A panic that means "cut the stream" goes on.
func (x *exchange) end() {
	defer x.g.metrics.RequestEnded()
	if x.live != nil {
		defer x.live.calls.Add(-1)
	}
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	x.g.metrics.Panicked(string(x.step))
	said := x.loggable(fmt.Sprint(p))
	x.g.log.Error("panic in an exchange", "step", x.step, "panic", said, "method", x.r.Method, "service", x.entry.Service, "operation", x.entry.Operation, "stack", string(debug.Stack()))
	x.fallen(fmt.Sprintf("panic in %s: %s", x.step, said))
}

// fallen records an exchange that a defect of ours has cost, and tells the
// client so. A second panic on the way ends in a cut connection.
func (x *exchange) fallen(note string) {
	defer func() {
		if p := recover(); p != nil {
			panic(http.ErrAbortHandler)
		}
	}()
	if x.event == nil && x.live != nil {
		x.entry.Outcome, x.entry.Fidelity, x.entry.Note, x.entry.Committed, x.entry.Whole = trail.Panicked, trail.None, note, false, false
		x.entry.Status, x.entry.Strikes = http.StatusInternalServerError, nil
		x.describe()
		x.event, _ = x.live.Decide(x.g.wall.Now(), time.Time{}, func(t *run.Turn) *trail.Event {
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
