package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Reader reads a store from outside, while it is written or afterwards. It
// sees what was written when it asks, so that asking again later may give more.
// It is safe for concurrent use.
type Reader struct{ shelf *shelf }

// Open opens the store in the folder dir for reading. It changes nothing there.
//
// Its errors wrap fs.ErrNotExist where there is none, *NewerError or
// *OlderError where another Parity wrote it, and *DamagedError where nothing of
// it can be read.
func Open(dir string) (*Reader, error) {
	if err := find(dir); err != nil {
		return nil, err
	}
	s, err := openShelf(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	return &Reader{s}, nil
}

// find checks that dir is a folder with a journal, and that neither it nor the
// journal is a link that leads elsewhere.
func find(dir string) error {
	name := filepath.Base(dir)
	root, err := os.OpenRoot(filepath.Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return missing(dir)
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", dir, err)
	}
	defer root.Close()
	info, err := root.Stat(filepath.Join(name, FileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing(dir)
	case err != nil:
		return fmt.Errorf("store %s: %w", dir, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("store %s: %s is not a plain file (%s); remove the folder or name another", dir, FileName, info.Mode().Type())
	}
	return nil
}

func missing(dir string) error {
	return fmt.Errorf("store %s: no journal is there; check the name, or whether it was kept in memory: %w", dir, fs.ErrNotExist)
}

// Close gives the store's files free.
func (r *Reader) Close() error { return r.shelf.close() }

// Runs lists the runs that the store has, oldest first. Of a file that has lost
// pages it gives those that are left, and a *DamagedError.
func (r *Reader) Runs() ([]Info, error) {
	ctx := context.Background()
	rows, err := r.shelf.rows(ctx, `TRUE`)
	if err != nil {
		return nil, err
	}
	sizes, err := r.shelf.sizes(ctx, `TRUE`)
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	var infos []Info
	for _, row := range rows {
		names[row.id] = row.name
		if !row.gone {
			infos = append(infos, r.info(row, names[row.base], sizes[row.id]))
		}
	}
	if r.shelf.torn != nil {
		return infos, damaged(r.shelf.name, r.shelf.torn)
	}
	return infos, nil
}

func (r *Reader) info(row shelved, base string, size int64) Info {
	last, _ := r.shelf.end(row) // damage is told by whoever reads the events
	return Info{
		Run: row.name, Base: base, BaseSeq: row.baseSeq, Made: row.made, Ended: row.ended, Last: max(last, row.last), Bytes: runSize(row.name) + size,
	}
}

// Read gives the record of a run. Its error wraps fs.ErrNotExist where there is
// none.
func (r *Reader) Read(run string) (*Record, error) {
	ctx := context.Background()
	found, err := r.shelf.rows(ctx, `name = ? AND gone = 0`, run)
	if err == nil && len(found) == 0 {
		if r.shelf.torn != nil { // it may have been on a page that is lost
			return nil, damaged(r.shelf.name, r.shelf.torn)
		}
		err = fmt.Errorf("run %s: %w", run, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	rows := found
	for at := found[0]; at.base != 0; {
		base, err := r.shelf.rows(ctx, `id = ? AND id < ?`, at.base, at.id)
		if err == nil && len(base) == 0 {
			err = &DamagedError{Run: run, Part: "events", Err: fmt.Errorf("%w: the run that it is forked from is not there", errFrame)}
		}
		if err != nil {
			return nil, err
		}
		at = base[0]
		rows = append(rows, at)
	}
	size, err := r.shelf.sizes(ctx, `run = ?`, rows[0].id)
	if err != nil {
		return nil, err
	}
	base := ""
	if len(rows) > 1 {
		base = rows[1].name
	}
	tail, err := r.tail(ctx, rows[0])
	if err != nil {
		return nil, err
	}
	rec := &Record{info: r.info(rows[0], base, size[rows[0].id]), source: r.shelf}
	to, told, final := uint64(maxSeq), false, false
	switch {
	case rec.info.Last < tail:
		to, told = tail, true // and not found there
	case rows[0].last > 0:
		to, told, final = rec.info.Last, true, r.shelf.final(rows[0])
	}
	for _, row := range rows {
		rec.lines = append(rec.lines, line{run: row.id, from: row.baseSeq, to: to, told: told, final: final})
		to, told, final = row.baseSeq, true, true
	}
	slices.Reverse(rec.lines)
	if !rows[0].ended.IsZero() {
		return rec, nil // its end is kept, and what came before it with it
	}
	rec.end, err = r.shelf.ends(ctx, rec.info.Last)
	return rec, damaged(r.shelf.name, err)
}

// tail is the newest event of a run whose end is told nowhere else, or 0.
func (r *Reader) tail(ctx context.Context, row shelved) (uint64, error) {
	if r.shelf.torn != nil || r.shelf.final(row) {
		return 0, nil
	}
	tails, err := r.shelf.tails(ctx, `run = ?`, row.id)
	return tails[row.id], err
}

// Epochs gives the times that the store was opened for writing, oldest first.
func (r *Reader) Epochs() ([]Epoch, error) { return r.shelf.epochs() }
