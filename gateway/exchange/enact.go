package exchange

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway/ingress"
)

// headCut is where a head that is cut stops: behind the status line, inside
// the first field.
func headCut(status int) int {
	return len("HTTP/1.1 200 ") + len(http.StatusText(status)) + len("\r\nCont")
}

// enact sends the reply as the plan says: late, slow, cut, reset, or never. It
// begins once the store's promise covers the exchange: what a client has been
// told is in the record.
//
// A client that seems to have left is answered all the same: one that has only
// closed its sending side still reads, and net/http would answer 200 to it in
// place of a handler that says nothing.
func (x *Exchange) enact() {
	ctx := x.r.Context()
	ingress.Hold(ctx, int64(len(x.reply.Body))) // until it is written
	if _, seq := x.shownAt(); seq > 0 {
		err := x.run.Journal.Certain(x.line.lifetime, seq)
		if x.line.lifetime.Err() != nil { // there is time for a disk that can be written, and for no other
			err = x.run.Journal.Covered(context.WithoutCancel(ctx), seq)
		}
		if err != nil {
			x.unkept(err)
		}
	}
	x.restore()
	wire := x.plan.Wire
	x.wait(ctx, wire.Delay-x.spent())
	if wire.NoHead || wire.HeadCut || wire.Short && !wire.Honest || wire.End != trail.Complete {
		x.spoil(ctx, wire)
		return
	}
	if x.upgrades() {
		x.upgrade()
		return
	}
	x.send(ctx, wire)
}

// unkept is the reply to a call of which it is known that its record is lost, and
// with it what it did. Where nobody knows yet, since the gateway ends before its
// disk could be written again, there is none: to say that it failed would have
// it done again.
func (x *Exchange) unkept(err error) {
	x.settlement.Error = err.Error()
	x.encoded = nil
	if x.line.lifetime.Err() != nil {
		x.plan.Wire = trail.Wire{NoHead: true, End: trail.Reset}
		return
	}
	x.reply, x.plan.Wire = problemReply(http.StatusServiceUnavailable, "journal", "The run's record cannot be kept, and nothing was done: "+err.Error()), trail.Wire{}
}

// head puts the reply's header in h, dated by the run's clock as the instants
// in its body are. Without that net/http would state the machine's time.
func (x *Exchange) head(h http.Header) http.Header {
	if at, seq := x.shownAt(); seq > 0 {
		h["Date"] = []string{at.Format(http.TimeFormat)}
	}
	for name, values := range x.reply.Header {
		h[name] = values
	}
	return h
}

