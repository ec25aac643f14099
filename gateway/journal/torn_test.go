package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyRuns makes a closed store of five runs, one of them a fork, whose blocks
// lie among each other, and gives how many events each has.
func manyRuns(t *testing.T) (dir string, events map[string]uint64) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{FlushBytes: 1 << 10})
	must(t, err)
	var writers []*Writer
	for i := range 4 {
		w, err := s.Begin(fmt.Sprint("r-", i), Origin{})
		must(t, err)
		must(t, w.Revision("h", []byte("text")))
		must(t, w.SetMeta(map[string]string{"seed": "7"}))
		writers = append(writers, w)
	}
	write := func(n int) {
		for i := range n {
			for _, w := range writers {
				must(t, w.Append(crashEvent(w.Run(), w.Last()+1, 1)))
			}
			if i%10 == 0 {
				must(t, writers[0].Settle(Settlement{Of: writers[0].Last(), Data: []byte("sent")}))
				must(t, s.Flush(t.Context()))
			}
		}
	}
	write(150)
	fork, err := s.Begin("f-1", Origin{"r-0", 120})
	must(t, err)
	writers = append(writers, fork)
	write(150)
	must(t, writers[3].End())
	must(t, s.Close())
	return dir, map[string]uint64{"r-0": 300, "r-1": 300, "r-2": 300, "r-3": 300, "f-1": 270}
}

// copyStore copies the files of a store that nobody has open.
func copyStore(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "s")
	must(t, os.CopyFS(to, os.DirFS(from)))
	_ = os.Remove(filepath.Join(to, FileName+"-shm")) // an index of the log: made anew
	return to
}

// A seen is what could be read of a store.
type seen struct {
	events map[string]uint64
	errs   map[string]error
	err    error // of all of it
}

// look reads what there is of each run and checks that it is a prefix, and that
// what is told of the rest is true.
func look(t *testing.T, dir string) seen {
	t.Helper()
	v := seen{events: map[string]uint64{}, errs: map[string]error{}}
	r, err := Open(dir)
	if err != nil {
		v.err = err
		return v
	}
	defer r.Close()
	infos, err := r.Runs()
	if err != nil {
		v.err = err
		for _, run := range []string{"r-0", "r-1", "r-2", "r-3", "f-1"} { // it may be readable by its name
			infos = append(infos, Info{Run: run})
		}
	}
	for _, i := range infos {
		rec, err := r.Read(i.Run)
		if err != nil {
			v.errs[i.Run] = err
			continue
		}
		v.events[i.Run], v.errs[i.Run] = prefix(t, rec)
	}
	_, _ = r.Epochs()
	return v
}

// prefix reads a record of crashEvents up to its first error.
func prefix(t *testing.T, rec *Record) (events uint64, err error) {
	t.Helper()
	forks := append(rec.Forks(), 0)
	for e, err := range rec.Entries(0) {
		if err != nil {
			if d, ok := errors.AsType[*DamagedError](err); !ok || d.Good != events || d.Run != rec.Info().Run {
				t.Errorf("%d events read, and told: %v", events, err)
			}
			return events, err
		}
		run := rec.Info().Run
		if e.Seq <= forks[0] {
			run = "r-0"
		}
		events++
		var epoch uint64
		_, _ = fmt.Sscan(string(e.Data), new(string), new(uint64), &epoch)
		if e.Seq != events || !bytes.Equal(e.Data, crashEvent(run, e.Seq, epoch).Data) {
			t.Fatalf("run %s, event %d: got %d %q", run, events, e.Seq, e.Data)
		}
	}
	for s, err := range rec.Settlements() {
		if err == nil && string(s.Data) != "sent" && !strings.HasSuffix(string(s.Data), fmt.Sprint(" ", s.Of)) {
			t.Errorf("invented settlement %v", s)
		}
	}
	_, _ = rec.Meta()
	_, _ = rec.Revisions()
	return events, nil
}

// mend repairs a store and checks that what is said of it is so: that no less
// is kept than could be read before, that the damaged file is kept, and that
// the store can be written on.
func mend(t *testing.T, dir string, before seen) *Repaired {
	t.Helper()
	damaged, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	report, err := Repair(dir, nil)
	if err != nil {
		t.Errorf("repair: %v, and before: %v", err, before)
		return nil
	}
	if report.Damaged != "" {
		if kept, err := os.ReadFile(report.Damaged); err != nil || !bytes.Equal(kept, damaged) {
			t.Errorf("the damaged file: %d of %d bytes, %v", len(kept), len(damaged), err)
		}
	}
	s, err := Reopen(dir, Options{})
	must(t, err)
	if report.Damaged != "" && s.Clean() {
		t.Error("after a repair ids have to differ from those that were given before")
	}
	kept := map[string]uint64{}
	for _, r := range report.Runs {
		rec, err := s.Read(r.Run)
		must(t, err)
		events, err := prefix(t, rec)
		if err != nil || events != r.Last {
			t.Errorf("%v; %d can be read: %v", r, events, err)
		}
		kept[r.Run] = events
		if w, err := s.Resume(r.Run); err == nil {
			must(t, w.Append(crashEvent(r.Run, w.Last()+1, s.Epoch())))
			kept[r.Run]++
		} else if !errors.Is(err, ErrEnded) {
			t.Error(err)
		}
	}
	for run, events := range before.events {
		if kept[run] < events {
			t.Errorf("run %s: %d events could be read, %d were kept: %v", run, events, kept[run], report)
		}
	}
	must(t, s.Close())
	if after := look(t, dir); after.err != nil || len(after.events) != len(report.Runs) {
		t.Errorf("after the repair: %v", after)
	}
	return report
}

