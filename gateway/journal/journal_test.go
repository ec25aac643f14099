package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// entry is an event whose bytes tell its number, so that one in the wrong place
// is seen.
func entry(seq uint64) Entry {
	return Entry{seq, fmt.Appendf(nil, "event %d %s", seq, strings.Repeat("x", int(seq%97)))}
}

func appendTo(t *testing.T, w interface{ Append(Entry) error }, first, last uint64) {
	t.Helper()
	for seq := first; seq <= last; seq++ {
		if err := w.Append(entry(seq)); err != nil {
			t.Fatalf("append %d: %v", seq, err)
		}
	}
}

func newRun(t *testing.T, o Options) (*solo, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs", "r-1")
	w, err := createOne(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, dir
}

func openRun(t *testing.T, dir string) *one {
	t.Helper()
	r, err := openOne(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// readAll gives what can be read from on, and the error that ended it.
func readAll(r *one, from uint64) (entries []Entry, err error) {
	for e, err := range r.Entries(from) {
		if err != nil {
			return entries, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// wantEntries checks that entries are exactly events first to last.
func wantEntries(t *testing.T, entries []Entry, first, last uint64) {
	t.Helper()
	if uint64(len(entries)) != last+1-first {
		t.Fatalf("%d events, want %d to %d", len(entries), first, last)
	}
	for i, e := range entries {
		if want := entry(first + uint64(i)); e.Seq != want.Seq || !bytes.Equal(e.Data, want.Data) {
			t.Fatalf("event %d: got %d %q", want.Seq, e.Seq, e.Data)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, durability := range []Durability{Async, Sync} {
		t.Run(fmt.Sprint(durability), func(t *testing.T) {
			t.Parallel()
			w, dir := newRun(t, Options{Durability: durability, FlushBytes: 4 << 10})
			if err := w.SetMeta(map[string]string{"seed": "7", "run": "r-1"}); err != nil {
				t.Fatal(err)
			}
			if err := w.Revision("aa", []byte("one")); err != nil {
				t.Fatal(err)
			}
			appendTo(t, w, 1, 400)
			for _, err := range []error{
				w.Revision("bb", []byte("two")),
				w.Revision("aa", []byte("one")),
				w.Settle(Settlement{Of: 3, Data: []byte("sent")}),
				w.Settle(Settlement{Of: 2, Data: nil}),
				w.Covered(t.Context(), 400),
				w.Close(),
				w.Close(),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Append(entry(401)); !errors.Is(err, ErrClosed) {
				t.Errorf("append after close: %v", err)
			}
			checkRun(t, dir)
		})
	}
}

func checkRun(t *testing.T, dir string) {
	t.Helper()
	r := openRun(t, dir)
	for _, from := range []uint64{0, 1, 2, 57, 400, 401, 1 << 63, 1<<64 - 1} {
		entries, err := readAll(r, from)
		if err != nil {
			t.Fatal(err)
		}
		wantEntries(t, entries, max(from, 1), max(400, max(from, 1)-1))
	}
	var settlements []Settlement
	for s, err := range r.Settlements() {
		if err != nil {
			t.Fatal(err)
		}
		settlements = append(settlements, s)
	}
	want := []Settlement{{3, []byte("sent")}, {2, []byte{}}}
	if diff := cmp.Diff(want, settlements); diff != "" {
		t.Error(diff)
	}
	meta, err := r.Meta()
	if diff := cmp.Diff(map[string]string{"seed": "7", "run": "r-1"}, meta); err != nil || diff != "" {
		t.Error(err, diff)
	}
	revisions, err := r.Revisions()
	if diff := cmp.Diff([]Revision{{"aa", []byte("one"), 1}, {"bb", []byte("two"), 401}, {"aa", []byte("one"), 401}}, revisions); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := os.Stat(filepath.Join(dir, FileName+"-wal")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a closed run is more than one file: %v", err)
	}
}

func TestAppendRefusesDisorder(t *testing.T) {
	t.Parallel()
	w, _ := newRun(t, Options{})
	appendTo(t, w, 1, 3)
	for _, seq := range []uint64{0, 1, 3, 5, 1<<64 - 1} {
		if err := w.Append(entry(seq)); !errors.Is(err, ErrOrder) {
			t.Errorf("append %d: %v", seq, err)
		}
	}
	for _, of := range []uint64{0, 4} {
		if err := w.Settle(Settlement{Of: of}); !errors.Is(err, ErrOrder) {
			t.Errorf("settle %d: %v", of, err)
		}
	}
	if err := w.Covered(t.Context(), 4); !errors.Is(err, ErrOrder) {
		t.Errorf("covered: %v", err)
	}
	appendTo(t, w, 4, 4)
}

func TestMaxBytesRefusesAndKeepsWhatWasTaken(t *testing.T) {
	t.Parallel()
	const limit = 10_000
	w, dir := newRun(t, Options{MaxBytes: limit, FlushEvery: time.Hour}) // what is written is packed, and counts for less
	m, err := begun(InMemory(Options{MaxBytes: limit}))
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range []interface {
		Append(Entry) error
		Settle(Settlement) error
		Last() uint64
		Close() error
	}{w, m} {
		var err error
		for seq := uint64(1); err == nil; seq++ {
			err = j.Append(entry(seq))
		}
		if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "10000 bytes") {
			t.Fatal(err)
		}
		if err := j.Settle(Settlement{Of: 1, Data: []byte("still known")}); err != nil {
			t.Errorf("a full journal refuses what became of an event: %v", err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := readAll(openRun(t, dir), 0)
	if err != nil {
		t.Fatal(err)
	}
	wantEntries(t, entries, 1, w.Last())
	if w.Last() < 100 || w.Last() != m.Last() {
		t.Errorf("kept %d on disk, %d in memory", w.Last(), m.Last())
	}
	// The bound counts what is on disk already.
	w, err = reopenOne(dir, Options{MaxBytes: openRun(t, dir).Info().Bytes / 2})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Append(entry(w.Last() + 1)); !errors.Is(err, ErrFull) {
		t.Errorf("after reopening: %v", err)
	}
}

func TestReopenBeginsAnEpoch(t *testing.T) {
	t.Parallel()
	w, dir := newRun(t, Options{})
	appendTo(t, w, 1, 10)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := reopenOne(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w.Epoch() != 2 || !w.Clean() || w.Last() != 10 {
		t.Errorf("epoch %d, clean %v, last %d", w.Epoch(), w.Clean(), w.Last())
	}
	appendTo(t, w, 11, 20)
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := openRun(t, dir)
	entries, err := readAll(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	wantEntries(t, entries, 1, 20)
	epochs, err := r.Epochs()
	if err != nil || len(epochs) != 2 || epochs[0].Closed.IsZero() || !epochs[1].Closed.IsZero() {
		t.Errorf("epochs %+v, %v", epochs, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := createOne(dir, Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create over a run: %v", err)
	}
}

func TestReaderFollowsALiveWriter(t *testing.T) {
	t.Parallel()
	w, dir := newRun(t, Options{FlushEvery: time.Millisecond, FlushBytes: 2 << 10})
	const total = 3000
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			r, err := openOne(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			next := uint64(1)
			for next <= total && !t.Failed() {
				for e, err := range r.Entries(next) {
					if err != nil {
						t.Error(err)
						return
					}
					if e.Seq != next || !bytes.Equal(e.Data, entry(next).Data) {
						t.Errorf("event %d: got %d %q", next, e.Seq, e.Data)
						return
					}
					next++
				}
			}
		})
	}
	for seq := uint64(1); seq <= total; seq++ {
		appendTo(t, w, seq, seq)
		if seq%100 == 0 {
			if err := w.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	wg.Wait()
}
