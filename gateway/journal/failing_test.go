package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var errDisk = errors.New("no space left on device")

// failing is a store that fails where it is told to, and keeps batches in
// memory or hands them on.
type failing struct {
	store backend       // nil keeps them here
	from  int           // the write that fails, from 1; 0 never
	to    int           // the last that fails; 0 is all from there on
	gate  chan struct{} // each write takes one from it, where it is not nil
	drop  bool          // keeps nothing

	mu      sync.Mutex
	writes  int
	entries []Entry
	clean   bool
}

func (f *failing) write(b batch) error {
	if f.gate != nil {
		<-f.gate
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	if f.from > 0 && f.writes >= f.from && (f.to == 0 || f.writes <= f.to) {
		return errDisk
	}
	if f.store != nil {
		return f.store.write(b)
	}
	if !f.drop {
		for _, p := range b.parts {
			f.entries = append(f.entries, p.entries...)
		}
	}
	return nil
}

// seen gives how many writes there were, and of how many events.
func (f *failing) seen() (writes, events int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writes, len(f.entries)
}

func (f *failing) close(clean bool) error {
	f.clean = clean
	if f.store != nil {
		return f.store.close(clean)
	}
	return nil
}

// TestNthWriteFails fails each write of a run in turn: what was acknowledged
// stays, what cannot be kept is refused, and the loss is told.
func TestNthWriteFails(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 5; n++ {
		for _, mended := range []bool{false, true} {
			t.Run(fmt.Sprintf("write %d, mended %v", n, mended), func(t *testing.T) {
				t.Parallel()
				failNth(t, n, mended)
			})
		}
	}
}

func failNth(t *testing.T, n int, mended bool) {
	dir := filepath.Join(t.TempDir(), "r-1")
	_, err := makeFolder(dir)
	must(t, err)
	o := Options{Durability: Sync}.withDefaults()
	d, _, err := openDatabase(t.Context(), dir, o, true)
	must(t, err)
	f := &failing{store: d, from: n}
	if mended {
		f.to = n
	}
	w := newSolo(o, f)
	acknowledged, err := appendUntilItFails(t, w)
	if !errors.Is(err, errDisk) {
		t.Fatal(err)
	}
	if err := w.Append(entry(w.Last() + 1)); !errors.Is(err, errDisk) {
		t.Errorf("append afterwards: %v", err)
	}
	err = w.Close()
	if mended && err != nil {
		t.Errorf("the disk was mended, yet: %v", err)
	}
	told := "are lost"
	if w.Last() == 0 { // the store found out before anything was appended
		told = "all events are kept"
	}
	if !mended && (!errors.Is(err, errDisk) || !strings.Contains(err.Error(), told)) {
		t.Errorf("close: %v", err)
	}
	if n == 1 && !mended { // the run itself was to be written with it
		if _, err := openOne(dir); !errors.Is(err, fs.ErrNotExist) || acknowledged > 0 {
			t.Errorf("nothing was ever written, %d acknowledged: %v", acknowledged, err)
		}
		return
	}
	r := openRun(t, dir)
	entries, err := readAll(r, 0)
	must(t, err)
	if mended {
		wantEntries(t, entries, 1, w.Last())
	} else if got := uint64(len(entries)); got < acknowledged || got >= w.Last() {
		t.Errorf("%d events kept, %d acknowledged, %d appended", got, acknowledged, w.Last())
	}
	epochs, err := r.Epochs()
	if err != nil || epochs[0].Closed.IsZero() == mended {
		t.Errorf("epoch %+v, %v", epochs, err)
	}
}

// TestNthWriteOfManyRunsFails fails each write in turn while several runs
// begin, fork, append, end and are removed: each keeps a prefix of its own that
// has all that was promised; and all of it, once the disk is mended.
func TestNthWriteOfManyRunsFails(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 12; n++ {
		for _, mended := range []bool{false, true} {
			t.Run(fmt.Sprintf("write %d, mended %v", n, mended), func(t *testing.T) {
				t.Parallel()
				failNthOfMany(t, n, mended)
			})
		}
	}
}

func failNthOfMany(t *testing.T, n int, mended bool) {
	dir := filepath.Join(t.TempDir(), "s")
	_, err := makeFolder(dir)
	must(t, err)
	clock := ticking{make(chan time.Time)}
	o := Options{Durability: Sync, Clock: clock}.withDefaults()
	d, had, err := openDatabase(t.Context(), dir, o, true)
	must(t, err)
	f := &failing{store: d, from: n}
	if mended {
		f.to = n
	}
	s := newStore(o, f, d.shelf, d.epoch, had)
	promised, last := map[string]uint64{}, map[string]uint64{}
	script := func(i int) error { // what happens at step i; several steps share a write
		name := fmt.Sprint("r-", i%4)
		w, err := s.Resume(name)
		if errors.Is(err, fs.ErrNotExist) {
			from := Origin{}
			if i >= 24 { // it was removed: its next life is a fork
				from = Origin{"r-1", 2}
			}
			w, err = s.Begin(name, from)
		}
		if err == nil && i == 23 {
			delete(promised, "r-0")
			return s.Remove("r-0")
		}
		if err == nil {
			err = w.Append(crashEvent(name, w.Last()+1, 1))
		}
		if err != nil {
			return err
		}
		last[name] = w.Last()
		if i%3 == 2 {
			if err := w.Covered(t.Context(), w.Last()); err != nil {
				return err
			}
			promised[name] = w.Last()
		}
		return nil
	}
	failed := 0
	for i := 0; i < 40; i++ {
		if err := script(i); err != nil {
			if !errors.Is(err, errDisk) {
				t.Fatal(err)
			}
			if failed++; !mended {
				break
			}
			s.mu.Lock()
			turn := s.turn
			s.mu.Unlock()
			clock.ticks <- time.Time{}
			<-turn
		}
	}
	err = s.Close()
	if failed == 0 || (err == nil) != mended {
		t.Fatalf("%d steps failed; close: %v", failed, err)
	}
	s, err = Reopen(dir, Options{})
	must(t, err)
	defer s.Close()
	for _, i := range s.Runs() {
		next := follows(t, s, i)
		if next-1 < promised[i.Run] || mended && next-1 != last[i.Run] {
			t.Errorf("run %s: %d events, %d promised, %d appended", i.Run, next-1, promised[i.Run], last[i.Run])
		}
		delete(promised, i.Run)
	}
	if len(promised) > 0 {
		t.Errorf("runs are not there: %v", promised)
	}
}

// follows wants a run's events to be those that crashEvent made, in order, and
// gives the number that comes next.
func follows(t *testing.T, s *Store, i Info) (next uint64) {
	t.Helper()
	rec, err := s.Read(i.Run)
	must(t, err)
	next = 1
	for e, err := range rec.Entries(0) {
		must(t, err)
		run := i.Run
		if e.Seq <= i.BaseSeq {
			run = i.Base
		}
		if e.Seq != next || string(e.Data) != string(crashEvent(run, next, 1).Data) {
			t.Fatalf("run %s: event %d is %d %q", i.Run, next, e.Seq, e.Data)
		}
		next++
	}
	return next
}

// appendUntilItFails gives the last event that was acknowledged, and the error.
func appendUntilItFails(t *testing.T, w *solo) (acknowledged uint64, err error) {
	for seq := uint64(1); seq < 1000; seq++ {
		if err := w.Append(entry(seq)); err != nil {
			return acknowledged, err
		}
		if seq%7 != 0 {
			continue
		}
		if err := w.Covered(t.Context(), seq); err != nil {
			return acknowledged, err
		}
		acknowledged = seq
	}
	return acknowledged, nil
}

func TestAsyncWritesWhatIsOldOrMuch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{}
		w := newSolo(Options{FlushBytes: 1000}.withDefaults(), f)
		appendTo(t, w, 1, 2)
		time.Sleep(DefaultFlushEvery - 1)
		synctest.Wait()
		if writes, _ := f.seen(); writes != 0 {
			t.Errorf("written after less than %v", DefaultFlushEvery)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if writes, events := f.seen(); writes != 1 || events != 2 {
			t.Errorf("%d writes of %d events after %v", writes, events, DefaultFlushEvery)
		}
		appendTo(t, w, 3, 40)
		synctest.Wait()
		// The goroutine may have begun to write as soon as there was enough, and
		// what came after that is a young batch again.
		if writes, _ := f.seen(); writes < 2 || w.Backlog() >= 1000 {
			t.Errorf("%d writes, backlog %d: a big batch has to wait", writes, w.Backlog())
		}
		time.Sleep(DefaultFlushEvery)
		synctest.Wait()
		writes, events := f.seen()
		if events != 40 || w.Backlog() != 0 {
			t.Errorf("%d events written, backlog %d after %v more", events, w.Backlog(), DefaultFlushEvery)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if more, _ := f.seen(); more != writes {
			t.Errorf("an idle writer wrote %d times", more-writes)
		}
		appendTo(t, w, 41, 41)
		if err := w.Close(); err != nil || len(f.entries) != 41 || !f.clean {
			t.Errorf("close: %v, %d events, clean %v", err, len(f.entries), f.clean)
		}
	})
}

