package exchange

import "parity/faults/trail"

// settle attaches what really went out to the exchange, and counts it.
func (x *Exchange) settle() {
	now := x.line.wall.Now()
	took := now.Sub(x.began)
	counters := x.line.metrics.Operation(x.entry.Service, "")
	if x.known != nil {
		counters = x.known.metrics
	}
	counters.Exchange(x.entry.Outcome, x.entry.Fidelity, took-x.waited)
	if x.event == nil {
		return
	}
	x.eachCall(func(e *trail.Event) { x.run.Source.add(x.run.ID, e) })
	x.tellAsked()
	if p := x.entry.Policy; p != nil {
		x.line.metrics.Decided(p.Decision)
	}
	x.eachCall(func(e *trail.Event) {
		for i := range e.Exchange.Upstream {
			if u := &e.Exchange.Upstream[i]; u.Number > 0 {
				x.line.metrics.Left(u.Class)
			}
		}
	})
	s := &x.settlement
	if s.ClientGone && x.line.lifetime.Err() != nil {
		s.ClientGone, s.Error = false, trail.GatewayEnded // it cut the wire, not the client
	}
	s.Took, s.Spent = took, took-x.waited
	s.Began, s.Wall, s.Proto = trail.At(x.began), trail.At(now), x.r.Proto
	x.eachCall(func(e *trail.Event) {
		s.Of = e.Seq
		x.line.attach(x.run, s)
	})
}

// attach has a run keep a settlement.
func (l *Line) attach(r *Run, s *trail.Settlement) {
	err := l.codec.LendSettlement(s, func(data []byte) error {
		r.Journal.Settle(s.Of, data)
		return nil
	})
	if err != nil {
		l.log.Error("settlement not kept", "run", r.ID, "seq", s.Of, "error", err)
	}
}

// tellAsked has somebody told of the approval that the call has asked for.
func (x *Exchange) tellAsked() {
	if x.gate.asked && x.run.Asked != nil {
		x.gate.asked = false
		x.run.Asked(x.entry.Policy.Approval)
	}
}
