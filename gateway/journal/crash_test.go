package journal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// childEnv makes this test binary be a process that writes a store until it is
// killed, and that says what it was promised.
const childEnv = "JOURNAL_TEST_WRITE"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		durability, dir, _ := strings.Cut(what, " ")
		d, err := strconv.Atoi(durability)
		if err == nil {
			err = writeForever(dir, Durability(d))
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// crashWindow is small, so that what Async may lose is held to it.
const crashWindow = 2 << 10

// crashRuns are runs that go on through all epochs.
const crashRuns = 6

func crashOptions(d Durability) Options {
	return Options{Durability: d, FlushBytes: 1 << 10, FlushEvery: time.Millisecond, Window: crashWindow}
}

// crashEvent is an event that tells its place and its epoch.
func crashEvent(run string, seq, epoch uint64) Entry {
	return Entry{seq, fmt.Appendf(nil, "%s %d %d %s", run, seq, epoch, strings.Repeat("x", int(seq*31%97)))}
}

// writeForever is the child. It prints each thing after the promise for it.
func writeForever(dir string, d Durability) error {
	fmt.Println("opens")
	s, err := Reopen(dir, crashOptions(d))
	if errors.Is(err, fs.ErrNotExist) {
		s, err = Create(dir, crashOptions(d))
	}
	if err != nil {
		return err
	}
	fmt.Println("epoch", s.Epoch(), s.Clean())
	writers, err := crashWriters(s)
	if err != nil {
		return err
	}
	ctx := context.Background()
	for i := 0; ; i++ {
		w := writers[i%len(writers)]
		e := crashEvent(w.Run(), w.Last()+1, s.Epoch())
		if err := w.Append(e); err != nil {
			return err
		}
		if i%5 == 0 {
			if err := w.Settle(Settlement{Of: e.Seq, Data: fmt.Appendf(nil, "%s %d", w.Run(), e.Seq)}); err != nil {
				return err
			}
		}
		if i%3 == 0 {
			continue
		}
		if err := w.Covered(ctx, e.Seq); err != nil {
			return err
		}
		fmt.Println("covered", w.Run(), e.Seq)
	}
}

// crashWriters are those of the runs that go on, of a new one and of a fork.
// Runs of the epoch before are ended, older ones removed.
func crashWriters(s *Store) (writers []*Writer, err error) {
	begin := func(name string, from Origin) {
		w, problem := s.Resume(name)
		if errors.Is(problem, fs.ErrNotExist) {
			w, problem = s.Begin(name, from)
		}
		writers, err = append(writers, w), errors.Join(err, problem)
	}
	for i := range crashRuns {
		begin(fmt.Sprint("r-", i), Origin{})
	}
	begin(fmt.Sprint("n-", s.Epoch()), Origin{})
	if last := writers[0].Last(); last > 0 {
		begin(fmt.Sprint("f-", s.Epoch()), Origin{"r-0", 1 + last/2})
	}
	if err != nil {
		return nil, err
	}
	for _, i := range s.Runs() {
		kind, of, _ := strings.Cut(i.Run, "-")
		epoch, _ := strconv.ParseUint(of, 10, 64)
		if kind == "r" || epoch == s.Epoch() {
			continue
		}
		if i.Ended.IsZero() {
			w, err := s.Resume(i.Run)
			if err == nil {
				err = w.End()
			}
			if err != nil {
				return nil, err
			}
		}
		if epoch+4 < s.Epoch() {
			if err := s.Remove(i.Run); err != nil {
				return nil, err
			}
		}
	}
	if err := s.Flush(context.Background()); err != nil {
		return nil, err
	}
	fmt.Println("flushed")
	return writers, nil
}

type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
	err *strings.Builder
}

func startWriter(t *testing.T, dir string, d Durability) *child {
	t.Helper()
	c := &child{cmd: exec.CommandContext(t.Context(), os.Args[0]), err: &strings.Builder{}}
	c.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", childEnv, d, dir))
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

// hear gives the next lines that the child says.
func (c *child) hear(t *testing.T, lines int) []string {
	t.Helper()
	var said []string
	for range lines {
		if !c.out.Scan() {
			t.Fatalf("the writer ended: %v", c.err)
		}
		said = append(said, c.out.Text())
	}
	return said
}

// rest gives what it had said by the time it ended.
func (c *child) rest() (said []string) {
	for c.out.Scan() {
		said = append(said, c.out.Text())
	}
	return said
}

func (c *child) end() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// kill runs a writer on dir, kills it when it has said some lines, and gives
// all that it had said by then.
func kill(t *testing.T, dir string, d Durability, lines int) []string {
	t.Helper()
	c := startWriter(t, dir, d)
	said := c.hear(t, lines)
	_ = c.cmd.Process.Kill()
	said = append(said, c.rest()...)
	_ = c.cmd.Wait()
	return said
}

// A crashed store is checked after each kill; what was checked once is not read
// again before the end.
type crashed struct {
	dir     string
	epoch   uint64            // the newest that was begun, as far as is known
	checked map[string]uint64 // events of each run
	written map[string]uint64 // epoch of the newest of these
	lost    int64             // bytes that were covered, over all kills
}

// TestKillNine kills a process that writes many runs 200 times: what was
// promised is there, each run without a hole, and the store goes on.
func TestKillNine(t *testing.T) {
	t.Parallel()
	rounds := 200
	if testing.Short() || raceEnabled {
		rounds = 20
	}
	for _, d := range []Durability{Sync, Async} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			t.Parallel()
			c := &crashed{dir: filepath.Join(t.TempDir(), "s"), checked: map[string]uint64{}, written: map[string]uint64{}}
			for round := range rounds / 2 {
				lines := 1 + rand.IntN(60)
				if round%4 == 3 {
					lines = 1 + rand.IntN(3) // while it is being opened
				}
				c.check(t, d, kill(t, c.dir, d, lines))
				if t.Failed() {
					t.Fatalf("in round %d", round)
				}
			}
			c.checkAll(t)
		})
	}
}

