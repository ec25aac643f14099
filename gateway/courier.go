package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/deliver"
	"parity/gateway/journal"
	"parity/profiles/policy"
	"parity/specs/secret"
)

// deliveryPatience bounds how long a move of the clock waits for what it made
// due to be delivered.
const deliveryPatience = 30 * time.Second

// sender sends a run's webhooks: to this machine without more ado, elsewhere as
// the run's own policy has it. To a gateway that others can reach this machine is
// not the agent's.
func (s *Server) sender(egress *policy.Egress) *deliver.Sender {
	near := local(s.Addr())
	dialer := s.Gateway.out.For(func(host string, port int) bool { return near && deliver.Local(host) || egress.Literal(host, port) })
	return deliver.New(deliver.Options{Dial: dialer.DialContext, Own: s.own, Far: !near, Allow: func(host string, port int) (bool, string) {
		if ok, _ := egress.Decide(host, port); ok {
			return true, ""
		}
		return false, policy.Refusal(host, port)
	}})
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

// tend is told of each event that leaves something to be done. It runs under
// the run's lock.
func (s *Server) tend(l *tenant) {
	w := l.World()
	if w.Len(fakes.DeliveriesCollection) > 0 || l.timer(w) != nil {
		s.carry(l)
	}
}

// timer is what is to be done next in a run that has a service that sends
// webhooks; nil: nothing is, or it has none. Such a service acts when its time
// has come, since its endpoint would notice; of others nobody can tell before
// the next call, which finds it done.
func (l *tenant) timer(w *world.World) *fakes.Timer {
	if !l.sends() {
		return nil
	}
	for t := range kit.Timers(w) {
		return &t
	}
	return nil
}

// sends tells whether a service of the run sends webhooks.
func (l *tenant) sends() bool {
	rev := l.revision()
	for _, name := range rev.profile.Services {
		service, _ := rev.catalogue.Service(name)
		if _, ok := service.Fake.(fakes.Courier); ok {
			return true
		}
	}
	return false
}

// carry has somebody carry out a run's deliveries, if nobody does.
func (s *Server) carry(l *tenant) {
	if s.lifetime.Err() == nil && l.carrying.CompareAndSwap(false, true) {
		s.work.Go(func() { s.carrier(l) })
	}
}

// carrier carries out deliveries, one after the other, and on a live clock lets
// services that send them act, until nothing waits.
func (s *Server) carrier(l *tenant) {
	for {
		w := l.World()
		d, ok := waiting(w)
		t := l.timed(w)
		switch {
		case !ok && t == nil:
			l.carrying.Store(false)
			w = l.World()
			if _, more := waiting(w); !more && l.timed(w) == nil || !l.carrying.CompareAndSwap(false, true) {
				return
			}
		case s.lifetime.Err() != nil, l.Ended():
			l.carrying.Store(false)
			return
		case t != nil && (!ok || t.Due.Before(d.Due)):
			if s.due(l, t.Due) && !s.elapse(l) {
				l.carrying.Store(false)
				return
			}
		case s.due(l, d.Due) && !s.attempt(l, d):
			l.carrying.Store(false)
			return // its journal takes no more
		}
	}
}

// timed is the timer that is waited for: none on a clock that moves with calls.
func (l *tenant) timed(w *world.World) *fakes.Timer {
	if c := l.State().Clock; c.Mode != clock.Live || c.Frozen || c.Speed <= 0 {
		return nil
	}
	return l.timer(w)
}

// elapse lets services do what is due by now. It tells whether the run goes on.
func (s *Server) elapse(l *tenant) bool {
	if err := l.Elapse(s.settings.Wall.Now()); err != nil {
		if !errors.Is(err, run.ErrEnded) {
			s.unrecorded(l, "what is due is not recorded", err)
		}
		return false
	}
	return true
}

// unrecorded says why what a service did of itself did not happen: of a record
// that is full once, whatever comes after each event that it still takes.
func (s *Server) unrecorded(l *tenant, what string, err error) {
	if errors.Is(err, journal.ErrFull) {
		l.noteRefused(s.settings.Log, err)
		return
	}
	s.settings.Log.Error(what, "run", l.ID, "error", err)
}

// waiting is the delivery that is due first.
func waiting(w *world.World) (fakes.Delivery, bool) {
	for d := range kit.Deliveries(w) {
		return d, true
	}
	return fakes.Delivery{}, false
}

// due tells whether an instant has come by now on the run's clock. Where it has
// not, it waits until it may have, or until the run's next event.
func (s *Server) due(l *tenant, at time.Time) bool {
	seq := l.Seq()
	ahead := at.Sub(l.Now())
	if ahead <= 0 {
		return true
	}
	ctx, cancel := context.WithCancel(s.lifetime)
	defer cancel()
	c := l.State().Clock
	if c.Mode == clock.Live && !c.Frozen && c.Speed > 0 {
		s.work.Go(func() {
			_ = clock.Sleep(ctx, s.settings.Wall, time.Duration(float64(ahead)/c.Speed)) // woken or over: both are looked at again
			cancel()
		})
	}
	select {
	case <-l.Changed(seq):
	case <-ctx.Done():
	}
	return false
}

// attempt makes one attempt, and has the fake told what came of it. It tells
// whether the run goes on.
func (s *Server) attempt(l *tenant, d fakes.Delivery) bool {
	sent := &trail.Delivery{Service: d.Service, ID: d.ID, Method: cmp.Or(d.Method, http.MethodPost), URL: d.URL, Attempt: d.Attempt, Body: d.Body, Copy: d.Copy, Spoilt: d.Spoilt,
		Signed: trail.At(later(l.Now(), d.Due))}
	header, answer, state := http.Header{}, fakes.Answer{Error: "no service sends it any more"}, l.State()
	if courier, call, ok := l.courier(&state, state.World.Begin(), d, sent); ok {
		header, sent.Masked = signed(courier, call, d)
		onWire := header.Clone()
		onWire.Set("Parity-Run", l.ID)
		status, err := s.sender(l.revision().egress).Send(s.lifetime, sent.Method, d.URL, onWire, d.Body)
		if s.lifetime.Err() != nil {
			return true // it is made again when the run goes on
		}
		if answer = (fakes.Answer{Status: status}); err != nil {
			answer.Error = err.Error()
		}
	}
	sent.Header, sent.Status, sent.Error = fields(header), answer.Status, answer.Error
	if _, err := l.Decide(s.settings.Wall.Now(), later(l.Now(), sent.Signed.Time()), l.deliver(d, sent)); err != nil {
		s.unrecorded(l, "a delivery of "+d.Service+" is not recorded", err)
		return false
	}
	return true
}

// deliver is the turn that ends an attempt. Where the delivery waits no longer,
// since the run was set back meanwhile, it leaves no trace.
func (l *tenant) deliver(d fakes.Delivery, sent *trail.Delivery) func(*run.Turn) *trail.Event {
	return func(t *run.Turn) *trail.Event {
		if now, ok := kit.Queued(t.State.World, d); !ok || now.Attempt != d.Attempt {
			return nil
		}
		if err := kit.Dequeue(t.Tx(), d); err != nil {
			panic(err) // it was there a line before
		}
		if courier, call, ok := l.courier(t.State, t.Tx(), d, sent); ok {
			call.Now = t.Now
			if wrong := heard(courier, call, d, fakes.Answer{Status: sent.Status, Error: sent.Error}); wrong != "" {
				t.Discard()
				_ = kit.Dequeue(t.Tx(), d)
				sent.Error = wrong
			}
		}
		return &trail.Event{Kind: trail.Delivered, Revision: l.revision().profile.Revision, Delivery: sent}
	}
}

// courier is the fake that sends a delivery, and the call that it is asked in.
func (l *tenant) courier(state *run.State, tx *world.Tx, d fakes.Delivery, sent *trail.Delivery) (fakes.Courier, *fakes.Call, bool) {
	service, ok := l.revision().catalogue.Service(d.Service)
	if !ok {
		return nil, nil, false
	}
	courier, ok := service.Fake.(fakes.Courier)
	if !ok {
		return nil, nil, false
	}
	n := 0
	return courier, &fakes.Call{Contract: service.Contract, Tx: tx, Now: sent.Signed.Time(), Mint: func(prefix string, length int) string {
		n++
		parts := []string{"delivery", prefix, d.Service, d.ID, strconv.Itoa(d.Attempt), strconv.Itoa(n)}
		if d.Copy > 0 {
			parts = append(parts, "copy", strconv.Itoa(d.Copy))
		}
		return prefix + chance.ID(ids(l.Seed, state), length, parts...)
	}}, true
}

// signed asks a fake for an attempt's headers. One that panics gets none: the
// endpoint will refuse what is not signed, and the record shows it. It tells
// whether a mark went out in the place of a secret that no record keeps.
func signed(courier fakes.Courier, call *fakes.Call, d fakes.Delivery) (header http.Header, masked bool) {
	masked = secret.Marked(d.URL)
	defer func() {
		if wrong := recover(); wrong != nil {
			header = http.Header{}
		}
		for name, value := range d.Header {
			header.Set(name, value)
			masked = masked || secret.Marked(value)
		}
		kit.Disorder(header, d)
	}()
	if signer, ok := courier.(fakes.Signer); ok && secret.Marked(signer.SigningKey(call, d)) {
		masked = true
	}
	return courier.Sign(call, d), masked
}

// heard tells a fake what came of an attempt; what it says where it panics.
func heard(courier fakes.Courier, call *fakes.Call, d fakes.Delivery, a fakes.Answer) (wrong string) {
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprint(p)
		}
	}()
	d.Spoilt = false // what is sent again, is signed again
	courier.Delivered(call, d, a)
	return ""
}

// delivered waits until what is due by now in a run has been attempted.
func (s *Server) delivered(ctx context.Context, l *tenant) {
	ctx, cancel := context.WithTimeout(ctx, deliveryPatience)
	defer cancel()
	for {
		seq := l.Seq()
		d, ok := waiting(l.World())
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
