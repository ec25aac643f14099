package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOneWriter(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "r-1")
	other := startWriter(t, dir, Sync)
	other.hear(t, 3)
	_, err := reopenOne(dir, Options{})
	busy, ok := errors.AsType[*BusyError](err)
	if !ok || busy.Epoch.PID != other.cmd.Process.Pid || busy.Epoch.Number != 1 || busy.Store != dir {
		t.Fatalf("reopen while process %d writes: %v", other.cmd.Process.Pid, err)
	}
	other.end()
	w, err := reopenOne(dir, Options{})
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	defer w.Close()
	_, err = reopenOne(dir, Options{})
	if busy, ok := errors.AsType[*BusyError](err); !ok || busy.Epoch.PID != os.Getpid() {
		t.Errorf("reopen in the same process: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err = reopenOne(dir, Options{})
	if err != nil {
		t.Fatalf("after it was closed: %v", err)
	}
	w.Close()
}

// TestFencedWriterWritesNothing: a lock whose file was deleted holds nobody
// off, so that two can believe a run theirs; the elder loses it.
func TestFencedWriterWritesNothing(t *testing.T) {
	t.Parallel()
	w, dir := newRun(t, Options{Durability: Sync})
	appendTo(t, w, 1, 5)
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	younger, err := reopenOne(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, w, 6, 6)
	if err := w.Covered(t.Context(), 6); !errors.Is(err, ErrFenced) {
		t.Errorf("the elder: %v", err)
	}
	if err := w.Close(); !errors.Is(err, ErrFenced) {
		t.Errorf("the elder's close: %v", err)
	}
	appendTo(t, younger, 6, 9)
	if err := younger.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := readAll(openRun(t, dir), 0)
	if err != nil {
		t.Fatal(err)
	}
	wantEntries(t, entries, 1, 9)
}
