package gateway

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/contain"
	"parity/gateway/deliver"
	"parity/gateway/exchange"
	"parity/gateway/ingress"
	"parity/gateway/report"
	"parity/gateway/resolve"
)

// A Box is a containment that the agent of a run is in. The gateway serves what
// comes out of it, until it is closed, and closes none of it but the listeners.
type Box interface {
	Doors
	Sights
}

// Doors are the listeners of a containment that are the same in each.
type Doors interface {
	Proxy() net.Listener      // the data port, as the agent has it
	Control() net.Listener    // a control port that is good for the agent's token alone
	Captured() []net.Listener // connections to whatever address: it is their local one
}

// Sights are what is seen of a containment, and how to get into it.
type Sights interface {
	Names() (net.PacketConn, net.Listener) // questions for names
	Attempts() <-chan contain.Attempt      // what did not get out; it is closed with the containment
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// ServeBox serves the containment that the agent of a run is in.
func (s *Server) ServeBox(r *run.Run, box Box) error {
	p, ok := s.Gateway.slot(r.ID)
	if !ok {
		return exchange.ErrNoRun
	}
	run, token := r.ID, r.Token
	host, _ := os.Hostname() // without a name, nobody asks for it
	names := resolve.New(resolve.Options{Host: host, Known: func(name string) bool { return s.concerns(run, name) }, Wall: s.settings.Wall, Log: s.settings.Log})
	control, err := admin.New(admin.Options{
		Token: newToken(), // nobody's: what an operator may do is not done from inside
		Run: func(shown string) (string, bool) {
			of, ok := s.Gateway.owner(shown)
			return of, ok && of == run
		},
		Ready: s.takes, Operations: s.operations(), Log: s.settings.Log, Address: box.Control().Addr().String(), Wall: s.settings.Wall,
	})
	if err != nil {
		return &UsageError{Err: err}
	}
	inner := s.controlServer(control)
	p.box.Store(&box)
	s.work.Go(func() { s.served("proxy of the containment", s.ingress.ServeRun(box.Proxy(), run, token)) })
	for _, l := range box.Captured() {
		s.work.Go(func() {
			s.served("captured connections", s.ingress.ServeAddress(l, run, token, names.Name))
		})
	}
	s.work.Go(func() {
		s.served("control port of the containment", inner.Serve(s.paced(box.Control())))
	})
	packets, stream := box.Names()
	s.work.Go(func() { s.served("names by UDP", names.ServePackets(packets)) })
	s.work.Go(func() { s.served("names by TCP", names.Serve(stream)) })
	s.work.Go(func() { (&attempts{server: s, run: run, name: names.Name}).follow(box.Attempts()) })
	s.work.Go(func() {
		<-s.lifetime.Done()
		names.Close()
		_ = inner.Close() // an agent that asks now is one that is being ended
		c := names.Counts()
		s.settings.Log.Info("names looked up in the containment", "questions", c.Questions, "names", c.Names, "of them not of the run", c.Strange, "refused", c.Refused)
	})
	return nil
}

// concerns tells whether a run has to do with a host: a service is at it, or it is
// let out.
func (s *Server) concerns(run, host string) bool {
	l := s.Gateway.goesOn(run)
	if l == nil {
		return false
	}
	rev := l.Revision()
	if _, ok := rev.At(host); ok {
		return true
	}
	ok, _ := rev.Egress.Decide(host, 443)
	return ok
}

// inward is who sends a contained run's webhooks to the agent's own servers: they
// are inside, at each address that is no public one.
func (s *Server) inward(l *liveRun, o deliver.Options) deliver.Options {
	p, ok := s.Gateway.slot(l.ID)
	if !ok || p.box.Load() == nil {
		return o
	}
	box := *p.box.Load()
	host, _ := os.Hostname()
	inside := func(name string) bool {
		at, err := netip.ParseAddr(name)
		return deliver.Local(name) || host != "" && strings.EqualFold(name, host) || err == nil && (at.Unmap().IsPrivate() || at.IsUnspecified())
	}
	doors := []int{contain.ProxyPort, contain.ControlPort}
	for _, d := range box.Captured() {
		if at, ok := d.Addr().(*net.TCPAddr); ok {
			doors = append(doors, at.Port)
		}
	}
	out, allow := o.Dial, o.Allow
	o.Far, o.Own = false, func(port int) bool { return slices.Contains(doors, port) }
	o.Allow = func(name string, port int) (bool, string) {
		if inside(name) {
			return true, ""
		}
		return allow(name, port)
	}
	o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		name, port, err := net.SplitHostPort(address)
		if err != nil || !inside(name) {
			return out(ctx, network, address)
		}
		if strings.EqualFold(name, host) {
			address = net.JoinHostPort(nearby, port)
		}
		return box.DialContext(ctx, network, address)
	}
	return o
}

