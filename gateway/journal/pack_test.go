package journal

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// TestPacking: a row comes back as it was, and a row that is cut or changed is
// refused, or is caught by the checksums of its frames.
func TestPacking(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, block := drawEntries(t)
		packed := bytes.Clone(pack(nil, block))
		row, err := unpack(packed)
		if err != nil || !bytes.Equal(row, block) {
			t.Fatalf("%d bytes of %d, %v", len(row), len(block), err)
		}
		cut := rapid.IntRange(0, len(packed)-1).Draw(t, "cut")
		if row, err := unpack(packed[:cut]); err == nil && !bytes.Equal(row, block) {
			t.Fatalf("cut at %d: %d bytes and no error", cut, len(row))
		}
		at := rapid.IntRange(0, len(packed)-1).Draw(t, "at")
		packed[at] ^= rapid.ByteRange(1, 255).Draw(t, "by")
		row, err = unpack(packed)
		if err != nil {
			if !errors.Is(err, errFrame) {
				t.Fatalf("changed at %d: %v", at, err)
			}
			return
		}
		got, _ := readBlock(row, 7, entries[0].Seq, entries[len(entries)-1].Seq)
		isPrefix(t, entries, got)
	})
}

func TestUnpackRefusesAHugeClaim(t *testing.T) {
	t.Parallel()
	if _, err := unpack([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0}); !errors.Is(err, errFrame) {
		t.Errorf("a claim of 4 GiB: %v", err)
	}
}
