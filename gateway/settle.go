package gateway

import "parity/faults/trail"

// settle attaches what really went out to the exchange, and counts it.
func (x *exchange) settle() {
	now := x.g.wall.Now()
	took := now.Sub(x.began)
	counters := x.g.metrics.Operation(x.entry.Service, "")
	if x.known != nil {
		counters = x.known.metrics
	}
	counters.Exchange(x.entry.Outcome, x.entry.Fidelity, took-x.waited)
	if x.event == nil {
		return
	}
	x.live.source.recent.add(x.live.ID, x.event)
	s := &x.settlement
	if s.ClientGone && x.g.lifetime.Err() != nil {
		s.ClientGone, s.Error = false, trail.GatewayEnded // it cut the wire, not the client
	}
	s.Of, s.Took, s.Spent = x.event.Seq, took, took-x.waited
	s.Began, s.Wall, s.Proto = trail.At(x.began), trail.At(now), x.r.Proto
	data, err := x.g.codec.Settlement(s)
	if err != nil {
		x.g.log.Error("settlement not kept", "run", x.live.ID, "seq", s.Of, "error", err)
		return
	}
	record{x.live.writer}.Settle(s.Of, data)
}
