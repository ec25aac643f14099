package exchange

import (
	"parity/fakes"
	"parity/faults/trail"
	"parity/gateway/ingress"
)

// admit finds the run and the service that a request is for, and reads its
// body, so that from here on a client that leaves is noticed.
func (x *Exchange) admit() {
	x.origin, _ = ingress.FromContext(x.r.Context())
	x.entry.Way = string(x.origin.Way)
	x.entry.Method = x.r.Method
	x.path = x.r.URL.EscapedPath()
	c, err := x.claim()
	if err == nil {
		x.run, err = x.line.runs.Find(c)
	}
	if err != nil {
		x.unclaimed(err, c)
		return
	}
	calls := x.run.calls.Add(1)
	x.run.nearCalls.Warn(x.line.log, "calls under way in one run, of which one address may have half of --max-calls", calls, x.line.limits.Calls/2, "those of one address are refused; --max-calls raises it")
	if x.busy = !ingress.Under(x.r.Context(), calls, x.line.limits.Calls); x.busy {
		return
	}
	x.rev = x.run.Revision()
	if x.foreign(c) {
		return
	}
	x.locate()
	x.entry.Host, x.entry.Path = x.origin.Authority.Host, x.path
	if x.refused = x.unreachable(); x.refused {
		return
	}
	err = x.readBody()
	switch revealed := x.revealed(); {
	case revealed: // and forgotten
	case err != nil:
		x.unreadable(err)
	}
	x.line.nearHeld.Warn(x.line.log, "bytes held for requests under way", x.line.held(), x.line.limits.Held, "calls are refused; --max-held raises it")
}

// trouble answers in the service's dialect, where there is one.
func (x *Exchange) trouble(outcome trail.Outcome, t fakes.Problem, status int, code, message string) {
	t.Method, t.Path, t.Header = x.r.Method, x.path, x.r.Header
	if d, ok := x.service.Fake.(fakes.Dialect); ok {
		t.RequestID = x.requestID()
		x.line.metrics.Refused(code)
		x.reply, x.answered = d.Render(t), true
		x.entry.Outcome, x.entry.Fidelity = outcome, fidelityOf(x.reply)
		return
	}
	x.refuse(outcome, status, code, message)
}

// refuse answers in Parity's own name.
func (x *Exchange) refuse(outcome trail.Outcome, status int, code, message string) {
	x.entry.Outcome, x.entry.Fidelity, x.entry.Note = outcome, trail.None, message
	x.reply, x.answered = problemReply(status, code, message), true
	x.line.metrics.Refused(code)
}