// How many attempts are recorded: of so many destinations the first at once, and
// again once there are ten times as many; of all others the number, at the end.
const (
	mostDestinations = 256
	toldAgainAt      = 10
)

// attempts records what an agent tried that did not come in. It is its goroutine's
// alone.
type attempts struct {
	server *Server
	run    string
	name   func(netip.Addr) (string, bool)

	seen   map[contain.Attempt]*tried
	order  []contain.Attempt
	beyond int // attempts, at destinations that are too many
}

// tried is how often a destination was.
type tried struct{ times, told int }

// follow records attempts until the containment is closed or the gateway ends,
// and then what it has held back. Whoever tells them does not wait for the record
// longer than one event takes.
func (a *attempts) follow(told <-chan contain.Attempt) {
	a.seen = map[contain.Attempt]*tried{}
	defer a.rest()
	for {
		select {
		case one, more := <-told:
			if !more {
				return
			}
			a.add(one)
		case <-a.server.lifetime.Done():
			for range cap(told) + 1 { // what was told by now; it may go on for ever
				select {
				case one, more := <-told:
					if !more {
						return
					}
					a.add(one)
				default:
					return
				}
			}
			return
		}
	}
}

// add counts an attempt, and records it where it is the first of its kind, or the
// tenth, or the hundredth.
func (a *attempts) add(one contain.Attempt) {
	n := max(1, one.Times)
	key := contain.Attempt{Protocol: one.Protocol, To: one.To, Answered: one.Answered}
	is := a.seen[key]
	if is == nil {
		if len(a.seen) == mostDestinations {
			if a.beyond == 0 {
				a.server.settings.Log.Warn("the agent tries to reach more and more destinations; those that come are counted, and not recorded each", "recorded", len(a.seen))
			}
			a.beyond += n
			return
		}
		is = &tried{}
		a.seen[key], a.order = is, append(a.order, key)
	}
	if is.times += n; is.told == 0 || is.times >= is.told*toldAgainAt {
		a.tell(key, is)
	}
}

// tell records what was tried of a destination since it was told last.
func (a *attempts) tell(key contain.Attempt, is *tried) {
	x := trail.Exchange{Method: strings.ToUpper(key.Protocol), Note: "nothing of the gateway's is there"}
	if key.To.IsValid() {
		x.Host = key.To.Addr().Unmap().String()
		if name, ok := a.name(key.To.Addr()); ok {
			x.Host, x.Note = name, x.Host+": "+x.Note
		}
		if port := key.To.Port(); port != 0 {
			x.Path = ":" + strconv.Itoa(int(port))
		}
	}
	if key.Answered {
		x.Note = trail.AnsweredWithin
	}
	x.Times, is.told = is.times-is.told, is.times
	a.record(x)
}

// rest records what was not told yet: the newest attempts at known destinations,
// and how many there were at others.
func (a *attempts) rest() {
	for _, key := range a.order {
		if is := a.seen[key]; is.times > is.told {
			a.tell(key, is)
		}
	}
	if a.beyond > 0 {
		a.record(trail.Exchange{Method: trail.AnyProtocol, Times: a.beyond, Note: fmt.Sprintf("and %d more attempts, at destinations besides the %d that are recorded", a.beyond, mostDestinations)})
	}
}

func (a *attempts) record(x trail.Exchange) {
	l := a.server.Gateway.goesOn(a.run)
	if l == nil {
		return // it has ended
	}
	a.server.metrics.Refused("unknown-host")
	x.Way, x.Outcome, x.Fidelity = string(ingress.Address), trail.Denied, trail.None
	a.server.Gateway.deny(&l.Run, x)
}

// probed answers a probe of whether an agent is contained: only a gateway that has
// the run can sign for it. Without a name, the run is that of clients which name
// none.
func (g *Gateway) probed(name string, r *http.Request) (answer string, ok bool) {
	if r.URL.Path != contain.ProbePath {
		return "", false
	}
	nonce, l := r.Header.Get(contain.ProbeHeader), g.goesOn(name)
	if nonce == "" || l == nil {
		return "", false
	}
	return contain.Sign(l.Token, nonce), true
}

// Contain records what came of trying to get out from where a run's agent
// is, before it is started.
func (s *Server) Contain(r *run.Run, level string, probes []contain.Probe) error {
	c := &trail.Containment{Level: level, Probes: len(probes)}
	for _, p := range contain.Out(probes) {
		c.Out = append(c.Out, trail.Escape{Probe: p.Name, Said: report.Masked(p.Said)})
	}
	s.Gateway.metrics.Contained(len(c.Out) == 0)
	return r.Append(&trail.Event{Kind: trail.Probed, Containment: c})
}
