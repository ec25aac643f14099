package fakes

import (
	"errors"
	"net/http"

	"parity/fakes/world"
)

// MostWork is how much work one call may ask for, in steps: about a second's.
// It is counted, and not timed, so that a replay ends where the call did.
const MostWork = 2_000_000

// WorkFor is the work of one call: what a body brings may be done with it.
func WorkFor(body []byte) *world.Work { return &world.Work{Left: MostWork + len(body)} }

// Overwork is what a record says of a call that asked for more.
const Overwork = "the call asks for more work than one call may (see \"How much one call may do\" in fakes/README.md): it was answered as a timeout, and nothing was written; ask for less at once"

// Ask has the service answer a call. One that asks for more work than it may is
// answered as one that the service gives up, and has written nothing.
func (s Service) Ask(call *Call) (reply Reply) {
	if !call.Bounded(func() { reply = s.Fake.Answer(call) }) {
		return s.givenUp(call)
	}
	return reply
}

// Bounded does something with the call's transaction, within the call's work. It
// tells whether it was done; if not, nothing of it was written.
func (c *Call) Bounded(do func()) (done bool) {
	if c.Work == nil {
		c.Work = WorkFor(c.Body)
	}
	mark := c.Tx.Mark()
	defer func() {
		switch p := recover(); {
		case p == nil:
			c.Tx.Within(nil)
		case overworked(p):
			c.Tx.Restore(mark)
		default:
			panic(p)
		}
	}()
	c.Tx.Within(c.Work)
	do()
	return true
}

func overworked(p any) bool {
	err, ok := p.(error)
	return ok && errors.Is(err, world.ErrOverworked)
}

// Spend takes steps of the call's work, for what a loop does over what was read:
// reading and writing spend by themselves. Out of work, it does not return.
func (c *Call) Spend(steps int) { c.Tx.Spend(steps) }

// givenUp is what the service says when a call took it too long.
func (s Service) givenUp(call *Call) Reply {
	reply := Reply{Status: http.StatusGatewayTimeout}
	if d, ok := s.Fake.(Dialect); ok {
		t := Problem{Kind: Broken, Status: reply.Status, Header: call.Header, Now: call.Now}
		if call.Operation != nil {
			t.Method, t.Path = call.Operation.Method, call.Operation.Path
		}
		if call.NewID != nil {
			t.RequestID = call.NewID("req_", 14)
		}
		reply = d.Render(t)
	}
	reply.Overworked, reply.Fidelity = true, Example
	return reply
}
