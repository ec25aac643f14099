package evidence_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/evidence"
)

func keep(t *testing.T, s evidence.Store, n int) evidence.Entry {
	t.Helper()
	e, err := s.Append(evidence.Entry{
		Kind: evidence.Run, At: time.Date(2026, 3, 2, 13, 0, n, 0, time.UTC), Step: "draft", Agent: "bot@1", Run: fmt.Sprint("run-", n), Profile: "billing", Revision: "c3d4",
	}, map[string][]byte{"report.json": fmt.Appendf(nil, `{"run": %d}`, n), "profile.yaml": []byte("profile: billing\n")})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEvidenceIsKeptInOrder(t *testing.T) {
	t.Parallel()
	s := evidence.Store{Dir: t.TempDir()}
	if _, err := s.Verify(); !errors.Is(err, evidence.ErrNone) {
		t.Fatalf("an empty folder gave %v", err)
	}
	for n := 1; n <= 3; n++ {
		if e := keep(t, s, n); e.Number != n {
			t.Fatalf("entry %d has the number %d", n, e.Number)
		}
	}
	c, err := s.Verify()
	if err != nil || len(c.Broken) > 0 || len(c.Entries) != 3 {
		t.Fatalf("%d entries, broken %q, error %v", len(c.Entries), c.Broken, err)
	}
	if !c.Has(c.Head) || !c.Has(c.Entries[2].Previous) || c.Has("") {
		t.Error("the chain does not know its own heads")
	}
	if text, err := s.File(c.Entries[1], "report.json"); err != nil || string(text) != `{"run": 2}` {
		t.Errorf("the report of entry 2 is %q (%v)", text, err)
	}
}

// What is kept is for nobody else to read, also in a folder that was open.
func TestEvidenceWasReadableByOthers(t *testing.T) {
	t.Parallel()
	s := evidence.Store{Dir: filepath.Join(t.TempDir(), "evidence")}
	mode := func(of string) fs.FileMode {
		info, err := os.Stat(of)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	keep(t, s, 1)
	err := filepath.WalkDir(s.Dir, func(path string, _ fs.DirEntry, err error) error {
		if got := mode(path); err == nil && got&0o077 != 0 {
			t.Errorf("%s has mode %#o", path, got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for was, want := range map[fs.FileMode]fs.FileMode{0o755: 0o750, 0o770: 0o770} {
		if err := os.Chmod(s.Dir, was); err != nil {
			t.Fatal(err)
		}
		if keep(t, s, 2); mode(s.Dir) != want {
			t.Errorf("a folder of mode %#o has %#o then", was, mode(s.Dir))
		}
	}
}

// Each byte of each file: changed, it is found.
func TestAChangedByteIsFound(t *testing.T) {
	t.Parallel()
	s := evidence.Store{Dir: t.TempDir()}
	for n := 1; n <= 3; n++ {
		keep(t, s, n)
	}
	whole, err := s.Verify()
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	err = filepath.WalkDir(s.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i := range text {
			text[i] ^= 1
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
			c, err := s.Verify()
			// Nothing follows the newest entry: it is its digest that differs.
			if err == nil && len(c.Broken) == 0 && c.Has(whole.Head) {
				t.Errorf("%s: byte %d was changed unnoticed", d.Name(), i)
			}
			text[i] ^= 1
			changed++
		}
		return os.WriteFile(path, text, 0o644)
	})
	if err != nil || changed == 0 {
		t.Fatalf("%d bytes changed, error %v", changed, err)
	}
	if c, err := s.Verify(); err != nil || len(c.Broken) > 0 {
		t.Errorf("put right again it is still broken: %q (%v)", c.Broken, err)
	}
}

func TestLostEvidenceIsFound(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(t *testing.T, s evidence.Store, c evidence.Chain){
		"an entry in the middle": func(t *testing.T, s evidence.Store, _ evidence.Chain) { remove(t, s, "000002.json") },
		"the first":              func(t *testing.T, s evidence.Store, _ evidence.Chain) { remove(t, s, "000001.json") },
		"the last":               func(t *testing.T, s evidence.Store, _ evidence.Chain) { remove(t, s, "000003.json") },
		"a report": func(t *testing.T, s evidence.Store, c evidence.Chain) {
			remove(t, s, filepath.Join("files", c.Entries[1].Files["report.json"]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := evidence.Store{Dir: t.TempDir()}
			for n := 1; n <= 3; n++ {
				keep(t, s, n)
			}
			whole, err := s.Verify()
			if err != nil {
				t.Fatal(err)
			}
			lose(t, s, whole)
			if c, err := s.Verify(); err != nil || len(c.Broken) == 0 && c.Has(whole.Head) {
				t.Errorf("it is not missed: %q (%v)", c.Broken, err)
			}
		})
	}
}

func remove(t *testing.T, s evidence.Store, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(s.Dir, name)); err != nil {
		t.Fatal(err)
	}
}

func TestNothingRestsOnBrokenEvidence(t *testing.T) {
	t.Parallel()
	s := evidence.Store{Dir: t.TempDir()}
	e := keep(t, s, 1)
	if err := os.WriteFile(filepath.Join(s.Dir, "files", e.Files["report.json"]), []byte("all went well"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := s.Append(evidence.Entry{Kind: evidence.Promotion}, nil)
	if err == nil || !strings.Contains(err.Error(), "report.json of entry 1 was changed") {
		t.Errorf("it was added: %v", err)
	}
}

func TestAPromotionRestsOnRunsOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(e *evidence.Entry)
		want   string // "": nothing is broken
	}{
		"its own":          {func(*evidence.Entry) {}, ""},
		"none":             {func(e *evidence.Entry) { e.Rests = nil }, "rests on no run"},
		"one that is not":  {func(e *evidence.Entry) { e.Rests = []int{9} }, "rests on entry 9, which is no run before it"},
		"itself":           {func(e *evidence.Entry) { e.Rests = []int{2} }, "rests on entry 2, which is no run"},
		"another agent":    {func(e *evidence.Entry) { e.Agent = "bot@2" }, "which is for draft of bot@1"},
		"another step":     {func(e *evidence.Entry) { e.Step = "writes" }, "which is for draft of bot@1"},
		"another revision": {func(e *evidence.Entry) { e.Revision = "00" }, "under billing@c3d4, and not"},
		"no kind":          {func(e *evidence.Entry) { e.Kind = "rumour" }, "neither of a run nor of a promotion"},
	} {
		s := evidence.Store{Dir: t.TempDir()}
		keep(t, s, 1)
		e := evidence.Entry{Kind: evidence.Promotion, Step: "draft", Agent: "bot@1", Profile: "billing", Revision: "c3d4", Rests: []int{1}}
		c.change(&e)
		if _, err := s.Append(e, nil); err != nil {
			t.Fatal(err)
		}
		chain, err := s.Verify()
		if said := strings.Join(chain.Broken, "\n"); err != nil || (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: wanted %q: %q (%v)", name, c.want, said, err)
		}
	}
}

func TestWritersAtOnceMakeOneChain(t *testing.T) {
	t.Parallel()
	s := evidence.Store{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() { keep(t, s, n) })
	}
	wg.Wait()
	if c, err := s.Verify(); err != nil || len(c.Broken) > 0 || len(c.Entries) != 8 {
		t.Errorf("%d entries, broken %q, error %v", len(c.Entries), c.Broken, err)
	}
}
