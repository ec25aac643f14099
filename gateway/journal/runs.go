package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// lastName is the pointer to the newest run, beside the runs' folders.
const lastName = "last"

// maxName is the longest name of a run.
const maxName = 64

// ValidName tells whether a run may be called so: ^[a-z0-9-]{1,64}$, and not
// "last".
func ValidName(name string) bool {
	if name == "" || len(name) > maxName || name == lastName {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// A Listed is one run on disk.
type Listed struct {
	ID       string
	Dir      string
	Modified time.Time // when its journal was made, or last brought into one file
	Bytes    int64     // of its journal, the log beside it included
}

// List gives the runs in the folder runsDir, newest first. What is no run is
// passed over; a folder that is not there has none.
func List(runsDir string) ([]Listed, error) {
	root, err := os.OpenRoot(runsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	defer root.Close()
	folders, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	var runs []Listed
	for _, f := range folders {
		if !f.IsDir() || !ValidName(f.Name()) {
			continue
		}
		info, err := root.Stat(filepath.Join(f.Name(), fileName))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		run := Listed{ID: f.Name(), Dir: filepath.Join(runsDir, f.Name()), Modified: info.ModTime(), Bytes: info.Size()}
		if log, err := root.Stat(filepath.Join(f.Name(), fileName+"-wal")); err == nil {
			run.Bytes += log.Size()
		}
		runs = append(runs, run)
	}
	slices.SortFunc(runs, func(a, b Listed) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(b.ID, a.ID))
	})
	return runs, nil
}

// SetLast makes id the run that Last names. It is a symbolic link, and a file
// with the name in it where links cannot be made.
func SetLast(runsDir, id string) error {
	if !ValidName(id) {
		return fmt.Errorf("run %q: %w", id, ErrName)
	}
	root, err := os.OpenRoot(runsDir)
	if err != nil {
		return fmt.Errorf("name the last run: %w", err)
	}
	defer root.Close()
	// Made aside and renamed over: two runs that end together leave one of
	// both, never nothing. The run's name keeps their drafts apart.
	draft := "." + lastName + "-" + id
	if err := root.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("name the last run: %w", err)
	}
	if err := root.Symlink(id, draft); err != nil {
		if err := root.WriteFile(draft, []byte(id+"\n"), 0o600); err != nil {
			return fmt.Errorf("name the last run: %w", err)
		}
	}
	if err := root.Rename(draft, lastName); err != nil {
		return fmt.Errorf("name the last run: %w", errors.Join(err, root.Remove(draft)))
	}
	return nil
}

// Last gives the run that SetLast named. Its error wraps fs.ErrNotExist where
// there is none, or it is no longer there.
func Last(runsDir string) (string, error) {
	root, err := os.OpenRoot(runsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", noLast(runsDir)
	}
	if err != nil {
		return "", fmt.Errorf("last run: %w", err)
	}
	defer root.Close()
	id, err := root.Readlink(lastName)
	if err != nil {
		var content []byte
		content, err = root.ReadFile(lastName)
		id = strings.TrimSpace(string(content))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", noLast(runsDir)
	case err != nil:
		return "", fmt.Errorf("last run: %w", err)
	case !ValidName(id):
		return "", fmt.Errorf("last run: %s names %q, which cannot be a run; remove it and name a run yourself: %w", filepath.Join(runsDir, lastName), id, ErrName)
	}
	if _, err := root.Stat(filepath.Join(id, fileName)); err != nil {
		return "", fmt.Errorf("last run: it was %s, which has no journal any more; name another run: %w", id, err)
	}
	return id, nil
}

func noLast(runsDir string) error {
	return fmt.Errorf("last run: there is none in %s yet; rehearse once, or name a run: %w", runsDir, fs.ErrNotExist)
}
