package profiles_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Editors, deployments and scripts save in ways of their own. After each of
// these the profile is what was saved last, and halves of it were never seen.
func TestWatchSurvivesHowFilesAreSaved(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(dir, file string, n int) error{
		"in place": func(_, file string, n int) error { return os.WriteFile(file, summary(n), 0o600) },
		"renamed over": func(dir, file string, n int) error {
			draft := filepath.Join(dir, "draft")
			return errors.Join(os.WriteFile(draft, summary(n), 0o600), os.Rename(draft, file))
		},
		"as vim does": func(_, file string, n int) error { // the old one becomes the backup, and goes
			return errors.Join(os.Rename(file, file+"~"), os.WriteFile(file, summary(n), 0o600), os.Remove(file+"~"))
		},
		"in pieces": func(_, file string, n int) error { // each of which is a profile
			whole := summary(n)
			at, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
			for i, pieces := 0, 12; i < pieces && err == nil; i++ {
				_, err = at.Write(whole[len(whole)*i/pieces : len(whole)*(i+1)/pieces])
				time.Sleep(25 * time.Millisecond)
			}
			return errors.Join(err, at.Close())
		},
		"deleted and made again": func(_, file string, n int) error {
			return errors.Join(os.Remove(file), os.WriteFile(file, summary(n), 0o600))
		},
		"with its folder": func(dir, file string, n int) error {
			return errors.Join(os.RemoveAll(filepath.Dir(file)), os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, summary(n), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "in", "rough.yaml")
			if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, summary(0), 0o600)); err != nil {
				t.Fatal(err)
			}
			w := watchAt(t, file, 100*time.Millisecond)
			for n := 1; n <= 2; n++ {
				if err := put(dir, file, n); err != nil {
					t.Fatal(err)
				}
				w.wants(fmt.Sprint("Number ", n, "."))
			}
		})
	}
}

// summary is a profile that ends where another would, were it cut.
func summary(n int) []byte {
	return fmt.Appendf(nil, "profile: rough\nservices: {stripe: {}}\nseed: %d\nsummary: Number %d.\n", n, n)
}

// A mounted config map: the file is a link into ..data, which is a link that is
// swapped for one to another folder.
func TestWatchSeesAConfigMapSwapped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(n int) {
		t.Helper()
		folder, data := fmt.Sprint("..2026_", n), filepath.Join(dir, "..data")
		err := errors.Join(os.Mkdir(filepath.Join(dir, folder), 0o700), os.WriteFile(filepath.Join(dir, folder, "rough.yaml"), summary(n), 0o600),
			os.Symlink(folder, data+"_tmp"), os.Rename(data+"_tmp", data))
		if n > 0 {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, fmt.Sprint("..2026_", n-1))))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(0)
	file := filepath.Join(dir, "rough.yaml")
	if err := os.Symlink("..data/rough.yaml", file); err != nil {
		t.Fatal(err)
	}
	w := watch(t, file)
	for n := 1; n <= 3; n++ {
		put(n)
		w.wants(fmt.Sprint("Number ", n, "."))
	}
}

// A thousand saves a second, and the last one is what holds.
func TestWatchSurvivesAThousandSavesASecond(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, draft := filepath.Join(dir, "rough.yaml"), filepath.Join(dir, "draft")
	save(t, file, summary(0))
	w := watchAt(t, file, 5*time.Millisecond)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	const saves = 500
	for n := 1; n <= saves; n++ {
		save(t, draft, summary(n%2+1))
		if err := os.Rename(draft, file); err != nil {
			t.Fatal(err)
		}
		<-tick.C
	}
	save(t, file, summary(saves))
	seen := 0
	for s := w.next(); s.err != nil || s.p.Summary != fmt.Sprint("Number ", saves, "."); s = w.next() {
		if s.err != nil {
			t.Error(s.err)
		}
		seen++
	}
	t.Logf("%d saves, called back with %d of them and the last", saves, seen)
}
