package exchange

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

// Attempt is a connection that a client makes to a service, before anything is
// asked on it.
type Attempt struct {
	way, service, host string
	method, path       string // what stands for the request that is not known yet
	tls                bool   // a handshake is to come that is for this service alone
}

// What stands for the request of a connection.
const (
	byConnect = "CONNECT"
	byName    = "TLS"
	byRequest = "TCP" // the service was known by the first request alone, or by the address
)

// Method stands for the request of a client that nothing was read of yet.
func Method(w ingress.Way) string {
	switch w {
	case ingress.SNI:
		return byName
	case ingress.Address:
		return byRequest
	}
	return byConnect
}

// AttemptOf is an approach to a service.
func AttemptOf(a ingress.Approach, service string) Attempt {
	c := Attempt{way: string(a.Way), service: service, host: a.Authority.Host, method: Method(a.Way), tls: true}
	if a.Way == ingress.Connect || a.Way == ingress.Address {
		c.path = ":" + strconv.Itoa(a.Authority.Port)
		c.tls = a.Authority.Port != 80 // elsewhere nobody speaks without it
	}
	return c
}

// RecordedAttempt is the connection of an event.
func RecordedAttempt(x *trail.Exchange) Attempt {
	return Attempt{
		way: x.Way, service: x.Service, host: x.Host, method: x.Method, path: x.Path,
		tls: x.Method == byName || x.Method == byConnect && x.Path != ":80" || x.Method == byRequest && x.Path != "" && x.Path != ":80",
	}
}

// Connect asks the rules that are about connections to a service about one, and
// gives how it is refused: "" where it is not. A service without such rules
// leaves no trace of its connections.
func (l *Line) Connect(ctx context.Context, r *Run, rev *Revision, c Attempt) (how string) {
	if r.Playback != nil {
		return ""
	}
	began, plan := l.wall.Now(), faults.Plan{}
	err := r.furnish(rev)
	var event *trail.Event
	if err == nil {
		event, err = r.DecideAside(began, l.Connected(r, rev, c, &plan))
	}
	if err == nil && event == nil {
		return ""
	}
	if err == nil {
		err = r.Journal.Covered(context.WithoutCancel(ctx), event.Seq)
	}
	if err != nil {
		if !errors.Is(err, run.ErrEnded) { // its requests will be told
			r.Room.NoteRefused(l.log, err)
		}
		return ""
	}
	r.Room.NoteKept(l.log)
	l.tally(event.Exchange.Strikes)
	l.settled(r, event.Seq, began)
	return plan.Refuse
}

// settled attaches to a connection when it was, in real time.
func (l *Line) settled(r *Run, seq uint64, began time.Time) {
	now := l.wall.Now()
	l.attach(r, &trail.Settlement{Of: seq, Began: trail.At(began), Wall: trail.At(now), Took: now.Sub(began), Spent: now.Sub(began)})
}

// Connected decides about a connection, in a turn: nothing happens where no rule
// is about it.
func (l *Line) Connected(r *Run, rev *Revision, c Attempt, plan *faults.Plan) func(*run.Turn) *trail.Event {
	return func(t *run.Turn) *trail.Event {
		rules := l.inForce(r, t.State, t.Now, rev.Rules.Connections(c.service), func(rule *faults.Rule) bool { return rule.Connects(c.service) })
		if len(rules) == 0 {
			return nil
		}
		x := &trail.Exchange{
			Way: c.way, Service: c.service, Host: c.host, Method: c.method, Path: c.path, Outcome: trail.Connected, Fidelity: trail.None,
		}
		met := &faults.Connection{Service: c.service, TLS: c.tls, Seed: r.Seed, Now: t.Now, Began: t.State.Began}
		for _, rule := range rules {
			x.Strikes = append(x.Strikes, rule.Meet(met, t.State.Tallies, plan))
		}
		if plan.Refuse != "" {
			x.Outcome, x.Fidelity, x.Note = trail.Refused, trail.Injected, refusing(plan.Refuse)
		}
		return &trail.Event{Kind: trail.Reached, Revision: rev.Profile.Revision, Exchange: x}
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

// unreachable tells whether a request's connection is refused: the first on it
// to a service, where it was not known before whom it is for.
func (x *Exchange) unreachable() bool {
	if !x.served() || x.origin.Way != ingress.Direct && x.origin.Way != ingress.Proxy || !ingress.First(x.r.Context(), x.run.ID, x.service.Name) {
		return false
	}
	c := Attempt{way: x.entry.Way, service: x.service.Name, host: x.entry.Host, method: byRequest}
	return x.line.Connect(x.r.Context(), x.run, x.rev, c) != ""
}
