package gateway

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parity/fakes/clock"
	"parity/gateway/evidence"
	"parity/gateway/journal"
	"parity/specs/words"
)

// ParseAge reads how old something is, in days or as Go writes durations: 7d, 36h.
func ParseAge(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return 0, &UsageError{fmt.Errorf("%q is no age: write days or hours, such as 7d or 36h", text)}
	}
	return age, nil
}

// root makes the folder that everything is kept in, where it is not there. What
// is in it is for no repository; in a folder that somebody else has made that is
// theirs to say.
func (s Settings) root() error {
	err := os.MkdirAll(filepath.Dir(s.Root), 0o700)
	if err == nil {
		err = os.Mkdir(s.Root, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.Root, ".gitignore"), []byte("*\n"), 0o600)
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return &UsageError{fmt.Errorf("the folder in which runs are kept cannot be made: %w; set PARITY_DIR to one that you may write to", err)}
}

// RemoveRun removes a run that is kept under root, and all that is kept of it,
// without a gateway: one of `parity run`, a series by its name, or one of a
// gateway that is not up.
func RemoveRun(root, name string) error {
	dir, id, err := Find(root, name)
	if err == nil {
		err = removeRun(Settings{Root: root}.withDefaults(), dir, id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &UsageError{fmt.Errorf("there is no run %s under %s: `parity runs list` has those there are", id, Settings{Root: root}.withDefaults().Root)}
	}
	if busy := (*journal.BusyError)(nil); errors.As(err, &busy) {
		return &UsageError{fmt.Errorf("run %s goes on: %w", id, err)}
	}
	return err
}

func removeRun(s Settings, dir, id string) error {
	if err := journal.UnsetLast(s.runs(), id); err != nil {
		return err
	}
	if filepath.Base(dir) == id && dir != s.shared() {
		return journal.Discard(dir)
	}
	store, err := journal.Reopen(dir, journal.Options{Clock: s.Wall})
	if err != nil {
		return err
	}
	err = store.Remove(id)
	if err := os.Remove(filepath.Join(dir, id+saidEnding)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, store.Close())
	}
	return errors.Join(err, store.Close())
}

// Tidy removes the runs under root that were last written longer ago than age,
// and what agents' environments were made of that long ago, without a gateway.
// Runs that are evidence stay, and so do those of the gateway that stays up,
// which has --keep-age. It says what it did.
func Tidy(w io.Writer, root string, age time.Duration) error {
	s := Settings{Root: root}.withDefaults()
	now := clock.System{}.Now()
	needed, err := evident(root)
	if err != nil {
		return err
	}
	stores, err := journal.Stores(s.runs())
	if err != nil {
		return err
	}
	runs, bytes := 0, int64(0)
	for _, dir := range stores {
		info, err := os.Stat(filepath.Join(dir, journal.FileName))
		if err != nil || now.Sub(info.ModTime()) <= age || needed(filepath.Base(dir)) {
			continue
		}
		size := sizeOf(dir)
		err = journal.Discard(dir)
		if busy := (*journal.BusyError)(nil); errors.As(err, &busy) {
			continue // an agent that thinks for long
		}
		if err == nil {
			err = journal.UnsetLast(s.runs(), filepath.Base(dir))
		}
		if err != nil {
			return err
		}
		runs, bytes = runs+1, bytes+size
	}
	folders, _ := filepath.Glob(filepath.Join(s.Root, surroundings, "*"))
	used := s.surrounded()
	for _, dir := range folders {
		info, err := os.Stat(dir)
		if err != nil || now.Sub(info.ModTime()) <= max(age, seriesAge) || used[filepath.Base(dir)] {
			continue
		}
		bytes += sizeOf(dir)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%s removed, %.1f MB\n", words.Count(runs, "run"), float64(bytes)/1e6)
	return err
}

// seriesAge is how old what a series' agents use may become: it announces nothing.
const seriesAge = 24 * time.Hour

// surrounded names the folders that gateways which say that they are up have
// given to agents.
func (s Settings) surrounded() map[string]bool {
	used := map[string]bool{}
	announced, _ := filepath.Glob(filepath.Join(s.runs(), "*", upFile))
	for _, file := range append(announced, filepath.Join(s.Root, upFile)) {
		if found, err := upIn(filepath.Dir(file)); err == nil {
			used[filepath.Base(filepath.Dir(found.Settings.BundlePath))] = true
		}
	}
	return used
}

// evident tells which stores have runs that the evidence under root names.
func evident(root string) (func(store string) bool, error) {
	chain, err := EvidenceIn(root).Verify()
	if err != nil && !errors.Is(err, evidence.ErrNone) {
		return nil, err
	}
	return func(store string) bool {
		for i := range chain.Entries {
			if run := chain.Entries[i].Run; run == store || strings.HasPrefix(run, store+"-") {
				return true
			}
		}
		return false
	}, nil
}

// sizeOf is how many bytes a folder's files have.
func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}
