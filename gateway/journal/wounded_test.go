package journal

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wounds is how many cuts and flips of each store are tried; PARITY_WOUNDS says
// otherwise, and a number that is not smaller than a store's size tries each of
// its bytes.
func wounds() int64 {
	if n, err := strconv.ParseInt(os.Getenv("PARITY_WOUNDS"), 10, 64); err == nil {
		return n
	}
	if testing.Short() || raceEnabled {
		return 8
	}
	return 20
}

// large makes a store of two runs whose events are larger than a page, closed or
// abandoned.
func large(t *testing.T, closes bool) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	chance := rand.New(rand.NewPCG(1, 2))
	for _, run := range []string{"on", "over"} {
		w := begin(t, s, run, Origin{})
		must(t, w.Revision("h", []byte("text")))
		must(t, w.SetMeta(map[string]string{"seed": "7"}))
		for seq := uint64(1); seq <= 12; seq++ {
			data := make([]byte, chance.IntN(20_000))
			for i := range data {
				data[i] = byte(chance.IntN(256))
			}
			must(t, w.Append(Entry{seq, data}))
			must(t, w.Settle(Settlement{Of: seq, Data: []byte("sent")}))
			must(t, s.Flush(t.Context()))
		}
		if run == "over" {
			must(t, w.End())
		}
	}
	if closes {
		must(t, s.Close())
	} else {
		abandon(t, s)
	}
	return dir
}

// An account is what a record says of itself.
type account struct {
	text  string // all of it
	whole bool   // it says that nothing is missing
}

// tell reads all of a run.
func tell(t *testing.T, dir, run string) account {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		return account{}
	}
	defer r.Close()
	rec, err := r.Read(run)
	if err != nil {
		return account{}
	}
	var all bytes.Buffer
	whole := true
	for e, err := range rec.Entries(0) {
		whole = whole && err == nil
		fmt.Fprintf(&all, "%d %x\n", e.Seq, e.Data)
	}
	for s, err := range rec.Settlements() {
		whole = whole && err == nil
		fmt.Fprintf(&all, "%d %x\n", s.Of, s.Data)
	}
	whole = tellBesides(&all, rec) == nil && whole
	gaps, err := rec.Gaps()
	return account{all.String(), whole && err == nil && len(gaps) == 0}
}

// tellBesides reads what is kept of a run besides.
func tellBesides(all *bytes.Buffer, rec *Record) error {
	notes, err := rec.Meta()
	revisions, rerr := rec.Revisions()
	_, berr := rec.Besides()
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		fmt.Fprintf(all, "%s %s\n", key, notes[key])
	}
	for _, r := range revisions {
		fmt.Fprintf(all, "%d %s %s\n", r.AtSeq, r.Hash, r.Content)
	}
	return errors.Join(err, rerr, berr)
}

