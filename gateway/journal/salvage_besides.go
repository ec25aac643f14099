package journal

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// copyNotes copies what is kept of runs besides, as far as it can be read and is
// as it was written.
func (v *salvage) copyNotes(ctx context.Context) error {
	p, err := v.from.proof(ctx, `TRUE`)
	if unread(err) {
		return err
	}
	if err != nil { // what there is is kept, and nobody can vouch for it
		v.lost(false, "checksums of what is kept besides events")
		p = &proof{none: true, read: map[name]bool{}}
	}
	under := map[string][]int64{} // the runs under each text
	var problem error
	put := func(query string, args ...any) { problem = errors.Join(problem, v.put(ctx, query, args...)) }
	var hash, key, value, id, seq, of string
	var content []byte
	var run, at int64
	for _, c := range []struct {
		query, lost string
		row         func()
		dest        []any
	}{
		{`SELECT run, key, value FROM notes`, "notes on runs", func() {
			if v.holds(p, run, "note "+key, []byte(value)) {
				put(`INSERT OR IGNORE INTO notes(run, key, value) VALUES (?, ?, ?)`, run, key, value)
			}
		}, []any{&run, &key, &value}},
		{`SELECT id, run, hash, at_seq, CAST(at_seq AS TEXT) FROM revisions NOT INDEXED ORDER BY id`, "profile revisions of runs", func() {
			under[hash] = append(under[hash], run)
			if v.holds(p, run, "revision "+hash+" "+id, []byte(seq)) {
				put(`INSERT INTO revisions(run, hash, at_seq) VALUES (?, ?, ?)`, run, hash, at)
			}
		}, []any{&id, &run, &hash, &at, &seq}},
		{`SELECT hash, content FROM texts NOT INDEXED`, "profile texts", func() {
			if p.holds(ofTexts, "text "+hash, content) {
				put(`INSERT OR IGNORE INTO texts(hash, content) VALUES (?, ?)`, hash, content)
			} else {
				v.spoilt(ofTexts, "text "+hash, under[hash]...)
			}
		}, []any{&hash, &content}},
		{`SELECT key, value FROM meta`, "notes on the store", func() {
			if p.holds(ofStore, "meta "+key, []byte(value)) {
				put(`INSERT OR IGNORE INTO meta(key, value) VALUES (?, ?)`, key, value)
			}
		}, []any{&key, &value}},
		{gapSums, "where runs lack something", func() { v.holds(p, run, of, content) }, []any{&run, &of, &content}},
	} {
		err := v.from.each(ctx, c.query, nil, c.row, c.dest...)
		if problem != nil || unread(err) {
			return errors.Join(problem, err)
		}
		v.lost(err == nil || p.none && c.query == gapSums, c.lost) // an older Parity's has no gaps
	}
	v.spoiltBy(p.lost(), under)
	return v.put(ctx, `DELETE FROM notes WHERE run NOT IN (SELECT id FROM runs); DELETE FROM revisions WHERE run NOT IN (SELECT id FROM runs);
		DELETE FROM texts WHERE hash NOT IN (SELECT hash FROM revisions)`)
}

// holds tells whether what is kept of a run is what was written, and notes it
// where it is not.
func (v *salvage) holds(p *proof, run int64, of string, content []byte) bool {
	ok := p.holds(run, of, content)
	if !ok {
		v.spoilt(run, of)
	}
	return ok
}

// spoiltBy notes what is not there any more; under has the runs of each text.
func (v *salvage) spoiltBy(lost []name, under map[string][]int64) {
	for _, n := range lost {
		if text, ok := strings.CutPrefix(n.of, "text "); ok && n.run == ofTexts {
			v.spoilt(n.run, n.of, under[text]...)
		} else {
			v.spoilt(n.run, n.of)
		}
	}
}

// spoilt notes what is not as it was written of a run, or of others that build on
// it.
func (v *salvage) spoilt(run int64, of string, others ...int64) {
	for _, id := range append(others, run) {
		if r := v.runs[id]; r != nil && !slices.Contains(r.changed, of) {
			r.changed = append(r.changed, of)
		}
	}
}

// conclude gives what was copied its checksums, and says what is kept.
func (v *salvage) conclude(ctx context.Context) error {
	for _, r := range v.order {
		if !r.gone {
			v.report.Runs = append(v.report.Runs, RepairedRun{Run: r.name, Last: r.last, Err: r.err, Changed: r.changed, Beyond: r.beyond})
		}
	}
	if err := v.put(ctx, putMeta, sumsKey, "1"); err != nil {
		return err
	}
	return sumUpAll(ctx, v.tx)
}

// copyEpochs copies the times that the store was opened. The newest is left
// open, and one is made where none can be read: what follows has to know that
// something may be lost, or it would give ids that were given before.
func (v *salvage) copyEpochs(ctx context.Context) error {
	epochs, err := v.from.epochs()
	if unread(err) {
		return err
	}
	changed, cerr := v.from.changed(ctx)
	if unread(cerr) {
		return cerr
	}
	if known := errors.Join(err, cerr) == nil && len(changed) == 0; !known { // more than there can have been
		v.lost(false, "when the store was opened")
		epochs = append(epochs, Epoch{Number: v.newest(ctx) + unknownEpoch})
	}
	for i, e := range epochs {
		var closed any
		if i < len(epochs)-1 && !e.Closed.IsZero() {
			closed = e.Closed.UnixMilli()
		}
		if err := v.put(ctx, putEpoch, e.Number, e.PID, e.Host, e.Opened.UnixMilli(), closed); err != nil {
			return err
		}
	}
	return nil
}

// unknownEpoch is more than the epochs of a store whose number is lost.
const unknownEpoch = 1000

const putEpoch = `INSERT OR IGNORE INTO epochs(epoch, pid, host, opened, closed) VALUES (?, ?, ?, ?, ?)`

// newest is the newest epoch that wrote a block that is kept.
func (v *salvage) newest(ctx context.Context) (epoch uint64) {
	_ = v.tx.QueryRowContext(ctx, `SELECT coalesce(max(epoch), 0) FROM blocks`).Scan(&epoch) // 0 where there is none
	return epoch
}

// copyGaps copies what runs are known to lack, and says of each what this repair
// could not keep: it reads as whole from now on, and is not.
func (v *salvage) copyGaps(ctx context.Context) error {
	for _, r := range v.order {
		gaps, err := v.from.gaps(ctx, r.id)
		if unread(err) {
			return err
		}
		if err != nil {
			gaps = append(gaps, Gap{r.last, "the store was repaired, and whether something was missing before cannot be read any more"})
		}
		if r.err != nil {
			gaps = append(gaps, Gap{r.last, "the store was damaged and repaired, and what came after is lost: " + r.err.Error()})
		}
		if len(r.changed) > 0 { // a fork may rest on it, wherever it begins
			gaps = append(gaps, Gap{r.baseSeq, "the store was damaged and repaired, and what is kept of it besides its events lacks what was " + changedError(r.changed).Error()})
		}
		for _, what := range v.anyRun {
			gaps = append(gaps, Gap{r.last, "the store was damaged and repaired, and what is lost may be of this run: " + what})
		}
		for _, g := range gaps {
			if err := v.put(ctx, putGap, r.id, min(g.After, r.last), g.Why); err != nil {
				return err
			}
		}
	}
	return nil
}
