package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// A shelf reads a store's file. It sees what was written when it asks.
type shelf struct {
	db   querier
	pool io.Closer
	name string // of the store, for messages
	torn error  // the file has lost pages: what was to be said of it
	shut atomic.Bool
}

// A querier is what rows are read from: a file, or a transaction on it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// openShelf opens the store in the folder dir for reading. It changes nothing
// there.
func openShelf(ctx context.Context, dir string) (*shelf, error) {
	path := filepath.Join(dir, FileName)
	db, err := openChecked(ctx, path, dir, "mode=ro", "_pragma=busy_timeout(5000)")
	if err == nil {
		return &shelf{db: db, pool: db, name: dir}, nil
	}
	if !corrupt(err) {
		return nil, err
	}
	// SQLite refuses a file that is shorter than it says. With writable_schema
	// it reads the pages that are there, as its own recovery tool does; frames
	// have checksums of their own, so that nothing wrong is taken for right.
	db, second := openChecked(ctx, path, dir, "mode=ro", "_pragma=busy_timeout(5000)", "_pragma=writable_schema(1)")
	if second != nil {
		return nil, damaged(dir, err)
	}
	return &shelf{db: db, pool: db, name: dir, torn: err}, nil
}

func openChecked(ctx context.Context, path, dir string, params ...string) (*sql.DB, error) {
	db, err := open(path, params...)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, err)
	}
	if err = check(ctx, db, dir); err == nil {
		// The schema is read only now, and with it the first damage shows.
		_, err = db.ExecContext(ctx, `SELECT 1 FROM runs, blocks, settlements, epochs, texts, revisions, notes, meta LIMIT 0`)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// damaged makes a *DamagedError of what SQLite says about a broken file, and
// leaves other errors as they are.
func damaged(store string, err error) error {
	if !corrupt(err) {
		return err
	}
	if d, ok := errors.AsType[*DamagedError](err); ok {
		return d
	}
	return &DamagedError{Store: store, Err: err}
}

func (s *shelf) close() error {
	s.shut.Store(true)
	return s.pool.Close()
}

// told is an error as a caller may see it: database/sql has no name for that
// of a pool that was closed.
func (s *shelf) told(err error) error {
	if err != nil && s.shut.Load() {
		return ErrClosed
	}
	return err
}

// unread tells whether err says that reading failed, and nothing of what is on
// the disk.
func unread(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return errors.Is(err, ErrClosed)
}

// hint keeps SQLite from indexes where pages are lost: those of an index are as
// likely gone as any, and with them the way to rows that are there.
func (s *shelf) hint() string {
	if s.torn != nil {
		return "NOT INDEXED"
	}
	return ""
}

// final tells whether a run can have no more events than its row says: it has
// ended, or the store was closed.
func (s *shelf) final(r shelved) bool {
	if !r.ended.IsZero() {
		return true
	}
	epochs, err := s.epochs()
	return err == nil && len(epochs) > 0 && !epochs[len(epochs)-1].Closed.IsZero()
}

// A shelved run is its row, read.
type shelved struct {
	row
	id int64
}

const rowColumns = `id, name, base, base_seq, made, ended, gone, last, sum`

// read scans the rowColumns. Its error wraps errFrame where they are not what
// was written.
func (r *shelved) read(scan func(...any) error) error {
	var made, sum int64
	var ended sql.NullInt64
	if err := scan(&r.id, &r.name, &r.base, &r.baseSeq, &made, &ended, &r.gone, &r.last, &sum); err != nil {
		return err
	}
	r.made, r.ended = time.Unix(0, made).UTC(), time.Time{}
	if ended.Valid {
		r.ended = time.Unix(0, ended.Int64).UTC()
	}
	if r.sum(r.id) != sum || !ValidName(r.name) {
		return fmt.Errorf("%w: what is said of run %q", errFrame, r.name)
	}
	return nil
}

// rows gives the runs for which the condition where holds, oldest first.
func (s *shelf) rows(ctx context.Context, where string, args ...any) (list []shelved, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+rowColumns+` FROM runs `+s.hint()+` WHERE `+where+` ORDER BY id`, args...)
	if err != nil {
		return nil, damaged(s.name, fmt.Errorf("store %s: %w", s.name, s.told(err)))
	}
	defer rows.Close()
	for rows.Next() {
		var r shelved
		if err := r.read(rows.Scan); err != nil {
			return list, &DamagedError{Store: s.name, Err: err}
		}
		list = append(list, r)
	}
	return list, damaged(s.name, s.told(rows.Err()))
}

