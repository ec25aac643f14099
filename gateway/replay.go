package gateway

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/jobs"
	"parity/fakes/kit"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/metrics"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/secret"
)

// replay feeds a record's inputs to a run of its own.
type replay struct {
	g       *Gateway
	kept    *Kept
	live    *tenant
	fixed   bool                 // the profile is not the record's own
	waiting map[uint64]*exchange // by the event that reserved
	edits   []*trail.Event       // that come before the call that is decided next
	carried int                  // events that could not be decided again
	cause   map[string]int       // why, and how many

	mu     sync.Mutex
	events []trail.Event // of the run
}

// Append takes the run's events, as run.Sink has it.
func (r *replay) Append(_ uint64, data []byte) error {
	e, err := r.g.codec.ReadEvent(data)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	return nil
}

// Replayed is what came of deciding a kept run again.
type Replayed struct {
	Conditions  []string // in what the conditions of its record were others, a line each
	At          uint64   // the event at which it first departs from its record; 0: it does not
	Differences []report.Difference
	Carried     int            // events that could not be decided again
	Causes      map[string]int // why, and how many
}

// Replay decides the run again, event by event, under its own profile or another,
// up to where it first departs from its record. What is known beside an error is
// given with it.
func (k *Kept) Replay(ctx context.Context, profile string) (*Replayed, error) {
	r, err := newReplay(ctx, k, profile)
	if err != nil {
		return nil, err
	}
	came := &Replayed{Conditions: report.CompareStamps(k.began(), stampOf(r.live.revision().profile))}
	departs, err := r.first()
	if departs != nil {
		came.At, came.Differences = departs.seq, departs.fields
	}
	came.Carried, came.Causes = r.carried, r.cause
	return came, err
}

func newReplay(ctx context.Context, k *Kept, profile string) (*replay, error) {
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	g := New(Options{
		Metrics: metrics.New(metrics.Options{Faults: kinds(), Reasons: reasons()}), Codec: codec,
		Wall: clock.System{}, Log: slog.New(slog.DiscardHandler), Lifetime: ctx,
	})
	r := &replay{g: g, kept: k, waiting: map[uint64]*exchange{}, cause: map[string]int{}, fixed: profile != ""}
	origin, err := k.origin(newWorlds())
	if err != nil {
		return nil, err
	}
	p, err := k.under(k.Events[0].Revision)
	if profile != "" {
		p, err = profiles.Load(profile, profiles.Options{Catalogue: k.ships.catalogue, Shelf: k.ships.shelf})
	}
	if err != nil {
		return nil, &UsageError{err}
	}
	rev, err := g.compile(p)
	if err != nil {
		return nil, err
	}
	r.live = &tenant{source: &source{path: p.Path}}
	r.live.source.revision.Store(rev)
	if origin.World, err = origin.World.With(rev.catalogue.Collections()...); err != nil { // another profile may have others
		return nil, err
	}
	seed := k.Seed()
	r.live.Run = run.New(run.Options{ID: k.ID, Seed: seed, State: origin, Sink: r, Codec: codec, Wall: clock.System{}, Fire: r.live.fire(seed)})
	return r, nil
}

// departure is the first event that is not as the record has it.
type departure struct {
	seq    uint64
	fields []report.Difference
}

// first replays the record up to the first departure; nil: there is none.
func (r *replay) first() (*departure, error) {
	compared := 0
	for i := range r.kept.Events {
		e := &r.kept.Events[i]
		if uint64(i) >= r.live.Seq() {
			if err := r.feed(e); err != nil {
				return nil, fmt.Errorf("event %d: %w", e.Seq, err)
			}
		}
		for ; compared <= i && compared < len(r.events); compared++ {
			d, err := r.compare(compared)
			if d != nil || err != nil {
				return d, err
			}
		}
	}
	if compared < len(r.kept.Events) {
		fields, err := report.EventDifferences(&r.kept.Events[compared], nil)
		return &departure{r.kept.Events[compared].Seq, fields}, err
	}
	return nil, nil
}

