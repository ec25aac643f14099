package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// childEnv makes this test binary be a writer that goes on until it is killed,
// and that says which events Covered let through.
const childEnv = "JOURNAL_TEST_WRITE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := writeForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func writeForever(dir string) error {
	o := Options{Durability: Sync, FlushBytes: 1 << 10}
	w, err := Create(dir, o)
	if errors.Is(err, os.ErrExist) {
		w, err = Reopen(dir, o)
	}
	if err != nil {
		return err
	}
	for seq := w.Last() + 1; ; seq++ {
		if err := w.Append(entry(seq)); err != nil {
			return err
		}
		if seq%3 == 0 {
			if err := w.Covered(context.Background(), seq); err != nil {
				return err
			}
			fmt.Println(seq)
		}
	}
}

// kill runs a writer on dir, kills it after it has acknowledged some events
// more, and gives the last acknowledgement that was heard.
func kill(t *testing.T, dir string, after int) uint64 {
	t.Helper()
	writer := startWriter(t, dir)
	var acknowledged uint64
	for range after {
		acknowledged = writer.next(t)
	}
	writer.end()
	return acknowledged
}

type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
	err *strings.Builder
}

func startWriter(t *testing.T, dir string) *child {
	t.Helper()
	c := &child{cmd: exec.CommandContext(t.Context(), os.Args[0]), err: &strings.Builder{}}
	c.cmd.Env = append(os.Environ(), childEnv+"="+dir)
	c.cmd.Stderr = c.err
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	return c
}

func (c *child) next(t *testing.T) uint64 {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("the writer ended: %v", c.err)
	}
	seq, err := strconv.ParseUint(c.out.Text(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func (c *child) end() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

func TestKilledWriterLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "r-1")
	for epoch := 1; epoch <= 12; epoch++ {
		acknowledged := kill(t, dir, 1+epoch*5%17)
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := readAll(r, 0)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(len(entries)) < acknowledged {
			t.Fatalf("epoch %d: %d kept, %d acknowledged", epoch, len(entries), acknowledged)
		}
		wantEntries(t, entries, 1, uint64(len(entries)))
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Reopen(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if w.Epoch() != 13 || w.Clean() {
		t.Errorf("epoch %d, clean %v after 12 kills", w.Epoch(), w.Clean())
	}
}

func TestOneWriter(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "r-1")
	other := startWriter(t, dir)
	other.next(t)
	_, err := Reopen(dir, Options{})
	busy, ok := errors.AsType[*BusyError](err)
	if !ok || busy.Epoch.PID != other.cmd.Process.Pid || busy.Epoch.Number != 1 || busy.Run != "r-1" {
		t.Fatalf("reopen while process %d writes: %v", other.cmd.Process.Pid, err)
	}
	other.end()
	w, err := Reopen(dir, Options{})
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	defer w.Close()
	_, err = Reopen(dir, Options{})
	if busy, ok := errors.AsType[*BusyError](err); !ok || busy.Epoch.PID != os.Getpid() {
		t.Errorf("reopen in the same process: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err = Reopen(dir, Options{})
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
	younger, err := Reopen(dir, Options{})
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

// copyRun copies the files of a run that nobody has open, the file name cut to
// size bytes.
func copyRun(t *testing.T, from, name string, size int64) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "r-1")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(filepath.Join(to, fileName+"-shm")) // an index of the log: made anew
	if name != "" {
		if err := os.Truncate(filepath.Join(to, name), size); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestTornFile cuts the file and its log at many places: what opens gives a
// prefix, and what is missing is told where it can be known.
func TestTornFile(t *testing.T) {
	t.Parallel()
	killed := filepath.Join(t.TempDir(), "r-1")
	acknowledged := kill(t, killed, 40)
	w, closed := newRun(t, Options{FlushBytes: 1 << 10})
	appendTo(t, w, 1, 2000)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir, file string
		told            bool // a cut always shows
	}{
		{"closed", closed, fileName, true},
		{"killed", killed, fileName + "-wal", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			size := fileSize(t, filepath.Join(c.dir, c.file))
			most, prefixes := 0, 0
			for cut := int64(0); cut < size; cut += 1 + size/97 {
				entries, err := readTorn(t, copyRun(t, c.dir, c.file, cut))
				if err == nil && c.told {
					t.Errorf("cut at %d of %d: %d events and no word about it", cut, size, len(entries))
				}
				if err != nil && !strings.Contains(err.Error(), "damaged") {
					t.Errorf("cut at %d of %d: %v", cut, size, err)
				}
				if len(entries) > 0 {
					prefixes++
				}
				most = max(most, len(entries))
			}
			t.Logf("%d of 97 cuts can be read in part, up to event %d", prefixes, most)
			if prefixes == 0 {
				t.Error("nothing is ever saved")
			}
		})
	}
	entries, err := readTorn(t, copyRun(t, killed, "", 0))
	if err != nil || uint64(len(entries)) < acknowledged {
		t.Errorf("uncut: %d events, %d acknowledged: %v", len(entries), acknowledged, err)
	}
}

// TestFlippedBits changes single bytes: no event is ever other than it was.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	w, dir := newRun(t, Options{FlushBytes: 1 << 10})
	appendTo(t, w, 1, 300)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	size := fileSize(t, filepath.Join(dir, fileName))
	for at := int64(0); at < size; at += 1 + size/151 {
		torn := copyRun(t, dir, "", 0)
		f, err := os.OpenFile(filepath.Join(torn, fileName), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		var b [1]byte
		if _, err := f.ReadAt(b[:], at); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		b[0] ^= 0x41
		if _, err := f.WriteAt(b[:], at); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if entries, err := readTorn(t, torn); err == nil && len(entries) != 300 {
			t.Errorf("byte %d changed: %d events and no word about it", at, len(entries))
		}
	}
}

// readTorn reads what there is of a damaged run and checks that it is a prefix.
func readTorn(t *testing.T, dir string) ([]Entry, error) {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	entries, err := readAll(r, 0)
	wantEntries(t, entries, 1, uint64(len(entries)))
	if damage, ok := errors.AsType[*DamagedError](err); ok && damage.Good != uint64(len(entries)) {
		t.Errorf("%d events read, and told: %v", len(entries), err)
	}
	for s, err := range r.Settlements() {
		if err == nil {
			t.Errorf("invented settlement %v", s)
		}
	}
	_, _ = r.Meta()
	_, _ = r.Revisions()
	_, _ = r.Epochs()
	return entries, err
}
