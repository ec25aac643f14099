package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// These tables came after the schema, and are made with the first checkpoint: a
// store without them reads as one that has none, and an older Parity, which does not
// know them, leaves them alone. What is in them is not copied by a repair.
const keepsakeTables = `CREATE TABLE IF NOT EXISTS checkpoints(run INTEGER PRIMARY KEY, seq INTEGER NOT NULL, of INTEGER NOT NULL, version TEXT NOT NULL, pieces BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS pieces(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, name BLOB NOT NULL, data BLOB NOT NULL, UNIQUE(run, name)) STRICT;`

// A keepsake writes one checkpoint of a run. It uses the connection that batches
// are written by, between two of them and a piece at a time, so that no batch waits
// for more than that.
type keepsake struct {
	*database
	run   int64
	sizes map[pieceName]int64 // of the pieces that are kept
	fresh map[pieceName]bool  // those of them that were put by now
	added []pieceName         // those that were not there
	small []byte
}

// keepsake begins a checkpoint.
func (d *database) keepsake(ctx context.Context, run int64) (*keepsake, error) {
	k := &keepsake{database: d, run: run, sizes: map[pieceName]int64{}, fresh: map[pieceName]bool{}}
	if there, err := d.shelf.keepsakes(ctx); err != nil {
		return nil, err
	} else if !there {
		return k, k.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, keepsakeTables)
			return err
		})
	}
	var name []byte
	var size int64
	err := d.shelf.each(ctx, `SELECT name, length(data) FROM pieces WHERE run = ?`, []any{run}, func() {
		if len(name) == len(pieceName{}) {
			k.sizes[pieceName(name)] = size
		}
	}, &name, &size)
	return k, err
}

// transact does something in a transaction of its own. One that is begun is ended,
// whoever has stopped waiting.
func (d *database) transact(ctx context.Context, do func(ctx context.Context, tx *sql.Tx) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err = d.fence(ctx, tx); err == nil {
		err = do(ctx, tx)
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return tx.Commit()
}

// put keeps a piece, and gives what it comes to.
func (k *keepsake) put(ctx context.Context, name pieceName, piece []byte) (stored int64, err error) {
	size, there := k.sizes[name]
	if there {
		k.fresh[name] = true
		return size, nil
	}
	k.small = pack(k.small, piece)
	k.sizes[name], k.fresh[name], k.added = int64(len(k.small)), true, append(k.added, name)
	return k.sizes[name], k.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO pieces(run, name, data) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM runs WHERE id = ?1)`, k.run, name[:], k.small)
		return err
	})
}

// conclude has the pieces be the run's checkpoint, and lets those go that are not
// of it. A run that was removed meanwhile has none.
func (k *keepsake) conclude(ctx context.Context, c *Checkpoint) error {
	names := make([]byte, 0, len(c.pieces)*len(pieceName{}))
	for _, name := range c.pieces {
		names = append(names, name[:]...)
	}
	return k.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO checkpoints(run, seq, of, version, pieces, sum) SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM runs WHERE id = ?1)`,
			c.run, c.Seq, c.of, c.Version, names, c.sum())
		for name := range k.sizes {
			if err == nil && !k.fresh[name] {
				_, err = tx.ExecContext(ctx, `DELETE FROM pieces WHERE run = ? AND name = ?`, k.run, name[:])
			}
		}
		return err
	})
}

// undo lets go of what there is of a checkpoint that was not concluded. That before
// it stays.
func (k *keepsake) undo(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx) // that may be why
	return k.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, name := range k.added {
			if _, err := tx.ExecContext(ctx, `DELETE FROM pieces WHERE run = ? AND name = ?`, k.run, name[:]); err != nil {
				return err
			}
		}
		return nil
	})
}

// forget lets go of what is kept of a run's checkpoint.
func forget(ctx context.Context, tx *sql.Tx, run int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM checkpoints WHERE run = ?1; DELETE FROM pieces WHERE run = ?1`, run)
	return err
}

// forgetAll does so of runs that were removed. Where it fails tidy does it when the
// store is opened again: no event waits for that.
func (d *database) forgetAll(ctx context.Context, runs []int64) {
	if len(runs) == 0 {
		return
	}
	if there, err := d.shelf.keepsakes(ctx); err != nil || !there {
		return
	}
	_ = d.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, run := range runs {
			if err := forget(ctx, tx, run); err != nil {
				return err
			}
		}
		return nil
	})
}

// tidy lets go of checkpoints that are of no run, or ahead of its events: an older
// Parity may have removed the one and repaired the other. Where it cannot, what is
// read is held against the events in any case.
func (d *database) tidy(ctx context.Context, had resumed) {
	s := &shelf{db: d.db, name: d.dir}
	if there, err := s.keepsakes(ctx); err != nil || !there {
		return
	}
	lasts := make(map[int64]uint64, len(had.runs))
	for _, w := range had.runs {
		lasts[w.id] = w.last
	}
	var run int64
	var seq uint64
	var gone []int64
	err := s.each(ctx, `SELECT run, coalesce(seq, 0) FROM (SELECT run FROM checkpoints UNION SELECT run FROM pieces) LEFT JOIN checkpoints USING (run)`, nil, func() {
		if last, there := lasts[run]; !there || seq > last || seq == 0 {
			gone = append(gone, run)
		}
	}, &run, &seq)
	if err != nil || len(gone) == 0 {
		return
	}
	_ = d.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, run := range gone {
			if err := forget(ctx, tx, run); err != nil {
				return err
			}
		}
		return nil
	})
}