func (r *replay) compare(i int) (*departure, error) {
	was, is := r.kept.Events[i], r.events[i]
	if was.Start != nil && is.Start != nil { // conditions are told apart
		start := *was.Start
		start.Stamp = is.Start.Stamp
		was.Start = &start
	}
	if r.fixed {
		was.Revision = is.Revision
	}
	fields, err := report.EventDifferences(&was, &is)
	if err != nil || len(fields) == 0 {
		return nil, err
	}
	return &departure{was.Seq, fields}, nil
}

// feed gives one input of the record to the run.
func (r *replay) feed(e *trail.Event) error {
	switch e.Kind {
	case trail.Fired:
		return r.live.ElapseTo(e.At.Time())
	case trail.SetBack:
		return r.live.Reset()
	case trail.Abandoned:
		return r.live.Abandon()
	case trail.Snapshotted:
		_, err := r.live.TakeSnapshot(e.Snapshot.Name)
		return err
	case trail.RolledBack:
		return r.live.RollBack(e.Snapshot.Name)
	case trail.ClockMoved:
		_, err := r.live.Move(clock.Move{
			To: e.Clock.To.Time(), Frozen: e.Clock.Frozen, Mode: clock.Mode(e.Clock.Mode), Speed: e.Clock.Speed, Step: e.Clock.Step,
		})
		return err
	case trail.Revised:
		if err := r.revise(e.Revision); err != nil {
			return err
		}
	case trail.Reserved, trail.Exchanged:
		return r.exchange(e)
	case trail.Delivered:
		return r.delivery(e)
	case trail.Reached:
		_, err := r.live.Decide(r.g.wall.Now(), e.At.Time(), r.g.reached(r.live, r.live.revision(), reachedBy(e.Exchange), new(faults.Plan)))
		return err
	case trail.WorldEdited:
		if e.Edit != nil && e.Edit.Before {
			r.edits = append(r.edits, e) // the call after it is decided again, and brings it
			return nil
		}
	}
	return r.adopt(e)
}

// delivery tells a fake again what came of an attempt to deliver a webhook, with
// the headers that it gives it now.
func (r *replay) delivery(e *trail.Event) error {
	d, ok := kit.Queued(r.live.World(), fakes.Delivery{Service: e.Delivery.Service, ID: e.Delivery.ID, Copy: e.Delivery.Copy})
	if !ok {
		return r.carry(e, "webhooks that do not wait here")
	}
	sent := *e.Delivery
	sent.Method, sent.URL, sent.Body, sent.Attempt, sent.Header = cmp.Or(d.Method, http.MethodPost), d.URL, d.Body, d.Attempt, nil
	state := r.live.State()
	if courier, call, ok := r.live.courier(&state, state.World.Begin(), d, &sent); ok {
		header, _ := signed(courier, call, d)
		if sent.Header = fields(header); r.cause[unkept] > 0 { // it may have been signed with one
			sent.Header = e.Delivery.Header
		}
	}
	if secret.Marked(string(d.Body)) { // what waits is JSON in JSON, where parts of a secret have marks of their own
		sent.Body = e.Delivery.Body
	}
	_, err := r.live.Decide(r.g.wall.Now(), e.At.Time(), r.live.deliver(d, &sent))
	return err
}

// adopt takes an event over as the record has it.
func (r *replay) adopt(e *trail.Event) error {
	copied := *e
	return r.live.Adopt(&copied)
}

// unkept is why calls are taken over that cannot be decided without what they
// had.
const unkept = "with secrets that no record keeps"

func (r *replay) carry(e *trail.Event, why string) error {
	r.carried++
	r.cause[why]++
	edits := r.edits
	r.edits = nil
	for _, edit := range edits {
		if err := r.adopt(edit); err != nil {
			return err
		}
	}
	return r.adopt(e)
}

func (r *replay) revise(revision string) error {
	if r.fixed {
		return nil
	}
	p, err := r.kept.under(revision)
	if err != nil {
		return err
	}
	rev, err := r.g.compile(p)
	if err == nil {
		r.live.source.revision.Store(rev)
	}
	return err
}

