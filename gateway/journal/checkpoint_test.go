package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lay keeps a checkpoint of some pieces.
func lay(t *testing.T, w *Writer, seq uint64, pieces ...string) {
	t.Helper()
	must(t, w.Checkpoint(t.Context(), "v", seq, putting(pieces...)))
}

func putting(pieces ...string) func(func([]byte) error) error {
	return func(put func([]byte) error) error {
		for _, piece := range pieces {
			if err := put([]byte(piece)); err != nil {
				return err
			}
		}
		return nil
	}
}

// laid gives the newest checkpoint of a record, as its event and its pieces.
func laid(r *Record, upto uint64) (string, error) {
	c, err := r.Checkpoint(upto)
	if err != nil || c == nil {
		return "none", err
	}
	said := fmt.Sprint(c.Version, c.Seq)
	for next := c.Pieces(); ; {
		piece, err := next()
		if piece == nil || err != nil {
			return said, err
		}
		said += " " + string(piece)
	}
}

// rows counts those of a query.
func rows(t *testing.T, s *Store, query string) (n int) {
	t.Helper()
	must(t, s.back.(*database).shelf.db.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}

func TestCheckpointsOfARun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	w := begin(t, s, "a", Origin{})
	for seq := uint64(1); seq <= 20; seq++ {
		must(t, w.Append(entry(seq)))
	}
	read := func(run string) *Record {
		rec, err := s.Read(run)
		must(t, err)
		return rec
	}
	want := func(run string, upto uint64, want string) {
		t.Helper()
		if got, err := laid(read(run), upto); got != want || err != nil {
			t.Errorf("run %s up to event %d: %s, want %s; %v", run, upto, got, want, err)
		}
	}
	want("a", 99, "none")
	lay(t, w, 5, "one", "two")
	want("a", 99, "v5 one two")
	want("a", 4, "none")
	lay(t, w, 10, "one", "three", "one")
	want("a", 10, "v10 one three one")
	if n := rows(t, s, `SELECT count(*) FROM pieces`); n != 2 {
		t.Errorf("%d pieces are kept of two that differ", n)
	}
	// One that is not concluded leaves that before it.
	planted := errors.New("planted")
	err = w.Checkpoint(t.Context(), "v", 15, func(put func([]byte) error) error { return errors.Join(put([]byte("four")), planted) })
	if !errors.Is(err, planted) {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	err = w.Checkpoint(stopped, "v", 15, func(put func([]byte) error) error { stop(); return put([]byte("five")) })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	want("a", 99, "v10 one three one")
	if n := rows(t, s, `SELECT count(*) FROM pieces`); n != 2 {
		t.Errorf("%d pieces are kept", n)
	}
	for _, seq := range []uint64{0, 21} {
		if err := w.Checkpoint(t.Context(), "v", seq, putting("x")); !errors.Is(err, ErrOrder) {
			t.Errorf("at event %d of 20: %v", seq, err)
		}
	}
	// A fork begins with that of its base, up to where it began.
	early, late := begin(t, s, "early", Origin{"a", 9}), begin(t, s, "late", Origin{"a", 12})
	want("early", 99, "none")
	want("late", 99, "v10 one three one")
	must(t, late.Append(entry(13)))
	lay(t, late, 13, "of the fork")
	want("late", 99, "v13 of the fork")
	want("late", 12, "v10 one three one")
	if err := late.Checkpoint(t.Context(), "v", 12, putting("x")); !errors.Is(err, ErrOrder) {
		t.Errorf("at an event of its base: %v", err)
	}
	must(t, s.Close())
	s, err = Reopen(dir, Options{})
	must(t, err)
	defer s.Close()
	want("a", 99, "v10 one three one")
	r, err := Open(dir) // from outside
	must(t, err)
	defer r.Close()
	rec, err := r.Read("late")
	must(t, err)
	if got, err := laid(rec, 99); got != "v13 of the fork" || err != nil {
		t.Error(got, err)
	}
	// They go with the run, once no fork builds on it.
	must(t, s.Remove("a"))
	want("late", 12, "v10 one three one")
	must(t, s.Remove("late"))
	must(t, s.Remove(early.Run()))
	must(t, s.Flush(t.Context()))
	waitUntil(t, func() bool {
		return rows(t, s, `SELECT (SELECT count(*) FROM pieces) + (SELECT count(*) FROM checkpoints)`) == 0
	})
}

func waitUntil(t *testing.T, so func() bool) {
	t.Helper()
	for n := 0; !so(); n++ {
		if n > 1000 {
			t.Fatal("it does not come")
		}
		select {
		case <-t.Context().Done():
		default:
		}
	}
}

// A checkpoint that takes more room than what it saves reading is not kept.
func TestACheckpointIsNotLargerThanItsRecord(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{"of a short run": {}, "in a store that is nearly full": {MaxStore: 100_000}} {
		s, err := Create(filepath.Join(t.TempDir(), "s"), o)
		must(t, err)
		w := begin(t, s, "a", Origin{})
		must(t, w.Append(entry(1)))
		err = w.Checkpoint(t.Context(), "v", 1, func(put func([]byte) error) error {
			for i := range 1000 {
				if err := put(noise(i, 1000)); err != nil {
					return err
				}
			}
			return nil
		})
		if !errors.Is(err, ErrSpent) {
			t.Errorf("%s: %v", name, err)
		}
		if n := rows(t, s, `SELECT count(*) FROM pieces`); n != 0 {
			t.Errorf("%s: %d pieces of it are kept", name, n)
		}
		must(t, s.Close())
	}
}

// noise is bytes that do not pack.
func noise(seed, size int) []byte {
	b := make([]byte, size)
	state := uint64(seed)*2654435761 + 1
	for i := range b {
		state = state*6364136223846793005 + 1442695040888963407
		b[i] = byte(state >> 56)
	}
	return b
}

// A checkpoint that is damaged is told of, or was not met; it costs no event, and
// the next one is as good as ever.
func TestADamagedCheckpointCostsNothingElse(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]string{
		"a flipped bit":         `UPDATE pieces SET data = CAST(substr(data, 1, 40) || x'00' || substr(data, 42) AS BLOB) WHERE run = 1`,
		"a piece cut short":     `UPDATE pieces SET data = substr(data, 1, 100)`,
		"another piece":         `UPDATE pieces SET data = (SELECT data FROM pieces ORDER BY id DESC LIMIT 1)`,
		"a piece that is gone":  `DELETE FROM pieces WHERE id = (SELECT max(id) FROM pieces WHERE run = 1)`,
		"all pieces gone":       `DELETE FROM pieces`,
		"a later event":         `UPDATE checkpoints SET seq = 19`,
		"an event that is not":  `UPDATE checkpoints SET seq = 9999`,
		"another version":       `UPDATE checkpoints SET version = 'w'`,
		"its list cut short":    `UPDATE checkpoints SET pieces = substr(pieces, 1, 20)`,
		"one piece less":        `UPDATE checkpoints SET pieces = substr(pieces, 1, 16)`,
		"that of another run":   `UPDATE checkpoints SET run = 3 WHERE run = 2; UPDATE checkpoints SET run = 2 WHERE run = 1; UPDATE pieces SET run = 2 WHERE run = 1`,
		"an event in its place": `UPDATE blocks SET data = (SELECT data FROM blocks WHERE run = 2) WHERE run = 1`,
		"the tables gone":       `DROP TABLE pieces`,
	} {
		dir := filepath.Join(t.TempDir(), "s")
		s, err := Create(dir, Options{})
		must(t, err)
		for _, run := range []string{"a", "b"} {
			w := begin(t, s, run, Origin{})
			for seq := uint64(1); seq <= 20; seq++ {
				must(t, w.Append(entry(seq)))
			}
			lay(t, w, 18, string(noise(int(run[0]), 5000)), string(noise(int(run[0])+7, 5000)))
		}
		sound, err := laid(must2(s.Read("a"))(t), 99)
		must(t, err)
		_, err = s.back.(*database).db.ExecContext(t.Context(), harm)
		must(t, err)
		for _, run := range []string{"a", "b"} {
			rec := must2(s.Read(run))(t)
			if got, err := laid(rec, 99); err == nil && got != "none" && (run == "a" || name == "that of another run") && (got == sound) == (run == "b") {
				t.Errorf("%s: run %s has a checkpoint that is not its own: %.60s", name, run, got)
			}
			n := 0
			for _, err := range rec.Entries(1) {
				if err == nil {
					n++
				}
			}
			if n != 20 && name != "an event in its place" {
				t.Errorf("%s: %d events of 20", name, n)
			}
		}
		w, err := s.Resume("b")
		must(t, err)
		must(t, w.Append(entry(21)))
		lay(t, w, 21, "new")
		if got, err := laid(must2(s.Read("b"))(t), 99); got != "v21 new" || err != nil {
			t.Errorf("%s: the next one is %s, %v", name, got, err)
		}
		must(t, s.Close())
	}
}

