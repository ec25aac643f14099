package gateway

import (
	"fmt"
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

// worlds gives the worlds that runs begin with. Runs that begin alike share
// one: it is never written to.
type worlds struct {
	mu   sync.Mutex
	kept map[string]func() (*world.World, error) // each builds its world once
}

// mostWorlds bounds those that are kept for the next run.
const mostWorlds = 16

func newWorlds() *worlds {
	return &worlds{kept: map[string]func() (*world.World, error){}}
}

// origin is the state before a run's first event, start, under the profile
// that it began with.
func (w *worlds) origin(start *trail.Event, p *profiles.Profile) (run.State, error) {
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

func (w *worlds) base(p *profiles.Profile, seed uint64, filled time.Time) (*world.World, error) {
	if p.Start.Empty() {
		return p.Catalogue.World() // the same for all
	}
	key := fmt.Sprintf("%s %s %d %d", p.Catalogue.Hash(), p.Start.Hash(), seed, filled.UnixNano())
	w.mu.Lock()
	build, ok := w.kept[key]
	if !ok {
		build = sync.OnceValues(func() (*world.World, error) {
			base, err := p.Catalogue.World()
			if err == nil {
				base, err = fixture.Build(base, p.Catalogue, p.Start, chance.Seed(seed), filled)
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
