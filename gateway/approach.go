package gateway

import (
	"context"

	"parity/faults/trail"
	"parity/gateway/ingress"
	"parity/profiles/policy"
)

// approach decides about a client before anything that it has to say was
// read: its credentials must fit its run; a bound service is intercepted; a
// host that policy lets out is tunnelled unread; everything else is refused.
func (g *Gateway) approach(ctx context.Context, a ingress.Approach) ingress.Verdict {
	l, err := g.find(claimOf(a))
	if err != nil {
		return ingress.Verdict{Action: ingress.Challenge, Message: unfound(err, claimOf(a), g.address(ctx))}
	}
	rev := l.revision()
	host := a.Authority.Host
	if s, ok := rev.at(host); ok {
		v := ingress.Verdict{Action: ingress.Intercept}
		if a.Way != ingress.Proxy { // there it is the request that says whether this service is new to the connection
			v.Break = breakOf(g.reach(ctx, l, rev, reaching(a, s.Name)))
		}
		return v
	}
	if ok, _ := rev.egress.Decide(host, a.Authority.Port); ok {
		return ingress.Verdict{Action: ingress.Tunnel, Dialer: g.out.For(rev.egress.Literal)}
	}
	g.metrics.Refused("unknown-host")
	g.turnedAway(l, a, policy.Allowing(host, a.Authority.Port)+" would let it pass unread")
	return ingress.Verdict{Action: ingress.Refuse, Message: policy.Refusal(host, a.Authority.Port)}
}

func claimOf(a ingress.Approach) claim {
	return claim{name: a.Credentials.Name, token: a.Credentials.Token, proven: a.Credentials.Sent, local: local(a.Remote)}
}

// turnedAway records a client whose request was never read.
func (g *Gateway) turnedAway(l *tenant, a ingress.Approach, note string) {
	g.note(l, &trail.Event{Kind: trail.Exchanged, Revision: l.revision().profile.Revision, Exchange: &trail.Exchange{
		Way: string(a.Way), Method: method(a.Way), Host: a.Authority.Host, Outcome: trail.Denied, Fidelity: trail.None, Status: 403, Note: note,
	}})
}

// tunnelled records a connection that passes unread, or one whose way out did
// not open.
func (g *Gateway) tunnelled(a ingress.Approach, err error) {
	l, ferr := g.find(claimOf(a))
	if ferr != nil {
		return // it ended meanwhile
	}
	rev := l.revision()
	_, by := rev.egress.Decide(a.Authority.Host, a.Authority.Port)
	t := &trail.Tunnel{Host: a.Authority.Host, By: by}
	if err != nil {
		t.Failed = err.Error()
	} else {
		g.metrics.Tunnelled()
	}
	g.note(l, &trail.Event{Kind: trail.Tunnelled, Revision: rev.profile.Revision, Tunnel: t})
}

// untrusted records a client that broke off the handshake with a service that
// is played: it does not trust Parity's certificate.
func (g *Gateway) untrusted(a ingress.Approach, err error) {
	l, ferr := g.find(claimOf(a))
	if ferr != nil {
		return
	}
	g.metrics.Refused("untrusted")
	g.turnedAway(l, a, "the client broke off the TLS handshake ("+err.Error()+"): it does not trust Parity's certificate; `parity env` names the variables that have it trusted")
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
		l.noteRefused(g.log, err)
	}
}
