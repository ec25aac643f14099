package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"parity/fakes/clock"
)

// A database is the backend on disk.
type database struct {
	db    *sql.DB
	shelf *shelf // to read from, beside the writer's connection
	lock  *lock
	clock clock.Wall
	dir   string
	epoch uint64
	block int              // bytes of entries in a row
	lasts map[int64]uint64 // newest event of the runs that were written to

	compiled map[string]*sql.Stmt
	buf      []byte // the row that is being made
	small    []byte // the same, packed
}

// openDatabase takes the store in dir for writing; with fresh it makes it.
func openDatabase(ctx context.Context, dir string, o Options, fresh bool) (*database, resumed, error) {
	l, err := acquire(ctx, dir)
	if err != nil {
		return nil, resumed{}, err
	}
	if fresh {
		if _, err = os.Lstat(filepath.Join(dir, FileName)); err == nil { // made between the first look and the lock
			err = fs.ErrExist
		} else {
			err = create(ctx, dir, FileName)
		}
		if err != nil {
			return nil, resumed{}, errors.Join(fmt.Errorf("store %s: make it: %w", dir, err), l.release())
		}
	}
	// A batch of many runs touches many pages, and those that find no place in
	// the cache are written twice.
	db, err := open(filepath.Join(dir, FileName), "_txlock=immediate", "_pragma=busy_timeout(5000)",
		"_pragma=cache_size(-4096)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)")
	if err != nil {
		return nil, resumed{}, errors.Join(err, l.release())
	}
	d := &database{db: db, lock: l, clock: o.Clock, dir: dir, block: o.FlushBytes, lasts: map[int64]uint64{}}
	had, err := d.start(ctx, o.Durability)
	if err == nil && o.Durability == Async { // the epoch is on disk: one that is lost would be begun again, and its ids given twice
		_, err = db.ExecContext(ctx, `PRAGMA synchronous = NORMAL`)
	}
	if err == nil {
		err = d.prepare(ctx)
	}
	if err == nil {
		d.shelf, err = openShelf(ctx, dir)
	}
	if err != nil {
		return nil, resumed{}, errors.Join(err, db.Close(), l.release())
	}
	d.tidy(ctx, had)
	return d, had, nil
}

// start checks the tables, finds what is in them and begins an epoch.
func (d *database) start(ctx context.Context, durability Durability) (had resumed, err error) {
	if err = check(ctx, d.db, d.dir); err == nil {
		had, err = (&shelf{db: d.db, name: d.dir}).resume(ctx)
	}
	if err != nil {
		return had, damaged(d.dir, err)
	}
	if err = d.begin(ctx, had, durability); err != nil {
		return had, fmt.Errorf("store %s: begin an epoch: %w", d.dir, damaged(d.dir, err))
	}
	return had, nil
}

