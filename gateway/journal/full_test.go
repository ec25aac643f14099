package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ticking is a clock whose waits end when the test says so.
type ticking struct{ ticks chan time.Time }

func (c ticking) Now() time.Time { return time.Unix(1000, 0).UTC() }

func (c ticking) After(time.Duration) (<-chan time.Time, func()) { return c.ticks, func() {} }

// A filled is a store on a disk without room, and what was promised of its run
// "b" before. Its run "a" has ended and is large.
type filled struct {
	*Store
	dir   string
	clock ticking
	b     *Writer
	kept  uint64
}

func fillDisk(t *testing.T) *filled {
	t.Helper()
	f := &filled{dir: filepath.Join(t.TempDir(), "s"), clock: ticking{make(chan time.Time)}}
	s, err := Create(f.dir, Options{Durability: Sync, Clock: f.clock})
	must(t, err)
	f.Store = s
	a, err := s.Begin("a", Origin{})
	must(t, err)
	for seq := uint64(1); seq <= 200; seq++ {
		must(t, a.Append(noisy(seq)))
	}
	must(t, a.End())
	f.b, err = s.Begin("b", Origin{})
	must(t, err)
	must(t, s.Flush(t.Context()))
	f.room(t, 8)
	for err == nil {
		must(t, f.b.Append(noisy(f.b.Last()+1)))
		if err = f.b.Covered(t.Context(), f.b.Last()); err == nil {
			f.kept = f.b.Last()
		}
	}
	if f.kept == 0 || !strings.Contains(err.Error(), "full") || !strings.Contains(err.Error(), "see that the disk has room") {
		t.Fatalf("%d events, then: %v", f.kept, err)
	}
	return f
}

// noisy is an event that cannot be packed.
func noisy(seq uint64) Entry {
	data := make([]byte, 1000)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	return Entry{seq, data}
}

// again lets the store try again, and waits until it has.
func (f *filled) again() {
	f.mu.Lock()
	turn := f.turn
	f.mu.Unlock()
	f.clock.ticks <- time.Time{}
	<-turn
}

// room lets the store grow by as many pages.
func (f *filled) room(t *testing.T, pages int) {
	t.Helper()
	db := f.back.(*database).db
	var now int
	must(t, db.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&now))
	_, err := db.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, now+pages))
	must(t, err)
}

// goesOn checks that everything is taken again, and kept.
func (f *filled) goesOn(t *testing.T) {
	t.Helper()
	f.again()
	must(t, f.Flush(t.Context()))
	must(t, f.b.Append(noisy(f.b.Last()+1)))
	must(t, f.b.Covered(t.Context(), f.b.Last()))
	if _, err := f.Begin("c", Origin{}); err != nil {
		t.Error(err)
	}
	must(t, f.Close())
	s, err := Reopen(f.dir, Options{})
	must(t, err)
	defer s.Close()
	if i, _ := s.Run("b"); i.Last != f.b.Last() || !s.Clean() {
		t.Errorf("%d events kept of %d, clean %v", i.Last, f.b.Last(), s.Clean())
	}
}

// TestFullDisk: what was promised stays, everything more is refused and told
// why, old records can be read and ended runs removed.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	f := fillDisk(t)
	if err := f.b.Append(noisy(f.b.Last() + 1)); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("append: %v", err)
	}
	if _, err := f.Begin("c", Origin{}); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("begin: %v", err)
	}
	must(t, f.b.Settle(Settlement{Of: f.kept, Data: []byte("sent")})) // it is known, and there is little of it
	if _, err := f.Read("b"); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("read of what is not kept: %v", err)
	}
	rec, err := f.Read("a")
	must(t, err)
	n := 0
	for _, err := range rec.Entries(0) {
		must(t, err)
		n++
	}
	if n != 200 {
		t.Errorf("%d events of the run before", n)
	}
	outside, err := Open(f.dir)
	must(t, err)
	defer outside.Close()
	rec, err = outside.Read("b")
	must(t, err)
	if got := rec.Info().Last; got != f.kept {
		t.Errorf("%d events kept, %d promised", got, f.kept)
	}
	f.again() // in vain
	if err := f.b.Append(noisy(f.b.Last() + 1)); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("append after another try: %v", err)
	}
	err = f.Close()
	if want := fmt.Sprintf("run b, events %d to %d were not written and are lost", f.kept+1, f.b.Last()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("close: %v", err)
	}
	s, err := Reopen(f.dir, Options{})
	must(t, err)
	defer s.Close()
	if i, _ := s.Run("b"); i.Last != f.kept || s.Clean() {
		t.Errorf("reopened with %+v, clean %v", i, s.Clean())
	}
}

func TestFullDiskGoesOnWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	f := fillDisk(t)
	f.room(t, 1000)
	f.goesOn(t)
}

func TestFullDiskGoesOnWhenAnOldRunIsRemoved(t *testing.T) {
	t.Parallel()
	f := fillDisk(t)
	gone, err := f.Sweep(Keep{Bytes: 1})
	must(t, err)
	if len(gone) != 1 || gone[0] != "a" {
		t.Fatalf("removed %v", gone)
	}
	f.goesOn(t)
	if _, err := f.Read("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A client was told that its call had failed, and when the disk had room again
// what it had done was there.
func TestCertainOutlastsAFullDisk(t *testing.T) {
	t.Parallel()
	for _, mended := range []bool{true, false} {
		f := fillDisk(t)
		waits := f.b.Last()
		if waits == f.kept {
			t.Fatal("no event waits to be written")
		}
		known := make(chan error)
		go func() { known <- f.b.Certain(t.Context(), waits) }()
		f.again()
		select {
		case err := <-known:
			t.Errorf("nobody can know yet whether event %d is kept: %v", waits, err)
		default:
		}
		if mended {
			f.room(t, 1000)
			f.again()
			if err := <-known; err != nil {
				t.Errorf("the disk has room: %v", err)
			}
			must(t, f.Close())
		} else {
			closed := f.Close()
			if err := <-known; err == nil || closed == nil {
				t.Errorf("event %d is lost: %v; %v", waits, err, closed)
			}
		}
		r, err := Open(f.dir)
		must(t, err)
		rec, err := r.Read("b")
		must(t, err)
		if last := rec.Info().Last; (last == waits) != mended {
			t.Errorf("mended %v: events 1 to %d are kept, %d was asked about", mended, last, waits)
		}
		must(t, r.Close())
	}
}