func must2[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		must(t, err)
		return v
	}
}

// Pages of a checkpoint that the disk has spoilt cost no event, neither one that is
// there nor one that comes.
func TestSpoiltPagesOfACheckpointCostNoEvent(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	w := begin(t, s, "a", Origin{})
	for seq := uint64(1); seq <= 20; seq++ {
		must(t, w.Append(entry(seq)))
	}
	piece := noise(5, 60_000)
	lay(t, w, 20, string(piece))
	must(t, s.Close())
	content, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	at := bytes.Index(content, piece[1000:1032])
	if at < 0 {
		t.Fatal("the piece is not in the file")
	}
	for name, spoil := range map[string]func([]byte){
		"a bit":         func(b []byte) { b[at] ^= 4 },
		"pages of zero": func(b []byte) { clear(b[at/pageSize*pageSize:][:4*pageSize]) },
		"pages of noise": func(b []byte) {
			copy(b[at/pageSize*pageSize:], noise(1, 4*pageSize))
		},
	} {
		to := copyStore(t, dir)
		spoilt := bytes.Clone(content)
		spoil(spoilt)
		must(t, os.WriteFile(filepath.Join(to, FileName), spoilt, 0o600))
		s, err := Reopen(to, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		w, err := s.Resume("a")
		must(t, err)
		rec := must2(s.Read("a"))(t)
		if got, err := laid(rec, 99); err == nil {
			t.Errorf("%s: it is read as sound: %.40s", name, got)
		}
		must(t, w.Append(entry(21)))
		must(t, s.Flush(t.Context()))
		_ = w.Checkpoint(t.Context(), "v", 21, putting("new")) // which may not be kept
		must(t, w.Append(entry(22)))
		must(t, s.Remove(begin(t, s, "b", Origin{}).Run()))
		must(t, s.Flush(t.Context()))
		n := 0
		for _, err := range must2(s.Read("a"))(t).Entries(1) {
			must(t, err)
			n++
		}
		if n != 22 {
			t.Errorf("%s: %d events of 22", name, n)
		}
		must(t, s.Close())
		if report, err := Repair(to, nil); err != nil || len(report.Runs) != 1 || report.Runs[0].Last != 22 || report.Runs[0].Err != nil {
			t.Errorf("%s: repaired as %+v, %v", name, report, err)
		}
	}
}

// A store with checkpoints whose first page is destroyed is repaired as any.
func TestAStoreWithCheckpointsIsTransplanted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	w := begin(t, s, "a", Origin{})
	for seq := uint64(1); seq <= 20; seq++ {
		must(t, w.Append(entry(seq)))
		must(t, s.Flush(t.Context()))
		lay(t, w, seq, string(noise(int(seq), 5000)), "same")
	}
	must(t, s.Close())
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_RDWR, 0)
	must(t, err)
	_, err = file.WriteAt(noise(1, pageSize), 0)
	must(t, errors.Join(err, file.Close()))
	report, err := Repair(dir, nil)
	if err != nil || len(report.Runs) != 1 || report.Runs[0].Last != 20 {
		t.Fatalf("%+v, %v", report, err)
	}
	s, err = Reopen(dir, Options{})
	must(t, err)
	defer s.Close()
	if got, err := laid(must2(s.Read("a"))(t), maxSeq); got != "none" || err != nil {
		t.Errorf("it has the checkpoint %.40s, %v", got, err)
	}
}

