package journal

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// BenchmarkAppend is what an exchange pays for under its run's lock.
func BenchmarkAppend(b *testing.B) {
	s := &failing{drop: true}
	w := newWriter("r-1", Options{MaxBacklog: 1 << 62, MaxBytes: 1 << 62}.withDefaults(), s, 1, resumed{})
	defer w.Close()
	data := bytes.Repeat([]byte("x"), 1000)
	b.ReportAllocs()
	var seq uint64
	for b.Loop() {
		seq++
		if err := w.Append(Entry{seq, data}); err != nil {
			b.Fatal(err)
		}
	}
}

// unlike gives events that have nothing in common: hex digits, which pack to
// half. Real ones repeat themselves and pack better.
func unlike(size int) [][]byte {
	events := make([][]byte, 1024)
	for i := range events {
		raw := make([]byte, size/2)
		for j := range raw {
			raw[j] = byte(rand.Uint32())
		}
		events[i] = []byte(hex.EncodeToString(raw))
	}
	return events
}

// BenchmarkKept is an event from Append to its place on disk.
func BenchmarkKept(b *testing.B) {
	for _, size := range []int{300, 1000, 4000} {
		for name, durability := range map[string]Durability{"async": Async, "sync": Sync} {
			b.Run(name+"/"+string(rune('0'+size/1000))+"k", func(b *testing.B) {
				w, err := Create(filepath.Join(b.TempDir(), "r-1"), Options{Durability: durability, MaxBytes: 1 << 40})
				if err != nil {
					b.Fatal(err)
				}
				data := unlike(size)
				b.SetBytes(int64(size))
				var seq uint64
				for b.Loop() {
					seq++
					if err := w.Append(Entry{seq, data[seq%uint64(len(data))]}); err != nil {
						b.Fatal(err)
					}
					if seq%256 == 0 { // about a block
						if err := w.Flush(b.Context()); err != nil {
							b.Fatal(err)
						}
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkCreate is what a journal adds to the start of a run.
func BenchmarkCreate(b *testing.B) {
	for b.Loop() {
		w, err := Create(filepath.Join(b.TempDir(), "r-1"), Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
