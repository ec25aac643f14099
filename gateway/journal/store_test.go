package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// eachStore runs a test on a store on disk and on one in memory.
func eachStore(t *testing.T, o Options, test func(t *testing.T, s *Store)) {
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		s, err := Create(filepath.Join(t.TempDir(), "s"), o)
		must(t, err)
		defer s.Close()
		test(t, s)
	})
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		s := InMemory(o)
		defer s.Close()
		test(t, s)
	})
}

func begin(t *testing.T, s *Store, name string, from Origin) *Writer {
	t.Helper()
	w, err := s.Begin(name, from)
	must(t, err)
	return w
}

func TestBeginAndResumeRefuse(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{}, func(t *testing.T, s *Store) {
		w := begin(t, s, "a", Origin{})
		appendTo(t, w, 1, 3)
		for _, c := range []struct {
			name string
			from Origin
			want string
			is   error
		}{
			{"a", Origin{}, "choose another name", fs.ErrExist},
			{"A", Origin{}, "a-z", ErrName},
			{"last", Origin{}, "a-z", ErrName},
			{"b", Origin{"none", 1}, "nothing to fork", fs.ErrNotExist},
			{"b", Origin{"a", 4}, "events are 1 to 3", nil},
			{"b", Origin{"a", 0}, "events are 1 to 3", nil},
		} {
			if _, err := s.Begin(c.name, c.from); err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("begin %s from %v: %v", c.name, c.from, err)
			}
		}
		must(t, w.End())
		for name, err := range map[string]error{"append": w.Append(entry(4)), "end": w.End(), "revise": w.Revision("h", nil), "note": w.SetMeta(nil)} {
			if !errors.Is(err, ErrEnded) {
				t.Errorf("%s after the end: %v", name, err)
			}
		}
		must(t, w.Settle(Settlement{Of: 3, Data: []byte("late")}))
		if _, err := s.Resume("a"); !errors.Is(err, ErrEnded) {
			t.Error(err)
		}
		if _, err := s.Resume("none"); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if err := s.Remove("none"); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if s.Count() != 1 {
			t.Errorf("%d runs", s.Count())
		}
		must(t, s.Close())
		if _, err := s.Begin("c", Origin{}); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if err := s.Remove("a"); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

// TestMaxStoreRefuses: at the bound of all runs together nothing is taken and
// nothing dropped, and a removal makes room.
func TestMaxStoreRefuses(t *testing.T) {
	t.Parallel()
	const bound = 50_000
	eachStore(t, Options{MaxStore: bound}, func(t *testing.T, s *Store) {
		var err error
		var full *Writer
		for i := 0; err == nil; i++ {
			full = begin(t, s, fmt.Sprint("r-", i), Origin{})
			for seq := uint64(1); seq <= 100 && err == nil; seq++ {
				err = full.Append(entry(seq))
			}
		}
		if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "50000 bytes") || s.Bytes() > bound {
			t.Fatalf("%d bytes: %v", s.Bytes(), err)
		}
		must(t, full.Settle(Settlement{Of: 1, Data: []byte("known")}))
		for i := 0; err == nil || errors.Is(err, ErrFull); i++ {
			if _, err = s.Begin(fmt.Sprint("more-", i), Origin{}); err != nil {
				break
			}
		}
		if !errors.Is(err, ErrFull) {
			t.Errorf("runs without end: %v", err)
		}
		must(t, s.Remove("r-0"))
		must(t, full.Append(entry(full.Last()+1)))
		rec, err := s.Read(full.Run())
		must(t, err)
		if rec.Info().Last != full.Last() {
			t.Errorf("%d of %d events", rec.Info().Last, full.Last())
		}
	})
}

// TestNameIsFreeAfterRemoval: also while what was removed is not written yet.
func TestNameIsFreeAfterRemoval(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{}, func(t *testing.T, s *Store) {
		for life := range 20 {
			w := begin(t, s, "a", Origin{})
			must(t, w.Append(Entry{1, fmt.Append(nil, "life ", life)}))
			must(t, w.Revision("h", []byte("text")))
			if life%3 == 0 {
				must(t, s.Flush(t.Context()))
			}
			if life < 19 {
				must(t, s.Remove("a"))
			}
		}
		rec, err := s.Read("a")
		must(t, err)
		for e := range rec.Entries(0) {
			if string(e.Data) != "life 19" {
				t.Errorf("%q", e.Data)
			}
		}
		if s.Count() != 1 || rec.Info().Last != 1 {
			t.Errorf("%d runs, %+v", s.Count(), rec.Info())
		}
	})
}

