package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	fileName = "journal.db"
	lockName = "writer.lock"

	// schemaVersion is SQLite's user_version in our files. A change that an
	// older Parity would misread raises it.
	schemaVersion = 1
	// applicationID is SQLite's application_id in our files: "Prty".
	applicationID = 0x50727479
)

const schema = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE epochs(epoch INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, opened INTEGER NOT NULL, closed INTEGER, last INTEGER) STRICT;
CREATE TABLE blocks(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, epoch INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE settlements(id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE revisions(hash TEXT PRIMARY KEY, content BLOB NOT NULL, at_seq INTEGER NOT NULL) STRICT;
`

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
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(params, "&")
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}

// code is SQLite's primary result code for err, or 0.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// corrupt tells whether err says that the file itself is damaged.
func corrupt(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB
}

// check tells whether db holds a journal that we can read.
func check(ctx context.Context, db *sql.DB, run string) error {
	var id, version int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return fmt.Errorf("run %s: %w", run, err)
	}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("run %s: %w", run, err)
	}
	switch {
	case id == 0 && version == 0:
		return &DamagedError{Run: run, Err: errors.New("the file is empty: its writer ended before the first event")}
	case id != applicationID:
		return &DamagedError{Run: run, Err: fmt.Errorf("%s is not a journal of Parity", fileName)}
	case version > schemaVersion:
		e := &NewerError{Run: run, Has: version, Knows: schemaVersion}
		// Told where it can be; a newer schema need not have this table.
		_ = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'parity'").Scan(&e.WithVersion)
		return e
	}
	return nil
}

// create makes the tables, all or none.
func create(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	pragmas := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
	if _, err := tx.ExecContext(ctx, schema+pragmas); err != nil {
		return err
	}
	return tx.Commit()
}
