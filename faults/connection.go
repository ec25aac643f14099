package faults

import (
	"slices"
	"strconv"
	"time"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/specs"
)

// A Connection is one that a client makes to a service, before any request on
// it is known.
type Connection struct {
	Service string
	TLS     bool // a handshake is to come that is for this service alone
	Seed    chance.Seed
	Now     time.Time
	Began   time.Time // the run's first instant
}

// Connects tells whether the rule is about connections to a service.
func (r *Rule) Connects(service string) bool {
	any := &specs.Operation{Service: service, Method: "GET", Path: "/"}
	return r.Fault.Connection && slices.ContainsFunc(r.Calls, func(p Pattern) bool { return p.Match(any) })
}

// Meet asks one rule about one connection, as Consider does about an exchange:
// what is counted is the connections of the service in this run.
func (r *Rule) Meet(c *Connection, t *Tallies, p *Plan) trail.Strike {
	s := trail.Strike{Rule: r.Name, Hash: r.Hash, Fault: r.Fault.Name, Phase: string(r.Fault.Phase), Required: r.Required, Per: c.Service}
	count := t.count(ruleKey{r.Name, r.Hash, s.Per})
	s.Index = count.met + 1
	pulls, why := r.Trigger.pulls(occasion{
		index: s.Index, attempt: 1, fired: count.fired, age: c.Now.Sub(c.Began), lastOf: t.lastOf, noun: "connection",
		draw: func() float64 {
			return chance.Draw(c.Seed, r.Name, "trigger", c.Service, "connection "+strconv.FormatUint(s.Index, 10))
		},
	})
	if !pulls {
		s.Why = why
		return s
	}
	if u, ok := r.injection.(unreachable); ok && u.how != RefuseReset && !c.TLS {
		s.Why = "this way in has no handshake that is for the service alone"
		return s
	}
	return r.strike(s, CallContext{Attempt: 1, Tries: 1, Now: c.Now}, p)
}

// foldConnection counts a connection for the rules that met it.
func (t *Tallies) foldConnection(x *trail.Exchange, instant trail.Instant) {
	for i := range x.Strikes {
		var once intent // a connection is no attempt of anything
		t.foldStrike(&x.Strikes[i], &once, instant)
	}
}
