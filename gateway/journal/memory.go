package journal

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// A memory is a backend that is never on disk.
type memory struct {
	mu   sync.Mutex
	runs map[int64]*part
}

func newMemory() *memory { return &memory{runs: map[int64]*part{}} }

func (m *memory) write(b batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range b.parts {
		kept := m.runs[p.run]
		if kept == nil {
			kept = &part{run: p.run, meta: map[string]string{}}
			m.runs[p.run] = kept
		}
		for _, e := range p.entries {
			kept.entries = append(kept.entries, Entry{e.Seq, bytes.Clone(e.Data)})
		}
		for _, s := range p.settlements {
			kept.settlements = append(kept.settlements, Settlement{s.Of, bytes.Clone(s.Data)})
		}
		kept.revisions = append(kept.revisions, p.revisions...)
		maps.Copy(kept.meta, p.meta)
	}
	for _, run := range b.purged {
		delete(m.runs, run)
	}
	return nil
}

func (m *memory) close(bool) error { return nil }

// of gives what is kept of a run by now: its slices are only ever appended to.
func (m *memory) of(run int64) (now part, there bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.runs[run]
	if kept == nil {
		return part{}, false
	}
	now = *kept
	now.meta = maps.Clone(kept.meta)
	return now, true
}

func (m *memory) blocks(run int64, from uint64) func(func(block) bool) {
	return func(yield func(block) bool) {
		kept, _ := m.of(run)
		at, _ := slices.BinarySearchFunc(kept.entries, from, func(e Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
		if at < len(kept.entries) {
			yield(block{entries: kept.entries[at:]})
		}
	}
}

func (m *memory) settlements(run int64) func(func(Settlement, error) bool) {
	return func(yield func(Settlement, error) bool) {
		kept, _ := m.of(run)
		for _, s := range kept.settlements {
			if !yield(s, nil) {
				return
			}
		}
	}
}

func (m *memory) besides(run int64) (besides, error) {
	kept, there := m.of(run)
	if !there {
		return besides{}, fs.ErrNotExist
	}
	return besides{notes: kept.meta, revisions: slices.Clone(kept.revisions)}, nil
}
