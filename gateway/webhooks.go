package gateway

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/deliver"
	"parity/gateway/exchange"
	"parity/gateway/journal"
)

// deliveryPatience bounds how long a move of the clock waits for what it made
// due to be delivered.
const deliveryPatience = 30 * time.Second

// sender sends a run's webhooks: to this machine without more ado, elsewhere as
// the run's own policy has it. To a gateway that others can reach this machine is
// not the agent's.
func (s *Server) sender(l *liveRun) *deliver.Sender {
	egress := l.Revision().Egress
	near := exchange.Local(s.Addr())
	dialer := s.Gateway.out.For(func(host string, port int) bool { return near && deliver.Local(host) || egress.Literal(host, port) })
	return deliver.New(s.inward(l, deliver.Options{Dial: dialer.DialContext, Own: s.own, Far: !near, Allow: func(host string, port int) (bool, string) {
		if ok, _ := egress.Named(host, port); ok {
			return true, ""
		}
		return false, egress.Refusal(host, port)
	}}))
}

// own tells whether a port is one that this gateway listens on.
func (s *Server) own(port int) bool {
	listeners := []net.Listener{s.data, s.control}
	for _, l := range s.Gateway.awake() {
		if l.port != nil {
			listeners = append(listeners, l.port)
		}
	}
	for _, l := range listeners {
		if at, ok := l.Addr().(*net.TCPAddr); ok && at.Port == port {
			return true
		}
	}
	return false
}

// sendDue is told of each event that may have changed what is to be done next,
// or when, and of the run's end. It runs under the run's lock.
func (s *Server) sendDue(l *liveRun) {
	select {
	case l.stirred <- struct{}{}:
	default: // whoever sends has not looked at the last change yet
	}
	if l.Asleep() { // and ends so: nothing is to be done any more
		return
	}
	w := l.World()
	if w.Len(fakes.DeliveriesCollection) > 0 || l.timer(w) != nil {
		s.startSending(l)
	}
}

// timer is what is to be done next in a run that has a service that sends
// webhooks; nil: nothing is, or it has none. Such a service acts when its time
// has come, since its endpoint would notice; of others nobody can tell before
// the next call, which finds it done.
func (l *liveRun) timer(w *world.World) *fakes.Timer {
	if w.Len(fakes.ApprovalsCollection) == 0 && !l.sends() { // and nobody waits for an approver
		return nil
	}
	for t := range kit.Timers(w) {
		return &t
	}
	return nil
}

// sends tells whether a service of the run sends webhooks.
func (l *liveRun) sends() bool {
	rev := l.Revision()
	for _, name := range rev.Profile.Services {
		service, _ := rev.Catalogue.Service(name)
		if _, ok := service.Fake.(fakes.WebhookSender); ok {
			return true
		}
	}
	return false
}

// startSending has somebody carry out a run's deliveries, if nobody does.
func (s *Server) startSending(l *liveRun) {
	if s.lifetime.Err() == nil && l.sending.CompareAndSwap(false, true) {
		s.work.Go(func() { s.send(l) })
	}
}

// send carries out deliveries, one after the other, and on a live clock lets
// services that send them act, until nothing waits.
func (s *Server) send(l *liveRun) {
	for {
		if s.lifetime.Err() != nil || l.Ended() { // before its world is asked for, which would wake it
			l.sending.Store(false)
			return
		}
		w := l.World()
		d, ok := l.waiting(w)
		t := l.timed(w)
		switch {
		case !ok && t == nil:
			l.sending.Store(false)
			w = l.World()
			if _, more := l.waiting(w); !more && l.timed(w) == nil || !l.sending.CompareAndSwap(false, true) {
				return
			}
		case t != nil && (!ok || t.Due.Before(d.Due)):
			if s.due(l, t.Due) && !s.elapse(l) {
				l.sending.Store(false)
				return
			}
		case s.due(l, d.Due) && !s.attempt(l, d):
			l.sending.Store(false)
			return // its journal takes no more
		}
	}
}

// timed is the timer that is waited for: none on a clock that moves with calls.
func (l *liveRun) timed(w *world.World) *fakes.Timer {
	if c := l.Clock(); c.Mode != clock.Live || c.Frozen || c.Speed <= 0 {
		return nil
	}
	return l.timer(w)
}

// elapse lets services do what is due by now. It tells whether the run goes on.
func (s *Server) elapse(l *liveRun) bool {
	if err := l.Elapse(s.settings.Wall.Now()); err != nil {
		if !errors.Is(err, run.ErrEnded) {
			s.unrecorded(l, "what is due is not recorded", err)
		}
		return false
	}
	l.NoteKept(s.settings.Log)
	return true
}

