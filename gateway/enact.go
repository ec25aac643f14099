package gateway

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
func (x *exchange) enact() {
	ctx := x.r.Context()
	if x.event != nil {
		if err := x.live.covered(context.WithoutCancel(ctx), x.event.Seq); err != nil {
			x.settlement.Error = err.Error()
			x.reply, x.plan.Wire = problemReply(http.StatusServiceUnavailable, "journal", "The run's record cannot be kept: "+err.Error()), trail.Wire{}
		}
	}
	wire := x.plan.Wire
	x.wait(ctx, wire.Delay)
	if wire.NoHead || wire.HeadCut || wire.Short && !wire.Honest || wire.End != trail.Complete {
		x.spoil(ctx, wire)
		return
	}
	body := x.reply.Body
	if wire.Short {
		body = body[:wire.Cut]
	}
	x.send(ctx, body, wire.BodyWait)
}

// head puts the reply's header in h, dated by the run's clock as the instants
// in its body are. Without that net/http would state the machine's time.
func (x *exchange) head(h http.Header) http.Header {
	if x.event != nil {
		h["Date"] = []string{x.event.At.Time().Format(http.TimeFormat)}
	}
	for name, values := range x.reply.Header {
		h[name] = values
	}
	return h
}

// send is the ordinary way out.
func (x *exchange) send(ctx context.Context, body []byte, bodyWait time.Duration) {
	header := x.head(x.w.Header())
	bodiless := x.reply.Status == http.StatusNoContent || x.reply.Status == http.StatusNotModified
	if !bodiless {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	if bodyWait > 0 {
		x.w.WriteHeader(x.reply.Status)
		_ = http.NewResponseController(x.w).Flush() // a client that has gone is seen after the wait
		x.wait(ctx, bodyWait)
	}
	arrives := x.event != nil && x.event.Exchange.Whole && ctx.Err() == nil
	if arrives {
		x.live.Arrived(x.event.Exchange.Intent.ID, x.event.Seq)
	}
	if bodyWait == 0 {
		x.w.WriteHeader(x.reply.Status)
	}
	var err error
	sent := 0
	if !bodiless && x.r.Method != http.MethodHead {
		sent, err = x.w.Write(body)
	}
	x.settlement.Sent = int64(sent)
	if err != nil || ctx.Err() != nil {
		x.settlement.ClientGone = true
		if arrives {
			x.live.Lost(x.event.Exchange.Intent.ID, x.event.Seq)
		}
	}
}

// spoil sends what net/http would not send.
func (x *exchange) spoil(ctx context.Context, wire trail.Wire) {
	reply := ingress.Reply{Header: x.head(http.Header{}), Body: x.reply.Body, Cut: ingress.NoBody}
	switch {
	case wire.NoHead:
	case wire.HeadCut:
		reply.Status, reply.CutHead = x.reply.Status, headCut(x.reply.Status)
	default:
		reply.Status = x.reply.Status
		if wire.Short && wire.Cut > 0 {
			reply.Cut = wire.Cut
		}
	}
	switch wire.End {
	case trail.Reset:
		reply.End = ingress.EndReset
	case trail.Hang:
		reply.End = ingress.EndHang
		bounded, cancel := context.WithTimeout(ctx, wire.For)
		defer cancel()
		ctx = bounded
		x.g.metrics.HoldBegan()
		defer x.g.metrics.HoldEnded()
	}
	before := x.g.wall.Now()
	sent := ingress.Send(x.w, x.r.WithContext(ctx), reply)
	if reply.End == ingress.EndHang {
		x.waited += x.g.wall.Now().Sub(before)
	}
	x.settlement.Sent, x.settlement.ClientGone = int64(sent.Body), sent.Gone
	if sent.Err != nil {
		x.settlement.Error = sent.Err.Error()
	}
}

// wait is an injected wait: it ends early when the client goes.
func (x *exchange) wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	x.g.metrics.HoldBegan()
	defer x.g.metrics.HoldEnded()
	before := x.g.wall.Now()
	_ = clock.Sleep(ctx, x.g.wall, d) // what is sent afterwards notices that the client has gone
	x.waited += x.g.wall.Now().Sub(before)
}