// A contract that is larger than all that may wait is kept, and does not keep
// what comes after it from being kept.
func TestARevisionLargerThanTheBacklogIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{gate: make(chan struct{})}
		w := newSolo(Options{Window: 1000, MaxBacklog: 3000}.withDefaults(), f)
		if err := w.Revision("a", make([]byte, 10_000)); err != nil {
			t.Error(err)
		}
		appendTo(t, w, 1, 2)
		close(f.gate)
		time.Sleep(DefaultFlushEvery)
		synctest.Wait()
		if w.Backlog() != 0 {
			t.Errorf("%d bytes still wait", w.Backlog())
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A reply that is larger than all that may wait was never answered, however
// often its client came back.
func TestAnEventLargerThanTheBacklogIsKeptWhereNothingWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{}
		w := newSolo(Options{Window: 1000, MaxBacklog: 3000}.withDefaults(), f)
		time.Sleep(DefaultFlushEvery)
		synctest.Wait()
		if err := w.Append(Entry{Seq: 1, Data: make([]byte, 10_000)}); err != nil {
			t.Error(err)
		}
		if err := w.Append(entry(2)); !errors.Is(err, ErrFull) {
			t.Errorf("what comes after it before it is written: %v", err)
		}
		time.Sleep(DefaultFlushEvery)
		synctest.Wait()
		appendTo(t, w, 2, 2)
		if err := w.Close(); err != nil || len(f.entries) != 2 {
			t.Errorf("%v, %d events", err, len(f.entries))
		}
	})
}

