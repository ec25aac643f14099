//go:build unix

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestPowerLoss takes the power away at many moments from a disk that forgets
// what was not synced: the store opens, each run is there without a hole, and
// in Sync with everything that was promised. No epoch begins twice.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	for _, d := range []Durability{Sync, Async} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			t.Parallel()
			written := powerWorkload(t, d)
			moments, forgotten := 40, 0
			if testing.Short() || raceEnabled {
				moments = 5
			}
			for m := range moments + 1 {
				n := len(written.log) * m / moments
				for name, stays := range losses {
					dir, promised := written.leftAt(t, n, stays)
					lost := powerCheck(t, dir, promised)
					if d == Sync && lost > 0 {
						t.Errorf("%s after operation %d of %d: %d promised events", name, n, len(written.log), lost)
					}
					forgotten += lost
				}
			}
			t.Logf("%d moments of %d operations: %d promised events lost", moments, len(written.log), forgotten)
			if d == Async && forgotten == 0 {
				t.Error("a disk that forgets nothing shows nothing")
			}
		})
	}
}

// powerWorkload writes a store on a watched disk, with checkpoints, forks,
// removals and reopenings.
func powerWorkload(t *testing.T, d Durability) *disk {
	dir := filepath.Join(t.TempDir(), "s")
	o := Options{Durability: d, FlushBytes: 1 << 10}
	s, err := Create(dir, o)
	must(t, err)
	must(t, s.Close())
	watched := watch(t, dir)
	for epoch := range 4 {
		s, err := Reopen(dir, o)
		must(t, err)
		// A checkpoint each few pages, not each thousand.
		_, err = s.back.(*database).db.ExecContext(t.Context(), `PRAGMA wal_autocheckpoint = 12`)
		must(t, err)
		powerEpoch(t, s, watched, epoch)
		must(t, s.Close())
	}
	return watched
}

func powerEpoch(t *testing.T, s *Store, watched *disk, epoch int) {
	t.Helper()
	watched.add(operation{kind: 'p', run: "epoch", seq: s.Epoch()})
	if epoch > 1 {
		must(t, s.Remove(fmt.Sprint("f-", epoch-1)))
	}
	var writers []*Writer
	for _, name := range []string{"r-0", "r-1", "r-2", fmt.Sprint("n-", epoch)} {
		w, err := s.Resume(name)
		if err != nil {
			w, err = s.Begin(name, Origin{})
		}
		must(t, err)
		writers = append(writers, w)
	}
	if epoch > 0 {
		w, err := s.Begin(fmt.Sprint("f-", epoch), Origin{"r-0", 10})
		must(t, err)
		writers = append(writers, w)
	}
	for i := range 90 {
		w := writers[i%len(writers)]
		must(t, w.Append(crashEvent(w.Run(), w.Last()+1, 1)))
		if i%2 == 0 {
			continue
		}
		must(t, w.Covered(t.Context(), w.Last()))
		watched.add(operation{kind: 'p', run: w.Run(), seq: w.Last()})
		if i%20 == 1 {
			must(t, s.Flush(t.Context()))
		}
		if i%15 == 1 {
			lay(t, w, w.Last(), fmt.Sprint(w.Run(), " at ", w.Last()), strings.Repeat(w.Run(), 3000))
		}
	}
}

// powerCheck opens what is left, checks each run and goes on with it, and gives
// how many promised events are lost.
func powerCheck(t *testing.T, dir string, promised map[string]uint64) (lost int) {
	t.Helper()
	s, err := Reopen(dir, Options{})
	if err != nil {
		t.Error(err)
		return 0
	}
	defer func() { must(t, s.Close()) }()
	if s.Epoch() <= promised["epoch"] {
		t.Errorf("epoch %d begins again", promised["epoch"])
	}
	delete(promised, "epoch")
	for _, i := range s.Runs() {
		next := follows(t, s, i)
		if i.Base != "" && i.Base != "r-0" {
			t.Errorf("run %s is forked from %s", i.Run, i.Base)
		}
		lost += int(max(next, promised[i.Run]+1) - next)
		checkpointFits(t, s, i.Run, next-1)
		w, err := s.Resume(i.Run)
		must(t, err)
		must(t, w.Append(Entry{next, nil}))
	}
	for run, seq := range promised {
		if _, ok := s.Run(run); !ok && run[0] != 'f' { // forks are removed again
			lost += int(seq)
		}
	}
	must(t, s.Flush(t.Context()))
	return lost
}

// checkpointFits sees that what is left of a run's checkpoints is whole, and of an
// event that is left.
func checkpointFits(t *testing.T, s *Store, run string, last uint64) {
	t.Helper()
	rec, err := s.Read(run)
	must(t, err)
	got, err := laid(rec, maxSeq)
	must(t, err)
	if got == "none" {
		return
	}
	var seq uint64
	var of string
	if _, err := fmt.Sscanf(got, "v%d %s at", &seq, &of); err != nil || seq > last || !strings.HasPrefix(got, fmt.Sprintf("v%d %s at %d %s", seq, of, seq, strings.Repeat(of, 3000))) {
		t.Errorf("run %s, whose last event is %d, has the checkpoint %.60s: %v", run, last, got, err)
	}
}

// What somebody has waited to be on disk is there after a loss of power, though the
// store promises no more than to survive a kill; whether it was written before or not.
func TestDurableSurvivesAPowerLoss(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	must(t, s.Close())
	watched := watch(t, dir)
	s, err = Reopen(dir, Options{})
	must(t, err)
	w, err := s.Begin("r-0", Origin{})
	must(t, err)
	watched.add(operation{kind: 'p', run: "epoch", seq: s.Epoch()})
	for i := range uint64(12) {
		must(t, w.Append(crashEvent("r-0", i+1, 1)))
		if i%3 == 0 {
			must(t, s.Flush(t.Context())) // it is in the file already, and not on disk
		}
		if i%2 == 0 {
			must(t, s.Durable(t.Context()))
			watched.add(operation{kind: 'p', run: "r-0", seq: i + 1})
		}
	}
	must(t, s.Close())
	for n := 0; n <= len(watched.log); n += 3 {
		left, promised := watched.leftAt(t, n, losses["all lost"])
		if promised["epoch"] == 0 {
			continue
		}
		if lost := powerCheck(t, left, promised); lost > 0 {
			t.Errorf("after operation %d of %d: %d events that were on disk", n, len(watched.log), lost)
		}
	}
	if err := InMemory(Options{}).Durable(t.Context()); !errors.Is(err, ErrNoDisk) {
		t.Errorf("in memory: %v", err)
	}
}
