package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"slices"
	"time"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/heap"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/profiles"
)

// Runs of a gateway that stays up sleep when nobody calls them for a while, and
// before that where they come to more memory than they may: those first that were
// called the longest ago. Whoever needs a run's state wakes it (run.Sleep).

// DefaultSleep is after how long without a call a run sleeps.
const DefaultSleep = 2 * time.Minute

// mostMemory is what runs may come to on a machine that has plenty.
const mostMemory = 1 << 30

// DefaultMemory is what the gateway may come to unless it is told otherwise: a
// quarter of what there is, and 1 GiB at most.
func DefaultMemory() int64 { return min(heap.Memory()/4, mostMemory) }

// origin is what the line of events of a run derives from; zero: the run is not
// rebuilt while the gateway is up.
type origin struct {
	start   *trail.Event
	profile *profiles.Profile
}

// originOf gives what builds the state that a run's line began with; nil: the run
// does not sleep. It does not where its store is in memory, which would hold as
// much, where it is one of few that a command needs, and where it has a port.
func (s *Server) originOf(l *liveRun) func() (run.State, error) {
	if !s.settings.Shared || s.settings.Memory || s.settings.Script != nil || l.origin.start == nil {
		return nil
	}
	return func() (run.State, error) { return s.worlds.Origin(l.origin.start, l.origin.profile) }
}

// woken notes a revision that came into force while the run slept.
func (l *liveRun) woken(state *run.State, revise func(string, ...trail.Collection) error) error {
	rev := l.Revision()
	if rev.Profile.Revision == state.Revision && len(state.World.Lacks(rev.Catalogue.Collections()...)) == 0 {
		return nil
	}
	if err := l.keepRevision(rev.Profile); err != nil {
		return err
	}
	return l.FollowBy(rev, revise)
}

// rests tells whether a run may sleep: nobody is at it, all of it is written, and
// the journal has all that it goes on from.
func (l *liveRun) rests() bool {
	return l.Calls() == 0 && l.port == nil && !l.Apart() && !l.Asleep() && l.writer.Kept()
}

// doze has runs sleep that nobody has called for long enough.
func (k *keeper) doze(now time.Time, awake []*liveRun) {
	after := k.settings.Sleep
	if after <= 0 {
		return
	}
	for _, l := range awake {
		if now.Sub(l.used.at) < after || !l.rests() {
			continue
		}
		if k.settings.Wall.Now().Sub(now) > layTime && k.worth(l, k.settings.Checkpoint) {
			continue // in a second
		}
		k.lay(k.lifetime, l, k.settings.Checkpoint)
		if l.rests() {
			l.Sleep()
		}
	}
}

// relieve has runs sleep where the heap has come to more than it may, as the
// collector has last found it: half of what the process may, since the other half
// is what comes between two collections.
func (k *keeper) relieve(now time.Time, awake []*liveRun) {
	bound := k.settings.MaxMemory / 2
	live, cycle := k.heap()
	if k.heavy = false; bound <= 0 || live <= bound || cycle <= k.cycle {
		return
	}
	k.cycle = cycle
	const least = 16 << 10 // of a run in which nothing was written
	total := int64(0)
	for _, l := range awake {
		total += l.Weight() + least
	}
	rest := slices.Clone(awake)
	slices.SortStableFunc(rest, func(a, b *liveRun) int { return a.used.at.Compare(b.used.at) })
	// How much a run has to do with it is known only by what was written in it.
	share := float64(live) / float64(max(total, 1))
	over := float64(live - bound*9/10)
	slept := 0
	for _, l := range rest {
		weight := l.Weight() + least
		if over <= 0 {
			break
		}
		if !l.used.at.Before(now) || !l.rests() {
			continue
		}
		if k.settings.Wall.Now().Sub(now) <= layTime {
			k.lay(k.lifetime, l, k.settings.Checkpoint)
		}
		if l.rests() && l.Sleep() {
			over -= share * float64(weight)
			slept++
		}
	}
	if slept > 0 {
		k.settings.Log.Info("runs sleep, since the heap has come to more than half of --max-memory", "runs", slept, "heap", live)
	}
	// What is left beyond that is in use. It is collected the more often, which takes
	// time; once it takes more than calls do, the run is followed by another. One that
	// has just begun is not what the heap is full of: the run before it is, until it
	// has ended and a collection has come.
	most := k.settings.MaxMemory - k.settings.MaxMemory/8
	if first := k.firstRun(); over > 0 && live > most && first != nil && len(k.retired) == 0 && first.Weight() > max(total/2, bound/8) {
		k.heavy = true
	}
	if over > 0 && live > most && !k.warned {
		k.warned = true
		k.settings.Log.Warn(fmt.Sprintf("the heap has come to %d MiB, and what is in use cannot sleep: --max-memory (%d MiB) is nearly passed", live>>20, k.settings.MaxMemory>>20),
			"hint", "end runs that have grown, or raise --max-memory")
	}
	if over <= 0 {
		k.warned = false
	}
}

// inUse is what the collector has last found to be in use, and when that was.
func inUse() (live int64, cycle uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64()), samples[1].Value.Uint64() //nolint:gosec // of a heap
}