// TestAsyncPromise: Covered lets pass within the window, waits beyond it, and
// Append refuses at the bound.
func TestAsyncPromise(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{gate: make(chan struct{})}
		w := newSolo(Options{Window: 1000, MaxBacklog: 3000}.withDefaults(), f)
		appendTo(t, w, 1, 2)
		if err := w.Covered(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		seq := uint64(3)
		for ; w.Backlog() <= 1000; seq++ {
			appendTo(t, w, seq, seq)
		}
		var passed bool
		go func() {
			if err := w.Covered(t.Context(), seq-1); err != nil {
				t.Error(err)
			}
			passed = true
		}()
		synctest.Wait()
		if passed {
			t.Error("covered, though the backlog is beyond the window")
		}
		var err error
		for ; err == nil; seq++ {
			err = w.Append(entry(seq))
		}
		if !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		if err := w.Settle(Settlement{Of: 1, Data: []byte("x")}); err != nil {
			t.Error(err)
		}
		if err := w.Revision("a", make([]byte, 1000)); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		close(f.gate)
		time.Sleep(DefaultFlushEvery)
		synctest.Wait()
		if !passed || w.Backlog() != 0 {
			t.Errorf("passed %v, backlog %d, after the disk caught up", passed, w.Backlog())
		}
		appendTo(t, w, w.Last()+1, w.Last()+1)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestSyncPromise: Covered lets nothing pass that is not kept, and those that
// wait together share a transaction.
func TestSyncPromise(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{gate: make(chan struct{})}
		w := newSolo(Options{Durability: Sync}.withDefaults(), f)
		f.gate <- struct{}{} // the transaction of the run itself: event 1 may miss it, or not
		synctest.Wait()
		appendTo(t, w, 1, 1)
		synctest.Wait() // its transaction has begun
		passed := make(chan uint64, 10)
		for seq := uint64(1); seq <= 5; seq++ {
			if seq > 1 {
				appendTo(t, w, seq, seq)
			}
			go func() {
				if err := w.Covered(t.Context(), seq); err != nil {
					t.Error(err)
				}
				passed <- seq
			}()
		}
		synctest.Wait()
		if len(passed) != 0 {
			t.Errorf("event %d passed before it was kept", <-passed)
		}
		f.gate <- struct{}{}
		synctest.Wait()
		if len(passed) != 1 || <-passed != 1 {
			t.Errorf("the first transaction has to cover event 1 alone")
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Covered(short, 5); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		f.gate <- struct{}{}
		synctest.Wait()
		if writes, _ := f.seen(); len(passed) != 4 || writes != 3 {
			t.Errorf("%d passed with %d transactions", len(passed), writes-1)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, absent := Open(dir + "/no-such-run")
	if !errors.Is(absent, fs.ErrNotExist) {
		t.Error(absent)
	}
	for _, c := range []struct {
		err  error
		want []string
	}{
		{absent, []string{"no-such-run", "check the name"}},
		{&BusyError{"s", Epoch{Number: 2, PID: 42, Host: "h"}}, []string{"process 42 on h", "epoch 2", "end that process"}},
		{&BusyError{Store: "s"}, []string{"try again"}},
		{&NewerError{"s", 9, 1, "v3"}, []string{"Parity v3", "schema 9", "nothing was changed", "with that version"}},
		{&OlderError{"s", 1, 2}, []string{"schema 1", "nothing was changed", "with the version that wrote it"}},
		{&DamagedError{Run: "r", Part: "events", Good: 41, Err: errFrame}, []string{"after event 41", "up to event 41 is intact"}},
		{&DamagedError{Run: "r", Part: "events", Err: errFrame}, []string{"from its first event", "rehearse again"}},
		{&DamagedError{Run: "r", Part: "end", Err: errFrame}, []string{"not written on", "start a new run"}},
		{&DamagedError{Run: "r", Part: "settlements", Good: 3, Err: errFrame}, []string{"after settlement 3", "unknown"}},
		{&DamagedError{Store: "s", Err: errFrame}, []string{"store s", "repair"}},
		{&FullError{"r", OfRecord, 5, false}, []string{"5 bytes", "start a new run"}},
		{&FullError{"r", OfBacklog, 5, true}, []string{"5 bytes", "try again"}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.err.Error(), want) {
				t.Errorf("%q does not say %q", c.err, want)
			}
		}
	}
}
