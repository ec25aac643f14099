package journal

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func drawEntries(t *rapid.T) ([]Entry, []byte) {
	first := rapid.Uint64Range(1, 1<<62).Draw(t, "first")
	var entries []Entry
	var block []byte
	for i, data := range rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 300), 1, 30).Draw(t, "data") {
		e := Entry{first + uint64(i), data}
		size := len(block)
		block = appendFrame(block, 7, e.Seq, e.Data)
		if len(block)-size != frameSize(e.Seq, e.Data) {
			t.Fatalf("a frame of %d bytes, %d said", len(block)-size, frameSize(e.Seq, e.Data))
		}
		entries = append(entries, e)
	}
	return entries, block
}

// TestFraming: a block reads as it was written; cut anywhere or changed
// anywhere it reads as a prefix, with an error.
func TestFraming(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, block := drawEntries(t)
		first, last := entries[0].Seq, entries[len(entries)-1].Seq
		got, err := readBlock(block, 7, first, last)
		if err != nil || len(got) != len(entries) {
			t.Fatalf("%d of %d, %v", len(got), len(entries), err)
		}
		isPrefix(t, entries, got)

		cut := rapid.IntRange(0, len(block)-1).Draw(t, "cut")
		got, err = readBlock(block[:cut], 7, first, last)
		if !errors.Is(err, errFrame) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		isPrefix(t, entries, got)

		at := rapid.IntRange(0, len(block)-1).Draw(t, "at")
		changed := bytes.Clone(block)
		changed[at] ^= rapid.ByteRange(1, 255).Draw(t, "by")
		got, err = readBlock(changed, 7, first, last)
		if !errors.Is(err, errFrame) {
			t.Fatalf("changed at %d: %v", at, err)
		}
		isPrefix(t, entries, got)
	})
}

func isPrefix(t *rapid.T, whole, part []Entry) {
	if len(part) > len(whole) {
		t.Fatalf("%d events of %d", len(part), len(whole))
	}
	for i, e := range part {
		if e.Seq != whole[i].Seq || !bytes.Equal(e.Data, whole[i].Data) {
			t.Fatalf("event %d was invented", e.Seq)
		}
	}
}

func FuzzReadBlock(f *testing.F) {
	good := appendFrame(appendFrame(nil, 7, 1, []byte("one")), 7, 2, []byte("two"))
	f.Add(good, uint64(1), uint64(2))
	f.Add(good[:len(good)-1], uint64(1), uint64(2))
	f.Add([]byte{}, uint64(0), uint64(0))
	f.Add(bytes.Repeat([]byte{0xff}, 40), uint64(1), uint64(1<<64-1))
	f.Fuzz(func(t *testing.T, block []byte, first, last uint64) {
		entries, err := readBlock(block, 7, first, last)
		for i, e := range entries {
			if e.Seq != first+uint64(i) {
				t.Fatalf("event %d at place %d from %d", e.Seq, i, first)
			}
		}
		if err == nil && uint64(len(entries)) != last+1-first {
			t.Fatalf("%d events for %d to %d without an error", len(entries), first, last)
		}
	})
}