// TestTornStore cuts a store, and the log of one that was killed, at many
// places: of each run a prefix can be read, a closed one tells what it misses,
// and a repair keeps no less.
func TestTornStore(t *testing.T) {
	t.Parallel()
	closed, all := manyRuns(t)
	killed := filepath.Join(t.TempDir(), "s")
	kill(t, killed, Sync, 60)
	cuts := int64(40)
	if testing.Short() || raceEnabled {
		cuts = 8
	}
	for _, c := range []struct {
		name, dir, file string
		cuts            int64
	}{
		{"closed", closed, FileName, cuts},
		{"killed, its log", killed, FileName + "-wal", cuts / 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			info, err := os.Stat(filepath.Join(c.dir, c.file))
			must(t, err)
			saved, size := uint64(0), info.Size()
			var cuts []int64
			for cut := int64(0); cut < size; cut += 1 + size/c.cuts {
				cuts = append(cuts, cut)
			}
			if c.dir == closed && !raceEnabled {
				for page := int64(4096); page < size; page += 4096 {
					cuts = append(cuts, page+39) // a page that is begun looks whole, with rows in no order
				}
			}
			for _, cut := range cuts {
				dir := copyStore(t, c.dir)
				must(t, os.Truncate(filepath.Join(dir, c.file), cut))
				before := look(t, dir)
				for run, events := range all {
					if c.dir == closed && before.err == nil && before.errs[run] == nil && before.events[run] != events {
						t.Errorf("cut at %d of %d: %d events of run %s and no word about it", cut, size, before.events[run], run)
					}
				}
				report := mend(t, dir, before)
				if report != nil && c.dir == closed && report.Damaged == "" {
					t.Errorf("cut at %d of %d: nothing to repair: %v", cut, size, report)
				}
				for _, events := range before.events {
					saved += events
				}
			}
			if saved == 0 {
				t.Error("nothing is ever saved")
			}
			t.Logf("%d events are read, in %d cuts", saved, len(cuts))
		})
	}
}

// TestFlippedBytes changes single bytes: no event is ever another than it was,
// and what is missing is told.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	flips := 40
	if testing.Short() || raceEnabled {
		flips = 6
	}
	closed, all := manyRuns(t)
	whole, err := os.ReadFile(filepath.Join(closed, FileName))
	must(t, err)
	unseen, mended := 0, 0
	for at := 0; at < len(whole); at += 1 + len(whole)/flips {
		dir := copyStore(t, closed)
		changed := bytes.Clone(whole)
		changed[at] ^= 0x41
		must(t, os.WriteFile(filepath.Join(dir, FileName), changed, 0o600))
		before := look(t, dir)
		for run, events := range all {
			if before.err == nil && before.errs[run] == nil && before.events[run] != events {
				t.Errorf("byte %d changed: %d events of run %s and no word about it", at, before.events[run], run)
			}
		}
		report := mend(t, dir, before)
		switch {
		case report == nil:
		case report.Damaged == "":
			unseen++
		default:
			mended++
		}
	}
	t.Logf("%d changes do not matter, %d were mended", unseen, mended)
	if mended == 0 {
		t.Error("nothing was ever mended")
	}
}

func TestRepairLeavesAWholeStore(t *testing.T) {
	t.Parallel()
	dir, all := manyRuns(t)
	before, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	report, err := Repair(dir, nil)
	must(t, err)
	if report.Damaged != "" || len(report.Lost) > 0 || len(report.Runs) != len(all) {
		t.Errorf("%+v", report)
	}
	for _, r := range report.Runs {
		if r.Err != nil || r.Last != all[r.Run] || !strings.Contains(r.String(), "are kept") {
			t.Error(r)
		}
	}
	after, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("it was changed")
	}
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) != 2 {
		t.Errorf("%v", files)
	}
	if _, err := Repair(filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	s, err := Reopen(dir, Options{})
	must(t, err)
	defer s.Close()
	if _, err := Repair(dir, nil); !isBusy(err) {
		t.Errorf("repair of a store that is written: %v", err)
	}
}

func isBusy(err error) bool {
	_, ok := errors.AsType[*BusyError](err)
	return ok
}
