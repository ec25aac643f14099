package kept

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/kit"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/gateway/metrics"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs"
	"parity/specs/secret"
)

// replay feeds a record's inputs to a run of its own.
type replay struct {
	line     *exchange.Line
	codec    *trail.Codec
	wall     clock.Wall
	kept     *Run
	live     *exchange.Run
	fixed    bool                          // the profile is not the record's own
	compiled map[string]*exchange.Revision // those of the record that were in force so far
	waiting  map[uint64]*exchange.Exchange // by the event that reserved
	before   []*trail.Event                // what the call that is decided next brings with it: edits before it, and calls within it
	carried  int                           // events that could not be decided again
	cause    map[string]int                // why, and how many

	mu     sync.Mutex
	events []trail.Event // of the run
}

// Append takes the run's events, as run.Sink has it.
func (r *replay) Append(_ uint64, data []byte) error {
	e, err := r.codec.ReadEvent(data)
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
func (k *Run) Replay(ctx context.Context, profile string) (*Replayed, error) {
	r, err := newReplay(ctx, k, profile)
	if err != nil {
		return nil, err
	}
	came := &Replayed{Conditions: report.CompareStamps(k.began(), StampOf(r.live.Revision().Profile))}
	departs, err := r.first()
	if departs != nil {
		came.At, came.Differences = departs.seq, departs.fields
	}
	came.Carried, came.Causes = r.carried, r.cause
	return came, err
}

func newReplay(ctx context.Context, k *Run, profile string) (*replay, error) {
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	line := exchange.New(exchange.Options{
		Metrics: metrics.New(metrics.Options{Faults: faults.CatalogueNames(), Reasons: exchange.Reasons()}), Codec: codec,
		Wall: clock.System{}, Log: slog.New(slog.DiscardHandler), Lifetime: ctx,
	})
	r := &replay{line: line, codec: codec, wall: clock.System{}, kept: k, waiting: map[uint64]*exchange.Exchange{}, cause: map[string]int{}, fixed: profile != "", compiled: map[string]*exchange.Revision{}}
	origin, err := k.Origin(NewWorlds())
	if err != nil {
		return nil, err
	}
	p, err := k.under(k.Events[0].Revision)
	if profile != "" {
		p, err = profiles.Load(profile, profiles.Options{Catalogue: k.ships.Catalogue, Shelf: k.ships.Shelf})
	}
	if err != nil {
		return nil, &UsageError{err}
	}
	rev, err := line.Compile(p)
	if err != nil {
		return nil, err
	}
	r.live = exchange.Apart(rev)
	r.live.Begins(k.First())
	if a := p.Authority; a != nil && a.Stage > 0 && profile != "" { // the policy that is tried says how far
		r.live.Stage = a.Stage
	}
	if origin.World, err = origin.World.With(rev.Catalogue.Collections()...); err != nil { // another profile may have others
		return nil, err
	}
	seed := k.Seed()
	r.live.Run = run.New(run.Options{ID: k.ID, Seed: seed, State: origin, Sink: r, Codec: codec, Wall: clock.System{}, Fire: r.live.Fire(seed)})
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

// feed gives one input of the record to the run. A call is decided under the
// revision that its own event names: it may have come in before another one was
// noted, or have begun before and ended after.
func (r *replay) feed(e *trail.Event) error {
	if e.Exchange != nil {
		if err := r.revise(e.Revision); err != nil {
			return err
		}
	}
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
		if e.Exchange.Within > 0 {
			r.before = append(r.before, e)
			return nil
		}
		return r.exchange(e)
	case trail.Delivered:
		return r.delivery(e)
	case trail.Acted:
		return r.act(e)
	case trail.Reached:
		_, err := r.live.Decide(r.wall.Now(), e.At.Time(), r.line.Connected(r.live, r.live.Revision(), exchange.RecordedAttempt(e.Exchange), new(faults.Plan)))
		return err
	case trail.WorldEdited:
		if e.Edit != nil && e.Edit.Before {
			r.before = append(r.before, e)
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
	if header, _, ok := r.live.Sign(d, &sent); ok {
		if sent.Header = exchange.Fields(header); r.cause[unkept] > 0 { // it may have been signed with one
			sent.Header = e.Delivery.Header
		}
	}
	if secret.Marked(string(d.Body)) { // what waits is JSON in JSON, where parts of a secret have marks of their own
		sent.Body = e.Delivery.Body
	}
	_, err := r.live.Decide(r.wall.Now(), e.At.Time(), r.live.Deliver(d, &sent))
	return err
}

// act has a person do again what they did.
func (r *replay) act(e *trail.Event) error {
	var refused error
	_, err := r.live.Decide(r.wall.Now(), e.At.Time(), func(t *run.Turn) (done *trail.Event) {
		done, refused = r.live.Act(t, *e.Act)
		return done
	})
	if err == nil && refused != nil {
		return r.carry(e, "acts of people that cannot be done here")
	}
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
	before := r.before
	r.before = nil
	for _, its := range before {
		if err := r.adopt(its); err != nil {
			return err
		}
	}
	return r.adopt(e)
}

func (r *replay) revise(revision string) error {
	if r.fixed || revision == r.live.Revision().Profile.Revision {
		return nil
	}
	rev, ok := r.compiled[revision]
	if !ok {
		p, err := r.kept.under(revision)
		if err != nil {
			return err
		}
		if rev, err = r.line.Compile(p); err != nil {
			return err
		}
		r.compiled[revision] = rev
	}
	r.live.Source.Put(rev)
	return nil
}

// decidable tells whether a call that came to this can be decided again: policy
// and services decide by what the record has, and by nothing else.
func decidable(o trail.Outcome) bool {
	switch o {
	case trail.Answered, trail.Overtaken, trail.Forbidden, trail.Held, trail.Captured:
		return true
	}
	return false
}

// partsOf are the calls within the call that is decided next.
func (r *replay) partsOf() []*trail.Event {
	return slices.DeleteFunc(slices.Clone(r.before), func(e *trail.Event) bool { return e.Exchange == nil })
}

// exchange decides a call again, or the late half of one that waited.
func (r *replay) exchange(e *trail.Event) error {
	was := e.Exchange
	switch {
	case was.Operation == "" || !decidable(was.Outcome),
		was.Intent.Occurrence == 0 && was.Reserved == 0: // its credential was none, and is not in the record
		return r.carry(e, "refused before a service saw them")
	case secret.Marked(string(was.Body) + was.Query + was.Path + string(was.ReplyBody) + string(was.FakeBody)):
		return r.carry(e, unkept)
	case specs.Summarised(was.Body):
		return r.carry(e, "with files that no record keeps")
	case was.Status == http.StatusUnauthorized && (was.Fidelity == trail.Injected || was.Outcome == trail.Forbidden) && bytes.Contains(was.ReplyBody, []byte("****")):
		return r.carry(e, "whose refusals show a part of a credential")
	}
	if was.Reserved > 0 {
		x := r.waiting[was.Reserved]
		if x == nil {
			return r.carry(e, "whose beginning was taken over")
		}
		x.Carries(r.partsOf())
		r.before = nil
		delete(r.waiting, was.Reserved)
		if e.Ticks() {
			_, err := r.live.DecideAt(e.At.Time(), x.GoOn(was))
			return err
		}
		_, err := r.live.Decide(r.wall.Now(), e.At.Time(), x.GoOn(was))
		return err
	}
	x, err := r.line.Recall(r.live, e)
	if err != nil {
		return err
	}
	x.Carries(r.partsOf())
	r.before = nil
	made, err := r.live.DecideAt(e.At.Time(), x.Begin)
	if err == nil && made.Kind == trail.Reserved {
		r.waiting[made.Seq] = x
	}
	return err
}