func (d *database) begin(ctx context.Context, had resumed, durability Durability) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := mark(ctx, tx, had); err != nil {
		return err
	}
	host, _ := os.Hostname() // only told to people; empty where it is unknown
	const begin = `INSERT INTO epochs(epoch, pid, host, opened) SELECT coalesce(max(epoch), 0) + 1, ?, ?, ? FROM epochs RETURNING epoch`
	if err = tx.QueryRowContext(ctx, begin, os.Getpid(), host, d.clock.Now().UnixMilli()).Scan(&d.epoch); err != nil {
		return err
	}
	if durability == Sync {
		if _, err = tx.ExecContext(ctx, putMeta, syncKey, strconv.FormatUint(d.epoch, 10)); err != nil {
			return err
		}
	}
	if _, err = tx.ExecContext(ctx, putMeta, sumsKey, "1"); err != nil {
		return err
	}
	if !had.summed {
		err = sumUpAll(ctx, tx)
	} else if err = sumUp(ctx, tx, epochSums+` WHERE epoch = ?`, d.epoch); err == nil {
		err = sumUp(ctx, tx, metaSums) // it was as it was written, or the store was refused
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

func (d *database) write(b batch) error {
	ctx := context.Background() // a transaction that was begun is ended, whoever has stopped waiting
	tx, err := d.beginBatch(ctx, b)
	if tx != nil {
		defer tx.Rollback()
	}
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := d.fence(ctx, tx); err != nil {
		return err
	}
	for _, run := range b.purged {
		if err := purge(ctx, tx, run); err != nil {
			return fmt.Errorf("removal: %w", err)
		}
	}
	for _, p := range b.parts {
		if err := d.writePart(ctx, tx, p); err != nil {
			return err
		}
	}
	for _, hash := range b.dropped {
		if _, err := tx.ExecContext(ctx, `DELETE FROM texts WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM revisions WHERE hash = ?1);
			DELETE FROM sums WHERE run = ?2 AND of = 'text ' || ?1 AND NOT EXISTS (SELECT 1 FROM revisions WHERE hash = ?1)`, hash, ofTexts); err != nil {
			return fmt.Errorf("removal: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, p := range b.parts {
		if n := len(p.entries); n > 0 {
			d.lasts[p.run] = p.entries[n-1].Seq
		}
	}
	for _, run := range b.purged {
		delete(d.lasts, run)
	}
	d.forgetAll(ctx, b.purged)
	d.endBatch(ctx, b)
	return nil
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

func (d *database) writePart(ctx context.Context, tx *sql.Tx, p *part) error {
	if r := p.row; r != nil {
		if err := d.put(ctx, tx, putRow, p.run, r.name, r.base, r.baseSeq, r.made.UnixNano(), instant(r.ended), r.gone, r.last, r.sum(p.run)); err != nil {
			return fmt.Errorf("run: %w", err)
		}
	}
	if err := d.writeRevisions(ctx, tx, p); err != nil {
		return err
	}
	for key, value := range p.meta {
		err := d.put(ctx, tx, putNote, p.run, key, value)
		if err == nil {
			err = d.putSum(ctx, tx, p.run, "note "+key, value)
		}
		if err != nil {
			return fmt.Errorf("note: %w", err)
		}
	}
	if version, ok := p.meta["parity"]; ok { // for an older Parity that cannot read the rest
		err := d.put(ctx, tx, putMeta, "parity", version)
		if err == nil {
			err = d.putSum(ctx, tx, ofStore, "meta parity", version)
		}
		if err != nil {
			return fmt.Errorf("meta: %w", err)
		}
	}
	events, err := d.writeEntries(ctx, tx, p.run, p.entries)
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	settled, err := d.writeSettlements(ctx, tx, p.run, p.settlements)
	if err != nil {
		return fmt.Errorf("settlements: %w", err)
	}
	p.stored = events + settled
	return nil
}

func (d *database) writeRevisions(ctx context.Context, tx *sql.Tx, p *part) error {
	for _, r := range p.revisions {
		made, err := tx.StmtContext(ctx, d.compiled[putText]).ExecContext(ctx, r.Hash, r.Content)
		if err != nil {
			return fmt.Errorf("profile text: %w", err)
		}
		if n, err := made.RowsAffected(); err != nil || n > 0 { // else it was there
			if err = errors.Join(err, d.putSum(ctx, tx, ofTexts, "text "+r.Hash, string(r.Content))); err != nil {
				return fmt.Errorf("profile text: %w", err)
			}
		}
		made, err = tx.StmtContext(ctx, d.compiled[putRevision]).ExecContext(ctx, p.run, r.Hash, r.AtSeq)
		var id int64
		if err == nil {
			id, err = made.LastInsertId()
		}
		if err == nil {
			err = d.putSum(ctx, tx, p.run, fmt.Sprintf("revision %s %d", r.Hash, id), strconv.FormatUint(r.AtSeq, 10))
		}
		if err != nil {
			return fmt.Errorf("revision: %w", err)
		}
	}
	return nil
}

// What is written for each run or block. It is compiled once: with many runs in
// a transaction that was a third of its cost.
const (
	putRow = `INSERT INTO runs(id, name, base, base_seq, made, ended, gone, last, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(id) DO UPDATE SET ended = excluded.ended, gone = excluded.gone, last = excluded.last, sum = excluded.sum`
	putText       = `INSERT OR IGNORE INTO texts(hash, content) VALUES (?, ?)`
	putRevision   = `INSERT INTO revisions(run, hash, at_seq) VALUES (?, ?, ?)`
	putNote       = `INSERT OR REPLACE INTO notes(run, key, value) VALUES (?, ?, ?)`
	putMeta       = `INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)`
	putBlock      = `INSERT INTO blocks(run, first, last, epoch, size, data) VALUES (?, ?, ?, ?, ?, ?)`
	putSettlement = `INSERT INTO settlements(run, size, data) VALUES (?, ?, ?)`
)

// prepare compiles what is written. The statements end with the connection.
func (d *database) prepare(ctx context.Context) error {
	d.compiled = map[string]*sql.Stmt{}
	for _, query := range []string{putRow, putText, putRevision, putNote, putMeta, putBlock, putSettlement, putSum} {
		s, err := d.db.PrepareContext(ctx, query)
		if err != nil {
			return damaged(d.dir, fmt.Errorf("store %s: %w", d.dir, err))
		}
		d.compiled[query] = s
	}
	return nil
}

func (d *database) put(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	_, err := tx.StmtContext(ctx, d.compiled[query]).ExecContext(ctx, args...)
	return err
}

func (d *database) putSum(ctx context.Context, tx *sql.Tx, run int64, of, content string) error {
	return d.put(ctx, tx, putSum, run, of, sumOf(run, of, []byte(content)))
}

// writeEntries gives how many bytes they came to.
func (d *database) writeEntries(ctx context.Context, tx *sql.Tx, run int64, entries []Entry) (stored int64, err error) {
	for len(entries) > 0 {
		n := d.fill(run, len(entries), func(i int) (uint64, []byte) { return entries[i].Seq, entries[i].Data })
		packed := d.pack()
		if err := d.put(ctx, tx, putBlock, run, entries[0].Seq, entries[n-1].Seq, d.epoch, len(d.buf), packed); err != nil {
			return stored, err
		}
		stored += int64(len(packed))
		entries = entries[n:]
	}
	return stored, nil
}

// fill puts as many of a run's frames as a block holds, at least one, into the
// buffer, and tells how many.
func (d *database) fill(run int64, most int, frame func(i int) (seq uint64, data []byte)) (n int) {
	d.buf = d.buf[:0]
	for ; n < most; n++ {
		seq, data := frame(n)
		if n > 0 && len(d.buf)+frameSize(seq, data) > d.block {
			break
		}
		d.buf = appendFrame(d.buf, run, seq, data)
	}
	return n
}

func (d *database) pack() []byte {
	d.small = pack(d.small, d.buf)
	return d.small
}

func (d *database) writeSettlements(ctx context.Context, tx *sql.Tx, run int64, settlements []Settlement) (stored int64, err error) {
	for len(settlements) > 0 {
		n := d.fill(run, len(settlements), func(i int) (uint64, []byte) { return settlements[i].Of, settlements[i].Data })
		packed := d.pack()
		if err := d.put(ctx, tx, putSettlement, run, len(d.buf), packed); err != nil {
			return stored, err
		}
		stored += int64(len(packed))
		settlements = settlements[n:]
	}
	return stored, nil
}

// purge forgets a run.
func purge(ctx context.Context, tx *sql.Tx, run int64) error {
	for _, query := range []string{
		`DELETE FROM blocks WHERE run = ?`, `DELETE FROM settlements WHERE run = ?`, `DELETE FROM revisions WHERE run = ?`, `DELETE FROM notes WHERE run = ?`, `DELETE FROM gaps WHERE run = ?`, `DELETE FROM sums WHERE run = ?`, `DELETE FROM runs WHERE id = ?`,
	} {
		if _, err := tx.ExecContext(ctx, query, run); err != nil {
			return err
		}
	}
	return nil
}

// close gives the store free. When all is written it ends the epoch and leaves
// one plain file, which can be read from a read-only folder too. A reader that
// is at it keeps the file as it is; that is no error, the next writer's close
// will do it.
func (d *database) close(clean bool) error {
	ctx := context.Background()
	err := d.shelf.close()
	if clean {
		err = errors.Join(err, d.conclude(ctx))
		_, _ = d.db.ExecContext(ctx, `PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE`)
	}
	return errors.Join(err, d.db.Close(), d.lock.release())
}

// conclude says where each run ends, so that a file that has lost its last
// pages is known for that.
func (d *database) conclude(ctx context.Context) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for run, last := range d.lasts {
		if _, err := tx.ExecContext(ctx, `UPDATE runs SET last = ? WHERE id = ?`, last, run); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE epochs SET closed = ? WHERE epoch = ?`, d.clock.Now().UnixMilli(), d.epoch); err != nil {
		return err
	}
	if err := sumUp(ctx, tx, epochSums+` WHERE epoch = ?`, d.epoch); err != nil {
		return err
	}
	return tx.Commit()
}
