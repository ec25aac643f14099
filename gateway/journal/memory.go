package journal

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

// A Memory is a journal that is never on disk: it has the methods of a Writer
// and of a Reader, and its promise is that of the process. At its bound it
// refuses, as a Writer does; it forgets nothing. It is safe for concurrent use.
type Memory struct {
	run string
	max int64

	mu          sync.Mutex
	entries     []Entry // only ever appended to, so that a part of it can be read without the lock
	settlements []Settlement
	revisions   []Revision
	meta        map[string]string
	bytes       int64
	closed      bool
}

// NewMemory makes an empty journal for run that keeps at most maxBytes; 0 is
// DefaultMemoryBytes.
func NewMemory(run string, maxBytes int64) *Memory {
	return &Memory{run: run, max: cmp.Or(maxBytes, DefaultMemoryBytes), meta: map[string]string{}}
}

// Run is the run's name.
func (m *Memory) Run() string { return m.run }

// Epoch is 1: a run in memory is opened once.
func (m *Memory) Epoch() uint64 { return 1 }

// Last is the newest event appended, or 0.
func (m *Memory) Last() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return uint64(len(m.entries))
}

// Backlog is 0: there is nothing to wait for.
func (m *Memory) Backlog() int64 { return 0 }

// Append takes e as Writer.Append does.
func (m *Memory) Append(e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := uint64(len(m.entries))
	if e.Seq != last+1 {
		return orderError(m.run, e.Seq, last)
	}
	if err := m.take(frameSize(e.Data), true); err != nil {
		return err
	}
	m.entries = append(m.entries, e)
	return nil
}

// Settle takes s as Writer.Settle does.
func (m *Memory) Settle(s Settlement) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last := uint64(len(m.entries)); s.Of == 0 || s.Of > last {
		return fmt.Errorf("run %s: %w: settlement of event %d, and the newest is %d; report this, it is a defect of Parity", m.run, ErrOrder, s.Of, last)
	}
	if err := m.take(frameSize(s.Data), false); err != nil {
		return err
	}
	m.settlements = append(m.settlements, s)
	return nil
}

// Revision keeps a profile text as Writer.Revision does.
func (m *Memory) Revision(hash string, content []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.ContainsFunc(m.revisions, func(r Revision) bool { return r.Hash == hash }) {
		return nil
	}
	if err := m.take(len(hash)+len(content), true); err != nil {
		return err
	}
	m.revisions = append(m.revisions, Revision{Hash: hash, Content: content, AtSeq: uint64(len(m.entries)) + 1})
	return nil
}

// SetMeta keeps meta as Writer.SetMeta does.
func (m *Memory) SetMeta(meta map[string]string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var size int
	for key, value := range meta {
		size += len(key) + len(value)
	}
	if err := m.take(size, true); err != nil {
		return err
	}
	maps.Copy(m.meta, meta)
	return nil
}

// take counts size more bytes, and refuses them beyond the bound if bounded.
// m.mu is held.
func (m *Memory) take(size int, bounded bool) error {
	switch {
	case m.closed:
		return fmt.Errorf("run %s: %w", m.run, ErrClosed)
	case bounded && m.bytes+int64(size) > m.max:
		return fullError(m.run, "memory", m.max)
	}
	m.bytes += int64(size)
	return nil
}

// Covered holds at once for every event that was appended.
func (m *Memory) Covered(_ context.Context, seq uint64) error {
	if last := m.Last(); seq > last {
		return fmt.Errorf("run %s: %w: nobody appended event %d; report this, it is a defect of Parity", m.run, ErrOrder, seq)
	}
	return nil
}

// Flush has nothing to do.
func (m *Memory) Flush(context.Context) error { return nil }

// Close ends the appending. What is kept can still be read.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// Entries gives the events from sequence number from on that are there when it
// begins. There is never an error.
func (m *Memory) Entries(from uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		m.mu.Lock()
		entries := m.entries
		m.mu.Unlock()
		skip := min(max(from, 1)-1, uint64(len(entries)))
		for _, e := range entries[skip:] {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Settlements gives the settlements in the order they came. There is never an
// error.
func (m *Memory) Settlements() iter.Seq2[Settlement, error] {
	return func(yield func(Settlement, error) bool) {
		m.mu.Lock()
		settlements := m.settlements
		m.mu.Unlock()
		for _, s := range settlements {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// Meta gives what was told about the run as a whole.
func (m *Memory) Meta() (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.meta), nil
}

// Revisions gives the profile revisions, oldest first.
func (m *Memory) Revisions() ([]Revision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.revisions), nil
}
