package profiles_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/profiles"
)

// handWall is a wall whose quiet moments pass when the test says so, and whose
// polls never do.
type handWall struct {
	wall
	quiet time.Duration
	asked chan chan time.Time
}

func (w handWall) After(d time.Duration) (<-chan time.Time, func()) {
	if d != w.quiet {
		return nil, func() {}
	}
	timer := make(chan time.Time, 1)
	w.asked <- timer
	return timer, func() {}
}

// pending waits until the watcher waits for a quiet moment: until then it may
// still be looking.
func (w handWall) pending(t *testing.T) chan<- time.Time {
	t.Helper()
	select {
	case timer := <-w.asked:
		return timer
	case <-time.After(60 * time.Second):
		t.Fatal("the watcher waits for no quiet moment")
		return nil
	}
}

// watchByHand watches a file whose content was seen as it was before change.
func watchByHand(t *testing.T, change func(file string)) (w handWall, calls <-chan said) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rough.yaml")
	save(t, file, text("First."))
	o := options(t, filepath.Dir(file))
	w = handWall{wall: wall(o.Wall.Now()), quiet: 100 * time.Millisecond, asked: make(chan chan time.Time, 100)}
	o.Wall, o.Quiet, o.Seen = w, w.quiet, profiles.Digest(file, o)
	change(file)
	called := make(chan said, 100)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- profiles.Watch(ctx, file, o, func(p *profiles.Profile, err error) { called <- said{p, err} })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil || len(called) > 0 {
			t.Errorf("the watch ended with %v, and %d calls more", err, len(called))
		}
	})
	return w, called
}

func wantCall(t *testing.T, calls <-chan said, summary string) {
	t.Helper()
	select {
	case s := <-calls:
		if s.err != nil || s.p.Summary != summary {
			t.Errorf("called back with %+v; want %q", s, summary)
		}
	case <-time.After(60 * time.Second):
		t.Error("not called back")
	}
}

// An editor on a slow disk writes a profile in pieces, none of which is one by
// itself. Until three looks in a row find the same, nothing is called back.
func TestWatchWaitsForTheLastPieceOfASlowSave(t *testing.T) {
	t.Parallel()
	var draft *os.File
	w, calls := watchByHand(t, func(file string) {
		var err error
		if draft, err = os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0); err != nil {
			t.Fatal(err)
		}
	})
	t.Cleanup(func() { draft.Close() })
	timer := w.pending(t)
	for _, piece := range []string{"profile: ro", "ugh\nsummary: In pie", "ces.\nservices: {str", "ipe: {}}\n"} {
		if _, err := draft.WriteString(piece); err != nil {
			t.Fatal(err)
		}
		timer <- time.Time(w.wall)
		timer = w.pending(t) // it found another piece, and wants to look again
		if len(calls) > 0 {
			t.Fatalf("called back with %+v before the save was over", <-calls)
		}
	}
	timer <- time.Time(w.wall)
	w.pending(t) <- time.Time(w.wall)
	wantCall(t, calls, "In pieces.")
}

func TestASaveBetweenDigestAndWatchIsSeen(t *testing.T) {
	t.Parallel()
	w, calls := watchByHand(t, func(file string) { save(t, file, text("Saved meanwhile.")) })
	for range 3 {
		w.pending(t) <- time.Time(w.wall)
	}
	wantCall(t, calls, "Saved meanwhile.")
}

func TestWatchEndsWithItsContextAndNeedsACatalogue(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never := func(p *profiles.Profile, err error) { t.Errorf("called back with %+v, %v", p, err) }
	if err := profiles.Watch(ctx, "nowhere.yaml", options(t, t.TempDir()), never); err != nil {
		t.Error(err)
	}
	if err := profiles.Watch(ctx, "baseline", profiles.Options{}, never); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("without a catalogue: %v", err)
	}
}
