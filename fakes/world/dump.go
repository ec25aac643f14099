package world

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
)

// Hash is the SHA-256, in hex, of every record with its id, version and order,
// in a fixed order, hidden collections included. Two worlds with one hash go
// on alike. Collections that were never written to do not count, so that
// declaring another changes no hash.
func (w *World) Hash() string {
	h := sha256.New()
	var buffer []byte
	for t := range w.tables() {
		if t.last == 0 {
			continue
		}
		hashText(h, t.Name)
		hashNumbers(h, t.last, uint64(t.count))
		t.oldest(0, func(r *Record) bool {
			hashNumbers(h, r.Order, r.Version)
			hashText(h, r.ID)
			json := r.whole(&buffer)
			hashNumbers(h, uint64(len(json)))
			_, _ = h.Write(json)
			return true
		})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashText writes the length first, so that no two lists of texts look alike.
func hashText(h hash.Hash, s string) {
	hashNumbers(h, uint64(len(s)))
	_, _ = io.WriteString(h, s) // a hash never fails
}

func hashNumbers(h hash.Hash, numbers ...uint64) {
	var b [8]byte
	for _, n := range numbers {
		binary.BigEndian.PutUint64(b[:], n)
		_, _ = h.Write(b[:])
	}
}

// Dump writes every collection that is not hidden and not empty as one JSON
// object of lists, collections by name and records by creation, one a line so
// that two dumps can be compared with diff. The error is the writer's.
func (w *World) Dump(to io.Writer) error {
	out := bufio.NewWriter(to) // keeps the first error for Flush
	separator := "{"
	for t := range w.tables() {
		if t.Hidden || t.count == 0 {
			continue
		}
		_, _ = out.WriteString(separator + "\n" + string(Encode(t.Name)) + ": ")
		separator = ","
		line := "["
		t.oldest(0, func(r *Record) bool {
			_, _ = out.WriteString(line + "\n")
			_, _ = out.Write(r.JSON())
			line = ","
			return true
		})
		_, _ = out.WriteString("\n]")
	}
	if separator == "{" {
		_, _ = out.WriteString("{")
	}
	_, _ = out.WriteString("\n}\n")
	return out.Flush()
}