// send is the ordinary way out.
func (x *Exchange) send(ctx context.Context, wire trail.Wire) {
	header, bodied := x.head(x.w.Header()), x.bodied()
	encoded := x.encodedBody()
	body := encoded.Bytes
	if wire.Short {
		body = body[:min(wire.Cut, len(body))]
	}
	if bodied && !wire.Chunked {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	x.w.WriteHeader(x.reply.Status)
	bodied = bodied && x.r.Method != http.MethodHead
	if bodied && wire.Chunked || wire.BodyWait > 0 {
		_ = http.NewResponseController(x.w).Flush() // a client that has gone is seen after the wait
	}
	pace := x.pacer(wire)
	pace(ctx, 0)
	arrives := x.event != nil && x.event.Exchange.Whole && ctx.Err() == nil
	if !bodied || len(body) == 0 {
		body, encoded.Ends = nil, []int{0}
	}
	left := false
	err := x.write(ctx, body, encoded.Ends, pace, func() {
		left = ctx.Err() != nil // from here on it may go with all of it in its hands
		if arrives {
			x.eachCall(x.reaches)
		}
	})
	if err != nil || left {
		x.settlement.ClientGone = true
		if arrives {
			x.eachCall(x.misses)
		}
	}
}

// reaches notes that the answer to a call is about to reach its client.
func (x *Exchange) reaches(e *trail.Event) {
	if e.Exchange.Whole {
		x.run.Arrived(e.Exchange.Intent.ID, e.Seq)
	}
}

// misses notes that it did not after all.
func (x *Exchange) misses(e *trail.Event) {
	if e.Exchange.Whole {
		x.run.Lost(e.Exchange.Intent.ID, e.Seq)
	}
}

// longBody is how long a body is, in bytes, that may not fit into one write of
// net/http with its head.
const longBody = 2 << 10

// write writes a body piece by piece. It calls last before the last one.
func (x *Exchange) write(ctx context.Context, body []byte, ends []int, pace func(context.Context, int), last func()) error {
	begin := 0
	for i, end := range ends {
		if i > 0 {
			pace(ctx, i)
		}
		end = min(end, len(body))
		if end == len(body) {
			last()
		}
		if begin < end {
			leave := func() {}
			if len(ends) == 1 && len(body) > longBody && x.r.ProtoMajor == 1 {
				leave = ingress.Gather(ctx)
			}
			n, err := x.w.Write(body[begin:end])
			leave()
			x.settlement.Sent += int64(n)
			if err == nil && end < len(body) { // the last goes out with the reply's end: a client that has it may be gone before a flush
				err = http.NewResponseController(x.w).Flush()
			}
			if err != nil {
				return err
			}
		}
		if begin = end; begin == len(body) {
			break
		}
	}
	return nil
}

// spoil sends what net/http would not send.
func (x *Exchange) spoil(ctx context.Context, wire trail.Wire) {
	reply := ingress.Reply{Header: x.head(http.Header{}), Cut: ingress.NoBody}
	switch {
	case wire.NoHead:
	case wire.HeadCut:
		reply.Status, reply.CutHead = x.reply.Status, headCut(x.reply.Status)
	default:
		encoded := x.encodedBody()
		reply.Status, reply.Body = x.reply.Status, encoded.Bytes
		if !wire.Short {
			reply.Cut = 0
		} else if wire.Cut > 0 {
			reply.Cut = wire.Cut
		}
		if wire.Chunked {
			reply.Declared = ingress.Chunked
		}
		if wire.Chunk > 0 {
			reply.Ends = encoded.Ends
		}
		if wire.Chunk > 0 || wire.BodyWait > 0 {
			reply.Pause = x.pacer(wire)
		}
	}
	switch wire.End {
	case trail.Reset:
		reply.End = ingress.EndReset
	case trail.Hang:
		reply.End, reply.Hold = ingress.EndHang, wire.For
		x.line.metrics.HoldBegan()
		defer x.line.metrics.HoldEnded()
	}
	gone := ctx.Err() != nil // it left before anything was sent
	before, waited := x.line.wall.Now(), x.waited
	sent := ingress.Send(x.w, x.r.WithContext(ctx), reply)
	if reply.End == ingress.EndHang {
		x.waited = waited + x.line.wall.Now().Sub(before)
	}
	x.settlement.Sent, x.settlement.ClientGone = int64(sent.Body), sent.Gone || gone
	if sent.Err != nil {
		x.settlement.Error = sent.Err.Error()
	}
}

// spent is what it took to find the answer, without what the exchange was made
// to wait. A delay is as long as the client waits once its request is out: what
// the gateway itself took is no part of the service's latency.
func (x *Exchange) spent() time.Duration { return x.line.wall.Now().Sub(x.heard) - x.waited }

// wait is an injected wait: it ends early when the client goes.
func (x *Exchange) wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	x.line.metrics.HoldBegan()
	defer x.line.metrics.HoldEnded()
	before := x.line.wall.Now()
	_ = clock.Sleep(ctx, x.line.wall, d) // what is sent afterwards notices that the client has gone
	x.waited += x.line.wall.Now().Sub(before)
}

// probing is how long is waited for a client that seems to have left: it may
// have closed its sending side alone, and a write shows it soon after.
const probing = 50 * time.Millisecond

// pacer gives what waits before each piece of a body, 0 for the first. Pieces
// are due at even distances from the first, so that what one takes to be
// written does not put off those behind it.
func (x *Exchange) pacer(wire trail.Wire) func(context.Context, int) {
	var first time.Time
	return func(ctx context.Context, piece int) {
		if piece == 0 {
			x.wait(ctx, wire.BodyWait)
			first = x.line.wall.Now()
			return
		}
		due := first.Add(time.Duration(piece) * wire.Every)
		x.wait(ctx, due.Sub(x.line.wall.Now()))
		if ctx.Err() != nil {
			x.wait(x.line.lifetime, min(probing, due.Sub(x.line.wall.Now())))
		}
	}
}
