package journal

import (
	"context"
	"database/sql"
	"errors"
)

// resumed is what an opened store already holds.
type resumed struct {
	runs   []*Writer // oldest first
	texts  map[int64][]text
	newest int64  // id of the newest run there ever was
	clean  bool   // the epoch before ended by Close
	ended  uint64 // that epoch; 0: there was none
	synced bool   // it was in Sync
	summed bool   // what is kept besides has checksums
}

// before finds how the epoch before this one ended.
func (s *shelf) before(ctx context.Context) (had resumed, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT epoch, closed IS NOT NULL FROM epochs ORDER BY epoch DESC LIMIT 1`).Scan(&had.ended, &had.clean)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return had, err
	}
	synced, err := syncedEpoch(ctx, s.db)
	if err != nil {
		return had, err
	}
	had.synced = synced == had.ended
	err = s.db.QueryRowContext(ctx, `SELECT seq FROM sqlite_sequence WHERE name = 'runs'`).Scan(&had.newest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return had, err
	}
	changed, err := s.changed(ctx)
	if err == nil && len(changed) > 0 {
		err = &DamagedError{Store: s.name, Err: changedError(changed)}
	}
	if err == nil {
		had.summed, err = s.summed(ctx)
	}
	return had, err
}

// resume finds the runs there are and where each of them ends.
func (s *shelf) resume(ctx context.Context) (resumed, error) {
	had, err := s.before(ctx)
	if err != nil {
		return had, err
	}
	if had.texts, err = s.texts(ctx); err != nil {
		return had, err
	}
	rows, err := s.rows(ctx, `TRUE`)
	if err != nil {
		return had, err
	}
	sizes, err := s.sizes(ctx, `TRUE`)
	if err != nil {
		return had, err
	}
	var tails map[int64]uint64
	if !had.clean { // else it is told where each ends
		tails, err = s.tails(ctx, `TRUE`)
	}
	if err != nil {
		return had, err
	}
	byID := map[int64]*Writer{}
	for _, r := range rows {
		w := &Writer{
			id: r.id, name: r.name, base: byID[r.base], from: r.baseSeq, made: r.made, ended: r.ended, gone: r.gone,
			total: runSize(r.name) + sizes[r.id],
		}
		if w.base != nil {
			w.base.forks++
		}
		r.last = max(r.last, tails[r.id])
		if w.last, err = s.end(r); unread(err) || corrupt(err) {
			return had, err
		} else if err != nil {
			w.broken = &DamagedError{Run: r.name, Part: "end", Good: w.last, Err: err}
		}
		w.committed = w.last
		byID[w.id] = w
		had.runs = append(had.runs, w)
		had.newest = max(had.newest, w.id)
	}
	return had, nil
}
