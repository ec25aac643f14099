package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A plain is what a run is to be, kept in the plainest way.
type plain struct {
	Info
	base        *plain
	entries     []Entry // its own
	settlements []Settlement
	revisions   []Revision
	meta        map[string]string
	laid        Checkpoint // its newest
}

func (r *plain) String() string {
	return fmt.Sprintf("%s@%d of %s@%d", r.Run, r.Last, r.Base, r.BaseSeq)
}

// A model drives a store on disk, one in memory and plain values alike.
type model struct {
	dir    string
	disk   *Store
	memory *Store
	wall   *turnable
	runs   []*plain // those that are not removed, oldest first
	epoch  uint64
	data   int
	twice  bool // a note was written over another: it counts until the store is opened again
}

// turnable is a clock that a test moves.
type turnable struct{ now time.Time }

func (c *turnable) Now() time.Time                                 { return c.now }
func (c *turnable) After(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }

// TestStoreIsItsModel: whatever is done to a store, on disk and in memory, what
// it says and what can be read of it, from inside and outside, is what plain
// values say; also after it was closed and opened again.
func TestStoreIsItsModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parent, err := os.MkdirTemp("", "journal")
		fine(t, err)
		defer os.RemoveAll(parent)
		m := &model{dir: filepath.Join(parent, "s"), wall: &turnable{time.Unix(1000, 0).UTC()}, epoch: 1}
		m.disk, err = Create(m.dir, m.options())
		fine(t, err)
		m.memory = InMemory(m.options())
		defer func() { fine(t, errors.Join(m.disk.Close(), m.memory.Close())) }()
		t.Repeat(map[string]func(*rapid.T){
			"begin": m.begin, "fork": m.fork, "append": m.append, "settle": m.settle, "revise": m.revise, "note": m.note, "lay": m.lay,
			"end": m.end, "remove": m.remove, "sweep": m.sweep, "flush": m.flush, "reopen": m.reopen, "": m.check, "read": m.read,
		})
	})
}

func (m *model) options() Options { return Options{FlushBytes: 300, Clock: m.wall} }

