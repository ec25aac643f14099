package inspect

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

	"parity/cmd/internal/connection"
	"parity/fakes/clock"
	"parity/gateway"
	"parity/gateway/evidence"
	"parity/gateway/journal"
	"parity/gateway/kept"
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
		return 0, fmt.Errorf("%q is no age: write days or hours, such as 7d or 36h", text)
	}
	return age, nil
}

// RemoveRun removes a run that is kept under root, and all that is kept of it,
// without a gateway: one of `parity run`, a series by its name, or one of a
// gateway that is not up.
func RemoveRun(root, name string) error {
	dir, id, err := kept.Find(root, name)
	if err == nil {
		err = removeRun(gateway.Settings{Root: root}.WithDefaults(), dir, id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no run %s under %s: `parity runs list` has those there are", id, gateway.Settings{Root: root}.WithDefaults().Root)
	}
	if busy := (*journal.BusyError)(nil); errors.As(err, &busy) {
		return fmt.Errorf("run %s goes on: %w", id, err)
	}
	return err
}

func removeRun(s gateway.Settings, dir, id string) error {
	if err := journal.UnsetLast(s.RunsFolder(), id); err != nil {
		return err
	}
	if filepath.Base(dir) == id && dir != s.SharedFolder() {
		return journal.Discard(dir)
	}
	store, err := journal.Reopen(dir, journal.Options{Clock: s.Wall})
	if err != nil {
		return err
	}
	err = store.Remove(id)
	for _, file := range []string{kept.OutputFile(dir, id), kept.HumanFile(dir, id)} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, store.Close())
		}
	}
	return errors.Join(err, store.Close())
}

// Tidy removes the runs under root that were last written longer ago than age,
// and what agents' environments were made of that long ago, without a gateway.
// Runs that are evidence stay, and so do those of the gateway that stays up,
// which has --keep-age. It says what it did.
func Tidy(w io.Writer, root string, age time.Duration) error {
	s := gateway.Settings{Root: root}.WithDefaults()
	now := clock.System{}.Now()
	needed, err := evident(s)
	if err != nil {
		return err
	}
	stores, err := journal.Stores(s.RunsFolder())
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
			err = journal.UnsetLast(s.RunsFolder(), filepath.Base(dir))
		}
		if err != nil {
			return err
		}
		runs, bytes = runs+1, bytes+size
	}
	folders, _ := filepath.Glob(filepath.Join(connection.FilesFolder(s.Root), "*"))
	used := connection.FoldersInUse(s)
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

// evident tells which stores have runs that the evidence under a root names.
func evident(s gateway.Settings) (func(store string) bool, error) {
	chain, err := kept.EvidenceIn(s.Root).Verify()
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
