package gateway

import (
	"fmt"
	"runtime/metrics"
	"slices"
	"time"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/heap"
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
		if now.Sub(l.used.at) >= after && l.rests() {
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
		if l.used.at.Before(now) && l.rests() && l.Sleep() {
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
