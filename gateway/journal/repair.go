package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Repaired says what Repair has kept.
type Repaired struct {
	Damaged string        // where the damaged file is now; "" where nothing was wrong
	Runs    []RepairedRun // oldest first
	Lost    []string      // what was lost besides, in sentences
}

// A RepairedRun says what is kept of a run.
type RepairedRun struct {
	Run     string
	Last    uint64   // events 1 to Last are kept, its bases' among them
	Err     error    // why those after it are not; nil: none are known to be lost
	Beyond  []Span   // those after it that are whole too, and are not kept
	Changed []string // what else was kept of it, is not as it was written, and is kept no more
}

func (r RepairedRun) String() string {
	said := r.events()
	if n := r.Whole(); n > 0 {
		const few = 5
		spans := fmt.Sprint(r.Beyond[:min(few, len(r.Beyond))])
		if len(r.Beyond) > few {
			spans += " and more"
		}
		said += fmt.Sprintf("; %d beyond the damage are whole, %s, and stay in the damaged file", n, spans)
	}
	if len(r.Changed) > 0 {
		said += fmt.Sprintf("; lost besides, since it was %v", changedError(r.Changed))
	}
	return said
}

func (r RepairedRun) events() string {
	switch {
	case r.Err == nil:
		return fmt.Sprintf("run %s: all %d events are kept", r.Run, r.Last)
	case r.Last == 0:
		return fmt.Sprintf("run %s: no event could be kept: %v", r.Run, r.Err)
	}
	return fmt.Sprintf("run %s: events 1 to %d are kept, those after are lost: %v", r.Run, r.Last, r.Err)
}

// Whole is how many events beyond the damage are whole.
func (r RepairedRun) Whole() (n uint64) {
	for _, s := range r.Beyond {
		n += s.Last - s.First + 1
	}
	return n
}

// Repair makes a whole store of what can be read of a damaged one: of each run
// the events before its first damage. The damaged file is kept beside it. A
// store with nothing wrong is left as it is; one of which nothing can be read
// begins anew. Events that are whole beyond the first damage of their run are
// given to beyond, where it is set: they stay in the damaged file alone.
//
// Its errors are those of Reopen, without *DamagedError.
func Repair(dir string, beyond func(run string, e Entry) error) (*Repaired, error) {
	if err := find(dir); err != nil {
		return nil, err
	}
	ctx := context.Background()
	l, err := acquire(ctx, dir)
	if err != nil {
		return nil, err
	}
	report, err := repair(ctx, dir, beyond)
	if err = errors.Join(err, l.release()); err != nil {
		return nil, err
	}
	return report, nil
}

func repair(ctx context.Context, dir string, beyond func(run string, e Entry) error) (*Repaired, error) {
	draft := FileName + ".new"
	if err := create(ctx, dir, draft); err != nil {
		return nil, fmt.Errorf("store %s: repair: %w", dir, err)
	}
	report, whole, err := copyGood(ctx, dir, filepath.Join(dir, draft), beyond)
	if err != nil || whole {
		return report, errors.Join(err, os.Remove(filepath.Join(dir, draft)))
	}
	if err := syncFile(filepath.Join(dir, draft)); err != nil {
		return nil, fmt.Errorf("store %s: repair: %w", dir, err)
	}
	if report.Damaged, err = setAside(dir); err == nil {
		err = os.Rename(filepath.Join(dir, draft), filepath.Join(dir, FileName))
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: repair: %w; what could be kept is in %s", dir, err, draft)
	}
	return report, syncFile(dir)
}

// copyGood fills the file draft with what is good of the store in dir.
func copyGood(ctx context.Context, dir, draft string, beyond func(run string, e Entry) error) (report *Repaired, whole bool, err error) {
	s, err := openShelf(ctx, dir)
	if d, ok := errors.AsType[*DamagedError](err); ok {
		t, err := transplant(ctx, dir, draft, d.Err)
		if _, hopeless := errors.AsType[*DamagedError](err); hopeless {
			return keepNothing(ctx, draft, d)
		}
		if err != nil {
			return nil, false, err
		}
		defer func() { _ = t.close() }() // a copy, which nobody needs any more
		report, whole, err := copyFrom(ctx, t.shelf, dir, draft, beyond)
		if err == nil && len(report.Runs) == 0 {
			report.Lost = allLost(d)
		}
		return report, whole, err
	}
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	return copyFrom(ctx, s, dir, draft, beyond)
}

