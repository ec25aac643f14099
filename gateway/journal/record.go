package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
)

// A Record is one run, read: those that it is forked from, up to the fork, and
// its own events.
type Record struct {
	info   Info
	source source
	lines  []line // oldest first
	end    []Gap  // what its writer has left open
}

// A line is the part of a record that one run has.
type line struct {
	run      int64
	from, to uint64 // its events are those after from, up to to
	told     bool   // that it goes on up to to is known, and an earlier end is damage
	final    bool   // that it ends there is known, and what follows is not looked at
}

// Info tells about the run.
func (r *Record) Info() Info { return r.info }

// Forks are the events after which the line of events went on in another run.
func (r *Record) Forks() []uint64 {
	var at []uint64
	for _, l := range r.lines[1:] {
		at = append(at, l.from)
	}
	return at
}

// Entries gives the events from sequence number from on, in order; 0 and 1
// give all. At the first damage it gives a *DamagedError and ends: what came
// before it is intact, and nothing after it can be told from a wrong order.
func (r *Record) Entries(from uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		from = max(from, 1)
		for _, l := range r.lines {
			if l.to < from {
				continue
			}
			good, on := r.entriesOf(l, max(from, l.from+1), yield)
			if !on {
				return
			}
			if l.told && good < l.to {
				yield(Entry{}, r.trouble(l, "events", good, lostEnd(good, l.to)))
				return
			}
		}
	}
}

// entriesOf gives the events of one line. good is the last one that was given,
// or was before from; on tells whether to go on.
func (r *Record) entriesOf(l line, from uint64, yield func(Entry, error) bool) (good uint64, on bool) {
	good = from - 1
	if l.final && good >= l.to {
		return good, true
	}
	for b := range r.source.blocks(l.run, from) {
		for _, e := range b.entries {
			if e.Seq < from {
				continue
			}
			if e.Seq > l.to {
				return good, true
			}
			if e.Seq != good+1 {
				yield(Entry{}, r.trouble(l, "events", good, fmt.Errorf("event %d: %w: event %d follows", good+1, errFrame, e.Seq)))
				return good, false
			}
			good = e.Seq
			if !yield(e, nil) {
				return good, false
			}
		}
		if l.final && good >= l.to && (b.err == nil || len(b.entries) == 0) {
			return good, true
		}
		if b.err != nil {
			yield(Entry{}, r.trouble(l, "events", good, b.err))
			return good, false
		}
	}
	return good, true
}

// trouble tells what an error while reading means: damage, unless the disk
// could not be read at all, or the run was removed meanwhile.
func (r *Record) trouble(l line, part string, good uint64, err error) error {
	run := r.info.Run
	if unread(err) {
		return fmt.Errorf("run %s: reading on after %d %s: %w", run, good, part, err)
	}
	if _, gone := r.source.besides(l.run); errors.Is(gone, fs.ErrNotExist) {
		return fmt.Errorf("run %s: it was removed while it was read: %w", run, fs.ErrNotExist)
	}
	return &DamagedError{Run: run, Part: part, Good: good, Err: err}
}

// Settlements gives the settlements of the record's events, in the order they
// came.
func (r *Record) Settlements() iter.Seq2[Settlement, error] {
	return func(yield func(Settlement, error) bool) {
		good := uint64(0)
		for _, l := range r.lines {
			for s, err := range r.source.settlements(l.run) {
				if err != nil {
					yield(Settlement{}, r.trouble(l, "settlements", good, err))
					return
				}
				if s.Of > l.to {
					continue // of what came after the fork
				}
				if !yield(s, nil) {
					return
				}
				good++
			}
		}
	}
}

// Meta gives what was told about the run as a whole.
func (r *Record) Meta() (map[string]string, error) {
	kept, err := r.besides(r.lines[len(r.lines)-1])
	return kept.notes, err
}

// Revisions gives the profile revisions that its events were made under, oldest
// first.
func (r *Record) Revisions() ([]Revision, error) {
	var all []Revision
	for i, l := range r.lines {
		kept, err := r.besides(l)
		if err != nil {
			return nil, err
		}
		for _, v := range kept.revisions {
			if v.AtSeq <= l.to || i == len(r.lines)-1 {
				all = append(all, v)
			}
		}
	}
	// A fork that goes on under its base's text says so again.
	return slices.CompactFunc(all, func(a, b Revision) bool { return a.Hash == b.Hash }), nil
}

// Besides tells whether what is kept of the run besides its events and
// settlements is as it was written: its error is a *DamagedError where some is
// not, which Meta and Revisions leave out. Where checked is false an older Parity
// has written it, and nobody can tell.
func (r *Record) Besides() (checked bool, err error) {
	checked = true
	for _, l := range r.lines {
		kept, err := r.besides(l)
		if err != nil {
			return false, err
		}
		checked = checked && !kept.unchecked
		if len(kept.changed) > 0 {
			return checked, &DamagedError{Run: r.info.Run, Part: "notes", Err: changedError(kept.changed)}
		}
	}
	return checked, nil
}

func (r *Record) besides(l line) (besides, error) {
	kept, err := r.source.besides(l.run)
	if err != nil {
		return kept, fmt.Errorf("run %s: %w", r.info.Run, err)
	}
	return kept, nil
}
