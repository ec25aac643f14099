package ingress

import (
	"context"
	"errors"
	"net/http"
	"runtime"
)

// ErrClientBusy is the error of a request whose client has as many under way as
// it may.
var ErrClientBusy = errors.New("this client has as many calls under way as one client may have")

// few is how many requests a connection may have under way for the last eighth
// of a bound on them: who asks for one thing after another is served beside who
// asks for thousands at once, from one address too.
const few = 8

// Under tells whether one more call is within a bound, with n under way
// including it. The last eighth is for connections that have few: ctx is that
// of a request.
func Under(ctx context.Context, n, most int64) bool {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok && x.conn != nil {
		return x.under(n, most)
	}
	return n <= most
}

func (x *exchange) under(n, most int64) bool {
	if x.conn.calls.Load() > few {
		most -= most / 8
	}
	return n <= most
}

// begin counts a request as under way until release. One over its client's
// bound finds no room for anything, so that its handler refuses it in words. A
// client that has as many refusals under way too does not read them, or asks on
// all the same: its connection ends, and begin says so.
func (s *Server) begin(x *exchange, r *http.Request) bool {
	if x.client == nil || r.Method == http.MethodConnect { // a tunnel is bounded as a connection
		return true
	}
	x.conn.calls.Add(1)
	most := int64(s.opt.MaxClientCalls)
	x.counted = &x.client.calls
	if x.under(x.counted.Add(1), most) {
		return true
	}
	x.counted.Add(-1)
	x.busy, x.counted = true, &x.client.refusals
	if x.counted.Add(1) <= most {
		return true
	}
	s.shed(ShedCalls)
	_ = x.conn.Close()
	return false
}

// Seat waits for the one place that a connection of HTTP/2 has among those that
// wait for a run: however much one of them asks for at once, others wait for one
// call of it. leave gives the place up. The error says that the client took its
// request back meanwhile, or the server ends: nobody waits for the answer. A
// connection of HTTP/1 has one request at a time, and a client that seems to have
// left may still read.
func Seat(ctx context.Context) (leave func(), err error) {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok || x.seat == nil {
		return func() {}, nil
	}
	leave = func() { <-x.seat }
	for range patience {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		select {
		case x.seat <- struct{}{}:
			return leave, nil
		default:
			runtime.Gosched()
		}
	}
	select {
	case x.seat <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// patience is how often a call lets others go first before it waits in line: a
// turn is mostly over sooner than a goroutine is woken.
const patience = 64

// Left tells whether the client of a request has surely left: a stream of HTTP/2
// that has ended is read by nobody.
func Left(r *http.Request) bool { return r.ProtoMajor >= 2 && r.Context().Err() != nil }
