package gateway_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"parity/fakes/tape"
	"parity/faults/run"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

// laying has runs have checkpoints as soon as anything has happened in them.
func laying(s *gateway.Settings) { s.Checkpoint = 1 }

// laid is the event after which a run's newest checkpoint is; 0: it has none.
func (h *harness) laid(run string) uint64 {
	h.t.Helper()
	r, err := journal.Open(h.Dir())
	if err != nil {
		h.t.Fatal(err)
	}
	defer r.Close()
	rec, err := r.Read(run)
	if errors.Is(err, fs.ErrNotExist) { // the run itself is not written yet
		return 0
	}
	if err != nil {
		h.t.Fatal(err)
	}
	c, err := rec.Checkpoint(math.MaxInt64)
	if err != nil {
		h.t.Fatal(err)
	}
	if c == nil {
		return 0
	}
	return c.Seq
}

func (h *harness) goesOnFromCheckpoints(run string) {
	h.t.Helper()
	k, err := kept.Read(h.root, run)
	if err != nil {
		h.t.Fatal(err)
	}
	goesOnFromCheckpoints(h.t, k)
}

// goesOnFromCheckpoints holds of a record that its state, from a checkpoint at any
// of its events and those after it, is that of all its events, to the byte of what
// is saved of it: worlds, tallies, clock, what waits, what was.
func goesOnFromCheckpoints(t *testing.T, k *kept.Run) {
	t.Helper()
	before, after := lineOf(t, k), lineOf(t, k) // as two processes have it
	saved := map[uint64][][]byte{}
	for i := range k.Events {
		before.fold(i)
		if seq, n := i+1, len(k.Events); seq == 1 || seq == n || seq%max(n/6, 1) == 0 {
			saved[before.state.Seq] = before.saved()
		}
	}
	for i := range k.Events {
		after.fold(i)
	}
	want := bytes.Join(after.saved(), nil)
	for seq, pieces := range saved {
		s, err := after.origin.Load(tape.NewReader(func() ([]byte, error) {
			if len(pieces) == 0 {
				return nil, nil
			}
			piece := pieces[0]
			pieces = pieces[1:]
			return piece, nil
		}))
		if err != nil {
			t.Fatal(seq, err)
		}
		from := line{t, k, after.origin, s}
		for i := int(seq); i < len(k.Events); i++ { //nolint:gosec // a test's
			from.fold(i)
		}
		if !bytes.Equal(bytes.Join(from.saved(), nil), want) || from.state.World.Hash() != after.state.World.Hash() || from.state.Counted() != after.state.Counted() {
			t.Errorf("from a checkpoint after event %d of %d it goes on as another run", seq, len(k.Events))
		}
	}
}

// line is a record that is folded.
type line struct {
	t             *testing.T
	k             *kept.Run
	origin, state run.State
}

func lineOf(t *testing.T, k *kept.Run) *line {
	t.Helper()
	origin, err := k.Origin(kept.NewWorlds())
	if err != nil {
		t.Fatal(err)
	}
	return &line{t, k, origin, origin.Fork()}
}

func (l *line) fold(i int) {
	l.t.Helper()
	if err := l.state.Fold(&l.k.Events[i]); err != nil {
		l.t.Fatal(err)
	}
	if slices.Contains(l.k.Forks, l.state.Seq) {
		l.state.Rebase()
	}
}

func (l *line) saved() (pieces [][]byte) {
	l.t.Helper()
	ok, err := kept.SaveState(&l.state, func(piece []byte) error { pieces = append(pieces, bytes.Clone(piece)); return nil })
	if err != nil || !ok {
		l.t.Fatal("it is not saved", err)
	}
	return pieces
}

