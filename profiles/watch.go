package profiles

import (
	"context"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Watch calls back with what a profile has become, once for each time that its
// files, or those it extends, come to rest after a change: a Profile, or the
// error that keeps it from being one. It returns when ctx is done.
//
// Files are replaced, linked anew and away for a while: editors write and
// rename, mounted config maps swap a symlink. So folders are watched and not
// files, contents are compared and not times, and every few seconds all is
// compared whether or not anything was said to happen. No unreadable file ends
// it.
func Watch(ctx context.Context, name string, o Options, call func(*Profile, error)) error {
	o, err := o.ready()
	if err != nil {
		return err
	}
	w := &watcher{o: o, name: name, seen: o.Seen}
	readings := w.look()
	if w.seen == "" {
		w.seen = digest(readings)
	}
	notes, err := fsnotify.NewWatcher()
	if err != nil {
		o.Log.Warn("folders cannot be watched; profiles are compared from time to time", "every", o.Poll, "error", err)
		w.run(ctx, nil, nil, call)
		return nil
	}
	defer notes.Close()
	w.notes = notes
	w.run(ctx, notes.Events, notes.Errors, call)
	return nil
}

type watcher struct {
	o     Options
	name  string
	notes *fsnotify.Watcher // nil: compared from time to time only

	seen    string // the digest of what was last called back with
	pending string // another digest, which has yet to be found again
	found   int    // how often it was found
	stirred bool   // something was written since files rested last
	cares   map[string]bool
}

func (w *watcher) run(ctx context.Context, events <-chan fsnotify.Event, faults <-chan error, call func(*Profile, error)) {
	quiet, stopQuiet := w.o.Wall.After(w.o.Quiet) // what came between Seen and now
	defer func() { stopQuiet() }()
	poll, stopPoll := w.o.Wall.After(w.o.Poll)
	defer func() { stopPoll() }()
	rest := func() {
		if quiet == nil {
			quiet, stopQuiet = w.o.Wall.After(w.o.Quiet)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			if w.cares[filepath.Clean(e.Name)] {
				w.stirred = w.stirred || e.Op&^fsnotify.Chmod != 0
				rest()
			}
		case err := <-faults:
			// Events may have been lost, so everything is looked at.
			w.o.Log.Warn("a folder could not be watched for a moment", "error", err)
			rest()
		case <-poll:
			poll, stopPoll = w.o.Wall.After(w.o.Poll)
			rest()
		case <-quiet:
			quiet = nil
			if w.settle(call) {
				rest()
			}
		}
	}
}

// resting is how often files are found the same, one Quiet apart, before they
// are taken to be at rest: a file that is written in pieces is not to come into
// force by halves.
const resting = 3

// settle calls back once the files have been found changed, and found the same
// several times in a row. It tells whether it wants to look again.
func (w *watcher) settle(call func(*Profile, error)) bool {
	now := digest(w.look())
	if now == w.seen && !w.again() {
		w.pending, w.stirred = "", false
		return false
	}
	if now != w.pending {
		w.pending, w.found = now, 0
	}
	if w.found++; w.found < resting {
		return true
	}
	p, readings, err := load(w.name, nil, w.o)
	if w.arm(readings); digest(readings) != now { // it was written to just now
		w.pending = ""
		return true
	}
	w.seen, w.pending, w.stirred = now, "", false
	call(p, err)
	return false
}

func (w *watcher) again() bool { return w.stirred && w.o.Again != nil && w.o.Again() }

// look reads all files. Folders are armed before the last word on contents is
// had, so that no change falls between.
func (w *watcher) look() []reading {
	read := func() []reading {
		l, _ := gatherAll(w.name, nil, w.o)
		return l.readings
	}
	readings := read()
	if w.arm(readings) {
		readings = read()
	}
	return readings
}

// arm watches the folders of all that was read, and tells whether there was
// anything to watch. A folder that was deleted and made again has the same
// name and is another one, so each is watched anew.
func (w *watcher) arm(readings []reading) bool {
	w.cares = map[string]bool{}
	if w.notes == nil {
		return false
	}
	folders := map[string]bool{}
	for _, r := range readings {
		if r.path != "" {
			trace(r.path, w.cares, folders)
		}
	}
	for _, old := range w.notes.WatchList() {
		w.notes.Remove(old) //nolint:errcheck // it may be gone already
	}
	for folder := range folders {
		if err := w.notes.Add(folder); err != nil {
			w.o.Log.Debug("a folder is not watched", "folder", folder, "error", err)
		}
	}
	return len(folders) > 0
}