func fine(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// both does something to both stores.
func (m *model) both(t *rapid.T, do func(*Store) error) {
	t.Helper()
	fine(t, errors.Join(do(m.disk), do(m.memory)))
}

func (m *model) writers(t *rapid.T, run string, do func(*Writer) error) {
	t.Helper()
	m.both(t, func(s *Store) error {
		w, err := s.Resume(run)
		if err != nil {
			return err
		}
		return do(w)
	})
}

// some draws a run for which ok holds, or skips.
func (m *model) some(t *rapid.T, ok func(*plain) bool) *plain {
	var fit []*plain
	for _, r := range m.runs {
		if ok(r) {
			fit = append(fit, r)
		}
	}
	if len(fit) == 0 {
		t.Skip("none")
	}
	return rapid.SampledFrom(fit).Draw(t, "run")
}

func goesOn(r *plain) bool { return r.Ended.IsZero() }

func (m *model) begin(t *rapid.T) { m.add(t, &plain{meta: map[string]string{}}) }

func (m *model) fork(t *rapid.T) {
	base := m.some(t, func(r *plain) bool { return r.Last > 0 })
	at := rapid.Uint64Range(1, base.Last).Draw(t, "at")
	for at <= base.BaseSeq { // the run whose event it is
		base = base.base
	}
	m.add(t, &plain{base: base, meta: map[string]string{}, Info: Info{Base: base.Run, BaseSeq: at, Last: at}})
}

func (m *model) add(t *rapid.T, r *plain) {
	// A few names, so that those of removed runs are used again.
	free := slices.DeleteFunc([]string{"a", "b", "c", "d", "e", "f"}, func(name string) bool {
		return slices.ContainsFunc(m.runs, func(r *plain) bool { return r.Run == name })
	})
	if len(free) == 0 {
		t.Skip("full")
	}
	r.Run, r.Made = rapid.SampledFrom(free).Draw(t, "name"), m.wall.now
	origin := Origin{Seq: r.BaseSeq}
	if r.base != nil {
		origin.Base = r.base.Run
		if !slices.Contains(m.runs, r.base) { // its events are there still; its name is not
			via := m.some(t, func(o *plain) bool { return slices.Contains(chain(o), r.base) && o.Last >= r.BaseSeq && o.reaches(r) })
			origin.Base = via.Run
		}
	}
	m.both(t, func(s *Store) error { _, err := s.Begin(r.Run, origin); return err })
	m.runs = append(m.runs, r)
}

// reaches tells whether r, whose base lies under o, can be forked from o.
func (r *plain) reaches(fork *plain) bool {
	for o := r; o != nil; o = o.base {
		if o == fork.base {
			return true
		}
		if fork.BaseSeq > o.BaseSeq {
			return false
		}
	}
	return false
}

// chain is a run and what it builds on.
func chain(r *plain) (all []*plain) {
	for ; r != nil; r = r.base {
		all = append(all, r)
	}
	return all
}

func (m *model) append(t *rapid.T) {
	r := m.some(t, goesOn)
	for range rapid.IntRange(1, 9).Draw(t, "events") {
		m.data++
		e := Entry{r.Last + 1, fmt.Appendf(nil, "%d %s", m.data, make([]byte, m.data*7%90))}
		m.writers(t, r.Run, func(w *Writer) error { return w.Append(e) })
		r.entries = append(r.entries, e)
		r.Last++
	}
}

func (m *model) settle(t *rapid.T) {
	r := m.some(t, func(r *plain) bool { return goesOn(r) && len(r.entries) > 0 })
	s := Settlement{rapid.SampledFrom(r.entries).Draw(t, "of").Seq, fmt.Appendf(nil, "sent %d", m.data)}
	m.writers(t, r.Run, func(w *Writer) error { return w.Settle(s) })
	r.settlements = append(r.settlements, s)
}

func (m *model) revise(t *rapid.T) {
	r := m.some(t, goesOn)
	hash := rapid.SampledFrom([]string{"h1", "h2", "h3"}).Draw(t, "hash")
	v := Revision{hash, []byte("text of " + hash), r.Last + 1}
	m.writers(t, r.Run, func(w *Writer) error { return w.Revision(v.Hash, v.Content) })
	if n := len(r.revisions); n == 0 || r.revisions[n-1].Hash != hash {
		r.revisions = append(r.revisions, v)
	}
}

func (m *model) note(t *rapid.T) {
	r := m.some(t, goesOn)
	m.data++
	note := map[string]string{rapid.SampledFrom([]string{"k", "l"}).Draw(t, "key"): fmt.Sprint(m.data % 10)}
	m.writers(t, r.Run, func(w *Writer) error { return w.SetMeta(note) })
	for key := range note {
		_, had := r.meta[key]
		m.twice = m.twice || had
	}
	maps.Copy(r.meta, note)
}

func (m *model) lay(t *rapid.T) {
	r := m.some(t, func(r *plain) bool { return goesOn(r) && len(r.entries) > 0 })
	m.data++
	c := Checkpoint{Seq: rapid.SampledFrom(r.entries).Draw(t, "after").Seq, Version: fmt.Sprint(m.data)}
	m.writers(t, r.Run, func(w *Writer) error {
		return w.Checkpoint(t.Context(), c.Version, c.Seq, putting(c.Version, "the same"))
	})
	r.laid = c
}

func (m *model) end(t *rapid.T) {
	r := m.some(t, goesOn)
	m.wall.now = m.wall.now.Add(time.Second)
	m.writers(t, r.Run, func(w *Writer) error { return w.End() })
	r.Ended = m.wall.now
}

func (m *model) remove(t *rapid.T) {
	r := m.some(t, func(*plain) bool { return true })
	m.both(t, func(s *Store) error { return s.Remove(r.Run) })
	m.runs = slices.DeleteFunc(m.runs, func(o *plain) bool { return o == r })
}

func (m *model) sweep(t *rapid.T) {
	k := Keep{
		Age:   time.Duration(rapid.IntRange(0, 3).Draw(t, "age")) * time.Second,
		Count: rapid.IntRange(0, 2).Draw(t, "count"),
	}
	ended := slices.DeleteFunc(slices.Clone(m.runs), goesOn)
	slices.SortStableFunc(ended, func(a, b *plain) int { return a.Ended.Compare(b.Ended) })
	var want []string
	for i, r := range ended {
		if k.Age > 0 && m.wall.now.Sub(r.Ended) > k.Age || k.Count > 0 && i < len(ended)-k.Count {
			want = append(want, r.Run)
		}
	}
	m.both(t, func(s *Store) error {
		gone, err := s.Sweep(k)
		if diff := cmp.Diff(want, gone); diff != "" {
			t.Fatal(diff)
		}
		return err
	})
	m.runs = slices.DeleteFunc(m.runs, func(r *plain) bool { return !goesOn(r) && slices.Contains(want, r.Run) })
}

func (m *model) flush(t *rapid.T) {
	m.both(t, func(s *Store) error { return s.Flush(t.Context()) })
}

func (m *model) reopen(t *rapid.T) {
	fine(t, m.disk.Flush(t.Context())) // what is not written counts for what it is expected to come to
	infos, bytes := m.disk.Runs(), m.disk.Bytes()
	fine(t, m.disk.Close())
	var err error
	m.disk, err = Reopen(m.dir, m.options())
	fine(t, err)
	m.epoch++
	if m.disk.Epoch() != m.epoch || !m.disk.Clean() || m.disk.Bytes() > bytes || m.disk.Bytes() < bytes && !m.twice {
		t.Fatalf("epoch %d, clean %v, %d bytes; want %d, %d bytes", m.disk.Epoch(), m.disk.Clean(), m.disk.Bytes(), m.epoch, bytes)
	}
	if diff := cmp.Diff(infos, m.disk.Runs(), m.sizes()); diff != "" {
		t.Fatal(diff)
	}
}

// sizes compares infos, their sizes only where they are to be the same.
func (m *model) sizes() cmp.Option {
	return cmp.Transformer("sizes", func(i Info) Info {
		if m.twice {
			i.Bytes = 0
		}
		return i
	})
}

// check holds the indexes against the model.
func (m *model) check(t *rapid.T) {
	var want []Info
	for _, r := range m.runs {
		want = append(want, r.Info)
	}
	for _, s := range []*Store{m.disk, m.memory} {
		got := s.Runs()
		for i := range got {
			got[i].Bytes = 0
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b []Info) bool { return slices.Equal(a, b) })); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(m.runs) == 0 && (m.memory.Bytes() != 0 || m.disk.Bytes() != 0) {
		t.Fatalf("nothing is there, and it counts %d and %d bytes", m.memory.Bytes(), m.disk.Bytes())
	}
}

