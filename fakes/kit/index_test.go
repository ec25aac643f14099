package kit_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/fakes/kit"
	"parity/fakes/world"
)

const searchLag = 10 * time.Second

func lagging() kit.Index { return kit.Index{Collection: "s.index", Lag: searchLag} }

// BenchmarkIndex writes one record 10,000 times, at a pace at which all of that
// is behind in the end, and at one at which a hundred are. It prints how many
// bytes and how much time the last thousand took for each of the first.
func BenchmarkIndex(b *testing.B) {
	for _, every := range []time.Duration{searchLag / 10_001, searchLag / 100} {
		b.Run(every.String(), func(b *testing.B) {
			const n, part = 10_000, 1000
			for b.Loop() {
				var bytes, took [n / part]float64
				index, w, value := lagging(), shared(b, lagging().Declared()), map[string]any{"v": "a"}
				for i := range n {
					tx, began := w.Begin(), time.Now()
					index.Note(tx, "1", value, noon.Add(time.Duration(i)*every))
					took[i/part] += time.Since(began).Seconds()
					bytes[i/part] += float64(size(tx))
					w = tx.Commit()
				}
				b.ReportMetric(bytes[n/part-1]/bytes[0], "bytes-last/first")
				b.ReportMetric(took[n/part-1]/took[0], "time-last/first")
			}
		})
	}
}

func size(tx *world.Tx) int {
	n := 0
	for _, change := range tx.Changes() {
		n += len(change.Before) + len(change.After)
	}
	return n
}

func TestAnIndexForgetsWhatItNeedsNoMore(t *testing.T) {
	t.Parallel()
	index, w := lagging(), shared(t, lagging().Declared())
	most := 0
	for i := range 1000 {
		tx := w.Begin()
		index.Note(tx, fmt.Sprint(i%300), nil, noon.Add(time.Duration(i)*time.Second))
		if n := len(tx.Changes()); n > 3 {
			t.Fatalf("one write was %d changes", n)
		}
		w = tx.Commit()
		most = max(most, w.Len(index.Collection))
	}
	if most > 12 {
		t.Errorf("at a write a second and a lag of ten, the index held %d entries", most)
	}
}

// An index shows of each record what a list of all its past would show.
func TestAnIndexShowsWhatAListOfThePastWould(t *testing.T) {
	t.Parallel()
	type past struct {
		until time.Time
		value map[string]any
	}
	rapid.Check(t, func(t *rapid.T) {
		index, now := lagging(), noon
		w, err := world.New(index.Declared())
		if err != nil {
			t.Fatal(err)
		}
		pasts, current := map[string][]past{}, map[string]map[string]any{}
		for step := range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "tenths")) * time.Second / 10)
			id, value := rapid.SampledFrom([]string{"a", "b", "a#1"}).Draw(t, "id"), map[string]any{"v": int64(step)}
			tx := w.Begin()
			index.Note(tx, id, current[id], now)
			w = tx.Commit()
			pasts[id], current[id] = append(pasts[id], past{now.Add(searchLag), current[id]}), value
			behind := map[string]map[string]any{}
			for id, shown := range index.Behind(w, now) {
				behind[id] = shown
			}
			for id, value := range current {
				want, isBehind := value, false
				for _, p := range pasts[id] {
					if p.until.After(now) {
						want, isBehind = p.value, true
						break
					}
				}
				if diff := cmp.Diff(want, index.See(w, id, value, now)); diff != "" {
					t.Fatalf("%s at %s: %s", id, now, diff)
				}
				if shown, ok := behind[id]; ok != isBehind || ok && !cmp.Equal(shown, want) {
					t.Fatalf("%s at %s: behind is %v, %v", id, now, ok, shown)
				}
			}
		}
	})
}

// A clock goes back on request: what was not shown by then is not shown before.
func TestAnIndexOfAClockThatWentBack(t *testing.T) {
	t.Parallel()
	index, tx := lagging(), shared(t, lagging().Declared()).Begin()
	a, b, c := map[string]any{"v": "a"}, map[string]any{"v": "b"}, map[string]any{"v": "c"}
	index.Note(tx, "1", a, noon)
	index.Note(tx, "1", b, noon.Add(-time.Minute))
	for at, want := range map[int]map[string]any{-60: a, -45: a, 9: a, 10: c} {
		if diff := cmp.Diff(want, index.See(tx, "1", c, noon.Add(time.Duration(at)*time.Second))); diff != "" {
			t.Errorf("after %d s: %s", at, diff)
		}
	}
}
