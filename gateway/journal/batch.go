package journal

import (
	"fmt"
	"hash/crc32"
	"maps"
	"time"
)

// A part is what one run has for the next transaction.
type part struct {
	run         int64
	row         *row // the run's own row, where it is new or has changed
	entries     []Entry
	settlements []Settlement
	revisions   []Revision
	meta        map[string]string
	bytes       int64
	frames      int64 // bytes of entries and settlements as they came
	counted     int64 // what they count for until it is known what they come to
	stored      int64 // what they came to, as the backend keeps them
}

// A row is what the store keeps of a run besides what is in it.
type row struct {
	name    string
	base    int64 // 0: none
	baseSeq uint64
	made    time.Time
	ended   time.Time
	gone    bool   // it was removed, and is kept for those that build on it
	last    uint64 // newest event, once it is known that none follow
}

// sum is a checksum of what a row says of run id; last apart, which is written
// by itself.
func (r row) sum(id int64) int64 {
	b := fmt.Appendf(nil, "%d %q %d %d %d %v %t", id, r.name, r.base, r.baseSeq, r.made.UnixNano(), instant(r.ended), r.gone)
	return int64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// instant is a time as a column has it: nil where there is none.
func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// add puts what came later behind p.
func (p *part) add(later *part) {
	if later.row != nil {
		p.row = later.row
	}
	p.entries = append(p.entries, later.entries...)
	p.settlements = append(p.settlements, later.settlements...)
	p.revisions = append(p.revisions, later.revisions...)
	if p.meta == nil {
		p.meta = later.meta
	} else {
		maps.Copy(p.meta, later.meta)
	}
	p.bytes += later.bytes
	p.frames += later.frames
	p.counted += later.counted
}

// A batch is what one transaction keeps: of each run its part, and what it
// forgets. What it forgets goes first: that makes room on a full disk.
type batch struct {
	purged  []int64  // runs; they have no part
	parts   []*part  // in the order the runs changed: a name that was given free goes before its next use
	dropped []string // hashes of texts that no run is under; one that a part has again stays
	slabs   []*slab  // where its events and settlements are
	bytes   int64
	upto    uint64 // Store.noted, of all that is in it
	sync    bool   // it is to be on disk, with all before it, though the store promises less
}

func (b *batch) empty() bool {
	return len(b.parts) == 0 && len(b.purged) == 0 && len(b.dropped) == 0
}

// A backend keeps batches. Only the store's goroutine calls it.
type backend interface {
	// write keeps the whole batch, or nothing of it, by copies of its events and
	// settlements. It sets what the frames of each part came to, where it does not
	// keep them as they are.
	write(batch) error
	close(clean bool) error
}

// A source is what records are read from.
type source interface {
	// blocks gives a run's own events from the block that holds event from.
	blocks(run int64, from uint64) func(yield func(block) bool)
	settlements(run int64) func(yield func(Settlement, error) bool)
	// besides gives what is kept of a run besides; its error wraps
	// fs.ErrNotExist where the run is not there.
	besides(run int64) (besides, error)
}

// besides is what is kept of a run besides its events and settlements.
type besides struct {
	notes     map[string]string
	revisions []Revision
	gaps      []Gap
	changed   []string // what is left out, since it is not as it was written
	unchecked bool     // whether that is so cannot be told
}

// A block is a row of events, read.
type block struct {
	entries []Entry
	err     error // after the entries; the last block of a sequence
}
