package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// alter runs SQL on the closed run in dir, as no Writer would.
func alter(t *testing.T, dir, query string, args ...any) {
	t.Helper()
	db, err := open(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// closedRun is a run of 300 events in blocks of about 20.
func closedRun(t *testing.T) string {
	t.Helper()
	w, dir := newRun(t, Options{FlushBytes: 1 << 10})
	appendTo(t, w, 1, 300)
	if err := w.SetMeta(map[string]string{"seed": "7"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestDamagedBlocksAreTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query string
		resumes     bool // the end is whole, so that it can be written on
	}{
		{"last block cut", `UPDATE blocks SET data = substr(data, 1, length(data) - 3) WHERE first = (SELECT max(first) FROM blocks)`, false},
		{"last block longer", `UPDATE blocks SET data = CAST(data || x'01' AS BLOB) WHERE first = (SELECT max(first) FROM blocks)`, false},
		{"last block emptied", `UPDATE blocks SET data = x'' WHERE first = (SELECT max(first) FROM blocks)`, false},
		{"last block claims more", `UPDATE blocks SET last = last + 1 WHERE first = (SELECT max(first) FROM blocks)`, false},
		{"last block claims fewer", `UPDATE blocks SET last = last - 1 WHERE first = (SELECT max(first) FROM blocks)`, false},
		{"last block lost", `DELETE FROM blocks WHERE first = (SELECT max(first) FROM blocks)`, false},
		{"all blocks lost", `DELETE FROM blocks`, false},
		{"block lost", `DELETE FROM blocks WHERE first = (SELECT min(first) FROM blocks WHERE first > 100)`, true},
		{"first block lost", `DELETE FROM blocks WHERE first = 1`, true},
		{"block moved", `UPDATE blocks SET data = (SELECT data FROM blocks WHERE first = 1) WHERE first = (SELECT min(first) FROM blocks WHERE first > 100)`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := closedRun(t)
			alter(t, dir, c.query)
			entries, err := readAll(openRun(t, dir), 0)
			damage, ok := errors.AsType[*DamagedError](err)
			if !ok || damage.Good != uint64(len(entries)) || damage.Run != "r-1" || damage.Good == 300 && !strings.Contains(c.name, "more") && !strings.Contains(c.name, "longer") {
				t.Fatalf("%d events, %v", len(entries), err)
			}
			wantEntries(t, entries, 1, damage.Good)
			w, err := reopenOne(dir, Options{})
			if err == nil {
				defer w.Close()
			}
			if (err == nil) != c.resumes {
				t.Errorf("reopen: %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), "not written on") {
				t.Errorf("reopen: %v", err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		spoil  func(t *testing.T, dir string)
		want   string
		target error
	}{
		{"no folder", func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)) }, "check the name", fs.ErrNotExist},
		{"no file", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, FileName))) }, "check the name", fs.ErrNotExist},
		{"empty file", func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, FileName), 0)) }, "the file is empty", nil},
		{"not SQLite", func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, FileName), []byte(strings.Repeat("hello ", 1000)), 0o600))
		}, "keeps what can be read", nil},
		{"another's SQLite", func(t *testing.T, dir string) { alter(t, dir, `PRAGMA application_id = 7`) }, "not a journal of Parity", nil},
		{"newer", func(t *testing.T, dir string) { alter(t, dir, `PRAGMA user_version = 3`) }, "a newer Parity", nil},
		{"newer, other tables", func(t *testing.T, dir string) {
			alter(t, dir, `PRAGMA user_version = 3; DROP TABLE meta; DROP TABLE blocks`)
		}, "a newer Parity", nil},
		{"folder in its place", func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, FileName)))
			must(t, os.Mkdir(filepath.Join(dir, FileName), 0o700))
		}, "not a plain file", nil},
		{"link out of the runs", func(t *testing.T, dir string) {
			outside := filepath.Join(t.TempDir(), "other.db")
			must(t, os.Rename(filepath.Join(dir, FileName), outside))
			must(t, os.Symlink(outside, filepath.Join(dir, FileName)))
		}, "escapes", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := closedRun(t)
			c.spoil(t, dir)
			r, err := openOne(dir)
			if err == nil {
				r.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "r-1") || c.target != nil && !errors.Is(err, c.target) {
				t.Error(err)
			}
			if w, err := reopenOne(dir, Options{}); err == nil {
				w.Close()
				t.Error("reopened")
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"r": true, "2026-11-28-a1b2": true, strings.Repeat("a", 64): true,
		"": false, strings.Repeat("a", 65): false, "last": false, "..": false, ".": false, "A": false,
		"a/b": false, "a\\b": false, "a b": false, "a\x00": false, "é": false, "a\n": false, "c:": false,
	} {
		if ValidName(name) != want {
			t.Errorf("ValidName(%q) is %v", name, !want)
		}
		if want {
			continue
		}
		s := InMemory(Options{})
		if _, err := s.Begin(name, Origin{}); !errors.Is(err, ErrName) {
			t.Errorf("began %q: %v", name, err)
		}
		must(t, s.Close())
		if err := SetLast(t.TempDir(), name); !errors.Is(err, ErrName) {
			t.Errorf("last %q: %v", name, err)
		}
	}
}

func TestListAndLast(t *testing.T) {
	t.Parallel()
	runs := filepath.Join(t.TempDir(), "runs")
	if listed, err := Stores(runs); err != nil || listed != nil {
		t.Error(listed, err)
	}
	if _, err := Last(runs); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "rehearse once") {
		t.Error(err)
	}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i, id := range []string{"b", "c", "a"} {
		w, err := createOne(filepath.Join(runs, id), Options{})
		must(t, err)
		must(t, w.Close())
		must(t, os.Chtimes(filepath.Join(runs, id, FileName), start, start.Add(time.Duration(i)*time.Hour)))
		must(t, SetLast(runs, id))
	}
	must(t, os.Mkdir(filepath.Join(runs, "empty"), 0o700))
	must(t, os.WriteFile(filepath.Join(runs, "stray"), nil, 0o600))
	listed, err := Stores(runs)
	must(t, err)
	if diff := cmp.Diff([]string{filepath.Join(runs, "a"), filepath.Join(runs, "c"), filepath.Join(runs, "b")}, listed); diff != "" {
		t.Error("newest first:", diff)
	}
	last := func(want string) {
		t.Helper()
		if id, err := Last(runs); id != want || (err == nil) != (want != "") {
			t.Errorf("last: %q, %v, want %q", id, err, want)
		}
	}
	last("a")
	pointer := filepath.Join(runs, lastName)
	must(t, os.Remove(pointer))
	last("")
	must(t, SetLast(runs, "c"))
	last("c")
	must(t, UnsetLast(runs, "b"))
	last("c")
	must(t, UnsetLast(runs, "c"))
	last("")
	must(t, SetLast(runs, "c"))
	for _, out := range []string{"../..", "/etc", "a/../../x"} {
		must(t, os.Remove(pointer))
		must(t, os.Symlink(out, pointer))
		last("")
	}
}
