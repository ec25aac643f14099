package journal

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkAppend is what an exchange pays for under its run's lock.
func BenchmarkAppend(b *testing.B) {
	s := &failing{drop: true}
	w := newSolo(Options{MaxBacklog: 1 << 62, MaxBytes: 1 << 62}.withDefaults(), s)
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
				w, err := createOne(filepath.Join(b.TempDir(), "r-1"), Options{Durability: durability, MaxBytes: 1 << 40})
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

// BenchmarkRuns is the throughput of a store with events of 1 KB that come to
// one run, or to a thousand in turn, and how many times as long an event takes
// as in memory.
func BenchmarkRuns(b *testing.B) {
	data := unlike(1000)
	for _, runs := range []int{1, 1000} {
		b.Run(fmt.Sprint(runs), func(b *testing.B) {
			o := Options{MaxBytes: 1 << 40, MaxStore: 1 << 40}
			s, err := Create(filepath.Join(b.TempDir(), "s"), o)
			if err != nil {
				b.Fatal(err)
			}
			add := appender(b, s, runs, data)
			b.SetBytes(1000)
			for b.Loop() {
				add()
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			disk := b.Elapsed()
			memory := InMemory(o)
			add = appender(b, memory, runs, data)
			start := time.Now()
			for range b.N {
				add()
			}
			if err := memory.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(disk)/float64(time.Since(start)), "times-memory")
		})
	}
}

// appender gives a function that appends an event and waits for its promise, to
// one run after the other.
func appender(b *testing.B, s *Store, runs int, data [][]byte) func() {
	writers := make([]*Writer, runs)
	for i := range writers {
		w, err := s.Begin(fmt.Sprint("r-", i), Origin{})
		if err != nil {
			b.Fatal(err)
		}
		writers[i] = w
	}
	n := 0
	return func() {
		w, seq := writers[n%runs], uint64(n/runs+1)
		err := w.Append(Entry{seq, data[n%len(data)]})
		if err == nil {
			err = w.Covered(b.Context(), seq)
		}
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// BenchmarkLiveRuns is what a run that goes on costs in memory, beside its
// world, and how long its beginning takes.
func BenchmarkLiveRuns(b *testing.B) {
	s, err := Create(filepath.Join(b.TempDir(), "s"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	before := heap()
	for i := 0; b.Loop(); i++ {
		w, err := s.Begin(fmt.Sprint("r-", i), Origin{})
		for errors.Is(err, ErrFull) { // the disk is slower than this loop
			if err = s.Flush(b.Context()); err == nil {
				w, err = s.Begin(fmt.Sprint("r-", i), Origin{})
			}
		}
		if err == nil {
			err = w.Append(Entry{1, []byte("event")})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(heap()-before)/float64(b.N), "B/live-run")
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCreate is what a journal adds to the start of a run.
func BenchmarkCreate(b *testing.B) {
	for b.Loop() {
		w, err := createOne(filepath.Join(b.TempDir(), "r-1"), Options{})
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