// A gateway that ends in order leaves checkpoints, and the next one goes on from
// them as from all events: in runs, in forks, under another build, and where they
// are spoilt.
func TestTheNextGatewayGoesOnFromCheckpoints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		version string
		piece   string
		said    int
	}{
		"as they are":      {},
		"of another build": {"another", "x", 2},
		"spoilt":           {kept.CheckpointVersion(), "no state at all", 2},
	} {
		h := open(t, eventful, shared, laying)
		h.make(client.NewRun{Names: []string{"a"}})
		agent, base := h.direct(false, false), "http://"+h.Addr()+"/run/a/stripe/v1/"
		for range 3 {
			must(t, agent, "POST", base+"customers", "name=Ada")
			_, _, _, _ = call(t, agent, "POST", base+"payment_intents", "amount=100&currency=usd")
		}
		k := h.control()
		if _, err := k.Fork(t.Context(), "a", client.Fork{At: 4, Names: []string{"b"}}); err != nil {
			t.Fatal(err)
		}
		must(t, agent, "POST", strings.Replace(base, "/a/", "/b/", 1)+"customers", "name=Eve")
		if _, err := k.TakeSnapshot(t.Context(), "a", "s"); err != nil {
			t.Fatal(err)
		}
		h.close()
		was, err := kept.Read(h.root, "a")
		if err != nil {
			t.Fatal(err)
		}
		if at, n := h.laid("a"), len(was.Events); at != uint64(n) {
			t.Errorf("%s: the checkpoint is after event %d of %d", name, at, n)
		}
		if c.version != "" {
			relay(t, h.Dir(), c.version, c.piece)
		}
		var log logged
		next := h.reopen(laying, func(s *gateway.Settings) { s.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		base = "http://" + next.Addr() + "/run/a/stripe/v1/"
		must(t, agent, "POST", base+"customers", "name=Bob")
		if _, err := next.control().RollBack(t.Context(), "a", "s"); err != nil {
			t.Error(name, err)
		}
		must(t, agent, "POST", strings.Replace(base, "/a/", "/b/", 1)+"customers", "name=Cy")
		if n := log.count("is of no use"); n != c.said {
			t.Errorf("%s: it says so %d times", name, n)
		}
		for _, run := range []string{"a", "b"} {
			hash, err := next.control().Hash(t.Context(), run, 0)
			if err != nil {
				t.Fatal(err)
			}
			k, err := next.Kept(run)
			if err != nil {
				t.Fatal(err)
			}
			folded, err := k.At(0) // so few events are folded
			if err != nil || folded.World.Hash() != hash.World || folded.Counted() != hash.Tallies {
				t.Errorf("%s: run %s is another than its events say, %v", name, run, err)
			}
			goesOnFromCheckpoints(t, k)
		}
	}
}

// relay puts others in the place of the checkpoints of a store that nobody has open.
func relay(t *testing.T, dir, version, piece string) {
	t.Helper()
	s, err := journal.Reopen(dir, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range s.Runs() {
		if !info.Ended.IsZero() {
			continue
		}
		w, err := s.Resume(info.Run)
		if err == nil {
			err = w.Checkpoint(t.Context(), version, info.Last, func(put func([]byte) error) error { return put([]byte(piece)) })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A run that is called all the time had no checkpoint before it slept: were the
// gateway killed, all of it was folded again.
func TestARunThatIsCalledHasCheckpoints(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, laying)
	h.make(client.NewRun{Names: []string{"a"}})
	c := h.direct(false, false)
	for range 10 {
		must(t, c, "POST", "http://"+h.Addr()+"/run/a/stripe/v1/customers", "name=Ada")
	}
	waitFor(t, "a checkpoint", func() bool { return h.laid("a") >= 8 })
}

// A checkpoint of a run whose records have a secret would keep it, of which the
// journal has a mark.
func TestARunWhoseRecordsHaveSecretsHasNoCheckpoint(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, laying)
	h.make(client.NewRun{Names: []string{"a", "b"}})
	c := h.direct(false, false)
	of := func(run string) string { return "http://" + h.Addr() + "/run/" + run + "/stripe/v1/customers" }
	must(t, c, "POST", of("a"), "name=Ada&metadata[api_key]=sk_live_4eC39HqLyjWDarjtT1zd")
	must(t, c, "POST", of("b"), "name=Ada")
	h.close()
	if a, b := h.laid("a"), h.laid("b"); a != 0 || b == 0 {
		t.Errorf("checkpoints after events %d and %d", a, b)
	}
}
