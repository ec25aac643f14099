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

	"parity/specs/file"
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

// NewName tells whether a run may be begun that is called so: what begins with a
// dash would be taken for a flag by every command that it is given to.
func NewName(name string) bool { return ValidName(name) && name[0] != '-' }

// Stores gives the stores in the folder dir, newest first. What is no store is
// passed over; a folder that is not there has none.
func Stores(dir string) ([]string, error) {
	root, err := os.OpenRoot(dir)
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
	type found struct {
		dir string
		at  time.Time
	}
	var stores []found
	for _, f := range folders {
		if !f.IsDir() || !ValidName(f.Name()) {
			continue
		}
		info, err := root.Stat(filepath.Join(f.Name(), FileName))
		if err == nil && info.Mode().IsRegular() {
			stores = append(stores, found{filepath.Join(dir, f.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(stores, func(a, b found) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.dir, a.dir)) })
	dirs := make([]string, len(stores))
	for i, s := range stores {
		dirs[i] = s.dir
	}
	return dirs, nil
}

// SetLast makes run the one that Last names, in the folder dir.
func SetLast(dir, run string) error {
	if !ValidName(run) {
		return fmt.Errorf("run %q: %w", run, ErrName)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("name the last run: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("name the last run: %w", err)
	}
	defer root.Close()
	// Made aside and renamed over: two runs that end together leave one of
	// both, never nothing. The run's name keeps their drafts apart.
	draft := "." + lastName + "-" + run
	err = root.WriteFile(draft, []byte(run+"\n"), 0o600)
	if err == nil {
		err = root.Rename(draft, lastName)
	}
	if err != nil {
		return fmt.Errorf("name the last run: %w", err)
	}
	return nil
}

// UnsetLast takes the name away, where it names run.
func UnsetLast(dir, run string) error {
	if last, err := Last(dir); err != nil || last != run {
		return nil
	}
	return os.Remove(filepath.Join(dir, lastName))
}

// Last gives the run that SetLast named. Its error wraps fs.ErrNotExist where
// there is none.
func Last(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", noLast(dir)
	}
	if err != nil {
		return "", fmt.Errorf("last run: %w", err)
	}
	defer root.Close()
	content, err := file.ReadIn(root, lastName, 1<<10)
	run := strings.TrimSpace(string(content))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", noLast(dir)
	case err != nil: // it was a link once
		return "", fmt.Errorf("last run: %w; remove %s and name a run yourself", err, filepath.Join(dir, lastName))
	case !ValidName(run):
		return "", fmt.Errorf("last run: %s names %q, which cannot be a run; remove it and name a run yourself: %w", filepath.Join(dir, lastName), run, ErrName)
	}
	return run, nil
}

func noLast(dir string) error {
	return fmt.Errorf("last run: there is none in %s yet; rehearse once, or name a run: %w", dir, fs.ErrNotExist)
}