// check holds what is there against what the killed child had said.
func (c *crashed) check(t *testing.T, d Durability, said []string) {
	t.Helper()
	covered, flushed, begun := map[string]uint64{}, false, false
	for _, line := range said {
		f := strings.Fields(line)
		switch f[0] {
		case "epoch":
			epoch, _ := strconv.ParseUint(f[1], 10, 64)
			// One that was killed before it said its epoch may have begun it.
			if clean := f[2] == "true"; epoch <= c.epoch || clean != (epoch == c.epoch+1 && c.epoch > 0) {
				t.Errorf("epoch %d, clean %v, after %d", epoch, clean, c.epoch)
			}
			c.epoch, begun = epoch, true
		case "flushed":
			flushed = true
		case "covered":
			covered[f[1]], _ = strconv.ParseUint(f[2], 10, 64)
		}
	}
	s, err := Reopen(c.dir, crashOptions(d))
	if errors.Is(err, fs.ErrNotExist) && len(said) < 2 {
		return // it had not been made yet
	}
	must(t, err)
	lost := int64(0)
	for run, seq := range covered {
		lost += c.checkRun(t, s, run, seq)
	}
	c.lost += lost
	if d == Sync && lost > 0 || lost > crashWindow {
		t.Errorf("%d covered bytes are lost", lost)
	}
	if flushed {
		c.checkNames(t, s)
	}
	if s.Epoch() <= c.epoch || begun && (s.Clean() || s.Epoch() != c.epoch+1) {
		t.Errorf("epoch %d, clean %v, after a kill in epoch %d", s.Epoch(), s.Clean(), c.epoch)
	}
	c.epoch = s.Epoch()
	for run := range covered { // it goes on
		w, err := s.Resume(run)
		must(t, err)
		must(t, w.Append(crashEvent(run, w.Last()+1, s.Epoch())))
	}
	must(t, s.Close())
}

// checkRun reads what is new of a run and gives how many bytes are lost of what
// was covered.
func (c *crashed) checkRun(t *testing.T, s *Store, run string, covered uint64) (lost int64) {
	t.Helper()
	rec, err := s.Read(run)
	if err != nil {
		if covered > 0 {
			t.Error(err)
		}
		return 0
	}
	from := rec.Info().BaseSeq
	next := max(c.checked[run], from) + 1
	for e, err := range rec.Entries(next) {
		must(t, err)
		var name string
		var seq, epoch uint64
		if _, err := fmt.Sscan(string(e.Data), &name, &seq, &epoch); err != nil {
			t.Fatal(err)
		}
		if e.Seq != next || name != run || seq != next || epoch < c.written[run] || !bytes.Equal(e.Data, crashEvent(run, seq, epoch).Data) {
			t.Fatalf("run %s: event %d is %q, the one before of epoch %d", run, next, e.Data, c.written[run])
		}
		c.written[run] = epoch
		next++
	}
	c.checked[run] = next - 1
	for seq := next; seq <= covered; seq++ {
		lost += int64(frameSize(seq, crashEvent(run, seq, c.epoch).Data))
	}
	return lost
}

// checkNames checks what was done to runs before the child's Flush.
func (c *crashed) checkNames(t *testing.T, s *Store) {
	t.Helper()
	if _, ok := s.Run(fmt.Sprint("n-", c.epoch)); !ok {
		t.Errorf("the run that was begun in epoch %d is not there", c.epoch)
	}
	for _, i := range s.Runs() {
		kind, of, _ := strings.Cut(i.Run, "-")
		epoch, _ := strconv.ParseUint(of, 10, 64)
		if kind != "r" && (epoch != c.epoch && i.Ended.IsZero() || epoch+4 < c.epoch) {
			t.Errorf("in epoch %d: %+v", c.epoch, i)
		}
	}
}

// checkAll reads every run that is there from its beginning, and from outside.
func (c *crashed) checkAll(t *testing.T) {
	t.Helper()
	r, err := Open(c.dir)
	must(t, err)
	defer r.Close()
	infos, err := r.Runs()
	must(t, err)
	for _, i := range infos {
		rec, err := r.Read(i.Run)
		must(t, err)
		next := uint64(1)
		for e, err := range rec.Entries(0) {
			must(t, err)
			if e.Seq != next {
				t.Fatalf("run %s: event %d where %d is due", i.Run, e.Seq, next)
			}
			next++
		}
		for s, err := range rec.Settlements() {
			must(t, err)
			if want := fmt.Sprintf(" %d", s.Of); !strings.HasSuffix(string(s.Data), want) || s.Of >= next {
				t.Fatalf("run %s of %d events: settlement %d %q", i.Run, next-1, s.Of, s.Data)
			}
		}
	}
	t.Logf("%d epochs, %d runs, %d events; %d covered bytes were lost", c.epoch, len(infos), c.checked["r-0"]*crashRuns, c.lost)
}
