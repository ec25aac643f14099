package gateway

import (
	"context"

	"parity/faults/trail"
	"parity/gateway/ingress"
	"parity/gateway/policy"
)

// approach decides about a client before anything that it has to say was
// read: its credentials must fit its run; a bound service is intercepted; a
// host that policy lets out is tunnelled unread; everything else is refused.
func (g *Gateway) approach(_ context.Context, a ingress.Approach) ingress.Verdict {
	l, ok := g.find(a.Credentials.Name, a.Credentials.Token, a.Credentials.Sent)
	if !ok {
		return ingress.Verdict{Action: ingress.Challenge, Message: "the proxy credentials fit no run of this gateway: use http://RUN:TOKEN@host:port, as `parity env` prints it"}
	}
	rev := g.revision.Load()
	host := a.Authority.Host
	if s, ok := g.catalogue.ByHost(host); ok && rev.bound[s.Name] {
		return ingress.Verdict{Action: ingress.Intercept}
	}
	if ok, by := rev.egress.Decide(host, a.Authority.Port); ok {
		g.metrics.Tunnelled()
		g.note(l, &trail.Event{Kind: trail.Tunnelled, Revision: rev.profile.Revision, Tunnel: &trail.Tunnel{Host: host, By: by}})
		return ingress.Verdict{Action: ingress.Tunnel}
	}
	message := policy.Refusal(host, a.Authority.Port)
	g.metrics.Refused("unknown-host")
	g.note(l, &trail.Event{Kind: trail.Exchanged, Revision: rev.profile.Revision, Exchange: &trail.Exchange{
		Way: string(a.Way), Method: method(a.Way), Host: host, Outcome: trail.Denied, Fidelity: trail.None, Status: 403, Note: "--allow " + host + " would let it pass unread",
	}})
	return ingress.Verdict{Action: ingress.Refuse, Message: message}
}

// method stands for the request that was never read.
func method(w ingress.Way) string {
	if w == ingress.SNI {
		return "TLS"
	}
	return "CONNECT"
}

func (g *Gateway) note(l *tenant, e *trail.Event) {
	if err := l.Note(e); err != nil {
		g.log.Error("event not recorded", "run", l.ID, "kind", e.Kind, "error", err)
	}
}
