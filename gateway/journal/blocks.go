package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// lostEnd says that a run was longer. A file whose last page is gone can look
// whole to SQLite.
func lostEnd(last, want uint64) error {
	return fmt.Errorf("event %d: %w: there were %d events", last+1, errFrame, want)
}

// blocks gives the rows from the one that holds the event from on. Each row is
// a query of its own: a statement left open while a caller takes its time would
// keep the writer's log from being shortened.
func (s *shelf) blocks(run int64, from uint64) func(func(block) bool) {
	return func(yield func(block) bool) {
		at, err := s.start(run, from)
		if err != nil {
			yield(block{err: s.told(err)})
			return
		}
		var r blockRow
		for next := uint64(0); ; {
			r, err = s.next(run, at, r.id)
			if errors.Is(err, sql.ErrNoRows) {
				if s.torn != nil {
					yield(block{err: s.torn})
				}
				return
			}
			if err != nil {
				yield(block{err: s.told(err)})
				return
			}
			if next > 0 && r.first != next {
				yield(block{err: fmt.Errorf("event %d: %w: the next block begins with event %d", next, errFrame, r.first)})
				return
			}
			b := r.unpack()
			if !yield(b) || b.err != nil {
				return
			}
			next, at = r.last+1, r.last+1
		}
	}
}

// A blockRow is a block as it is kept.
type blockRow struct {
	id, run     int64
	first, last uint64
	data        []byte
}

// start is the first event of the block that holds the event from, or an
// earlier one.
func (s *shelf) start(run int64, from uint64) (at uint64, err error) {
	if s.torn != nil {
		return 0, nil // rows are read as far as they go
	}
	err = s.db.QueryRowContext(context.Background(), `SELECT coalesce(max(first), 0) FROM blocks WHERE run = ? AND first <= ?`, run, clamp(from)).Scan(&at)
	return at, err
}

// next gives the first block from the one on that begins with event at. after
// is the row before it: in a file that has lost pages rows are read in the
// order they were written, which needs no index.
func (s *shelf) next(run int64, at uint64, after int64) (r blockRow, err error) {
	query, args := `SELECT id, first, last, data FROM blocks WHERE run = ? AND first >= ? ORDER BY first LIMIT 1`, []any{run, clamp(at)}
	if s.torn != nil {
		query, args = `SELECT id, first, last, data FROM blocks NOT INDEXED WHERE run = ? AND first >= ? AND id > ? ORDER BY id LIMIT 1`, append(args, after)
	}
	r.run = run
	err = s.db.QueryRowContext(context.Background(), query, args...).Scan(&r.id, &r.first, &r.last, &r.data)
	return r, err
}

// unpack gives the events of a block, those before its first damage with it.
func (r blockRow) unpack() (b block) {
	frames, err := unpack(r.data)
	if err != nil {
		return block{err: fmt.Errorf("event %d: %w", r.first, err)}
	}
	b.entries, b.err = readBlock(frames, r.run, r.first, r.last)
	return b
}

// settlements gives a run's settlements in the order they came.
func (s *shelf) settlements(run int64) func(func(Settlement, error) bool) {
	return func(yield func(Settlement, error) bool) {
		ctx := context.Background()
		var c count
		for at := int64(0); ; {
			var data []byte
			last := at
			err := s.db.QueryRowContext(ctx, `SELECT id, data FROM settlements `+s.hint()+` WHERE run = ? AND id > ? ORDER BY id LIMIT 1`, run, at).Scan(&at, &data)
			if errors.Is(err, sql.ErrNoRows) {
				if more, err := s.counted(ctx, run, &c); err != nil {
					yield(Settlement{}, s.told(err))
				} else if more {
					continue
				}
				return
			}
			if err == nil && at <= last { // found on a page without order: asking on would never end
				err = fmt.Errorf("%w: row %d follows row %d", errFrame, at, last)
			}
			c.rows, c.ids = c.rows+1, c.ids+at
			var row []byte
			if err == nil {
				row, err = unpack(data)
			}
			if err != nil {
				yield(Settlement{}, s.told(err))
				return
			}
			for f, err := range frames(row, run) {
				if !yield(Settlement{Of: f.key, Data: f.data}, err) || err != nil {
					return
				}
			}
		}
	}
}

// A count is of the rows of settlements that were read of a run.
type count struct {
	rows, ids int64
	table     int64 // how many rows the table had, when it was asked last
}

// counted holds what an index has led to against the table itself: an index that
// is damaged leads past rows, and nothing else says so. It tells whether there
// are more by now, since somebody writes on.
func (s *shelf) counted(ctx context.Context, run int64, c *count) (more bool, err error) {
	if s.torn != nil {
		return false, s.torn
	}
	var rows, ids int64
	err = s.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(id), 0) FROM settlements NOT INDEXED WHERE run = ?`, run).Scan(&rows, &ids)
	if err != nil || rows == c.rows && ids == c.ids {
		return false, err
	}
	if rows > c.rows && rows > c.table {
		c.table = rows
		return true, nil
	}
	return false, fmt.Errorf("%w: the index leads to %d rows, and the table has %d", errFrame, c.rows, rows)
}

// tails gives the newest event of the runs for which where holds as the table has
// it: an index that is damaged leads past rows, and a run whose end is told
// nowhere else would read as one that was never longer.
func (s *shelf) tails(ctx context.Context, where string, args ...any) (map[int64]uint64, error) {
	lasts := map[int64]uint64{}
	var run int64
	var last uint64
	err := s.each(ctx, `SELECT run, last FROM blocks NOT INDEXED WHERE `+where, args, func() { lasts[run] = max(lasts[run], last) }, &run, &last)
	return lasts, err
}
