package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"
)

// A Reader reads a run, while it is written or afterwards. It sees what was
// written when it asks, so that asking again later may give more. It is safe
// for concurrent use.
type Reader struct {
	db   *sql.DB
	run  string
	torn error // the file has lost its end: what was to be said of it
}

// Open opens the run in the folder dir for reading. It changes nothing there.
//
// Its errors wrap fs.ErrNotExist where there is no such run, *NewerError where
// a later Parity wrote it, and *DamagedError where nothing of it can be read.
func Open(dir string) (*Reader, error) {
	run := filepath.Base(dir)
	if err := find(dir); err != nil {
		return nil, err
	}
	ctx := context.Background()
	path := filepath.Join(dir, fileName)
	db, err := openChecked(ctx, path, run, "mode=ro", "_pragma=busy_timeout(5000)")
	if err == nil {
		return &Reader{db: db, run: run}, nil
	}
	if !corrupt(err) {
		return nil, err
	}
	// SQLite refuses a file that is shorter than it says. With writable_schema
	// it reads the pages that are there, as its own recovery tool does; frames
	// have checksums of their own, so that nothing wrong is taken for right.
	db, second := openChecked(ctx, path, run, "mode=ro", "_pragma=busy_timeout(5000)", "_pragma=writable_schema(1)")
	if second != nil {
		return nil, damage(run, err)
	}
	return &Reader{db: db, run: run, torn: err}, nil
}

