package journal

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
)

// A salvage copies what is good of a store into a new one. It reads tables in
// the order they were written, without their indexes, which may be what is
// damaged.
type salvage struct {
	from   *shelf
	tx     *sql.Tx
	runs   map[int64]*saved
	order  []*saved // oldest first
	report *Repaired
	told   func(run string, beyond Entry) error // or nil
	anyRun []string                             // what is lost, and nobody knows of which runs
	small  []byte
	mended bool // something was wrong, and nothing is lost by it
}

// saved is what is kept of a run.
type saved struct {
	shelved
	base    *saved
	last    uint64
	err     error    // why no more is
	changed []string // what is not kept of it besides, since it is not as it was written
	beyond  []Span   // what is whole behind its first damage
}

func (v *salvage) all(ctx context.Context) error {
	if v.from.torn != nil {
		v.lost(false, fmt.Sprintf("pages of the file, and which runs had something there is not known: %v", v.from.torn))
	}
	for _, step := range []func(context.Context) error{v.copyRuns, v.copyBlocks, v.cutForks, v.tellBeyond, v.copySettlements, v.copyRows, v.copyNotes, v.copyEpochs, v.copyGaps, v.conclude} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// copyRows writes what is said of runs, once it is known what is kept of them.
func (v *salvage) copyRows(ctx context.Context) error {
	for _, r := range v.order {
		if r.err == nil && r.last < r.row.last {
			r.err = lostEnd(r.last, r.row.last)
		}
		if r.err == nil && v.from.torn != nil && !v.from.final(r.shelved) {
			r.err = fmt.Errorf("it is not known whether there were more: %w", v.from.torn)
		}
		if err := v.put(ctx, `INSERT INTO runs(`+rowColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.id, r.name, r.shelved.base, r.baseSeq, r.made.UnixNano(), instant(r.ended), r.gone, r.last, r.sum(r.id)); err != nil {
			return err
		}
	}
	return nil
}

// lost notes what is gone of runs that may be any of those which are kept.
func (v *salvage) lost(ok bool, what string) {
	if !ok && !slices.Contains(v.anyRun, what) {
		v.anyRun = append(v.anyRun, what)
		v.report.Lost = append(v.report.Lost, what)
	}
}

// gone notes what is gone of runs that are gone too.
func (v *salvage) gone(what string) {
	if !slices.Contains(v.report.Lost, what) {
		v.report.Lost = append(v.report.Lost, what)
	}
}

// put writes a row into the new store.
func (v *salvage) put(ctx context.Context, query string, args ...any) error {
	if _, err := v.tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%w: %w", errKeep, err)
	}
	return nil
}

func (v *salvage) copyRuns(ctx context.Context) error {
	skipped, err := walk(ctx, v.from.db, "runs", rowColumns, func(scan func(...any) error) (int64, error) {
		r := &saved{}
		if err := r.read(scan); err != nil {
			return r.id, err
		}
		r.base = v.runs[r.shelved.base]
		if r.base == nil && r.shelved.base != 0 {
			v.gone(fmt.Sprintf("run %s: what it was forked from is lost, and it with it", r.name))
			return r.id, nil
		}
		r.last = r.baseSeq
		v.runs[r.id] = r
		v.order = append(v.order, r)
		return r.id, nil
	})
	if skipped {
		v.gone("names of runs, and their events with them")
	}
	return err
}