// sleeping is how many runs sleep: those that nobody has asked for since the
// gateway began, too.
func (s *Server) sleeping() int64 {
	if s.Gateway == nil {
		return 0
	}
	n := int64(len(s.Gateway.asleep()))
	for _, l := range s.Gateway.awake() {
		if l.Asleep() {
			n++
		}
	}
	return n
}

// A run has a checkpoint beside its events, so that who needs its state reads that
// and the few events since: see journal.Checkpoint. The keeper writes them, one at a
// time, from a fork of the run's state that holds up nobody.
const (
	// leastEvents is how many events there are since the last one, where a run falls
	// asleep or the gateway ends. Folding fewer takes a few milliseconds.
	leastEvents = 128
	// busyEvents is for how many times as many a run that is called waits.
	busyEvents = 8
	// layTime is how long runs that fall asleep may take up the keeper, who has others
	// to look after.
	layTime = 250 * time.Millisecond
	// busyTime is how long those that are called may; and for each moment that they
	// took it rests for so many, so that calls lose a fiftieth to it at most.
	busyTime, busyRest = 20 * time.Millisecond, 50
	// lastTime is how long they may hold up the end of a gateway.
	lastTime = 3 * time.Second
)

// worth tells whether so much has happened since a run's last checkpoint, and
// whether it can have one: not where its journal does not give it back.
func (s *Server) worth(l *liveRun, least uint64) bool {
	return l.Seq() >= l.laid.Load()+least && s.originOf(l) != nil && !l.Apart() && !l.Asleep() && !l.Ended()
}

// lay keeps a checkpoint of a run, where it is worth it. One that cannot be written
// is tried again once as much has happened as before it.
func (s *Server) lay(ctx context.Context, l *liveRun, least uint64) {
	if ctx.Err() != nil || !s.worth(l, least) {
		return
	}
	state := l.State()
	if l.Apart() || state.Seq == 0 { // by its newest event
		return
	}
	l.laid.Store(state.Seq)
	err := l.writer.Checkpoint(ctx, s.ships.Checkpoints, state.Seq, func(put func([]byte) error) error {
		ok, err := kept.SaveState(&state, put)
		if err == nil && !ok {
			err = errors.New("its worlds do not extend the one that it began with; report this, it is a defect of Parity")
		}
		return err
	})
	if err != nil && !errors.Is(err, journal.ErrSpent) && ctx.Err() == nil {
		s.settings.Log.Warn("a run has no checkpoint; more of its events are read when it wakes", "run", l.ID, "event", state.Seq, "error", err)
	}
}

// layBusy keeps checkpoints of runs that are called, of those first in which the
// most has happened: were the gateway killed, it would be folded again.
func (k *keeper) layBusy(now time.Time, awake []*liveRun) {
	began := k.settings.Wall.Now()
	if began.Before(k.rested) {
		return
	}
	for _, l := range k.mostSince(awake, busyEvents*k.settings.Checkpoint) {
		k.lay(k.lifetime, l, busyEvents*k.settings.Checkpoint)
		took := k.settings.Wall.Now().Sub(began)
		if k.rested = began.Add(took * busyRest); took > busyTime {
			return
		}
	}
}

// layLast keeps one of each run that goes on after this gateway.
func (s *Server) layLast() {
	ctx, over := context.WithCancel(context.WithoutCancel(s.lifetime))
	defer over()
	limit, stop := s.settings.Wall.After(lastTime)
	defer stop()
	go func() {
		select {
		case <-limit:
			over()
		case <-ctx.Done():
		}
	}()
	for _, l := range s.mostSince(s.Gateway.awake(), s.settings.Checkpoint) {
		s.lay(ctx, l, s.settings.Checkpoint)
	}
}

// mostSince gives the runs that a checkpoint is worth for, those first in which the
// most has happened since their last.
func (s *Server) mostSince(awake []*liveRun, least uint64) []*liveRun {
	type grown struct {
		run *liveRun
		by  uint64
	}
	var all []grown
	for _, l := range awake {
		if s.worth(l, least) {
			all = append(all, grown{l, l.Seq() - l.laid.Load()})
		}
	}
	slices.SortStableFunc(all, func(a, b grown) int { return cmp.Compare(b.by, a.by) })
	runs := make([]*liveRun, len(all))
	for i, g := range all {
		runs[i] = g.run
	}
	return runs
}

// checkpointed gives what reads a run's checkpoint.
func (s *Server) checkpointed(l *liveRun, name string) func(run.State, uint64) (run.State, bool) {
	return func(origin run.State, upto uint64) (run.State, bool) {
		rec, err := s.store.Read(name)
		var state run.State
		var ok bool
		if err == nil {
			state, ok, err = kept.Checkpointed(rec, s.ships.Checkpoints, &origin, upto)
		}
		if err != nil {
			s.settings.Log.Warn("a checkpoint is of no use, and the events are read in its place", "run", name, "error", err)
		}
		if ok {
			l.laid.Store(max(l.laid.Load(), state.Seq))
		}
		return state, ok
	}
}
