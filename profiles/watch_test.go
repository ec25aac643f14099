package profiles_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/profiles"
)

// watched is a profile on disk and what its watcher calls back with.
type watched struct {
	t    *testing.T
	file string
	o    profiles.Options
	said chan said
}

type said struct {
	p   *profiles.Profile
	err error
}

func watch(t *testing.T, file string) *watched {
	t.Helper()
	return watchAt(t, file, 20*time.Millisecond)
}

func watchAt(t *testing.T, file string, quiet time.Duration) *watched {
	t.Helper()
	o := options(t, filepath.Dir(file))
	o.Wall, o.Quiet, o.Poll = clock.System{}, quiet, 200*time.Millisecond
	o.Seen = profiles.Digest(file, o)
	w := &watched{t: t, file: file, o: o, said: make(chan said, 100)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- profiles.Watch(ctx, file, o, func(p *profiles.Profile, err error) { w.said <- said{p, err} })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the watch ended with %v", err)
		}
		for len(w.said) > 0 {
			t.Errorf("called back once more than saved: %+v", <-w.said)
		}
	})
	return w
}

func (w *watched) next() said {
	w.t.Helper()
	select {
	case s := <-w.said:
		return s
	case <-time.After(60 * time.Second):
		w.t.Fatal("a save was not seen")
		return said{}
	}
}

func (w *watched) wants(summary string) {
	w.t.Helper()
	if s := w.next(); s.err != nil || s.p.Summary != summary {
		w.t.Fatalf("called back with %+v; want %q", s, summary)
	}
}

func text(summary string) []byte {
	return fmt.Appendf(nil, "profile: rough\nsummary: %s\nservices: {stripe: {}}\n", summary)
}

func save(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWatchSeesEverySave(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "rough.yaml")
	save(t, file, text("First."))
	w := watch(t, file)

	save(t, file, text("Second."))
	w.wants("Second.")

	save(t, file, []byte("profile: rough\nservices: {stripes: {}}\n"))
	var problems profiles.Problems
	if s := w.next(); !errors.As(s.err, &problems) || problems[0].Line != 2 {
		t.Fatalf("called back with %+v; want a problem on line 2", s)
	}

	draft := file + ".swp"
	save(t, draft, text("Renamed over."))
	if err := os.Rename(draft, file); err != nil {
		t.Fatal(err)
	}
	w.wants("Renamed over.")

	save(t, file, text("After the rename."))
	w.wants("After the rename.")
}

func TestWatchSeesAFolderThatIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "profiles")
	file := filepath.Join(dir, "rough.yaml")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	save(t, file, text("First."))
	w := watch(t, file)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if s := w.next(); s.err == nil {
		t.Fatalf("called back with %+v; want an error", s)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	save(t, file, text("Back."))
	w.wants("Back.")
}

// A mounted config map is a link to a folder that is swapped for another.
func TestWatchSeesASwappedLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(folder, summary string) {
		t.Helper()
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		save(t, filepath.Join(dir, folder, "rough.yaml"), text(summary))
		draft := filepath.Join(dir, "draft")
		if err := errors.Join(os.Symlink(folder, draft), os.Rename(draft, filepath.Join(dir, "current"))); err != nil {
			t.Fatal(err)
		}
	}
	put("one", "First.")
	w := watch(t, filepath.Join(dir, "current", "rough.yaml"))
	put("two", "Second.")
	w.wants("Second.")
	put("three", "Third.")
	w.wants("Third.")
}

func TestWatchSeesWhatAProfileExtends(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, file := filepath.Join(dir, "base.yaml"), filepath.Join(dir, "rough.yaml")
	save(t, base, []byte("profile: base\nseed: 1\nservices: {stripe: {}}\n"))
	save(t, file, []byte("profile: rough\nextends: [./base.yaml]\n"))
	w := watch(t, file)
	save(t, base, []byte("profile: base\nseed: 2\nservices: {stripe: {}}\n"))
	if s := w.next(); s.err != nil || s.p.Seed == nil || *s.p.Seed != 2 {
		t.Fatalf("called back with %+v; want seed 2", s)
	}
}

func TestLastGoodIsKeptBesideABrokenSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "last-good"), filepath.Join(dir, "rough.yaml")
	save(t, file, text("Good."))
	o := options(t, dir)
	if _, err := profiles.LastGood(folder, file, o); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before anything was kept: %v", err)
	}
	p, err := profiles.Load(file, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := profiles.Keep(folder, file, p, o); err != nil {
		t.Fatal(err)
	}
	save(t, file, []byte("profile: ["))
	kept, err := profiles.LastGood(folder, file, o)
	if err != nil || !kept.Kept || kept.Summary != "Good." || kept.Revision != p.Revision {
		t.Errorf("%+v, %v; want revision %s", kept, err, p.Revision)
	}
}
