package journal

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
)

// Full tells how much of its bounds a run has used up, of the one that is
// nearest: its own, or that of all runs together. Only what is written counts. At
// 1 events are refused.
func (w *Writer) Full() float64 {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	return w.full()
}

func (w *Writer) full() float64 {
	full := float64(w.total-w.waits()) / float64(w.store.o.MaxBytes)
	if most := w.store.o.MaxStore; most > 0 {
		full = max(full, float64(w.store.total-w.store.expected)/float64(most))
	}
	return full
}

// Fullest is that of the run that has used up most, of those that go on.
func (s *Store) Fullest() (full float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.runs {
		if w.ended.IsZero() {
			full = max(full, w.full())
		}
	}
	return full
}

// Largest is how many bytes the largest record has, of the runs that go on.
func (s *Store) Largest() (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.runs {
		if w.ended.IsZero() {
			bytes = max(bytes, w.total)
		}
	}
	return bytes
}

// Trouble says why nothing is accepted at the moment; nil: something is.
func (s *Store) Trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Remove takes a run out: its name is free again. Where forks build on it, its
// events stay until the last of them goes. It is possible while the disk is
// full, and makes room. Its error wraps fs.ErrNotExist.
func (s *Store) Remove(run string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.over(); err != nil {
		return err
	}
	w := s.runs[run]
	if w == nil {
		return fmt.Errorf("run %s: %w", run, fs.ErrNotExist)
	}
	s.remove(w)
	return nil
}

// Sweep removes ended runs, those first that ended first, until what is kept is
// within the bounds. It gives their names. A run that goes on is never removed.
func (s *Store) Sweep(k Keep) ([]string, error) {
	now := s.o.Clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.over(); err != nil {
		return nil, err
	}
	var ended []*Writer
	for _, w := range s.runs {
		if !w.ended.IsZero() {
			ended = append(ended, w)
		}
	}
	slices.SortFunc(ended, func(a, b *Writer) int { return cmp.Or(a.ended.Compare(b.ended), cmp.Compare(a.id, b.id)) })
	var gone []string
	for n, w := range ended {
		old := k.Age > 0 && now.Sub(w.ended) > k.Age
		many := k.Count > 0 && len(ended)-n > k.Count
		large := k.Bytes > 0 && s.total > k.Bytes
		if !old && !many && !large {
			break
		}
		s.remove(w)
		gone = append(gone, w.name)
	}
	return gone, nil
}

// remove takes w out. s.mu is held, here and below.
func (s *Store) remove(w *Writer) {
	delete(s.runs, w.name)
	w.gone = true
	if w.forks > 0 {
		w.part().row = w.row()
		w.took(0)
		return
	}
	s.purge(w)
}

// purge forgets a run that nothing builds on, and those that were kept for it
// alone.
func (s *Store) purge(w *Writer) {
	for w != nil && w.gone && w.forks == 0 {
		s.expected -= w.waits()
		if w.next != nil {
			s.waiting -= w.next.bytes
			s.backlog -= w.next.bytes
			w.next = nil
		}
		w.purged = true
		s.total -= w.total
		for _, t := range w.texts {
			s.total += t.size // counted once, however many runs are under it
			s.leave(t)
		}
		s.purged = append(s.purged, w.id)
		if w = w.base; w != nil {
			w.forks--
		}
	}
	s.noted++
	signal(s.kick)
	s.turned() // who waits for an event of it waits for nothing
}

// A text is one profile text, which any number of runs are under.
type text struct {
	hash  string
	size  int64
	users int // how many revisions of runs it is
}

// under counts a revision that is under a text.
func (s *Store) under(hash string, size int64) *text {
	t := s.texts[hash]
	if t == nil {
		t = &text{hash: hash, size: size}
		s.texts[hash] = t
		s.total += size
	}
	t.users++
	return t
}

func (s *Store) leave(t *text) {
	if t.users--; t.users == 0 {
		delete(s.texts, t.hash)
		s.total -= t.size
		s.dropped = append(s.dropped, t.hash)
	}
}