// exchange decides a call again, or the late half of one that waited.
func (r *replay) exchange(e *trail.Event) error {
	was := e.Exchange
	switch {
	case was.Operation == "" || was.Outcome != trail.Answered && was.Outcome != trail.Overtaken,
		was.Intent.Occurrence == 0 && was.Reserved == 0: // its credential was none, and is not in the record
		return r.carry(e, "refused before a service saw them")
	case secret.Marked(string(was.Body) + was.Query + was.Path + string(was.ReplyBody) + string(was.FakeBody)):
		return r.carry(e, unkept)
	case was.Status == http.StatusUnauthorized && was.Fidelity == trail.Injected && bytes.Contains(was.ReplyBody, []byte("****")):
		return r.carry(e, "whose refusals show a part of a credential")
	}
	if was.Reserved > 0 {
		x := r.waiting[was.Reserved]
		if x == nil {
			return r.carry(e, "whose beginning was taken over")
		}
		r.edits = nil
		delete(r.waiting, was.Reserved)
		x.entry.Reserved = was.Reserved
		if x.plan.Hold != nil && was.FakeStatus == 0 {
			x.plan.Hold.Acts = false // its client had left, or the gateway ended
		}
		_, err := r.live.Decide(r.g.wall.Now(), e.At.Time(), x.lateTurn)
		return err
	}
	x, err := r.recall(e)
	if err != nil {
		return err
	}
	r.edits = nil
	made, err := r.live.DecideAt(e.At.Time(), x.firstTurn)
	if err == nil && made.Kind == trail.Reserved {
		r.waiting[made.Seq] = x
	}
	return err
}

// recall makes the exchange of a recorded call, as it stood before it was
// decided.
func (r *replay) recall(e *trail.Event) (*exchange, error) {
	was := e.Exchange
	service, ok := r.live.revision().catalogue.Service(was.Service)
	if !ok {
		return nil, fmt.Errorf("there is no service %s any more", was.Service)
	}
	m := service.Contract.Recall(was.Operation, was.Method, was.Path)
	var beside *known
	if adds, ok := r.live.revision().added[was.Service]; ok && m.Operation == nil && jobs.Serves(was.Path) {
		a := adds()
		service, m = a.service, a.service.Contract.Recall(was.Operation, was.Method, was.Path)
		beside = a.known[m.Operation]
	}
	if m.Operation == nil {
		return nil, fmt.Errorf("%s has no %s %s any more", was.Service, was.Method, was.Path)
	}
	request := &http.Request{Method: was.Method, URL: &url.URL{Path: was.Path, RawQuery: was.Query}, Host: was.Host, Header: http.Header{}}
	for _, f := range was.Header {
		request.Header.Add(f.Name, f.Value)
	}
	if header := m.Operation.Anatomy.Key; header != "" && was.Intent.Key != "" {
		request.Header.Set(header, was.Intent.Key)
	}
	input, err := recorded(m, was)
	if err != nil {
		return nil, err
	}
	x := &exchange{
		g: r.g, r: request, live: r.live, rev: r.live.revision(), service: service, served: true, base: cmp.Or(was.Base, "https://"+was.Host), path: was.Path,
		op: m.Operation, input: input, identity: e.Identity, finger: was.Intent.Fingerprint, described: true, again: true,
		vouched: e.Identity != "" && (was.Fidelity == trail.Injected || was.Status != http.StatusUnauthorized),
	}
	x.known = cmp.Or(beside, x.rev.known[x.op])
	if x.known == nil {
		return nil, fmt.Errorf("the profile does not bind %s", was.Service)
	}
	x.entry = trail.Exchange{
		Way: was.Way, Service: was.Service, Operation: x.known.name, Bare: x.known.bare, OperationID: x.op.ID,
		Effect: x.known.effect, Method: was.Method,
		Host: was.Host, Path: was.Path, Query: was.Query, Header: was.Header, Body: was.Body, Intent: was.Intent,
	}
	return x, nil
}

// recorded is a recorded call's input, as its contract reads it.
func recorded(m specs.Match, was *trail.Exchange) (specs.Input, error) {
	in, _ := m.Operation.Read(specs.Request{Path: m.Path, Query: was.Query, Header: http.Header{}}) // the body is decoded already
	in.Body, in.Value = nil, nil
	if len(was.Body) == 0 {
		return in, nil
	}
	value, wrong := body.DecodeJSON(was.Body)
	if wrong != nil {
		return in, fmt.Errorf("body of %s: %w", m.Operation.Name(), wrong)
	}
	if object, ok := value.(map[string]any); ok {
		in.Body = object
	} else {
		in.Value = value
	}
	return in, nil
}
