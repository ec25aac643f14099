package kept

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/fixture"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/profiles"
)

// Worlds gives the worlds that runs begin with. Runs that begin alike share
// one: it is never written to.
type Worlds struct {
	mu   sync.Mutex
	kept map[string]func() (*world.World, error) // each builds its world once
}

// mostWorlds bounds those that are kept for the next run.
const mostWorlds = 16

// NewWorlds gives worlds of which none is made yet.
func NewWorlds() *Worlds {
	return &Worlds{kept: map[string]func() (*world.World, error){}}
}

// Origin is the state before a run's first event, start, under the profile
// that it began with.
func (w *Worlds) Origin(start *trail.Event, p *profiles.Profile) (run.State, error) {
	s := start.Start
	began := start.At.Time()
	c, err := clock.New(clock.Options{Mode: clock.Mode(s.Mode), Start: began, Speed: s.Speed, Step: s.Step}, time.Time{})
	if err != nil {
		return run.State{}, err
	}
	filled := began
	if s.Filled != 0 {
		filled = s.Filled.Time()
	}
	base, err := w.base(p, s.Seed, filled)
	if err != nil {
		return run.State{}, err
	}
	return run.NewState(base, c), nil
}

func (w *Worlds) base(p *profiles.Profile, seed uint64, filled time.Time) (*world.World, error) {
	if p.Start.Empty() {
		return p.Catalogue.World() // the same for all
	}
	if p.Start.Seed != nil {
		seed = 0 // which is no matter
	}
	key := fmt.Sprintf("%s %s %d %d", p.Catalogue.Hash(), p.Start.Hash(), seed, filled.UnixNano())
	w.mu.Lock()
	build, ok := w.kept[key]
	if !ok {
		build = sync.OnceValues(func() (*world.World, error) {
			base, err := p.Catalogue.World()
			if err == nil {
				base, err = fixture.Fill(base, p.Catalogue, p.Start, chance.Seed(seed), filled)
			}
			if err == nil && large(base) {
				debug.FreeOSMemory()
			}
			return base, err
		})
		if len(w.kept) >= mostWorlds {
			clear(w.kept)
		}
		w.kept[key] = build
	}
	w.mu.Unlock()
	return build() // outside the lock: other runs do not wait for a large one
}

// many is how many records make a world large. What is left of making one is as
// much again as the world, and a collection that might give it back is far off
// once the process has little to do. To collect takes a hundredth of the time
// that it took to make so many.
const many = 10_000

func large(w *world.World) bool {
	records := 0
	for _, collection := range w.Collections() {
		if !w.Waits(collection) { // what is made later is small
			records += w.Len(collection)
		}
	}
	return records >= many
}

// Started is a run's first event: all that its origin derives from, besides the
// profile's own content.
func Started(p *profiles.Profile, c clock.State, seed uint64) *trail.Event {
	e := &trail.Event{Kind: trail.Started, At: trail.At(c.Next), Revision: p.Revision, Start: &trail.Start{
		Seed: seed, Profile: p.Name, Mode: string(c.Mode), Speed: c.Speed, Stamp: StampOf(p),
	}}
	if p.Authority != nil {
		e.Start.Stage = p.Authority.Stage
	}
	if c.Mode == clock.Stepped {
		e.Start.Step = c.Step
	}
	if filled := trail.At(c.Next.Truncate(fillEvery)); !p.Start.Empty() && filled != e.At {
		e.Start.Filled = filled
	}
	return e
}

// fillEvery is how far apart the instants are as of which fixtures are made: a
// run begins up to so long after. Runs that begin within it, with one seed, begin
// with one world; at instants of their own each would have to make another.
const fillEvery = time.Minute

// DrawnSeed is a seed for runs that nobody gave one.
func DrawnSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:]) % 1_000_000 // short enough to be typed
}

// Origin is the state before the first event of a kept run's line.
func (k *Run) Origin(w *Worlds) (run.State, error) {
	start, p, err := k.Beginning()
	if err != nil {
		return run.State{}, err
	}
	return w.Origin(start, p)
}

// Beginning is the first event of a kept run's line, and the profile that it
// began under: what its origin derives from.
func (k *Run) Beginning() (start *trail.Event, p *profiles.Profile, err error) {
	if len(k.Events) == 0 || k.Events[0].Start == nil {
		return nil, nil, fmt.Errorf("run %s: its record has no beginning", k.ID)
	}
	first := k.Events[0] // not one of the slice, which would be kept with it
	p, err = k.under(first.Revision)
	return &first, p, err
}

// At is a kept run's state after event seq; 0 is its last.
func (k *Run) At(seq uint64) (run.State, error) {
	s, err := k.Origin(NewWorlds())
	if err != nil {
		return run.State{}, err
	}
	if seq > uint64(len(k.Events)) {
		return run.State{}, &UsageError{fmt.Errorf("run %s has no event %d: its events are 1 to %d", k.ID, seq, len(k.Events))}
	}
	last := uint64(len(k.Events))
	if seq > 0 {
		last = seq
	}
	s = k.from(s, last)
	if s.Seq > 0 {
		k.rebase(&s)
	}
	for s.Seq < last {
		if err := s.Fold(&k.Events[s.Seq]); err != nil {
			return run.State{}, err
		}
		k.rebase(&s)
	}
	return s, nil
}

// rebase has a state go back to here, where the line went on in another run.
func (k *Run) rebase(s *run.State) {
	if slices.Contains(k.Forks, s.Seq) {
		s.Rebase()
	}
}

// Seed is the run's seed as its first event has it.
func (k *Run) Seed() chance.Seed {
	if len(k.Events) == 0 || k.Events[0].Start == nil {
		return 0
	}
	return chance.Seed(k.Events[0].Start.Seed)
}