// Each bit of the rows beside the events was changed, one at a time: an outcome
// or a profile that was changed read as what was written.
func TestAChangedNoteOrProfileIsTold(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{Durability: Sync})
	must(t, err)
	w := begin(t, s, "on", Origin{})
	marks := []string{"the-outcome-note", "the-hash", "the-profile-text", "the-notes-key"}
	must(t, w.Revision(marks[1], []byte(marks[2])))
	must(t, w.SetMeta(map[string]string{marks[3]: marks[0]}))
	appendTo(t, w, 1, 3)
	must(t, w.End())
	must(t, s.Close())
	was := map[string]account{"on": tell(t, dir, "on")}
	content, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	for _, mark := range marks {
		if !was["on"].whole || !strings.Contains(was["on"].text, mark) {
			t.Fatalf("before: %+v", was["on"])
		}
		found := 0
		for at := range content {
			if bytes.HasPrefix(content[at:], []byte(mark)) {
				found++
				for i := at - 8; i < at+len(mark); i += 7 { // its row's head, too
					wound(t, dir, content, int64(i), false, was)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s is not in the file", mark)
		}
	}
}

// A store of an older Parity has no checksums beside its events: it opens, says
// so, and gets them once it is written.
func TestAStoreWithoutChecksumsBesidesIsToldAsUnchecked(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s")
	s, err := Create(dir, Options{})
	must(t, err)
	w := begin(t, s, "on", Origin{})
	must(t, w.Revision("h", []byte("text")))
	must(t, w.SetMeta(map[string]string{"seed": "7"}))
	appendTo(t, w, 1, 3)
	must(t, s.Close())
	want := func(when string, checked bool) {
		t.Helper()
		r, err := Open(dir)
		must(t, err)
		defer r.Close()
		rec, err := r.Read("on")
		must(t, err)
		if is, err := rec.Besides(); err != nil || is != checked {
			t.Errorf("%s: checked %v, %v", when, is, err)
		}
		if a := tell(t, dir, "on"); !a.whole || !strings.Contains(a.text, "seed 7") || !strings.Contains(a.text, "text") {
			t.Errorf("%s: %+v", when, a)
		}
	}
	change := func(query string) {
		t.Helper()
		db, err := open(filepath.Join(dir, FileName))
		must(t, err)
		_, err = db.ExecContext(t.Context(), query)
		must(t, errors.Join(err, db.Close()))
	}
	want("new", true)
	change(`DROP TABLE sums; DELETE FROM meta WHERE key = 'sums'`)
	want("without", false)
	s, err = Reopen(dir, Options{})
	must(t, err)
	must(t, s.Close())
	want("written again", true)
	change(`INSERT INTO epochs(epoch, pid, host, opened, closed) VALUES (3, 1, 'older', 1, 2); INSERT INTO notes(run, key, value) VALUES (1, 'new', 'note')`)
	want("written by an older one", false)
	s, err = Reopen(dir, Options{})
	must(t, err)
	must(t, s.Close())
	want("written again", true)
	change(`DROP TABLE sums`)
	if a := tell(t, dir, "on"); a.whole {
		t.Error("that its checksums are lost is not told")
	}
}

// A store that is cut or has a byte flipped anywhere ends, once it is repaired,
// as one that opens; and no record of it ever reads as whole and is not. A
// repair of a file that ended inside a large event failed with an I/O error.
func TestAWoundedStoreIsRepairedAndNeverTakenForWhole(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{true, false} {
		whole := large(t, closed)
		was := map[string]account{}
		for _, run := range []string{"on", "over"} {
			was[run] = tell(t, whole, run)
		}
		if !was["over"].whole || was["on"].whole != closed {
			t.Fatalf("before: %v and %v", was["on"].whole, was["over"].whole)
		}
		content, err := os.ReadFile(filepath.Join(whole, FileName))
		must(t, err)
		for _, cut := range []bool{true, false} {
			t.Run(fmt.Sprint("closed ", closed, ", cut ", cut), func(t *testing.T) {
				t.Parallel()
				size := int64(len(content))
				for at := int64(0); at < size; at += 1 + size/wounds() {
					wound(t, whole, content, at, cut, was)
				}
			})
		}
	}
}

// wound damages a copy of a store at one byte, and looks at what is said of it
// before and after its repair.
func wound(t *testing.T, whole string, content []byte, at int64, cut bool, was map[string]account) {
	t.Helper()
	dir := copyStore(t, whole)
	hurt := bytes.Clone(content[:at])
	if !cut {
		hurt = bytes.Clone(content)
		hurt[at] ^= 0x41
	}
	must(t, os.WriteFile(filepath.Join(dir, FileName), hurt, 0o600))
	look := func(when string) {
		for run, before := range was {
			if is := tell(t, dir, run); is.whole && is.text != before.text {
				t.Errorf("byte %d, %s: run %s says that it is whole and is not", at, when, run)
			}
		}
	}
	look("as it was found")
	if _, err := Repair(dir, nil); err != nil {
		t.Errorf("byte %d: repair: %v", at, err)
		return
	}
	look("repaired")
	s, err := Reopen(dir, Options{})
	if err != nil {
		t.Errorf("byte %d: a repaired store does not open: %v", at, err)
		return
	}
	must(t, s.Close())
	look("opened")
}
