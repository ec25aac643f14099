package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"parity/fakes/clock"
)

// A batch is what one transaction keeps.
type batch struct {
	entries     []Entry
	settlements []Settlement
	revisions   []Revision
	meta        map[string]string
	bytes       int64
}

func (b *batch) empty() bool {
	return len(b.entries) == 0 && len(b.settlements) == 0 && len(b.revisions) == 0 && len(b.meta) == 0
}

// before puts a, which was appended earlier, in front of b.
func (b *batch) before(a batch) {
	b.entries = append(a.entries, b.entries...)
	b.settlements = append(a.settlements, b.settlements...)
	b.revisions = append(a.revisions, b.revisions...)
	b.bytes += a.bytes
	for key, value := range a.meta {
		if _, newer := b.meta[key]; !newer {
			b.setMeta(key, value)
		}
	}
}

func (b *batch) setMeta(key, value string) {
	if b.meta == nil {
		b.meta = map[string]string{}
	}
	b.meta[key] = value
}

// A store keeps batches. Only the writer goroutine calls it.
type store interface {
	write(batch) error // the whole batch, or nothing of it
	close(clean bool) error
}

// A database is the store on disk.
type database struct {
	db    *sql.DB
	lock  *lock
	clock clock.Wall
	run   string
	epoch uint64
	block int    // bytes of entries in a row
	buf   []byte // the row that is being made
	small []byte // the same, packed
}

// resumed is what an opened store already holds.
type resumed struct {
	last  uint64 // newest event
	bytes int64
	clean bool // the epoch before ended by Close
}

// openDatabase takes the run in dir for writing; with fresh it makes it.
func openDatabase(ctx context.Context, dir string, o Options, fresh bool) (*database, resumed, error) {
	l, err := acquire(ctx, dir)
	if err != nil {
		return nil, resumed{}, err
	}
	synchronous := "NORMAL"
	if o.Durability == Sync {
		synchronous = "FULL"
	}
	// A writer appends and seldom reads: SQLite's usual cache of 2 MB for each
	// live run would buy nothing.
	db, err := open(filepath.Join(dir, fileName), "_txlock=immediate", "_pragma=busy_timeout(5000)",
		"_pragma=cache_size(-256)", "_pragma=journal_mode(WAL)", "_pragma=synchronous("+synchronous+")")
	if err != nil {
		return nil, resumed{}, errors.Join(err, l.release())
	}
	d := &database{db: db, lock: l, clock: o.Clock, run: filepath.Base(dir), block: o.FlushBytes}
	had, err := d.start(ctx, fresh)
	if err != nil {
		return nil, resumed{}, errors.Join(err, db.Close(), l.release())
	}
	return d, had, nil
}

// start makes or checks the tables and begins an epoch.
func (d *database) start(ctx context.Context, fresh bool) (resumed, error) {
	var had resumed
	if fresh {
		if err := create(ctx, d.db); err != nil {
			return had, fmt.Errorf("run %s: create the journal: %w", d.run, err)
		}
	} else {
		err := check(ctx, d.db, d.run)
		if err == nil {
			had, err = d.resume(ctx)
		}
		if corrupt(err) {
			err = &DamagedError{Run: d.run, Part: "end", Err: err}
		}
		if err != nil {
			return had, err
		}
	}
	host, _ := os.Hostname() // only told to people; empty where it is unknown
	const begin = `INSERT INTO epochs(epoch, pid, host, opened) SELECT coalesce(max(epoch), 0) + 1, ?, ?, ? FROM epochs RETURNING epoch`
	err := d.db.QueryRowContext(ctx, begin, os.Getpid(), host, d.clock.Now().UnixMilli()).Scan(&d.epoch)
	if err != nil {
		return had, fmt.Errorf("run %s: begin an epoch: %w", d.run, err)
	}
	return had, nil
}

