package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

// A Writer appends to one run. It is safe for concurrent use, and belongs to
// its Store: it needs no closing.
type Writer struct {
	store *Store
	id    int64
	name  string
	base  *Writer // what it is forked from, or nil
	from  uint64  // the last event that is its base's
	made  time.Time

	// What follows is the store's mutex's.
	ended     time.Time
	gone      bool  // removed
	purged    bool  // removed, and not kept for forks either
	forks     int   // runs that build on it
	broken    error // why its end cannot be written on
	last      uint64
	committed uint64
	noted     uint64  // Store.noted, when it last changed
	total     int64   // bytes of the run: as they are stored, and what is not yet as it is expected to be
	texts     []*text // its revisions, oldest first
	writing   int64   // what the part that is being written counts for
	next      *part   // what the next transaction keeps of it; nil: nothing
}

// Run is the run's name.
func (w *Writer) Run() string { return w.name }

// Last is the newest event appended; of a fork, at least the one that it was
// forked at.
func (w *Writer) Last() uint64 {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	return w.last
}

// Kept tells whether all that was appended and told of the run so far is written.
func (w *Writer) Kept() bool {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	return w.noted <= w.store.kept
}

// Append takes e, which has to follow the event before it; it does no I/O. What
// it refuses is not in the run: its error wraps ErrFull, ErrClosed, ErrOrder, or
// says why an earlier event could not be written.
func (w *Writer) Append(e Entry) error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if err := w.open(); err != nil {
		return err
	}
	if e.Seq != w.last+1 || e.Seq >= maxSeq {
		return orderError(w.name, e.Seq, w.last)
	}
	size := int64(frameSize(e.Seq, e.Data))
	counts := w.store.packing.expected(size)
	if err := w.room(counts, counts, size); err != nil {
		return err
	}
	w.last = e.Seq
	p := w.part()
	p.entries = append(p.entries, Entry{e.Seq, w.store.slabs.copied(e.Data)})
	w.tookFrame(size, counts)
	return nil
}

// Settle takes what became of an event on the wire; it does no I/O. Neither the
// bounds nor a full disk refuse it: there are only as many as events that were
// let in, and refusing one would make a known end unknown.
func (w *Writer) Settle(s Settlement) error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if err := w.store.over(); err != nil {
		return err
	}
	if s.Of <= w.from || s.Of > w.last {
		return fmt.Errorf("run %s: %w: settlement of event %d, and its own are %d to %d; report this, it is a defect of Parity", w.name, ErrOrder, s.Of, w.from+1, w.last)
	}
	if w.gone {
		return fmt.Errorf("run %s: %w", w.name, ErrEnded)
	}
	p, size := w.part(), int64(frameSize(s.Of, s.Data))
	p.settlements = append(p.settlements, Settlement{s.Of, w.store.slabs.copied(s.Data)})
	w.tookFrame(size, w.store.packing.expected(size))
	return nil
}

// Revision says that the events from here on are made under a profile text. It
// is written no later than the events appended after it. A text is kept once,
// as it came first, however many runs are under it, or one run several times.
func (w *Writer) Revision(hash string, content []byte) error {
	s := w.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := w.open(); err != nil {
		return err
	}
	if n := len(w.texts); n > 0 && w.texts[n-1].hash == hash {
		return nil
	}
	size, added := int64(len(content)), int64(len(content))
	if s.texts[hash] != nil {
		added = 0
	}
	name := int64(len(hash))
	// A contract may be larger than all that may wait; its bytes are the
	// profile's, which has them anyway.
	queued := min(added, s.o.Window)
	if err := w.room(name+size, name+added, name+queued); err != nil {
		return err
	}
	p := w.part()
	p.revisions = append(p.revisions, Revision{Hash: hash, Content: content, AtSeq: w.last + 1})
	t := s.under(hash, size)
	w.texts = append(w.texts, t)
	w.total += t.size // the store counts it once, in under
	w.queue(queued)
	w.took(name)
	return nil
}

// SetMeta keeps what is to be told about the run as a whole: its seed, say. A
// key that is there already gets the new value.
func (w *Writer) SetMeta(meta map[string]string) error { return w.note(meta, true) }

// Mark is SetMeta for the little that has to be said of a run whose record is
// full: no bound refuses it.
func (w *Writer) Mark(meta map[string]string) error { return w.note(meta, false) }

func (w *Writer) note(meta map[string]string, bounded bool) error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	var size int64
	for key, value := range meta {
		size += int64(len(key) + len(value))
	}
	err := w.open()
	if err == nil && bounded {
		err = w.room(size, size, size)
	}
	if err != nil {
		return err
	}
	p := w.part()
	if p.meta == nil {
		p.meta = make(map[string]string, len(meta))
	}
	maps.Copy(p.meta, meta)
	w.took(size)
	return nil
}

// End says that the run is over: nothing more is appended to it, in this epoch
// or a later one. What went out for its last events can still be settled. A
// full disk does not refuse it.
func (w *Writer) End() error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if err := w.store.over(); err != nil {
		return err
	}
	if !w.ended.IsZero() || w.gone {
		return fmt.Errorf("run %s: %w", w.name, ErrEnded)
	}
	w.ended = w.store.o.Clock.Now()
	w.part().row = w.row()
	w.took(0)
	return nil
}