// read holds what can be read of each run against the model.
func (m *model) read(t *rapid.T) {
	fine(t, m.disk.Flush(t.Context()))
	outside, err := Open(m.dir)
	fine(t, err)
	defer outside.Close()
	infos, err := outside.Runs()
	fine(t, err)
	if inside := m.disk.Runs(); len(infos) > 0 || len(inside) > 0 {
		if diff := cmp.Diff(inside, infos, m.sizes()); diff != "" {
			t.Fatal(diff)
		}
	}
	for _, r := range m.runs {
		for name, read := range map[string]func(string) (*Record, error){"disk": m.disk.Read, "memory": m.memory.Read, "outside": outside.Read} {
			rec, err := read(r.Run)
			fine(t, err)
			if diff := cmp.Diff(r.whole(), whole(t, rec)); diff != "" {
				t.Fatal(name, diff)
			}
			got, err := laid(rec, maxSeq)
			fine(t, err)
			if want := r.newest(); got != want && name != "memory" {
				t.Fatalf("%s: of run %s the checkpoint %s, want %s", name, r.Run, got, want)
			}
			from := rapid.Uint64Range(0, r.Last+1).Draw(t, "from")
			if got := collect(t, rec, from); uint64(len(got)) != r.Last+1-max(from, 1) || len(got) > 0 && got[0].Seq != max(from, 1) {
				t.Fatalf("%s: from %d of %d: %d events", name, from, r.Last, len(got))
			}
		}
	}
	_, err = outside.Read("z")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// newest tells the checkpoint that r's record is to have.
func (r *plain) newest() string {
	upto := uint64(maxSeq)
	for _, o := range chain(r) {
		if c := o.laid; c.Seq > o.BaseSeq && c.Seq <= upto {
			return fmt.Sprint(c.Version, c.Seq, " ", c.Version, " the same")
		}
		upto = min(upto, o.BaseSeq)
	}
	return "none"
}

// told is all that a record says.
type told struct {
	Info        Info
	Entries     []Entry
	Settlements []Settlement
	Revisions   []Revision
	Meta        map[string]string
}

// whole is what r's record is to say.
func (r *plain) whole() told {
	all := told{Info: r.Info, Meta: r.meta}
	to := r.Last
	for i, o := range chain(r) {
		own := told{}
		for _, e := range o.entries {
			if e.Seq <= to {
				own.Entries = append(own.Entries, e)
			}
		}
		for _, s := range o.settlements {
			if s.Of <= to {
				own.Settlements = append(own.Settlements, s)
			}
		}
		for _, v := range o.revisions {
			if v.AtSeq <= to || i == 0 {
				own.Revisions = append(own.Revisions, v)
			}
		}
		all.Entries = append(own.Entries, all.Entries...)
		all.Settlements = append(own.Settlements, all.Settlements...)
		all.Revisions = append(own.Revisions, all.Revisions...)
		to = o.BaseSeq
	}
	all.Revisions = slices.CompactFunc(all.Revisions, func(a, b Revision) bool { return a.Hash == b.Hash })
	return all
}

// whole reads all that a record says; Bytes apart, which is another test's.
func whole(t *rapid.T, rec *Record) (all told) {
	all.Info, all.Entries = rec.Info(), collect(t, rec, 0)
	all.Info.Bytes = 0
	for s, err := range rec.Settlements() {
		fine(t, err)
		all.Settlements = append(all.Settlements, s)
	}
	var err error
	all.Revisions, err = rec.Revisions()
	fine(t, err)
	all.Meta, err = rec.Meta()
	fine(t, err)
	return all
}

func collect(t *rapid.T, rec *Record, from uint64) (entries []Entry) {
	for e, err := range rec.Entries(from) {
		fine(t, err)
		entries = append(entries, e)
	}
	return entries
}