// resume finds the end of what is kept. A run whose end is damaged is not
// written on: the events after it would follow a hole.
func (d *database) resume(ctx context.Context) (resumed, error) {
	var had resumed
	err := d.db.QueryRowContext(ctx, `SELECT closed IS NOT NULL FROM epochs ORDER BY epoch DESC LIMIT 1`).Scan(&had.clean)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return had, err
	}
	const sizes = `SELECT (SELECT coalesce(sum(size), 0) FROM blocks) +
		(SELECT coalesce(sum(size), 0) FROM settlements) + (SELECT coalesce(sum(length(content)), 0) FROM revisions)`
	if err := d.db.QueryRowContext(ctx, sizes).Scan(&had.bytes); err != nil {
		return had, err
	}
	r := Reader{db: d.db, run: d.run}
	for b := range r.blocks(math.MaxInt64 - 1) { // the last one: whoever goes on reads the rest anyway
		if b.err != nil {
			return had, &DamagedError{Run: d.run, Part: "end", Good: b.last, Err: b.err}
		}
		had.last = b.last
	}
	return had, nil
}

func (d *database) write(b batch) error {
	ctx := context.Background() // a transaction that was begun is ended, whoever has stopped waiting
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := d.fence(ctx, tx); err != nil {
		return err
	}
	if err := d.writeEntries(ctx, tx, b.entries); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	if err := d.writeSettlements(ctx, tx, b.settlements); err != nil {
		return fmt.Errorf("settlements: %w", err)
	}
	for _, r := range b.revisions {
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO revisions(hash, content, at_seq) VALUES (?, ?, ?)`, r.Hash, r.Content, r.AtSeq); err != nil {
			return fmt.Errorf("revision: %w", err)
		}
	}
	for key, value := range b.meta {
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)`, key, value); err != nil {
			return fmt.Errorf("meta: %w", err)
		}
	}
	return tx.Commit()
}

// fence refuses to write for an epoch that is over. The lock keeps others out
// already; this holds where somebody has deleted its file.
func (d *database) fence(ctx context.Context, tx *sql.Tx) error {
	var newest uint64
	if err := tx.QueryRowContext(ctx, `SELECT max(epoch) FROM epochs`).Scan(&newest); err != nil {
		return fmt.Errorf("epoch: %w", err)
	}
	if newest != d.epoch {
		return fmt.Errorf("%w: epoch %d has begun, this one is %d", ErrFenced, newest, d.epoch)
	}
	return nil
}

func (d *database) writeEntries(ctx context.Context, tx *sql.Tx, entries []Entry) error {
	for len(entries) > 0 {
		d.buf = d.buf[:0]
		n := 0
		for ; n < len(entries) && (n == 0 || len(d.buf)+frameSize(entries[n].Data) <= d.block); n++ {
			d.buf = appendFrame(d.buf, entries[n].Seq, entries[n].Data)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO blocks(first, last, epoch, size, data) VALUES (?, ?, ?, ?, ?)`,
			entries[0].Seq, entries[n-1].Seq, d.epoch, len(d.buf), d.pack())
		if err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

func (d *database) pack() []byte {
	d.small = pack(d.small, d.buf)
	return d.small
}

func (d *database) writeSettlements(ctx context.Context, tx *sql.Tx, settlements []Settlement) error {
	for len(settlements) > 0 {
		d.buf = d.buf[:0]
		n := 0
		for ; n < len(settlements) && (n == 0 || len(d.buf)+frameSize(settlements[n].Data) <= d.block); n++ {
			d.buf = appendFrame(d.buf, settlements[n].Of, settlements[n].Data)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO settlements(epoch, size, data) VALUES (?, ?, ?)`, d.epoch, len(d.buf), d.pack()); err != nil {
			return err
		}
		settlements = settlements[n:]
	}
	return nil
}

// close gives the run free. When all is written it ends the epoch and leaves
// one plain file, which can be read from a read-only folder too. A reader that
// is at it keeps the file as it is; that is no error, the next writer's close
// will do it.
func (d *database) close(clean bool) error {
	ctx := context.Background()
	var err error
	if clean {
		_, err = d.db.ExecContext(ctx, `UPDATE epochs SET closed = ?, last = (SELECT coalesce(max(last), 0) FROM blocks) WHERE epoch = ?`,
			d.clock.Now().UnixMilli(), d.epoch)
	}
	if clean && err == nil {
		_, _ = d.db.ExecContext(ctx, `PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE`)
	}
	return errors.Join(err, d.db.Close(), d.lock.release())
}

// validSeq tells whether SQLite's integers can hold seq.
func validSeq(seq uint64) bool { return seq > 0 && seq < math.MaxInt64 }