// Covered waits until the store's promise holds for event seq. In Async that is
// at once while the backlog is within Options.Window; in Sync it is when the
// event's transaction is on disk. It gives ctx's error when that ends first,
// and the reason when the event will not be kept.
func (w *Writer) Covered(ctx context.Context, seq uint64) error {
	return w.covered(ctx, seq, false)
}

// Certain waits as Covered does, and on where the disk cannot be written for a
// while: an event that waits to be written is not lost, and is written once the
// disk has room. Its error, apart from ctx's, says that the event is lost.
func (w *Writer) Certain(ctx context.Context, seq uint64) error {
	return w.covered(ctx, seq, true)
}

func (w *Writer) covered(ctx context.Context, seq uint64, patient bool) error {
	s := w.store
	for w.base != nil && seq <= w.from {
		w = w.base // whose event it is
	}
	return s.wait(ctx, func() (bool, error) {
		switch {
		case seq <= w.committed:
			return true, nil
		case w.purged:
			return true, fmt.Errorf("run %s: %w: it was removed", w.name, ErrEnded)
		case seq > w.last:
			return true, fmt.Errorf("run %s: %w: nobody appended event %d; report this, it is a defect of Parity", w.name, ErrOrder, seq)
		case s.broken != nil && (s.finished || errors.Is(s.broken, ErrFenced)):
			return true, s.err // it is never written
		case s.o.Durability == Async && s.backlog <= s.o.Window:
			return true, nil
		case s.broken != nil && !patient:
			return true, s.err
		}
		signal(s.hurry)
		return false, nil
	})
}

// open tells whether the run takes more. The store's mutex is held, here and
// below.
func (w *Writer) open() error {
	switch {
	case w.store.err != nil:
		return w.store.err
	case !w.ended.IsZero() || w.gone:
		return fmt.Errorf("run %s: %w", w.name, ErrEnded)
	case w.broken != nil:
		return w.broken
	}
	return nil
}

// room tells whether size more bytes are within the run's bound, and added more
// within the store's, and queued more within what may wait. Where nothing waits,
// one event may be larger than that: a reply can be.
func (w *Writer) room(size, added, queued int64) error {
	s := w.store
	switch {
	case s.backlog > 0 && s.backlog+queued > s.o.MaxBacklog:
		return &FullError{w.name, OfBacklog, s.o.MaxBacklog, true}
	case w.total+size > s.o.MaxBytes:
		return &FullError{w.name, OfRecord, s.o.MaxBytes, s.passes(w.waits(), w.total, s.o.MaxBytes)}
	case s.o.MaxStore > 0 && s.total+added > s.o.MaxStore:
		return &FullError{w.name, OfStore, s.o.MaxStore, s.passes(s.expected, s.total, s.o.MaxStore)}
	}
	return nil
}

// passes tells whether a bound is reached by what is only expected of bytes that
// wait: without these, a twentieth of it is free.
func (s *Store) passes(waits, total, bound int64) bool {
	passes := total-waits < bound-bound/20
	if passes {
		signal(s.hurry)
	}
	return passes
}

// waits is what of a run's bytes is only expected.
func (w *Writer) waits() int64 {
	waits := w.writing
	if w.next != nil {
		waits += w.next.counted
	}
	return waits
}

// part gives what the next transaction keeps of the run, to add to.
func (w *Writer) part() *part {
	if w.next == nil {
		w.next = &part{run: w.id}
		w.store.changed = append(w.store.changed, w)
	}
	return w.next
}

// took counts what was put into the part, and wakes the goroutine.
func (w *Writer) took(size int64) { w.takes(size, size) }

// tookFrame is took of an event or a settlement, which count for what they are
// expected to come to until they are written.
func (w *Writer) tookFrame(size, counts int64) {
	w.next.frames += size
	w.next.counted += counts
	w.store.expected += counts
	w.takes(size, counts)
}

func (w *Writer) takes(size, counts int64) {
	s := w.store
	s.noted++
	w.noted = s.noted
	w.total += counts
	s.total += counts
	w.queue(size)
	signal(s.kick)
	if s.waiting >= int64(s.o.FlushBytes) {
		signal(s.hurry)
	}
}

// queue counts what no transaction has kept yet.
func (w *Writer) queue(size int64) {
	w.next.bytes += size
	w.store.waiting += size
	w.store.backlog += size
}

func (w *Writer) row() *row {
	r := &row{name: w.name, baseSeq: w.from, made: w.made, ended: w.ended, gone: w.gone}
	if w.base != nil {
		r.base = w.base.id
	}
	if !w.ended.IsZero() || w.gone {
		r.last = w.last
	}
	return r
}

func (w *Writer) info() Info {
	i := Info{Run: w.name, BaseSeq: w.from, Made: w.made, Ended: w.ended, Last: w.last, Bytes: w.total}
	if w.base != nil {
		i.Base = w.base.name
	}
	return i
}

// signal wakes whoever waits on c, now or later; one signal is enough.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
