package journal

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// indexed makes a store whose larger indexes are more than one page, closed or
// killed in Sync, and gives where in its file each index lies.
func indexed(t *testing.T, closes bool) (dir string, pages map[string][]int64) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{Durability: Sync})
	must(t, err)
	var runs []*Writer
	for _, run := range []string{"on", "over"} {
		w := begin(t, s, run, Origin{})
		must(t, w.Revision("h-"+run, []byte("text")))
		must(t, w.SetMeta(map[string]string{"seed": "7"}))
		runs = append(runs, w)
	}
	for seq := uint64(1); seq <= 260; seq++ {
		for _, w := range runs {
			must(t, w.Append(Entry{seq, []byte("event")}))
			must(t, w.Settle(Settlement{Of: seq, Data: []byte("sent")}))
		}
		must(t, s.Flush(t.Context()))
	}
	must(t, runs[1].End())
	if closes {
		must(t, s.Close())
	} else {
		abandon(t, s)
	}
	db, err := open(filepath.Join(dir, FileName)) // which takes the log in
	must(t, err)
	defer db.Close()
	pages = map[string][]int64{}
	var name string
	var page int64
	must(t, (&shelf{db: db}).each(t.Context(), `SELECT d.name, d.pageno FROM dbstat d JOIN sqlite_schema s ON s.name = d.name AND s.type = 'index'`, nil,
		func() { pages[name] = append(pages[name], page) }, &name, &page))
	if len(pages) < 6 || len(pages["settled"]) < 2 {
		t.Fatal(pages)
	}
	return dir, pages
}

// flips gives bytes of a page to change: of its head and cells, of which the
// latter stand at its end.
func flips(chance *rand.Rand, page int64) (all []int64) {
	begin := (page - 1) * pageSize
	for range wounds() / 4 {
		all = append(all, begin+chance.Int64N(64), begin+pageSize-1-chance.Int64N(1024))
	}
	return all
}

// A byte of an index was changed: what it led to no more was left out of a
// report that said nothing of it.
func TestADamagedIndexNeverHidesWhatARecordHas(t *testing.T) {
	t.Parallel()
	whole, pages := indexed(t, true)
	was := map[string]account{}
	for _, run := range []string{"on", "over"} {
		if was[run] = tell(t, whole, run); !was[run].whole {
			t.Fatal("before: not whole")
		}
	}
	content, err := os.ReadFile(filepath.Join(whole, FileName))
	must(t, err)
	chance, told := rand.New(rand.NewPCG(3, 4)), 0
	for index, list := range pages {
		for _, page := range list {
			for _, at := range flips(chance, page) {
				hurt := bytes.Clone(content)
				hurt[at] ^= 1 << chance.IntN(8)
				must(t, os.WriteFile(filepath.Join(whole, FileName), hurt, 0o600))
				for run, before := range was {
					is := tell(t, whole, run)
					if is.whole && is.text != before.text {
						t.Errorf("%s, byte %d: run %s says that it is whole and is not", index, at, run)
					}
					if !is.whole {
						told++
					}
				}
			}
		}
	}
	if told == 0 {
		t.Error("no change was ever told")
	}
}

// The last event of a store that was killed in Sync was hidden by a damaged
// index: its record ended before it, and the next gateway wrote on there.
func TestARunIsNotWrittenOnBehindADamagedIndex(t *testing.T) {
	t.Parallel()
	dir, _ := indexed(t, false)
	content, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	// Run 1, event 260, as a row of the index has it: the length of what comes
	// first, the kinds of its three columns (9 is the number 1), the event.
	at := bytes.Index(content, []byte{4, 9, 2, 2, 260 >> 8, 260 & 0xff})
	if at < 0 {
		t.Fatal("the row is not in the file")
	}
	content[at+1] = 8 // of run 0
	must(t, os.WriteFile(filepath.Join(dir, FileName), content, 0o600))
	r, err := Open(dir)
	must(t, err)
	rec, err := r.Read("on")
	must(t, err)
	var damaged error
	for _, err := range rec.Entries(0) {
		damaged = errors.Join(damaged, err)
	}
	if damaged == nil {
		t.Error("its record reads as whole")
	}
	must(t, r.Close())
	s, err := Reopen(dir, Options{})
	must(t, err)
	if _, err := s.Resume("on"); err == nil {
		t.Error("it goes on")
	}
	must(t, s.Close())
}
