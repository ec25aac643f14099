package journal

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"
)

// A Gap is a place at which a record may lack something that was there, though
// what there is reads as whole.
//
//	event 1 ─ 2 ─ 3   ?   4 ─ 5     the writer was killed after 3 was on disk;
//	              └ After 3         4 was made by the next one
type Gap struct {
	After uint64 // the newest event that was kept before it
	Why   string // what happened, a sentence
}

// gapsTable came later than the others: a store of an older Parity has none
// until it is written again.
const gapsTable = `CREATE TABLE IF NOT EXISTS gaps(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, after INTEGER NOT NULL, why TEXT NOT NULL) STRICT;`

// unclean says what an end without Close may have lost.
const unclean = "what kept the record ended without closing it (it was killed, its disk was full, or the machine stopped), and what came last before that may be lost"

// syncKey is where meta has the epoch that was begun in Sync: of what such a one
// has let through nothing is lost, however it ends.
const syncKey = "sync"

// mark begins an epoch's own part of it: after an unclean end each run that goes
// on may lack events, and goes on lacking them.
func mark(ctx context.Context, tx *sql.Tx, had resumed) error {
	if _, err := tx.ExecContext(ctx, gapsTable); err != nil {
		return err
	}
	if had.clean || had.ended == 0 {
		return nil
	}
	for _, w := range had.runs {
		if !w.ended.IsZero() {
			continue // its end is kept, and what came before it with it
		}
		if _, err := tx.ExecContext(ctx, `UPDATE runs SET last = max(last, ?) WHERE id = ?`, w.last, w.id); err != nil {
			return err
		}
		if had.synced {
			continue
		}
		made, err := tx.ExecContext(ctx, putGap, w.id, w.last, unclean)
		if err != nil {
			return err
		}
		id, err := made.LastInsertId()
		if err == nil {
			err = sumUp(ctx, tx, gapSums+` WHERE id = ?`, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const putGap = `INSERT INTO gaps(run, after, why) VALUES (?, ?, ?)`

// gaps gives those of a run's own events, oldest first.
func (s *shelf) gaps(ctx context.Context, run int64) ([]Gap, error) {
	there := false
	var name string
	err := s.each(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'gaps'`, nil, func() { there = true }, &name)
	if err != nil || !there {
		return nil, err
	}
	var gaps []Gap
	var g Gap
	err = s.each(ctx, `SELECT after, why FROM gaps WHERE run = ? ORDER BY id`, []any{run}, func() { gaps = append(gaps, g) }, &g.After, &g.Why)
	return gaps, err
}

// killed says it of one that promised more.
const killed = "what kept the record was killed before the run ended; all that it had acknowledged is here, and what the agent did afterwards is not"

// abandoned tells whether the store's writer is gone and has not closed it, and
// whether what it promised only for a while may be lost by that.
func (s *shelf) abandoned(ctx context.Context) (left, lossy bool, err error) {
	epochs, err := s.epochs()
	if err != nil || len(epochs) == 0 || !epochs[len(epochs)-1].Closed.IsZero() {
		return false, false, err
	}
	synced, err := syncedEpoch(ctx, s.db)
	if err != nil || held(ctx, s.name) {
		return false, false, err
	}
	return true, synced != epochs[len(epochs)-1].Number, nil
}

// ends gives what its end leaves open of a run that goes on, of which last is the
// newest event. Where nothing is lost that is so until somebody goes on with it.
func (s *shelf) ends(ctx context.Context, last uint64) ([]Gap, error) {
	left, lossy, err := s.abandoned(ctx)
	switch {
	case err != nil:
		return nil, err
	case lossy:
		return []Gap{{After: last, Why: unclean}}, nil
	case left:
		return []Gap{{After: last, Why: killed}}, nil
	}
	changed, err := s.changed(ctx)
	if err == nil && len(changed) > 0 {
		return []Gap{{After: last, Why: "whether what kept the record has closed it cannot be told any more: " + changedError(changed).Error()}}, nil
	}
	return nil, err
}

// syncedEpoch is the newest epoch that was begun in Sync, or 0.
func syncedEpoch(ctx context.Context, db querier) (epoch uint64, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE key = ?`, syncKey).Scan(&epoch)
	return epoch, err
}

// held tells whether a writer holds the store in dir. It takes nothing that
// would keep one from it for longer than lockPatience.
func held(ctx context.Context, dir string) bool {
	db, err := open(filepath.Join(dir, lockName), "mode=ro")
	if err != nil {
		return false
	}
	defer db.Close()
	var n int
	return code(db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&n)) == sqlite3.SQLITE_BUSY
}

// Gaps gives the places at which the record may lack something, oldest first.
// What is damaged, Entries and Settlements tell.
func (r *Record) Gaps() ([]Gap, error) {
	var all []Gap
	for i, l := range r.lines {
		kept, err := r.besides(l)
		if err != nil {
			return nil, err
		}
		for _, g := range kept.gaps {
			if g.After < l.to || i == len(r.lines)-1 {
				all = append(all, g)
			}
		}
	}
	return append(all, r.end...), nil
}

func (g Gap) String() string { return fmt.Sprintf("after event %d: %s", g.After, g.Why) }
