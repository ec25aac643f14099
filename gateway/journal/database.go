package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// FileName is the store's file in its folder.
	FileName = "journal.db"
	lockName = "writer.lock"
	// schemaVersion is SQLite's user_version in our files. A change that an
	// older Parity would misread raises it.
	schemaVersion = 2
	// applicationID is SQLite's application_id in our files: "Prty".
	applicationID = 0x50727479
	// maxSeq is the largest number that SQLite's integers hold.
	maxSeq = math.MaxInt64
)

// Blocks lie in the order they were written, and an index finds a run's. Were
// they kept by run, each of a thousand runs that go on would have a page of its
// own to be written with each transaction: that took three times as long.
//
// Ids of runs are never used again (AUTOINCREMENT): who reads a run that is
// being removed cannot meet another's events.
const schema = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE epochs(epoch INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, opened INTEGER NOT NULL, closed INTEGER) STRICT;
CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, base INTEGER NOT NULL, base_seq INTEGER NOT NULL,
	made INTEGER NOT NULL, ended INTEGER, gone INTEGER NOT NULL, last INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE UNIQUE INDEX named ON runs(name) WHERE gone = 0;
CREATE TABLE blocks(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, epoch INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX placed ON blocks(run, first);
CREATE TABLE settlements(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE INDEX settled ON settlements(run);
CREATE TABLE texts(hash TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE revisions(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, hash TEXT NOT NULL, at_seq INTEGER NOT NULL) STRICT;
CREATE INDEX revised ON revisions(run);
CREATE INDEX under ON revisions(hash);
CREATE TABLE notes(run INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(run, key)) STRICT, WITHOUT ROWID;
` + gapsTable + `
` + sumsTable

// open gives a pool of one connection to the SQLite file at path. Nothing is
// opened before its first use.
//
// Never open a journal's file in any other way: on POSIX systems, closing any
// descriptor of a file gives up all locks that this process holds on it,
// SQLite's own included (https://www.sqlite.org/howtocorrupt.html, 2.2).
func open(path string, params ...string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	// Files can be damaged: pages are looked at more closely, and what a schema
	// says is not run.
	params = append(params, "_pragma=cell_size_check(1)", "_pragma=trusted_schema(0)")
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(params, "&")
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}

// code is SQLite's primary result code for err, or 0. A file that ends too early
// is damaged, whichever of its pages is read: a large value is read past the
// cache, and then SQLite says that reading failed.
func code(err error) int {
	e, ok := errors.AsType[*sqlite.Error](err)
	switch {
	case !ok:
		return 0
	case e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ:
		return sqlite3.SQLITE_CORRUPT
	}
	return e.Code() & 0xff
}

// corrupt tells whether err says that the file itself is damaged. Our queries
// are always the same, so that SQLITE_ERROR means that a table is not as we
// made it.
func corrupt(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB || c == sqlite3.SQLITE_ERROR
}

// check tells whether db holds a journal that we can read.
func check(ctx context.Context, db *sql.DB, store string) error {
	var id, version int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return fmt.Errorf("store %s: %w", store, err)
	}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("store %s: %w", store, err)
	}
	switch {
	case id == 0 && version == 0:
		return &DamagedError{Store: store, Err: errors.New("the file is empty")}
	case id != applicationID:
		return &DamagedError{Store: store, Err: fmt.Errorf("%s is not a journal of Parity", FileName)}
	case version < schemaVersion:
		return &OlderError{Store: store, Has: version, Wants: schemaVersion}
	case version > schemaVersion:
		e := &NewerError{Store: store, Has: version, Knows: schemaVersion}
		// Told where it can be; a newer schema need not have this table.
		_ = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'parity'").Scan(&e.WithVersion)
		return e
	}
	return nil
}

// create makes the file called name, all of it or none: it gets its name when the tables
// are in it and on disk. So an empty file is a damaged one, and never one whose
// maker was killed.
func create(ctx context.Context, dir, name string) (err error) {
	draft := filepath.Join(dir, name+".new")
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := open(draft, "_pragma=journal_mode(MEMORY)", "_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("BEGIN; PRAGMA application_id = %d; PRAGMA user_version = %d; %s COMMIT", applicationID, schemaVersion, schema))
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := syncFile(draft); err != nil {
		return err
	}
	return os.Rename(draft, filepath.Join(dir, name))
}

// syncFile makes what is in a file or folder last. On a file that SQLite has
// open it would give up its locks.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil { // a folder
		f, err = os.Open(path)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// clamp keeps an event's number within SQLite's integers.
func clamp(seq uint64) int64 { return int64(min(seq, maxSeq)) }