func copyFrom(ctx context.Context, s *shelf, dir, draft string, beyond func(run string, e Entry) error) (report *Repaired, whole bool, err error) {
	to, err := open(draft, "_pragma=journal_mode(MEMORY)", "_pragma=synchronous(OFF)")
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	tx, err := to.BeginTx(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	defer tx.Rollback()
	v := &salvage{from: s, tx: tx, runs: map[int64]*saved{}, report: &Repaired{}, told: beyond}
	if err := v.all(ctx); err != nil {
		return nil, false, fmt.Errorf("store %s: repair: %w", dir, err)
	}
	return v.report, v.whole(ctx), tx.Commit()
}

// keepNothing is left where SQLite cannot open the file at all: the store begins
// anew, so that its owner can go on.
func keepNothing(ctx context.Context, draft string, d *DamagedError) (*Repaired, bool, error) {
	to, err := open(draft, "_pragma=journal_mode(MEMORY)", "_pragma=synchronous(OFF)")
	if err != nil {
		return nil, false, err
	}
	defer to.Close()
	if _, err = to.ExecContext(ctx, putEpoch, unknownEpoch, 0, "", 0, nil); err != nil {
		return nil, false, err
	}
	tx, err := to.BeginTx(ctx, nil)
	if err == nil {
		err = errors.Join(sumUpAll(ctx, tx), tx.Commit())
	}
	return &Repaired{Lost: allLost(d)}, false, err
}

func allLost(d *DamagedError) []string { return []string{fmt.Sprintf("all of it: %v", d.Err)} }

// setAside gives the damaged file, and the log that belongs to it, names that
// nothing else has.
func setAside(dir string) (string, error) {
	name := FileName + ".damaged"
	for n := 2; ; n++ {
		_, err := os.Lstat(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s.damaged-%d", FileName, n)
	}
	// The log first: found beside the new file, it would be taken for its own.
	for _, ending := range []string{"-wal", "-journal", ""} {
		err := os.Rename(filepath.Join(dir, FileName+ending), filepath.Join(dir, name+ending))
		if err != nil && (ending == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", err
		}
	}
	err := os.Remove(filepath.Join(dir, FileName+"-shm")) // an index of the log: made anew
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return filepath.Join(dir, name), err
}

// whole tells whether nothing was wrong.
func (v *salvage) whole(ctx context.Context) bool {
	if v.from.torn != nil || v.mended || len(v.report.Lost) > 0 {
		return false
	}
	for _, r := range v.report.Runs {
		if r.Err != nil || len(r.Changed) > 0 {
			return false
		}
	}
	// What was not read: indexes, and what Reopen asks for besides.
	var verdict string
	if err := v.from.db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil || verdict != "ok" {
		return false
	}
	had, err := v.from.resume(ctx)
	return err == nil && !slices.ContainsFunc(had.runs, func(w *Writer) bool { return w.broken != nil })
}

// walk gives the rows of a table that has an id, in their order, to row, which
// scans them. It goes on behind rows and pages that cannot be read, and tells
// whether there were any.
func walk(ctx context.Context, db querier, table, columns string, row func(scan func(...any) error) (id int64, err error)) (skipped bool, err error) {
	for at := int64(0); ; {
		last, some, err := pass(ctx, db, `SELECT `+columns+` FROM `+table+` NOT INDEXED WHERE id > ? ORDER BY id`, at, row)
		skipped = skipped || some || err != nil
		switch {
		case err == nil:
			return skipped, nil
		case unread(err) || errors.Is(err, errKeep):
			return skipped, err
		}
		if at, err = behind(ctx, db, table, last); errors.Is(err, sql.ErrNoRows) {
			return skipped, nil
		}
		if err != nil {
			return skipped, err
		}
	}
}

// pass gives the rows after at to row, up to the first page that cannot be
// read. Its error is SQLite's, or errKeep; last is the last row that was good.
func pass(ctx context.Context, db querier, query string, at int64, row func(scan func(...any) error) (int64, error)) (last int64, skipped bool, err error) {
	rows, err := db.QueryContext(ctx, query, at)
	if err != nil {
		return at, false, err
	}
	defer rows.Close()
	for rows.Next() {
		id, err := row(rows.Scan)
		switch {
		case errors.Is(err, errKeep):
			return at, skipped, err
		case err != nil:
			skipped = true
		default:
			at = max(at, id) // a damaged page can hold any id; going back would never end
		}
	}
	return at, skipped, rows.Err()
}

// errKeep says that what was read could not be written.
var errKeep = errors.New("cannot be kept")

// behind finds the place after at from which on rows can be read again.
// Its error is sql.ErrNoRows where there is none.
func behind(ctx context.Context, db querier, table string, at int64) (int64, error) {
	var id int64
	readable := func(after int64) (bool, error) {
		err := db.QueryRowContext(ctx, `SELECT id FROM `+table+` NOT INDEXED WHERE id > ? ORDER BY id LIMIT 1`, after).Scan(&id)
		if err == nil && id <= after { // found on a page without order: asking on would never end
			return false, nil
		}
		if err == nil || errors.Is(err, sql.ErrNoRows) || unread(err) {
			return true, err
		}
		return false, nil
	}
	switch ok, err := readable(at); {
	case ok && err != nil:
		return 0, err
	case ok:
		return id, nil // the row alone cannot be read; the way to it can
	case at > 1<<61:
		return 0, sql.ErrNoRows
	}
	bad, good := at, int64(0)
	for step := int64(1); good == 0; step *= 2 {
		ok, err := readable(at + step)
		switch {
		case ok && err != nil:
			return 0, err
		case ok:
			good = at + step
		case step > 1<<40:
			return 0, sql.ErrNoRows
		default:
			bad = at + step
		}
	}
	for good-bad > 1 {
		middle := bad + (good-bad)/2
		if ok, err := readable(middle); ok && (err == nil || errors.Is(err, sql.ErrNoRows)) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good, nil
}
