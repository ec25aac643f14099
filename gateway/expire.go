package gateway

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/fakes/clock"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

const (
	// expiryEvery is how late a run may end by its terms.
	expiryEvery = time.Second
	// sweepEvery is how late retention may be.
	sweepEvery = time.Minute
)

// A keeper looks after the runs of a gateway each second.
type keeper struct {
	*Server
	swept   time.Time
	retired []*liveRun // whose clients have another run
	heap    func() (live int64, cycle uint64)
	cycle   uint64    // of the collector, up to which the heap has what was let go of since
	heavy   bool      // the run of clients that name none has come to more memory than there is
	warned  bool      // that nothing can sleep
	rested  time.Time // from then on runs that are called may have checkpoints again
}

// expire ends runs whose time is over, has one that is worn out followed by
// another, and removes records that retention lets go. It ends with ctx.
func (s *Server) expire(ctx context.Context) {
	k := &keeper{Server: s, heap: inUse}
	for clock.Sleep(ctx, s.settings.Wall, expiryEvery) == nil {
		k.look(s.settings.Wall.Now())
	}
}

func (k *keeper) look(now time.Time) {
	awake := k.Gateway.awake()
	for _, l := range awake {
		l.mark()
		l.noteUse(now)
		if ends := l.expires(); !ends.IsZero() && !now.Before(ends) {
			k.settings.Log.Info("run ends by its terms", "run", l.ID, "events", l.Seq())
			k.ends(l)
		}
	}
	for _, p := range k.Gateway.asleep() {
		if !p.ends.IsZero() && !now.Before(p.ends) {
			if err := k.endAsleep(p); err != nil {
				k.settings.Log.Error("run ends", "run", p.name, "error", err)
			}
		}
	}
	k.doze(now, awake)
	k.relieve(now, awake)
	k.layBusy(now, awake)
	swept := k.retire()
	k.follow(now)
	if k.settings.Keep != (journal.Keep{}) && (swept || now.Sub(k.swept) >= sweepEvery) {
		k.swept = now
		k.sweep()
	}
}

func (k *keeper) ends(l *liveRun) {
	if err := k.end(l); err != nil {
		k.settings.Log.Error("run ends", "run", l.ID, "error", err)
	}
}

// follow has the run of clients that name none followed by another, where it is
// worn out.
func (k *keeper) follow(now time.Time) {
	l := k.firstRun()
	if !k.settings.Shared || l == nil {
		return
	}
	why := k.outlived(l, now, l.used.at)
	if k.heavy && why == "" {
		why = "its world has come to more memory than --max-memory leaves"
	}
	if why == "" {
		return
	}
	if err := k.succeed(l, why); err != nil {
		k.settings.Log.Error("no new run", "error", err)
		return
	}
	k.retired = append(k.retired, l)
}

// retire ends runs whose clients have another, once no call is under way in them.
// It tells whether one was ended.
func (k *keeper) retire() bool {
	before := len(k.retired)
	k.retired = slices.DeleteFunc(k.retired, func(l *liveRun) bool {
		if l.Calls() > 0 {
			return false
		}
		if !l.Ended() {
			k.ends(l)
		}
		l.Sleep() // Server.Run may be this one, and would keep its world
		_, cycle := k.heap()
		k.cycle = cycle + 1
		return true
	})
	return len(k.retired) < before
}

// use is when a run was last used, as far as somebody has looked.
type use struct {
	seq   uint64
	at    time.Time
	slept bool
}

// noteUse notes whether the run was used since it was looked at last.
func (l *liveRun) noteUse(now time.Time) {
	seq, asleep := l.Seq(), l.Asleep()
	if l.used.at.IsZero() || seq != l.used.seq || l.Calls() > 0 || l.used.slept && !asleep { // a look at its state has woken it
		l.used = use{seq: seq, at: now}
	}
	l.used.slept = asleep
}

// sweep removes the records of ended runs that retention lets go.
func (s *Server) sweep() {
	keep := s.settings.Keep
	if most := s.settings.MaxStore / 2; keep.Bytes > 0 && most > 0 { // the runs that go on need the other half
		keep.Bytes = min(keep.Bytes, most)
	}
	gone, err := s.store.Sweep(keep)
	for _, run := range gone {
		err = errors.Join(err, kept.ForgetHuman(s.dir, run))
	}
	if err != nil {
		s.settings.Log.Error("retention", "error", err)
	}
	if len(gone) > 0 {
		s.settings.Log.Info("records removed by retention", "runs", len(gone))
	}
}

// A gateway that stays up has one run for all clients that name none. Nobody ends
// that run, so that its record would grow to its bound, and its world with it,
// and from then on every such client would be refused. Before that another run
// takes its place:
//
//	full, or older than records are kept ─▶ the next run begins, and has the clients
//	                                     ─▶ once no call is under way, this one ends
//
// The next one has this one's token, and whoever names this one is in it: that is
// what `parity env` has told them. It begins as this one did. What the clients had made is in the record
// of this one, which retention keeps as it does others.

// restful is how long nobody may have called the run of clients that name none
// before age alone has it followed by another.
const restful = 10 * time.Minute

// outlived says why the run of clients that name none is to be followed by
// another; "": it is not. It was last called at an instant.
func (s *Server) outlived(l *liveRun, now, called time.Time) string {
	info, ok := s.store.Run(l.ID)
	if !ok || l.forgets {
		return ""
	}
	if u := l.Full(); u != nil {
		if of, ok := u.Err.(*journal.FullError); ok && of.Bound == journal.OfRecord { //nolint:errorlint // it is kept as it is
			return fmt.Sprintf("its record has used up its %d bytes (--max-record)", of.Limit)
		}
	}
	if most := s.settings.MaxStore; most > 0 && info.Bytes > most/2 {
		return fmt.Sprintf("its record has %d bytes, more than half of what all may have (--max-store)", info.Bytes)
	}
	if age := s.settings.Keep.Age; age > 0 && now.Sub(l.terms.Made) > age && now.Sub(called) > restful {
		return fmt.Sprintf("it is older than records of ended runs are kept (--keep-age %v)", age)
	}
	return ""
}

// succeed has another run serve clients that name none.
func (s *Server) succeed(l *liveRun, why string) error {
	next, err := s.create(plan{name: runID(s.settings.Wall.Now()), source: s.first, first: true, token: l.Token, follows: append(strings.Fields(l.terms.Follows), l.ID)})
	if err != nil {
		return fmt.Errorf("clients that name no run stay in run %s, though %s: %w", l.ID, why, err)
	}
	s.settings.Log.Warn("clients that name no run have a new one from here on, with the world that runs begin with", "run", next.ID, "before", l.ID, "why", why)
	return s.named(next.ID)
}

// follows says which run the clients of this one had before.
func (l *liveRun) follows() string {
	all := strings.Fields(l.terms.Follows)
	if len(all) == 0 {
		return ""
	}
	return "clients that name no run were in run " + all[len(all)-1] + " before: what they made is there"
}

// firstRun is the run of clients that name none; nil: there is none, or it sleeps.
func (s *Server) firstRun() *liveRun {
	if p := s.Gateway.firstSlot(); p != nil {
		return p.live.Load()
	}
	return nil
}
