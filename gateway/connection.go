package gateway

import (
	"context"
	"errors"
	"strconv"
	"time"

	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/ingress"
)

// reach is a connection that a client makes to a service, before anything is
// asked on it.
type reach struct {
	way, service, host string
	method, path       string // what stands for the request that is not known yet
	tls                bool   // a handshake is to come that is for this service alone
}

// What stands for the request of a connection.
const (
	byConnect = "CONNECT"
	byName    = "TLS"
	byRequest = "TCP" // the service was known by the first request alone
)

// reaching is an approach to a service.
func reaching(a ingress.Approach, service string) reach {
	r := reach{way: string(a.Way), service: service, host: a.Authority.Host, method: method(a.Way), tls: true}
	if a.Way == ingress.Connect {
		r.path = ":" + strconv.Itoa(a.Authority.Port)
		r.tls = a.Authority.Port != 80 // elsewhere nobody speaks without it
	}
	return r
}

// reachedBy is the connection of an event.
func reachedBy(x *trail.Exchange) reach {
	return reach{
		way: x.Way, service: x.Service, host: x.Host, method: x.Method, path: x.Path,
		tls: x.Method == byName || x.Method == byConnect && x.Path != ":80",
	}
}

// reach asks the rules that are about connections to a service about one, and
// gives how it is refused: "" where it is not. A service without such rules
// leaves no trace of its connections.
func (g *Gateway) reach(ctx context.Context, l *tenant, rev *revision, r reach) (how string) {
	if l.script != nil {
		return ""
	}
	began, plan := g.wall.Now(), faults.Plan{}
	err := l.furnish(rev)
	var event *trail.Event
	if err == nil {
		event, err = l.DecideAside(began, g.reached(l, rev, r, &plan))
	}
	if err == nil && event == nil {
		return ""
	}
	if err == nil {
		err = l.covered(context.WithoutCancel(ctx), event.Seq)
	}
	if err != nil {
		if !errors.Is(err, run.ErrEnded) { // its requests will be told
			l.noteRefused(g.log, err)
		}
		return ""
	}
	g.tally(event.Exchange.Strikes)
	g.settled(l, event.Seq, began)
	return plan.Refuse
}

// settled attaches to a connection when it was, in real time.
func (g *Gateway) settled(l *tenant, seq uint64, began time.Time) {
	now := g.wall.Now()
	data, err := g.codec.Settlement(&trail.Settlement{Of: seq, Began: trail.At(began), Wall: trail.At(now), Took: now.Sub(began), Spent: now.Sub(began)})
	if err != nil {
		g.log.Error("settlement not kept", "run", l.ID, "seq", seq, "error", err)
		return
	}
	record{l.writer}.Settle(seq, data)
}

// reached decides about a connection, in a turn: nothing happens where no rule
// is about it.
func (g *Gateway) reached(l *tenant, rev *revision, r reach, plan *faults.Plan) func(*run.Turn) *trail.Event {
	return func(t *run.Turn) *trail.Event {
		rules := g.inForce(l, t.State, t.Now, rev.rules.Connections(r.service), func(rule *faults.Rule) bool { return rule.Connects(r.service) })
		if len(rules) == 0 {
			return nil
		}
		x := &trail.Exchange{
			Way: r.way, Service: r.service, Host: r.host, Method: r.method, Path: r.path, Outcome: trail.Connected, Fidelity: trail.None,
		}
		c := &faults.Connection{Service: r.service, TLS: r.tls, Seed: l.Seed, Now: t.Now, Began: t.State.Began}
		for _, rule := range rules {
			x.Strikes = append(x.Strikes, rule.Meet(c, t.State.Tallies, plan))
		}
		if plan.Refuse != "" {
			x.Outcome, x.Fidelity, x.Note = trail.Refused, trail.Injected, refusing(plan.Refuse)
		}
		return &trail.Event{Kind: trail.Reached, Revision: rev.profile.Revision, Exchange: x}
	}
}

func refusing(how string) string {
	switch how {
	case faults.RefuseHandshake:
		return "the TLS handshake was cut after the client's hello"
	case faults.RefuseName:
		return "the certificate was for another host"
	}
	return "reset before any byte of an answer"
}

// breakOf is how ingress refuses a connection.
func breakOf(how string) ingress.Break {
	switch how {
	case faults.RefuseReset:
		return ingress.BreakReset
	case faults.RefuseHandshake:
		return ingress.BreakHandshake
	case faults.RefuseName:
		return ingress.BreakName
	}
	return ingress.Unbroken
}

// unreachable tells whether a request's connection is refused: the first on it
// to a service, where it was not known before whom it is for.
func (x *exchange) unreachable() bool {
	if !x.served || x.origin.Way != ingress.Direct && x.origin.Way != ingress.Proxy || !ingress.First(x.r.Context(), x.live.ID, x.service.Name) {
		return false
	}
	r := reach{way: x.entry.Way, service: x.service.Name, host: x.entry.Host, method: byRequest}
	return x.g.reach(x.r.Context(), x.live, x.rev, r) != ""
}