// TestReadingWhatIsRemoved says so, and takes it for no damage.
func TestReadingWhatIsRemoved(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{FlushBytes: 1 << 10}, func(t *testing.T, s *Store) {
		w := begin(t, s, "a", Origin{})
		appendTo(t, w, 1, 100)
		rec, err := s.Read("a")
		must(t, err)
		must(t, s.Remove("a"))
		must(t, s.Flush(t.Context()))
		for _, err = range rec.Entries(0) {
			if err != nil {
				break
			}
		}
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "removed") {
			t.Error(err)
		}
	})
}

func TestReadingAfterCloseSaysSo(t *testing.T) {
	t.Parallel()
	w, _ := newRun(t, Options{})
	appendTo(t, w, 1, 10)
	rec, err := w.Store.Read("r-1")
	must(t, err)
	must(t, w.Close())
	for _, err = range rec.Entries(0) {
	}
	if !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestForksReadAsOneLine: through removed bases, and only up to the fork.
func TestForksReadAsOneLine(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{}, func(t *testing.T, s *Store) {
		a := begin(t, s, "a", Origin{})
		appendTo(t, a, 1, 10)
		b := begin(t, s, "b", Origin{"a", 6})
		appendTo(t, b, 7, 9)
		c := begin(t, s, "c", Origin{"b", 4}) // an event that is a's
		appendTo(t, c, 5, 5)
		must(t, s.Remove("a"))
		must(t, s.Remove("b"))
		begin(t, s, "a", Origin{})
		rec, err := s.Read("c")
		must(t, err)
		var got []Entry
		for e, err := range rec.Entries(0) {
			must(t, err)
			got = append(got, e)
		}
		wantEntries(t, got, 1, 5)
		if i := rec.Info(); i.Base != "a" || i.BaseSeq != 4 || i.Last != 5 {
			t.Errorf("%+v", i)
		}
		if err := c.Settle(Settlement{Of: 4}); !errors.Is(err, ErrOrder) {
			t.Errorf("a settlement of its base's event: %v", err)
		}
		before := s.Bytes()
		must(t, s.Remove("c"))
		if s.Bytes() >= before || s.Bytes() > runSize("a") {
			t.Errorf("%d bytes are left of a run without events", s.Bytes())
		}
	})
}

// TestCoveredOfAForkIsItsBases: in Sync an event before the fork is promised
// when the base's transaction is, and one of a removed run never.
func TestCoveredOfAForkIsItsBases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{gate: make(chan struct{})}
		base := newSolo(Options{Durability: Sync}.withDefaults(), f)
		appendTo(t, base, 1, 5)
		fork, err := base.Begin("f", Origin{"r-1", 5})
		must(t, err)
		gone, err := base.Begin("g", Origin{})
		must(t, err)
		appendTo(t, gone, 1, 1)
		passed := false
		go func() {
			must(t, fork.Covered(t.Context(), 5))
			passed = true
		}()
		var removed error
		go func() { removed = gone.Covered(t.Context(), 1) }()
		synctest.Wait()
		if passed {
			t.Error("covered before it was written")
		}
		must(t, base.Remove("g"))
		synctest.Wait()
		if !errors.Is(removed, ErrEnded) {
			t.Errorf("covered of what was removed: %v", removed)
		}
		close(f.gate)
		synctest.Wait()
		if !passed {
			t.Error("not covered, though it was written")
		}
		must(t, base.Close())
	})
}

func TestSweepKeepsWhatGoesOn(t *testing.T) {
	t.Parallel()
	wall := &turnable{time.Unix(1000, 0).UTC()}
	s := InMemory(Options{Clock: wall, Durability: Sync})
	defer s.Close()
	for i := range 10 {
		w := begin(t, s, fmt.Sprint("r-", i), Origin{})
		must(t, w.Append(Entry{1, make([]byte, 1000)}))
		if i != 3 {
			wall.now = wall.now.Add(time.Minute)
			must(t, w.End())
		}
	}
	for _, c := range []struct {
		keep Keep
		want string
	}{
		{Keep{}, "[]"},
		{Keep{Age: 8 * time.Minute}, "[]"},
		{Keep{Age: 6 * time.Minute}, "[r-0 r-1]"},
		{Keep{Count: 5}, "[r-2 r-4]"},
		{Keep{Count: 9, Bytes: 4500}, "[r-5 r-6 r-7]"},
		{Keep{Bytes: 1}, "[r-8 r-9]"},
		{Keep{Count: 1, Age: 1, Bytes: 1}, "[]"},
	} {
		gone, err := s.Sweep(c.keep)
		if err != nil || fmt.Sprint(gone) != c.want {
			t.Errorf("%+v: %v, %v; want %v", c.keep, gone, err, c.want)
		}
	}
	if _, ok := s.Run("r-3"); !ok || s.Count() != 1 {
		t.Error("the run that goes on was removed")
	}
}