// sizes gives how many bytes are kept of the runs for which where holds, packed as
// they are.
func (s *shelf) sizes(ctx context.Context, where string, args ...any) (map[int64]int64, error) {
	sizes := map[int64]int64{}
	var run, size int64
	for _, query := range []string{
		`SELECT run, sum(length(data)) FROM blocks WHERE ` + where + ` GROUP BY run`,
		`SELECT run, sum(length(data)) FROM settlements WHERE ` + where + ` GROUP BY run`,
		`SELECT run, sum(length(CAST(key AS BLOB)) + length(CAST(value AS BLOB))) FROM notes WHERE ` + where + ` GROUP BY run`,
		`SELECT run, sum(length(CAST(hash AS BLOB)) + length(content)) FROM revisions JOIN texts USING (hash) WHERE ` + where + ` GROUP BY run`,
	} {
		if err := s.each(ctx, query, args, func() { sizes[run] += size }, &run, &size); err != nil && s.torn == nil {
			return nil, err
		}
	}
	return sizes, nil
}

// texts gives the texts that each run is under, oldest first.
func (s *shelf) texts(ctx context.Context) (map[int64][]text, error) {
	texts := map[int64][]text{}
	var run int64
	var t text
	err := s.each(ctx, `SELECT r.run, r.hash, length(t.content) FROM revisions r JOIN texts t ON t.hash = r.hash ORDER BY r.id`, nil, func() {
		texts[run] = append(texts[run], t)
	}, &run, &t.hash, &t.size)
	return texts, err
}

// end finds a run's newest event, which has to be whole.
func (s *shelf) end(r shelved) (last uint64, err error) {
	last = r.baseSeq
	for b := range s.blocks(r.id, maxSeq) { // the last one: whoever goes on reads the rest anyway
		if n := len(b.entries); n > 0 {
			last = b.entries[n-1].Seq
		}
		if b.err != nil {
			return last, b.err
		}
	}
	if last < r.last {
		return last, lostEnd(last, r.last)
	}
	return last, nil
}

func (s *shelf) besides(run int64) (kept besides, err error) {
	ctx := context.Background()
	there := false
	var id int64
	if err := s.each(ctx, `SELECT id FROM runs WHERE id = ?`, []any{run}, func() { there = true }, &id); err != nil {
		return kept, err
	}
	if !there && s.torn != nil {
		return kept, damaged(s.name, s.torn) // what is said of it was on a page that is lost
	}
	if !there {
		return kept, fs.ErrNotExist
	}
	at, done, err := s.snapshot(ctx)
	if err != nil {
		return kept, err
	}
	defer done()
	err = at.proven(ctx, run, &kept)
	return kept, err
}

// proven reads what is kept of a run besides, and leaves out what is not as it
// was written.
func (s *shelf) proven(ctx context.Context, run int64, kept *besides) error {
	p, err := s.proof(ctx, `run = ?1 OR run = ?2 AND of IN (SELECT 'text ' || hash FROM revisions WHERE run = ?1)`, run, ofTexts)
	if err != nil {
		return err
	}
	kept.notes = map[string]string{}
	var key, value string
	err = s.each(ctx, `SELECT key, value FROM notes WHERE run = ?`, []any{run}, func() {
		if p.holds(run, "note "+key, []byte(value)) {
			kept.notes[key] = value
		}
	}, &key, &value)
	if err != nil {
		return err
	}
	var v Revision
	var id, seq string
	const revisions = `SELECT r.id, r.hash, t.content, r.at_seq, CAST(r.at_seq AS TEXT) FROM revisions r JOIN texts t ON t.hash = r.hash WHERE r.run = ? ORDER BY r.id`
	err = s.each(ctx, revisions, []any{run}, func() {
		said := p.holds(run, "revision "+v.Hash+" "+id, []byte(seq))
		if p.holds(ofTexts, "text "+v.Hash, v.Content) && said {
			kept.revisions = append(kept.revisions, v)
		}
		v = Revision{}
	}, &id, &v.Hash, &v.Content, &v.AtSeq, &seq)
	if err == nil {
		kept.gaps, err = s.gaps(ctx, run)
	}
	if err == nil && !p.none {
		err = s.prove(ctx, p, gapSums+` WHERE run = ?`, run)
	}
	kept.unchecked, kept.changed = p.none, p.all()
	return err
}

// epochs gives the times that the store was opened for writing, oldest first.
func (s *shelf) epochs() ([]Epoch, error) {
	var epochs []Epoch
	var e Epoch
	var opened int64
	var closed sql.NullInt64
	err := s.each(context.Background(), `SELECT epoch, pid, host, opened, closed FROM epochs ORDER BY epoch`, nil, func() {
		e.Opened, e.Closed = time.UnixMilli(opened).UTC(), time.Time{}
		if closed.Valid {
			e.Closed = time.UnixMilli(closed.Int64).UTC()
		}
		epochs = append(epochs, e)
	}, &e.Number, &e.PID, &e.Host, &opened, &closed)
	return epochs, err
}

// each runs query and calls row after each row was read into dest.
func (s *shelf) each(ctx context.Context, query string, args []any, row func(), dest ...any) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return damaged(s.name, fmt.Errorf("store %s: %w", s.name, s.told(err)))
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil { // a page that was overwritten can hold anything
			return &DamagedError{Store: s.name, Err: err}
		}
		row()
	}
	return damaged(s.name, s.told(rows.Err()))
}
