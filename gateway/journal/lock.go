package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"
)

// A lock holds a store for one writer. It is an exclusive SQLite transaction on
// an empty file next to the journal: that is the operating system's own file
// lock on each of them, without a line for each of them here, and it ends with
// the process however the process ends. Who holds it is in the journal's
// epochs, since the lock's file cannot be read while it is held.
type lock struct {
	db *sql.DB
	tx *sql.Tx
}

// lockPatience is how long a writer waits for the lock, in milliseconds: who
// reads a store looks for a moment whether it is held.
const lockPatience = 200

func acquire(ctx context.Context, dir string) (*lock, error) {
	db, err := open(filepath.Join(dir, lockName), "_txlock=exclusive", fmt.Sprintf("_pragma=busy_timeout(%d)", lockPatience), "_pragma=journal_mode(MEMORY)")
	if err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err == nil {
		return &lock{db, tx}, nil
	}
	err = errors.Join(err, db.Close())
	if code(err) == sqlite3.SQLITE_BUSY {
		return nil, &BusyError{Store: dir, Epoch: holder(dir)}
	}
	return nil, fmt.Errorf("store %s: lock for writing: %w", dir, err)
}

func (l *lock) release() error {
	return errors.Join(l.tx.Rollback(), l.db.Close())
}

// holder is the newest epoch of the store in dir, or a zero one where that
// cannot be read.
func holder(dir string) Epoch {
	r, err := Open(dir)
	if err != nil {
		return Epoch{}
	}
	defer r.Close()
	epochs, err := r.Epochs()
	if err != nil || len(epochs) == 0 {
		return Epoch{}
	}
	return epochs[len(epochs)-1]
}
