package journal

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// A checkpoint is what a run had become after one of its events, as its owner says
// it in bytes, so that who needs that need not read all events before it. It is a
// cache, and the events are the truth: one that cannot be written or read, or that
// does not fit, is as good as none.
//
//	event 1 … 4096 ──▶ checkpoint at 4096: pieces a, b, c
//	event 4097 … 8192 ─▶ checkpoint at 8192: pieces a, b, d   (d alone is written, c goes)
//
// A run has one at most. It is kept in transactions of its own, after that of its
// event: so it is never ahead of the events that are kept, and what goes wrong with
// it goes wrong with no event.
type Checkpoint struct {
	Seq     uint64 // the event after which it was
	Version string // what its owner said of the way in which it is written

	of     uint32 // checksum of that event: it is there, and no other in its place
	run    int64
	pieces []pieceName
	shelf  *shelf
}

// A pieceName is the beginning of a piece's SHA-256: by it a piece is found, and
// known to be whole.
type pieceName [16]byte

func nameOf(piece []byte) pieceName {
	sum := sha256.Sum256(piece)
	return pieceName(sum[:len(pieceName{})])
}

// sum is a checksum of what is said of the checkpoint.
func (c *Checkpoint) sum() int64 {
	b := fmt.Appendf(nil, "%d %d %d %q %x", c.run, c.Seq, c.of, c.Version, c.pieces)
	return int64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// ErrSpent says that a checkpoint was not kept, since it would take more room than
// it is worth.
var ErrSpent = errors.New("the checkpoint would be larger than the record that it saves reading")

// smallest is what a checkpoint may come to, however short the run's own record is.
const smallest = 256 << 10

// Checkpoint keeps one of the run, in the place of that before: what it had become
// after its own event seq, which write puts together in pieces. Those that are kept
// already are not written again. It waits until the event is kept, and is not for
// whoever holds up calls. Of a store in memory it keeps nothing, which would hold as
// much again.
//
// Whatever its error is, the run's events are as they were. ErrSpent is one of them.
func (w *Writer) Checkpoint(ctx context.Context, version string, seq uint64, write func(put func(piece []byte) error) error) error {
	d, ok := w.store.back.(*database)
	if !ok {
		return nil
	}
	bound, err := w.reaches(ctx, seq)
	if err != nil {
		return err
	}
	c := Checkpoint{Seq: seq, Version: version, run: w.id}
	if c.of, err = eventSum(d.shelf, w.id, seq); err != nil {
		return err
	}
	k, err := d.keepsake(ctx, w.id)
	if err != nil {
		return err
	}
	size := int64(0)
	err = write(func(piece []byte) error {
		name := nameOf(piece)
		c.pieces = append(c.pieces, name)
		stored, err := k.put(ctx, name, piece)
		if size += stored; err == nil && size > bound {
			err = ErrSpent
		}
		return err
	})
	if err == nil {
		err = k.conclude(ctx, &c)
	}
	if err != nil {
		return errors.Join(err, k.undo(ctx))
	}
	return nil
}

// reaches waits until an event of the run's own is kept, and gives how large a
// checkpoint there may be.
func (w *Writer) reaches(ctx context.Context, seq uint64) (bound int64, err error) {
	s := w.store
	s.mu.Lock()
	noted, own := w.noted, seq > w.from && seq <= w.last
	s.mu.Unlock()
	if !own {
		return 0, fmt.Errorf("run %s: %w: a checkpoint at event %d, and its own are %d to %d; report this, it is a defect of Parity", w.name, ErrOrder, seq, w.from+1, w.last)
	}
	if err := s.keep(ctx, noted, false); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.gone {
		return 0, fmt.Errorf("run %s: %w", w.name, ErrEnded)
	}
	bound = max(w.total, smallest)
	if most := s.o.MaxStore; most > 0 { // what is left is for events
		bound = min(bound, (most-s.total)/2)
	}
	return bound, nil
}

// eventSum is the checksum of a run's own event as the file has it.
func eventSum(s *shelf, run int64, seq uint64) (uint32, error) {
	for b := range s.blocks(run, seq) {
		at := slices.IndexFunc(b.entries, func(e Entry) bool { return e.Seq == seq })
		if at >= 0 {
			return checksum(run, seq, b.entries[at].Data), nil
		}
		if b.err != nil {
			return 0, b.err
		}
	}
	return 0, fmt.Errorf("event %d: %w: it is not there", seq, errFrame)
}

// Checkpoint gives the newest one that is not after event upto, of the run or of
// those that it is forked from; nil: there is none. Its error says why one that is
// there is of no use.
func (r *Record) Checkpoint(upto uint64) (*Checkpoint, error) {
	s, ok := r.source.(*shelf)
	if !ok || s.torn != nil {
		return nil, nil
	}
	for _, l := range slices.Backward(r.lines) {
		c, err := s.checkpoint(l.run)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", r.info.Run, s.told(err))
		}
		if c == nil || c.Seq > min(upto, l.to) || c.Seq <= l.from {
			continue
		}
		of, err := eventSum(s, l.run, c.Seq)
		if err == nil && of != c.of {
			err = fmt.Errorf("%w: event %d is not the one that the checkpoint came after", errFrame, c.Seq)
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", r.info.Run, err)
		}
		return c, nil
	}
	return nil, nil
}

// Pieces gives what reads the pieces of a checkpoint, one at a time, and nil after
// the last. Its error says that one is gone, or not as it was written.
func (c *Checkpoint) Pieces() func() ([]byte, error) {
	left := c.pieces
	return func() ([]byte, error) {
		if len(left) == 0 {
			return nil, nil
		}
		piece, err := c.shelf.piece(c.run, left[0])
		left = left[1:]
		return piece, err
	}
}

// checkpoint reads what is said of a run's; nil: it has none.
func (s *shelf) checkpoint(run int64) (*Checkpoint, error) {
	ctx := context.Background()
	if there, err := s.keepsakes(ctx); err != nil || !there {
		return nil, err
	}
	var found *Checkpoint
	c := Checkpoint{run: run, shelf: s}
	var sum int64
	var names []byte
	err := s.each(ctx, `SELECT seq, of, version, pieces, sum FROM checkpoints WHERE run = ?`, []any{run}, func() { found = &c }, &c.Seq, &c.of, &c.Version, &names, &sum)
	if err != nil || found == nil {
		return nil, err
	}
	for name := range slices.Chunk(names, len(pieceName{})) {
		if len(name) < len(pieceName{}) {
			return nil, fmt.Errorf("%w: what is said of a checkpoint", errFrame)
		}
		c.pieces = append(c.pieces, pieceName(name))
	}
	if c.sum() != sum {
		return nil, fmt.Errorf("%w: what is said of a checkpoint", errFrame)
	}
	return found, nil
}

func (s *shelf) piece(run int64, name pieceName) ([]byte, error) {
	var packed []byte
	if err := s.db.QueryRowContext(context.Background(), `SELECT data FROM pieces WHERE run = ? AND name = ?`, run, name[:]).Scan(&packed); err != nil {
		return nil, s.told(err)
	}
	piece, err := unpack(packed)
	if err == nil && nameOf(piece) != name {
		err = fmt.Errorf("%w: a piece of a checkpoint", errFrame)
	}
	return piece, err
}

// keepsakes tells whether there are tables of checkpoints: the first one makes them.
func (s *shelf) keepsakes(ctx context.Context) (there bool, err error) {
	var n int
	err = s.each(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('checkpoints', 'pieces')`, nil, func() {}, &n)
	return n == 2, err
}
