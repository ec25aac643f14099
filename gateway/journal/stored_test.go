package journal

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
)

// A run was full by what its events had come to before they were packed: at a
// fourteenth of its bound on disk.
func TestABoundCountsWhatIsStored(t *testing.T) {
	t.Parallel()
	s, err := Create(filepath.Join(t.TempDir(), "s"), Options{MaxBytes: 100_000, MaxStore: 150_000, Durability: Sync})
	must(t, err)
	defer s.Close()
	w := begin(t, s, "a", Origin{})
	came := int64(0)
	for seq := uint64(1); seq <= 200; seq++ {
		e := Entry{Seq: seq, Data: bytes.Repeat([]byte(`{"object":"customer","name":"Ada"}`), 100)}
		came += int64(len(e.Data))
		must(t, w.Append(e))
		must(t, s.Flush(t.Context()))
	}
	if came < 500_000 || s.Bytes() > 100_000 || w.Full() > 1 {
		t.Errorf("%d bytes came, and count for %d: %.2f of the bound", came, s.Bytes(), w.Full())
	}
	info, _ := s.Run("a")
	must(t, s.Close())
	again, err := Reopen(s.back.(*database).dir, Options{MaxBytes: 100_000})
	must(t, err)
	defer again.Close()
	if then, _ := again.Run("a"); then.Bytes != info.Bytes {
		t.Errorf("it counts for %d bytes, and for %d after it was opened again", info.Bytes, then.Bytes)
	}
}

// What has to be said of a run that is full was refused as its events are.
func TestAFullRunCanBeMarked(t *testing.T) {
	t.Parallel()
	eachStore(t, Options{MaxBytes: 2000}, func(t *testing.T, s *Store) {
		w := begin(t, s, "a", Origin{})
		var err error
		for seq := uint64(1); err == nil; seq++ {
			err = w.Append(entry(seq))
		}
		if !errors.Is(err, ErrFull) || !errors.Is(w.SetMeta(map[string]string{"note": string(make([]byte, 2000))}), ErrFull) {
			t.Fatal(err)
		}
		must(t, w.Mark(map[string]string{"full": string(make([]byte, 2000))}))
		rec, err := s.Read("a")
		must(t, err)
		meta, err := rec.Meta()
		if err != nil || len(meta["full"]) != 2000 {
			t.Errorf("the mark is not kept: %v", err)
		}
		must(t, w.End())
		if err := w.Mark(map[string]string{"full": ""}); !errors.Is(err, ErrEnded) {
			t.Errorf("marked after its end: %v", err)
		}
	})
}
