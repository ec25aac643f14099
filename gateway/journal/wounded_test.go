package journal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
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
	gaps, err := rec.Gaps()
	return account{all.String(), whole && err == nil && len(gaps) == 0}
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
	if _, err := Repair(dir); err != nil {
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
