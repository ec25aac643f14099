package journal

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzReader reads any bytes as a store: it never panics, and gives the events
// of each run in order or not at all; what Repair makes of them can be opened.
func FuzzReader(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "s")
	f.Add(smallStore(f, dir))
	f.Add([]byte{})
	f.Add([]byte("SQLite format 3\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := filepath.Join(t.TempDir(), "s")
		must(t, os.Mkdir(dir, 0o700))
		must(t, os.WriteFile(filepath.Join(dir, FileName), content, 0o600))
		readAnything(t, dir)
		if _, err := Repair(dir, nil); err != nil {
			return
		}
		s, err := Reopen(dir, Options{})
		if err != nil {
			t.Fatalf("after a repair: %v", err)
		}
		must(t, s.Close())
		readAnything(t, dir)
	})
}

func readAnything(t *testing.T, dir string) {
	r, err := Open(dir)
	if err != nil {
		return
	}
	defer r.Close()
	infos, _ := r.Runs()
	for _, i := range append(infos, Info{Run: "r-0"}) {
		rec, err := r.Read(i.Run)
		if err != nil {
			continue
		}
		next := uint64(1)
		for e, err := range rec.Entries(0) {
			if err != nil {
				break
			}
			if e.Seq != next {
				t.Fatalf("run %s: event %d where %d is due", i.Run, e.Seq, next)
			}
			next++
		}
		for range rec.Settlements() {
		}
		_, _ = rec.Meta()
		_, _ = rec.Revisions()
	}
	_, _ = r.Epochs()
}

// smallStore is a store with two runs in a file with small pages, so that there
// is little besides what matters.
func smallStore(f *testing.F, dir string) []byte {
	s, err := Create(dir, Options{FlushBytes: 200})
	if err != nil {
		f.Fatal(err)
	}
	w, err := s.Begin("r-0", Origin{})
	if err != nil {
		f.Fatal(err)
	}
	for seq := uint64(1); seq <= 20 && err == nil; seq++ {
		err = w.Append(crashEvent("r-0", seq, 1))
	}
	if err != nil {
		f.Fatal(err)
	}
	fork, err := s.Begin("f-1", Origin{"r-0", 12})
	if err != nil {
		f.Fatal(err)
	}
	for _, err := range []error{
		fork.Append(crashEvent("f-1", 13, 1)), w.Settle(Settlement{Of: 3, Data: []byte("sent")}), w.Revision("h", []byte("text")),
		w.SetMeta(map[string]string{"k": "v"}), fork.End(), s.Close(),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	path := filepath.Join(dir, FileName)
	db, err := open(path)
	if err == nil {
		_, err = db.Exec(`PRAGMA page_size = 512; VACUUM`)
	}
	if err != nil {
		f.Fatal(err)
	}
	if err := db.Close(); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	return content
}