// What an older Parity leaves of checkpoints, which it knows nothing of, is let go of
// when the store is opened again.
func TestCheckpointsOfNoRunAndAheadOfTheirRunGo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	for _, run := range []string{"a", "b", "c"} {
		w := begin(t, s, run, Origin{})
		for seq := uint64(1); seq <= 5; seq++ {
			must(t, w.Append(entry(seq)))
		}
		lay(t, w, 5, strings.Repeat(run, 100))
	}
	d := s.back.(*database)
	_, err = d.db.ExecContext(t.Context(), `UPDATE checkpoints SET seq = 6 WHERE run = 2; DELETE FROM checkpoints WHERE run = 3`)
	must(t, err)
	must(t, s.Remove("a"))
	must(t, s.Flush(t.Context()))
	waitUntil(t, func() bool { return rows(t, s, `SELECT count(*) FROM pieces WHERE run = 1`) == 0 })
	_, err = d.db.ExecContext(t.Context(), `INSERT INTO pieces(run, name, data) VALUES (99, x'00', x'00')`)
	must(t, err)
	must(t, s.Close())
	s, err = Reopen(dir, Options{})
	must(t, err)
	defer s.Close()
	if n := rows(t, s, `SELECT (SELECT count(*) FROM pieces) + (SELECT count(*) FROM checkpoints)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
