package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// pageSize is SQLite's, in every file that create has made.
const pageSize = 4096

// What SQLite's header has (https://www.sqlite.org/fileformat2.html, 1.3).
const (
	headerVersions = 18 // of who may write and read: 1, or 2 with a log beside
	headerPages    = 28 // of the file
	headerFree     = 32 // first page that is free, and how many are
)

// A transplanted store is one whose first page, on which SQLite has its header
// and where each table begins, was destroyed. Tables are made in the same order
// in every store and begin on the same pages, so that the first page of a fresh
// one leads to them. It is read as a file that has lost pages.
type transplanted struct {
	*shelf
	copied string // the folder that it is in
}

// transplant copies the store in dir, with the first page of the file fresh.
// Neither is open.
func transplant(ctx context.Context, dir, fresh string, why error) (t *transplanted, err error) {
	t = &transplanted{}
	if t.copied, err = os.MkdirTemp(dir, "transplant-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(t.copied))
		}
	}()
	to := filepath.Join(t.copied, FileName)
	log := copyFile(filepath.Join(dir, FileName+"-wal"), to+"-wal")
	if log != nil && !errors.Is(log, fs.ErrNotExist) {
		return nil, log
	}
	if err = copyFile(filepath.Join(dir, FileName), to); err == nil {
		err = putFirstPage(to, fresh, log == nil)
	}
	if err == nil {
		t.shelf, err = openShelf(ctx, t.copied)
	}
	if err != nil {
		return nil, err
	}
	t.name, t.torn = dir, why
	return t, nil
}

func (t *transplanted) close() error { return errors.Join(t.shelf.close(), os.RemoveAll(t.copied)) }

// putFirstPage writes the first page of the file fresh over that of another,
// which has a log beside it or not.
func putFirstPage(path, fresh string, log bool) error {
	page := make([]byte, pageSize)
	from, err := os.Open(fresh)
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err := io.ReadFull(from, page); err != nil {
		return fmt.Errorf("%s: %w", fresh, err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	page[headerVersions], page[headerVersions+1] = 1, 1
	if log {
		page[headerVersions], page[headerVersions+1] = 2, 2
	}
	binary.BigEndian.PutUint32(page[headerPages:], uint32(max(info.Size()/pageSize, 1))) //nolint:gosec // SQLite's own bound is lower
	clear(page[headerFree : headerFree+8])
	if _, err := file.WriteAt(page, 0); err != nil {
		return err
	}
	return file.Close()
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