// TestRunsDoNotMeet: many goroutines write, fork, read and remove runs of one
// store; each run is its own.
func TestRunsDoNotMeet(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{FlushBytes: 4 << 10, FlushEvery: time.Millisecond}, func(t *testing.T, s *Store) {
		var wg sync.WaitGroup
		for g := range 40 {
			wg.Go(func() {
				name := fmt.Sprint("r-", g)
				w, err := s.Begin(name, Origin{})
				if err != nil {
					t.Error(err)
					return
				}
				for seq := uint64(1); seq <= 60; seq++ {
					err := errors.Join(w.Append(crashEvent(name, seq, 1)), w.Covered(context.Background(), seq))
					if seq == 30 {
						fork, problem := s.Begin(name+"-f", Origin{name, 20})
						if err = errors.Join(err, problem); err == nil {
							err = errors.Join(fork.Append(crashEvent(name, 21, 1)), fork.End())
						}
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
				if g%4 == 0 {
					if err := s.Remove(name); err != nil {
						t.Error(err)
					}
					name += "-f"
				}
				rec, err := s.Read(name)
				if err != nil {
					t.Error(err)
					return
				}
				next := uint64(1)
				for e, err := range rec.Entries(0) {
					if err != nil || e.Seq != next || string(e.Data) != string(crashEvent(fmt.Sprint("r-", g), next, 1).Data) {
						t.Errorf("%s: event %d: %q, %v", name, next, e.Data, err)
						return
					}
					next++
				}
				if next-1 != rec.Info().Last {
					t.Errorf("%s: %d events of %d", name, next-1, rec.Info().Last)
				}
			})
		}
		wg.Wait()
		if s.Count() != 70 {
			t.Errorf("%d runs", s.Count())
		}
	})
}

// TestManyLiveRunsAreCheap: a run that goes on is neither a goroutine nor a
// file, and costs memory of some hundred bytes.
func TestManyLiveRunsAreCheap(t *testing.T) {
	s, err := Create(filepath.Join(t.TempDir(), "s"), Options{})
	must(t, err)
	defer s.Close()
	before, goroutines := heap(), runtime.NumGoroutine()
	const runs = 10_000
	for i := range runs {
		w := begin(t, s, fmt.Sprint("run-", i), Origin{})
		for seq := uint64(1); seq <= 5; seq++ {
			must(t, w.Append(entry(seq)))
		}
	}
	must(t, s.Flush(t.Context()))
	each := (heap() - before) / runs
	t.Logf("%d bytes of memory for each of %d live runs", each, runs)
	if each > 700 || runtime.NumGoroutine() > goroutines+5 {
		t.Errorf("%d bytes a run, %d goroutines more", each, runtime.NumGoroutine()-goroutines)
	}
	runtime.KeepAlive(s)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestReadingWhileAppending: what is appended between asking and reading is not
// missed by a record that was asked for before.
func TestReadingWhileAppending(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{FlushBytes: 1 << 10}, func(t *testing.T, s *Store) {
		w := begin(t, s, "a", Origin{})
		appendTo(t, w, 1, 1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for seq := uint64(2); seq <= 3000; seq++ {
				if err := errors.Join(w.Append(entry(seq)), w.Covered(context.Background(), seq)); err != nil {
					t.Error(err)
					return
				}
			}
		}()
		for last := uint64(0); last < 3000 && !t.Failed(); {
			rec, err := s.Read("a")
			must(t, err)
			n := uint64(0)
			for e, err := range rec.Entries(0) {
				must(t, err)
				if n++; e.Seq != n {
					t.Fatalf("event %d where %d is due", e.Seq, n)
				}
			}
			if n != rec.Info().Last || n < last {
				t.Fatalf("%d events of %d, after %d", n, rec.Info().Last, last)
			}
			last = n
		}
		<-done
	})
}
