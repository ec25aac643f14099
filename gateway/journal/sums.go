package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
)

// Events, settlements and what is said of a run carry checksums in their own
// rows. What is kept beside them has them in a table of its own, which came
// later: a store of an older Parity has none until it is written again, and gets
// those of what is there by then.
//
//	sums(run, of, sum)
//	7     note outcome      its value
//	7     revision h1 12    the event from which on it is in force
//	7     gap 3             what it says
//	-1    text h1           a profile text, which is of any number of runs
//	0     epoch 2           what is of the store: when it was opened and closed
//	0     meta sync
//
// A row without its sum is as wrong as a sum without its row.
const sumsTable = `CREATE TABLE IF NOT EXISTS sums(run INTEGER NOT NULL, of TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(run, of)) STRICT, WITHOUT ROWID;`

// What stands for a run where none is meant.
const (
	ofStore = 0
	ofTexts = -1
)

// What has checksums, as run, of, and what the sum is about.
const (
	noteSums     = `SELECT run, 'note ' || key, value FROM notes`
	revisionSums = `SELECT run, 'revision ' || hash || ' ' || id, at_seq FROM revisions`
	gapSums      = `SELECT run, 'gap ' || id, after || ' ' || why FROM gaps`
	textSums     = `SELECT -1, 'text ' || hash, content FROM texts`
	epochSums    = `SELECT 0, 'epoch ' || epoch, pid || ' ' || host || ' ' || opened || ' ' || coalesce(closed, '') FROM epochs`
	metaSums     = `SELECT 0, 'meta ' || key, value FROM meta`
)

const (
	putSum  = `INSERT OR REPLACE INTO sums(run, of, sum) VALUES (?, ?, ?)`
	sumsKey = "sums" // in meta: the table is there, and where it is not it was lost
)

// sumOf is the checksum of what is kept of run under that name.
func sumOf(run int64, of string, content []byte) int64 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return int64(crc32.Update(crc32.Checksum(fmt.Appendf(nil, "%d %q ", run, of), table), table, content))
}

// sumUp keeps the sums of what a query gives, as it is now.
func sumUp(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	type one struct {
		run int64
		of  string
		sum int64
	}
	var all []one
	var o one
	var content []byte
	s := &shelf{db: tx}
	err := s.each(ctx, query, args, func() {
		o.sum = sumOf(o.run, o.of, content)
		all = append(all, o)
	}, &o.run, &o.of, &content)
	if err != nil {
		return err
	}
	for _, o := range all {
		if _, err := tx.ExecContext(ctx, putSum, o.run, o.of, o.sum); err != nil {
			return err
		}
	}
	return nil
}

// sumUpAll keeps the sums of all that is there.
func sumUpAll(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, sumsTable+` DELETE FROM sums`); err != nil {
		return err
	}
	for _, query := range []string{noteSums, revisionSums, gapSums, textSums, epochSums, metaSums} {
		if err := sumUp(ctx, tx, query); err != nil {
			return err
		}
	}
	return nil
}

// A proof holds what is read against its checksums.
type proof struct {
	none    bool // the store has none
	sums    map[name]int64
	read    map[name]bool
	changed []string // what is not as it was written
}

// A name is what a row of sums is about.
type name struct {
	run int64
	of  string
}

// holds tells whether content is what was written.
func (p *proof) holds(run int64, of string, content []byte) bool {
	n := name{run, of}
	p.read[n] = true
	sum, there := p.sums[n]
	if p.none || there && sum == sumOf(run, of, content) {
		return true
	}
	p.changed = append(p.changed, of)
	return false
}

// lost gives what was written and is not there any more.
func (p *proof) lost() []name {
	return slices.SortedFunc(func(yield func(name) bool) {
		for n := range maps.Keys(p.sums) {
			if !p.read[n] && !yield(n) {
				return
			}
		}
	}, func(a, b name) int { return strings.Compare(a.of, b.of) })
}

// all gives what is changed or lost, once what there is was read.
func (p *proof) all() []string {
	all := p.changed
	for _, n := range p.lost() {
		all = append(all, n.of)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// proof reads the checksums for which where holds.
func (s *shelf) proof(ctx context.Context, where string, args ...any) (*proof, error) {
	p := &proof{sums: map[name]int64{}, read: map[name]bool{}}
	there, err := s.summed(ctx)
	if err != nil || !there {
		p.none = true
		return p, err
	}
	var n name
	var sum int64
	err = s.each(ctx, `SELECT run, of, sum FROM sums WHERE `+where, args, func() { p.sums[n] = sum }, &n.run, &n.of, &sum)
	return p, err
}

// errSums says that the checksums of a store that had them are gone.
var errSums = errors.New("the checksums are gone")

// summed tells whether the store has checksums of what it keeps besides: not
// where an older Parity made it, or has written it since.
func (s *shelf) summed(ctx context.Context) (bool, error) {
	var tables, marks, newest int
	var none bool
	err := s.each(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'sums'`, nil, func() {}, &tables)
	if err == nil && tables == 0 {
		err = s.each(ctx, `SELECT count(*) FROM meta WHERE key = ?`, []any{sumsKey}, func() {}, &marks)
		if err == nil && marks > 0 {
			err = &DamagedError{Store: s.name, Err: errSums}
		}
		return false, err
	}
	if err == nil {
		err = s.each(ctx, `SELECT count(*), NOT EXISTS (SELECT 1 FROM epochs) FROM sums WHERE run = 0 AND of = 'epoch ' || (SELECT max(epoch) FROM epochs)`,
			nil, func() {}, &newest, &none)
	}
	if err != nil || newest > 0 || none {
		return err == nil, err
	}
	return s.older(ctx)
}

// older tells whether the newest epoch, which has no checksum, had one: it is an
// older Parity's, unless the checksum was lost, with what it is about or with
// those of all the epochs before it.
func (s *shelf) older(ctx context.Context) (lost bool, err error) {
	var without, epochs int
	err = s.each(ctx, `SELECT coalesce(sum(of NOT IN (SELECT 'epoch ' || epoch FROM epochs UNION ALL SELECT 'meta ' || key FROM meta)), 0), coalesce(sum(of LIKE 'epoch %'), 0) FROM sums WHERE run = 0`,
		nil, func() {}, &without, &epochs)
	if err == nil && epochs == 0 {
		err = &DamagedError{Store: s.name, Err: errSums}
	}
	return without > 0, err
}

// changed gives what is not as it was written of what is the store's own.
func (s *shelf) changed(ctx context.Context) ([]string, error) {
	at, done, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	p, err := at.proof(ctx, `run = ?`, ofStore)
	if err != nil || p.none {
		return nil, err
	}
	for _, query := range []string{epochSums, metaSums} {
		if err := at.prove(ctx, p, query); err != nil {
			return nil, err
		}
	}
	return p.all(), nil
}

// prove holds what a query gives against its checksums.
func (s *shelf) prove(ctx context.Context, p *proof, query string, args ...any) error {
	var n name
	var content []byte
	return s.each(ctx, query, args, func() { p.holds(n.run, n.of, content) }, &n.run, &n.of, &content)
}

// snapshot gives the shelf as it is at one moment, for what takes more than one
// query, until done.
func (s *shelf) snapshot(ctx context.Context) (at *shelf, done func(), err error) {
	db, ok := s.db.(*sql.DB)
	if !ok {
		return s, func() {}, nil // it is one
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, damaged(s.name, fmt.Errorf("store %s: %w", s.name, s.told(err)))
	}
	return &shelf{db: tx, name: s.name, torn: s.torn}, func() { _ = tx.Rollback() }, nil // nothing was written
}