// unrecorded says why what a service did of itself did not happen: of a record
// that is full once, whatever comes after each event that it still takes.
func (s *Server) unrecorded(l *liveRun, what string, err error) {
	if errors.Is(err, journal.ErrFull) {
		l.NoteRefused(s.settings.Log, err)
		return
	}
	s.settings.Log.Error(what, "run", l.ID, "error", err)
}

// waiting is the delivery that is due first, of those that can be attempted: one
// for a websocket waits until a client has opened it.
func (l *liveRun) waiting(w *world.World) (fakes.Delivery, bool) {
	for d := range kit.Deliveries(w) {
		if d.OnSocket() && l.Sockets.Open(d.Service) == 0 && l.Frame(d).To == "" {
			continue
		}
		return d, true
	}
	return fakes.Delivery{}, false
}

// resume has somebody look again at what waits in a run, since a client has
// opened a websocket to it.
func (s *Server) resume(l *liveRun) {
	select {
	case l.stirred <- struct{}{}:
	default:
	}
	s.startSending(l)
}

// due tells whether an instant has come by now on the run's clock. Where it has
// not, it waits until it may have, or until an event may have changed what is
// waited for.
func (s *Server) due(l *liveRun, at time.Time) bool {
	ahead := at.Sub(l.Now())
	if ahead <= 0 {
		return true
	}
	var come <-chan time.Time
	if c := l.Clock(); c.Mode == clock.Live && !c.Frozen && c.Speed > 0 {
		over, stop := s.settings.Wall.After(time.Duration(float64(ahead) / c.Speed))
		defer stop()
		come = over
	}
	select {
	case <-come:
	case <-l.stirred:
	case <-s.lifetime.Done():
	}
	return false
}

// attempt makes one attempt, and has the fake told what came of it. It tells
// whether the run goes on.
func (s *Server) attempt(l *liveRun, d fakes.Delivery) bool {
	sent := &trail.Delivery{
		Service: d.Service, ID: d.ID, Method: cmp.Or(d.Method, http.MethodPost), URL: d.URL, Attempt: d.Attempt, Body: d.Body, Copy: d.Copy, Spoilt: d.Spoilt,
		Signed: trail.At(later(l.Now(), d.Due)),
	}
	answer := fakes.Answer{Error: "no service sends it any more"}
	header, masked, sends := l.Sign(d, sent)
	if sent.Masked = masked; sends {
		if err := l.Certain(s.lifetime, l.Seq()); err != nil { // an endpoint is told of nothing that a crash could take back
			return s.lifetime.Err() != nil
		}
		status, said, err := s.ask(l, d, sent.Method, header)
		if s.lifetime.Err() != nil {
			return true // it is made again when the run goes on
		}
		if answer = (fakes.Answer{Status: status}); err != nil {
			answer.Error = err.Error()
		}
		if l.Heeds(d) {
			sent.Answer = said
		}
	}
	sent.Header, sent.Status, sent.Error = exchange.Fields(header), answer.Status, answer.Error
	if _, err := l.Decide(s.settings.Wall.Now(), later(l.Now(), sent.Signed.Time()), l.Deliver(d, sent)); err != nil {
		s.unrecorded(l, "a delivery of "+d.Service+" is not recorded", err)
		return false
	}
	l.NoteKept(s.settings.Log)
	return true
}

// ask carries a delivery to whoever it is for, and gives what they answer.
func (s *Server) ask(l *liveRun, d fakes.Delivery, method string, header http.Header) (status int, said []byte, err error) {
	if d.OnSocket() {
		if said, err = l.Sockets.Send(s.lifetime, d.Service, l.Frame(d), d.Body); err != nil {
			return 0, nil, err
		}
		return http.StatusOK, said, nil
	}
	onWire := header.Clone()
	onWire.Set("Parity-Run", l.ID)
	return s.sender(l).Ask(s.lifetime, method, d.URL, onWire, d.Body)
}

// delivered waits until what is due by now in a run has been attempted.
func (s *Server) delivered(ctx context.Context, l *liveRun) {
	ctx, cancel := context.WithTimeout(ctx, deliveryPatience)
	defer cancel()
	for {
		seq := l.Seq()
		d, ok := l.waiting(l.World())
		if !ok || d.Due.After(l.Now()) {
			return
		}
		select {
		case <-l.Changed(seq):
		case <-ctx.Done():
			return
		}
	}
}

// later is the later of two instants.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