func openChecked(ctx context.Context, path, run string, params ...string) (*sql.DB, error) {
	db, err := open(path, params...)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", run, err)
	}
	if err = check(ctx, db, run); err == nil {
		// The schema is read only now, and with it the first damage shows.
		_, err = db.ExecContext(ctx, `SELECT 1 FROM blocks, settlements, epochs, revisions, meta LIMIT 0`)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// find checks that dir is a run's folder with a journal, and that neither it
// nor the journal is a link that leads elsewhere.
func find(dir string) error {
	run := filepath.Base(dir)
	if !ValidName(run) {
		return fmt.Errorf("run %q: %w", run, ErrName)
	}
	root, err := os.OpenRoot(filepath.Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return missing(run, dir)
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", run, err)
	}
	defer root.Close()
	info, err := root.Stat(filepath.Join(run, fileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing(run, dir)
	case err != nil:
		return fmt.Errorf("run %s: %w", run, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("run %s: %s is not a plain file (%s); remove the folder or name another run", run, fileName, info.Mode().Type())
	}
	return nil
}

func missing(run, dir string) error {
	return fmt.Errorf("run %s: no journal in %s; check the name against the folders beside it, or whether it was kept in memory: %w", run, dir, fs.ErrNotExist)
}

// damage makes a *DamagedError of what SQLite says about a broken file, and
// leaves other errors as they are.
func damage(run string, err error) error {
	if !corrupt(err) {
		return err
	}
	if d, ok := errors.AsType[*DamagedError](err); ok {
		return d
	}
	return &DamagedError{Run: run, Err: err}
}

// Close gives the run's files free.
func (r *Reader) Close() error { return r.db.Close() }

// Run is the run's name.
func (r *Reader) Run() string { return r.run }

// Entries gives the events from sequence number from on, in order; 0 and 1
// give all. At the first damage it gives a *DamagedError and ends: what came
// before it is intact, and nothing after it can be told from a wrong order.
func (r *Reader) Entries(from uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for b := range r.blocks(from) {
			for _, e := range b.entries {
				if e.Seq >= from && !yield(e, nil) {
					return
				}
			}
			if b.err != nil {
				yield(Entry{}, b.err)
				return
			}
		}
	}
}

// block is one row, read.
type block struct {
	last    uint64
	entries []Entry
	err     error // after the entries; the last block of a sequence
}

// blocks gives the rows from the one that holds the event from on. Each row is
// a query of its own: a statement left open while a caller takes its time would
// keep the writer's log from being shortened.
func (r *Reader) blocks(from uint64) iter.Seq[block] {
	return func(yield func(block) bool) {
		ctx := context.Background()
		fail := func(good uint64, entries []Entry, err error) {
			yield(block{good, entries, &DamagedError{Run: r.run, Part: "events", Good: good, Err: err}})
		}
		const start = `SELECT coalesce(max(first), 0) FROM blocks WHERE first <= ?`
		var at uint64
		if err := r.db.QueryRowContext(ctx, start, clamp(from)).Scan(&at); err != nil {
			fail(0, nil, err)
			return
		}
		good := max(at, 1) - 1 // the event before the next one to be read
		for {
			var first, last uint64
			var data []byte
			err := r.db.QueryRowContext(ctx, `SELECT first, last, data FROM blocks WHERE first >= ? ORDER BY first LIMIT 1`, clamp(at)).Scan(&first, &last, &data)
			if errors.Is(err, sql.ErrNoRows) {
				if err := r.ends(ctx, good); err != nil {
					fail(good, nil, err)
				}
				return
			}
			if err != nil {
				fail(good, nil, err)
				return
			}
			if first != good+1 {
				fail(good, nil, fmt.Errorf("event %d: %w: the next block begins with event %d", good+1, errFrame, first))
				return
			}
			var entries []Entry
			row, err := unpack(data)
			if err == nil {
				entries, err = readBlock(row, first, last)
			} else {
				err = fmt.Errorf("event %d: %w", first, err)
			}
			if err != nil {
				fail(first-1+uint64(len(entries)), entries, err)
				return
			}
			good, at = last, last+1
			if !yield(block{last, entries, nil}) {
				return
			}
		}
	}
}

// ends tells whether the events may end with last. A file whose last page is
// gone can look whole to SQLite; each close says how many events there were.
func (r *Reader) ends(ctx context.Context, last uint64) error {
	if r.torn != nil {
		return r.torn
	}
	var want uint64
	if err := r.db.QueryRowContext(ctx, `SELECT coalesce(max(last), 0) FROM epochs`).Scan(&want); err != nil {
		return err
	}
	if last < want {
		return fmt.Errorf("event %d: %w: the run was closed with %d events", last+1, errFrame, want)
	}
	return nil
}

// clamp keeps a sequence number within SQLite's integers.
func clamp(seq uint64) int64 {
	if !validSeq(seq) && seq != 0 {
		return 1<<63 - 1
	}
	return int64(seq)
}

// Settlements gives the settlements in the order they came.
func (r *Reader) Settlements() iter.Seq2[Settlement, error] {
	return func(yield func(Settlement, error) bool) {
		ctx := context.Background()
		var at, good uint64
		fail := func(err error) {
			yield(Settlement{}, &DamagedError{Run: r.run, Part: "settlements", Good: good, Err: err})
		}
		for {
			var data []byte
			err := r.db.QueryRowContext(ctx, `SELECT id, data FROM settlements WHERE id > ? ORDER BY id LIMIT 1`, clamp(at)).Scan(&at, &data)
			if errors.Is(err, sql.ErrNoRows) {
				if r.torn != nil {
					fail(r.torn)
				}
				return
			}
			if err != nil {
				fail(err)
				return
			}
			row, err := unpack(data)
			if err != nil {
				fail(err)
				return
			}
			for f, err := range frames(row) {
				if err != nil {
					fail(err)
					return
				}
				if !yield(Settlement{Of: f.key, Data: f.data}, nil) {
					return
				}
				good++
			}
		}
	}
}

// Meta gives what was told about the run as a whole.
func (r *Reader) Meta() (map[string]string, error) {
	meta := map[string]string{}
	var key, value string
	err := r.each(`SELECT key, value FROM meta`, func() { meta[key] = value }, &key, &value)
	return meta, err
}

// Revisions gives the profile revisions, oldest first.
func (r *Reader) Revisions() ([]Revision, error) {
	var revisions []Revision
	var v Revision
	err := r.each(`SELECT hash, content, at_seq FROM revisions ORDER BY at_seq, rowid`, func() {
		revisions = append(revisions, v)
		v = Revision{}
	}, &v.Hash, &v.Content, &v.AtSeq)
	return revisions, err
}

// Epochs gives the times that the run was opened for writing, oldest first.
func (r *Reader) Epochs() ([]Epoch, error) {
	var epochs []Epoch
	var e Epoch
	var opened int64
	var closed sql.NullInt64
	err := r.each(`SELECT epoch, pid, host, opened, closed, coalesce(last, 0) FROM epochs ORDER BY epoch`, func() {
		e.Opened, e.Closed = time.UnixMilli(opened).UTC(), time.Time{}
		if closed.Valid {
			e.Closed = time.UnixMilli(closed.Int64).UTC()
		}
		epochs = append(epochs, e)
	}, &e.Number, &e.PID, &e.Host, &opened, &closed, &e.Last)
	return epochs, err
}

// each runs query and calls row after each row was read into dest.
func (r *Reader) each(query string, row func(), dest ...any) error {
	rows, err := r.db.QueryContext(context.Background(), query)
	if err != nil {
		return damage(r.run, fmt.Errorf("run %s: %w", r.run, err))
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return damage(r.run, fmt.Errorf("run %s: %w", r.run, err))
		}
		row()
	}
	return damage(r.run, rows.Err())
}
