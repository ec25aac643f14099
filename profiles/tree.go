package profiles

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"parity/fakes/chance"
	"parity/fakes/clock"
)

// A Tree is what is watched of a program that is being worked on: the files below
// its folder, and those that its profile is made of.
type Tree struct {
	Folder  string
	Except  []string // files and folders that are left out, as paths
	Profile string   // "": none
	Options Options  // of the profile
	Wall    clock.Wall
	Log     *slog.Logger
	Quiet   time.Duration // how long nothing is written before files are compared; 200 ms

	notes *fsnotify.Watcher
	seen  map[string]string // the digest of each file, by path
}

// What of a folder is looked at.
const (
	largestSource = 1 << 20
	mostSources   = 20_000
)

// Begin notes what there is: whatever is saved from now on, Watch tells of.
func (t *Tree) Begin() error {
	if t.Quiet <= 0 {
		t.Quiet = 200 * time.Millisecond
	}
	o, err := t.Options.ready()
	if err != nil {
		return err
	}
	t.Options = o
	if t.notes, err = fsnotify.NewWatcher(); err != nil {
		return err
	}
	t.look() // folders are watched before the last word on contents is had
	t.seen = t.look()
	return nil
}

// Watch calls back with the names of files that were saved, or are new or gone,
// once for each time that they come to rest. It returns when ctx is done.
func (t *Tree) Watch(ctx context.Context, call func(saved []string)) {
	defer t.notes.Close()
	quiet, stop := t.Wall.After(t.Quiet)
	defer func() { stop() }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.notes.Events:
		case err := <-t.notes.Errors: // events may have been lost
			t.Log.Warn("a folder could not be watched for a moment", "error", err)
		case <-quiet:
			quiet = nil
			now := t.look()
			saved := differing(t.seen, now)
			if t.seen = now; len(saved) > 0 {
				call(saved)
			}
			continue
		}
		stop()
		quiet, stop = t.Wall.After(t.Quiet)
	}
}

// differing gives the files of which one has another content than the other.
func differing(was, now map[string]string) []string {
	var names []string
	for name, digest := range now {
		if was[name] != digest {
			names = append(names, name)
		}
	}
	for name := range was {
		if _, there := now[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// look reads all files, and watches the folders that they are in.
func (t *Tree) look() map[string]string {
	found := map[string]string{}
	folders := map[string]bool{}
	_ = filepath.WalkDir(t.Folder, func(path string, d fs.DirEntry, err error) error { // what cannot be read is not there
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != t.Folder && (hiddenName(d.Name()) || t.excepted(path)):
			return fs.SkipDir
		case d.IsDir():
			folders[path] = true
		case len(found) >= mostSources:
			return errors.New("enough")
		case !hiddenName(d.Name()) && d.Type().IsRegular() && !t.excepted(path):
			if content, ok := small(path); ok {
				found[path] = chance.Hash(content)
			}
		}
		return nil
	})
	if t.Profile != "" {
		l, _ := gatherAll(t.Profile, nil, t.Options)
		cares := map[string]bool{}
		for _, r := range l.readings {
			if r.path != "" {
				trace(r.path, cares, folders)
				if name := near(r.path); found[name] == "" {
					found[name] = digest([]reading{r})
				}
			}
		}
	}
	watched := t.notes.WatchList()
	for _, folder := range watched { // one that is gone and there again is another
		if !folders[folder] {
			_ = t.notes.Remove(folder)
		}
	}
	for folder := range maps.Keys(folders) {
		if err := t.notes.Add(folder); err != nil {
			t.Log.Debug("a folder is not watched", "folder", folder, "error", err)
		}
	}
	return found
}

// near is a path as it is seen from the current folder, where it is below that.
func near(path string) string {
	at, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	if within, err := filepath.Rel(at, path); err == nil && filepath.IsLocal(within) {
		return within
	}
	return filepath.Clean(path)
}

// hiddenName tells what is no source: hidden files and folders, what package
// managers and interpreters put beside them, and what editors write aside.
func hiddenName(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" || strings.HasSuffix(name, "~")
}

func (t *Tree) excepted(path string) bool {
	return slices.ContainsFunc(t.Except, func(other string) bool {
		a, err := filepath.Abs(path)
		b, err2 := filepath.Abs(other)
		return err == nil && err2 == nil && a == b
	})
}

func small(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > largestSource {
		return "", false
	}
	content, err := os.ReadFile(path)
	return string(content), err == nil
}