func (v *salvage) copyBlocks(ctx context.Context) error {
	skipped, err := walk(ctx, v.from.db, "blocks", `id, CAST(run AS INTEGER), CAST(first AS INTEGER), CAST(last AS INTEGER), CAST(epoch AS INTEGER), data`, func(scan func(...any) error) (int64, error) {
		var b blockRow
		var run, first, last, epoch sql.NullInt64
		if err := scan(&b.id, &run, &first, &last, &epoch, &b.data); err != nil {
			return 0, err
		}
		b.run, b.first, b.last = run.Int64, uint64(first.Int64), uint64(last.Int64)
		r, entries, err := v.place(b)
		if r == nil {
			v.gone("events of runs whose names are lost")
			return b.id, nil
		}
		if len(entries) == 0 || entries[0].Seq != r.last+1 {
			r.stop(cmp.Or(err, fmt.Errorf("event %d: %w: the next block begins with event %d", r.last+1, errFrame, b.first)))
			return b.id, nil
		}
		if r.err != nil {
			return b.id, nil
		}
		r.stop(err)
		v.mended = v.mended || r.id != b.run || entries[0].Seq != b.first || entries[len(entries)-1].Seq != b.last
		return b.id, v.putBlock(ctx, r, entries, epoch.Int64)
	})
	if err != nil {
		return err
	}
	if skipped { // which events these were shows by what follows them, or by where a run was to end
		v.lost(false, "a part of the file that holds events")
	}
	for _, r := range v.order {
		if skipped || r.err != nil {
			if err := v.copyIndexed(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *salvage) putBlock(ctx context.Context, r *saved, entries []Entry, epoch int64) error {
	var row []byte
	for _, e := range entries {
		row = appendFrame(row, r.id, e.Seq, e.Data)
	}
	v.small = pack(v.small, row)
	r.last = entries[len(entries)-1].Seq
	return v.put(ctx, `INSERT INTO blocks(run, first, last, epoch, size, data) VALUES (?, ?, ?, ?, ?, ?)`, r.id, entries[0].Seq, r.last, epoch, len(row), v.small)
}

// copyIndexed goes on with a run by the index: where the way through the table
// is damaged, it may still lead to a row.
func (v *salvage) copyIndexed(ctx context.Context, r *saved) error {
	indexed := &shelf{db: v.from.db, name: v.from.name}
	for b := range indexed.blocks(r.id, r.last+1) {
		entries := slices.DeleteFunc(b.entries, func(e Entry) bool { return e.Seq <= r.last })
		if len(entries) == 0 || entries[0].Seq != r.last+1 {
			break
		}
		r.err = b.err
		if err := v.putBlock(ctx, r, entries, 0); err != nil {
			return err
		}
	}
	return nil
}

// stop says from where on nothing more is kept of a run; the first reason
// stays.
func (r *saved) stop(err error) {
	if r.err == nil {
		r.err = err
	}
}

// place finds the run that a block belongs to, and its good events. Frames know
// both better than the row does.
func (v *salvage) place(b blockRow) (*saved, []Entry, error) {
	named := v.runs[b.run]
	data, err := unpack(b.data)
	if err != nil {
		return named, nil, fmt.Errorf("event %d: %w", b.first, err)
	}
	if named != nil {
		entries, err := consecutive(data, named.id)
		if len(entries) > 0 {
			return named, entries, err
		}
	}
	first, _ := binary.Uvarint(data)
	for _, r := range v.order {
		if r.last+1 != first {
			continue
		}
		if entries, err := consecutive(data, r.id); len(entries) > 0 {
			return r, entries, err
		}
	}
	return named, nil, fmt.Errorf("event %d: %w", b.first, errFrame)
}

// consecutive gives the events of a block of run up to its first damage.
func consecutive(data []byte, run int64) (entries []Entry, err error) {
	for f, err := range frames(data, run) {
		if err == nil && len(entries) > 0 && f.key != entries[len(entries)-1].Seq+1 {
			err = fmt.Errorf("%w: event %d follows", errFrame, f.key)
		}
		if err != nil {
			if len(entries) > 0 {
				err = fmt.Errorf("event %d: %w", entries[len(entries)-1].Seq+1, err)
			}
			return entries, err
		}
		entries = append(entries, Entry{Seq: f.key, Data: f.data})
	}
	return entries, nil
}

// cutForks takes the events of forks whose bases do not reach them any more.
func (v *salvage) cutForks(ctx context.Context) error {
	for _, r := range v.order {
		if r.base == nil || r.base.last >= r.baseSeq {
			continue
		}
		r.err = fmt.Errorf("event %d is lost in run %s, which it was forked from at event %d", r.base.last+1, r.base.name, r.baseSeq)
		r.last, r.baseSeq = r.base.last, r.base.last
		if err := v.put(ctx, `DELETE FROM blocks WHERE run = ?`, r.id); err != nil {
			return err
		}
	}
	return nil
}

func (v *salvage) copySettlements(ctx context.Context) error {
	skipped, err := walk(ctx, v.from.db, "settlements", `id, run, data`, func(scan func(...any) error) (int64, error) {
		var id, run int64
		var data []byte
		if err := scan(&id, &run, &data); err != nil {
			return 0, err
		}
		r := v.runs[run]
		if r == nil {
			return id, nil
		}
		row, err := unpack(data)
		if err != nil {
			v.lost(false, "what went out for some events")
			return id, nil
		}
		var kept []byte
		for f, err := range frames(row, run) {
			if err != nil {
				v.lost(false, "what went out for some events")
				break
			}
			if f.key > r.baseSeq && f.key <= r.last {
				kept = appendFrame(kept, run, f.key, f.data)
			}
		}
		if len(kept) == 0 {
			return id, nil
		}
		v.small = pack(v.small, kept)
		return id, v.put(ctx, `INSERT INTO settlements(run, size, data) VALUES (?, ?, ?)`, run, len(kept), v.small)
	})
	v.lost(!skipped, "what went out for some events")
	return err
}
