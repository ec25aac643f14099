package journal

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"
)

// An event was once the journal's as soon as it was appended: the caller had to
// make a new one for each.
func TestWhoAppendsMayWriteOverIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "r-1")
	_, err := makeFolder(dir)
	must(t, err)
	o := Options{Durability: Sync}.withDefaults()
	d, _, err := openDatabase(t.Context(), dir, o, true)
	must(t, err)
	for name, back := range map[string]backend{"on disk": d, "in memory": newMemory()} {
		from, _ := back.(source)
		if from == nil {
			from = d.shelf
		}
		// The third write fails, and its batch is put back before what came since.
		s := newStore(o, &failing{store: back, from: 3, to: 3}, from, 1, resumed{})
		w, err := s.Begin("r-1", Origin{})
		must(t, err)
		var buffer []byte
		text := func(seq uint64) []byte { return fmt.Appendf(buffer[:0], "event %d %*d", seq, seq*seq%40_000, 0) }
		const n = 300
		for seq := uint64(1); seq <= n; seq++ {
			buffer = text(seq)
			for w.Append(Entry{Seq: seq, Data: buffer}) != nil {
				_ = w.Covered(t.Context(), seq-1)
			}
			must(t, w.Settle(Settlement{Of: seq, Data: buffer[:7]}))
			if seq%20 == 0 && seq != 60 {
				must(t, w.Certain(t.Context(), seq))
			}
		}
		must(t, s.Flush(t.Context()))
		seq := uint64(1)
		for b := range s.source.blocks(w.id, 1) {
			must(t, b.err)
			for _, e := range b.entries {
				if want := text(seq); e.Seq != seq || !bytes.Equal(e.Data, want) {
					t.Fatalf("%s: event %d is %.30q, and not %.30q", name, e.Seq, e.Data, want)
				}
				seq++
			}
		}
		if seq != n+1 {
			t.Errorf("%s: %d events", name, seq-1)
		}
		must(t, s.Close())
	}
}
