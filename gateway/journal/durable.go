package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
)

// ErrNoDisk says that a store is in memory: nothing of it is ever on a disk.
var ErrNoDisk = errors.New("the record is in memory, and nothing of it is on a disk")

// onDisk is how much of a store is known to survive a loss of power.
type onDisk struct {
	wanted uint64 // Store.noted, of what somebody waits to be on disk
	upto   uint64 // of what is
	folder sync.Once
	wrong  error // why the folder's name is not
}

// Durable writes what was appended so far, of all runs, and waits until it is on
// disk, whatever the store's durability: neither a kill nor a loss of power takes it
// any more, as far as the disk does what it says. It costs a sync.
//
// Its error wraps ErrNoDisk where the store is in memory; any error says that it is
// not known to be there.
func (s *Store) Durable(ctx context.Context) error {
	if _, memory := s.back.(*memory); memory {
		return ErrNoDisk
	}
	s.disk.folder.Do(func() { // in Sync it was, when the store was made
		if d, ok := s.back.(*database); ok && s.o.Durability == Async {
			s.disk.wrong = syncFolders(d.dir, filepath.Dir(filepath.Dir(d.dir)))
		}
	})
	if s.disk.wrong != nil {
		return fmt.Errorf("the store's folder: %w", s.disk.wrong)
	}
	upto := s.now()
	return s.wait(ctx, func() (bool, error) {
		switch {
		case s.disk.upto >= upto:
			return true, nil
		case s.broken != nil || s.finished:
			return true, s.err
		}
		s.disk.wanted = max(s.disk.wanted, upto)
		signal(s.kick)
		signal(s.hurry)
		return false, nil
	})
}

// synced notes what a batch has brought to the disk. s.mu is held.
func (d *onDisk) synced(b batch, durability Durability) {
	if b.sync || durability == Sync {
		d.upto = max(d.upto, b.upto)
	}
}

// beginBatch begins the transaction of a batch: one that is to be on disk syncs the log
// as it is committed, with all that was written before it.
func (d *database) beginBatch(ctx context.Context, b batch) (*sql.Tx, error) {
	if b.sync {
		if _, err := d.db.ExecContext(ctx, `PRAGMA synchronous = FULL`); err != nil {
			return nil, err
		}
	}
	tx, err := d.db.BeginTx(ctx, nil)
	if err == nil && b.sync && b.empty() { // what is to be synced is written already, and a transaction without a page syncs nothing
		_, err = tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, schemaVersion))
	}
	return tx, err
}

// endBatch has later batches be as quick as they were. Where it cannot they are
// slower, and as good.
func (d *database) endBatch(ctx context.Context, b batch) {
	if b.sync {
		_, _ = d.db.ExecContext(ctx, `PRAGMA synchronous = NORMAL`)
	}
}
