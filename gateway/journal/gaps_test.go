package journal

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// gapsOf gives where a run of the store in dir may have lost something.
func gapsOf(t *testing.T, dir, run string) []Gap {
	t.Helper()
	r, err := Open(dir)
	must(t, err)
	defer r.Close()
	rec, err := r.Read(run)
	must(t, err)
	gaps, err := rec.Gaps()
	must(t, err)
	return gaps
}

// wantGaps wants the events after which there are gaps.
func wantGaps(t *testing.T, when, dir, run, want string) {
	t.Helper()
	var after []uint64
	for _, g := range gapsOf(t, dir, run) {
		after = append(after, g.After)
	}
	if got := strings.Trim(fmt.Sprint(after), "[]"); got != want {
		t.Errorf("%s: gaps of %s after events %q, want %q", when, run, got, want)
	}
}

// abandon ends a store as a kill does: nothing more is written, and it is not
// closed.
func abandon(t *testing.T, s *Store) {
	t.Helper()
	must(t, s.Flush(t.Context()))
	must(t, s.back.close(false))
}

// A record of which the last moments were lost in a kill read as whole.
func TestAnUncleanEndLeavesAGapInWhatWentOn(t *testing.T) {
	t.Parallel()
	for _, d := range []Durability{Async, Sync} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			t.Parallel()
			gap := map[Durability]string{Async: "3"}[d] // in Sync nothing that was let through is lost, and it goes on
			o := Options{Durability: d}
			dir := filepath.Join(t.TempDir(), "s")
			s, err := Create(dir, o)
			must(t, err)
			appendTo(t, begin(t, s, "on", Origin{}), 1, 3)
			over := begin(t, s, "over", Origin{})
			appendTo(t, over, 1, 3)
			must(t, over.End())
			must(t, s.Flush(t.Context()))
			wantGaps(t, "while it is written", dir, "on", "")
			abandon(t, s)
			wantGaps(t, "killed", dir, "on", "3") // and nobody goes on with it: what came afterwards is not there
			wantGaps(t, "killed", dir, "over", "")

			s, err = Reopen(dir, o)
			must(t, err)
			wantGaps(t, "reopened", dir, "on", gap)
			w, err := s.Resume("on")
			must(t, err)
			appendTo(t, w, 4, 5)
			begin(t, s, "at-3", Origin{"on", 3})
			begin(t, s, "at-4", Origin{"on", 4})
			must(t, w.End())
			must(t, s.Close())
			wantGaps(t, "closed", dir, "on", gap)
			wantGaps(t, "closed", dir, "over", "")
			wantGaps(t, "forked before the gap", dir, "at-3", "")
			wantGaps(t, "forked behind the gap", dir, "at-4", gap)

			s, err = Reopen(dir, o)
			must(t, err)
			must(t, s.Remove("at-4"))
			must(t, s.Remove("on"))
			must(t, s.Close())
			wantGaps(t, "what it was forked from is removed", dir, "at-3", "")
		})
	}
}

// A store that could be written no more at its end was closed as if it were whole.
func TestEventsThatAFullDiskLostLeaveAGap(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	_, err := makeFolder(dir)
	must(t, err)
	o := Options{}.withDefaults()
	d, had, err := openDatabase(t.Context(), dir, o, true)
	must(t, err)
	s := newStore(o, &failing{store: d, from: 2}, d.shelf, d.epoch, had)
	w := begin(t, s, "on", Origin{})
	must(t, s.Flush(t.Context()))
	appendTo(t, w, 1, 3)
	if err := s.Close(); err == nil {
		t.Fatal("the disk was full")
	}
	wantGaps(t, "full", dir, "on", "0")
}
