package clock_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/clock"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var (
	wall  = time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	start = time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
)

// A step is one thing that happens to a clock; seconds count from wall for at
// and deadline, from start for the rest.
type step struct {
	at      float64
	do      string
	to      float64
	by      float64
	reaches float64
}

func seconds(from time.Time, s float64) time.Time {
	return from.Add(time.Duration(s * float64(time.Second)))
}

func TestState(t *testing.T) {
	t.Parallel()
	live := clock.Options{Start: start}
	stepped := clock.Options{Mode: clock.Stepped, Start: start}
	for _, test := range []struct {
		name    string
		options clock.Options
		steps   []step
	}{
		{"live goes with the wall", live, []step{
			{at: 0, do: "tick", reaches: 0}, {at: 1.5, do: "tick", reaches: 1.5}, {at: 1.5, do: "tick", reaches: 1.5}, {at: 4, do: "now", reaches: 4},
		}},
		{"live at a speed", clock.Options{Start: start, Speed: 60}, []step{{at: 1, do: "tick", reaches: 60}, {at: 1.5, do: "tick", reaches: 90}}},
		{"live when the wall goes back", live, []step{
			{at: 9, do: "tick", reaches: 9}, {at: 2, do: "tick", reaches: 9}, {at: 3, do: "tick", reaches: 10},
		}},
		{"live, moved on", live, []step{
			{at: 1, do: "tick", reaches: 1}, {at: 2, do: "move", to: 100}, {at: 2, do: "now", reaches: 100}, {at: 5, do: "tick", reaches: 103},
		}},
		{"live, moved back", live, []step{{at: 9, do: "tick", reaches: 9}, {at: 9, do: "move", to: 2}, {at: 10, do: "tick", reaches: 3}}},
		{"live and slow, after a wait that the client kept", clock.Options{Start: start, Speed: 0.1}, []step{
			{at: 0, do: "tick", reaches: 0},
			{at: 0, do: "promise", to: 20, by: 20},
			{at: 10, do: "tick", reaches: 1},
			{at: 20, do: "tick", reaches: 20},
			{at: 30, do: "tick", reaches: 21},
		}},
		{"stepped goes with exchanges", stepped, []step{
			{at: 0, do: "now", reaches: 0}, {at: 5, do: "tick", reaches: 0}, {at: 5, do: "tick", reaches: 1}, {at: 99, do: "now", reaches: 1}, {at: 99, do: "tick", reaches: 2},
		}},
		{"stepped by its own step", clock.Options{Mode: clock.Stepped, Start: start, Step: time.Minute}, []step{{do: "tick", reaches: 0}, {do: "tick", reaches: 60}}},
		{"stepped, moved on", stepped, []step{
			{do: "tick", reaches: 0}, {do: "move", to: 600}, {do: "now", reaches: 600}, {do: "tick", reaches: 600}, {do: "tick", reaches: 601},
		}},
		{"stepped, moved back", stepped, []step{{do: "tick", reaches: 0}, {do: "move", to: -60}, {do: "now", reaches: -60}, {do: "tick", reaches: -60}}},
		{"stepped, the client waits as told", stepped, []step{
			{at: 0, do: "tick", reaches: 0}, {at: 0, do: "promise", to: 30, by: 30}, {at: 30.01, do: "tick", reaches: 30}, {at: 30.02, do: "tick", reaches: 31},
		}},
		{"stepped, the client comes too early", stepped, []step{
			{at: 0, do: "tick", reaches: 0},
			{at: 0, do: "promise", to: 30, by: 30},
			{at: 12, do: "tick", reaches: 1},
			{at: 29, do: "tick", reaches: 2},
			{at: 30, do: "tick", reaches: 30},
		}},
		{"stepped, the shorter of two waits ends first", stepped, []step{
			{at: 0, do: "tick", reaches: 0},
			{at: 0, do: "promise", to: 60, by: 60},
			{at: 1, do: "tick", reaches: 1},
			{at: 1, do: "promise", to: 6, by: 6},
			{at: 6, do: "tick", reaches: 6},
			{at: 7, do: "tick", reaches: 7},
			{at: 60, do: "now", reaches: 7},
			{at: 61, do: "tick", reaches: 60},
		}},
		{"stepped, a wait that the clock has outrun", clock.Options{Mode: clock.Stepped, Start: start, Step: time.Minute}, []step{
			{at: 0, do: "tick", reaches: 0}, {at: 0, do: "promise", to: 2, by: 2}, {at: 1, do: "tick", reaches: 60}, {at: 3, do: "tick", reaches: 120},
		}},
		{"a move on forgets what it has reached", stepped, []step{
			{do: "tick", reaches: 0}, {do: "promise", to: 60, by: 5}, {do: "move", to: 100}, {at: 9, do: "tick", reaches: 100}, {at: 9, do: "tick", reaches: 101},
		}},
		{"a move on keeps what it has not reached", stepped, []step{
			{do: "tick", reaches: 0}, {do: "promise", to: 60, by: 5}, {do: "move", to: 10}, {at: 4, do: "tick", reaches: 10}, {at: 9, do: "tick", reaches: 60},
		}},
		{"a move back forgets what was promised", stepped, []step{
			{do: "tick", reaches: 0}, {do: "promise", to: 60, by: 5}, {do: "move", to: -10}, {at: 9, do: "tick", reaches: -10},
		}},
		{"stepped, moved on by a step, again and again", stepped, []step{
			{do: "tick", reaches: 0}, {do: "move", to: 1}, {do: "now", reaches: 1}, {do: "move", to: 2}, {do: "now", reaches: 2}, {do: "tick", reaches: 2}, {do: "now", reaches: 2},
		}},
		{"live, frozen", live, []step{
			{at: 1, do: "tick", reaches: 1},
			{at: 3, do: "freeze"},
			{at: 9, do: "now", reaches: 3},
			{at: 9, do: "tick", reaches: 3},
			{at: 99, do: "tick", reaches: 3},
			{at: 100, do: "thaw"},
			{at: 100, do: "now", reaches: 3},
			{at: 102, do: "tick", reaches: 5},
		}},
		{"live, frozen and moved", live, []step{
			{at: 1, do: "freeze"}, {at: 2, do: "move", to: 500}, {at: 5, do: "tick", reaches: 500}, {at: 7, do: "move", to: 400}, {at: 9, do: "tick", reaches: 400}, {at: 9, do: "thaw"}, {at: 10, do: "tick", reaches: 401},
		}},
		{"stepped, frozen", stepped, []step{
			{do: "tick", reaches: 0},
			{do: "tick", reaches: 1},
			{do: "freeze"},
			{do: "now", reaches: 1},
			{do: "tick", reaches: 1},
			{do: "tick", reaches: 1},
			{do: "thaw"},
			{do: "tick", reaches: 2},
		}},
		{"stepped, frozen before the first exchange", stepped, []step{{do: "freeze"}, {do: "tick", reaches: 0}, {do: "tick", reaches: 0}, {do: "thaw"}, {do: "tick", reaches: 1}}},
		{"stepped, frozen and thawed before the first exchange", stepped, []step{{do: "freeze"}, {do: "thaw"}, {do: "tick", reaches: 0}, {do: "tick", reaches: 1}}},
		{"stepped, moved, frozen and thawed", stepped, []step{
			{do: "tick", reaches: 0}, {do: "move", to: 600}, {do: "freeze"}, {do: "thaw"}, {do: "tick", reaches: 600}, {do: "tick", reaches: 601},
		}},
		{"frozen, the client waits as told", clock.Options{Start: start, Speed: 60}, []step{
			{at: 0, do: "freeze"},
			{at: 0, do: "tick", reaches: 0},
			{at: 0, do: "promise", to: 2, by: 2},
			{at: 1.9, do: "tick", reaches: 0},
			{at: 2, do: "now", reaches: 2},
			{at: 2, do: "tick", reaches: 2},
			{at: 50, do: "tick", reaches: 2},
			{at: 50, do: "promise", to: 4, by: 52},
			{at: 53, do: "tick", reaches: 4},
			{at: 53, do: "thaw"},
			{at: 54, do: "tick", reaches: 64},
		}},
		{"stepped and frozen, the client waits as told", stepped, []step{
			{do: "tick", reaches: 0},
			{do: "freeze"},
			{do: "promise", to: 2, by: 2},
			{at: 1, do: "tick", reaches: 0},
			{at: 2.1, do: "tick", reaches: 2},
			{at: 2.1, do: "tick", reaches: 2},
			{at: 2.1, do: "thaw"},
			{at: 2.1, do: "tick", reaches: 3},
		}},
		{"frozen after the client was told to wait", stepped, []step{
			{do: "tick", reaches: 0}, {do: "promise", to: 30, by: 30}, {at: 1, do: "freeze"}, {at: 2, do: "tick", reaches: 0}, {at: 31, do: "tick", reaches: 30},
		}},
		{"live, paced", live, []step{
			{at: 2, do: "tick", reaches: 2}, {at: 3, do: "pace", by: 60}, {at: 3, do: "now", reaches: 3}, {at: 4, do: "tick", reaches: 63}, {at: 4, do: "pace", by: 0.5}, {at: 6, do: "tick", reaches: 64},
		}},
		{"live, then stepped", live, []step{
			{at: 2, do: "tick", reaches: 2}, {at: 5, do: "step", by: 10}, {at: 9, do: "now", reaches: 5}, {at: 9, do: "tick", reaches: 5}, {at: 99, do: "tick", reaches: 15},
		}},
		{"live, then stepped in the instant of an exchange", live, []step{{at: 2, do: "tick", reaches: 2}, {at: 2, do: "step", by: 10}, {at: 9, do: "tick", reaches: 12}}},
		{"stepped, by another step", stepped, []step{{do: "tick", reaches: 0}, {do: "step", by: 60}, {do: "tick", reaches: 60}, {do: "tick", reaches: 120}}},
		{"stepped, then live", stepped, []step{
			{do: "tick", reaches: 0}, {do: "tick", reaches: 1}, {at: 50, do: "pace", by: 2}, {at: 50, do: "now", reaches: 1}, {at: 51, do: "tick", reaches: 3},
		}},
		{"a pace thaws", live, []step{{at: 1, do: "freeze"}, {at: 9, do: "pace", by: 2}, {at: 10, do: "tick", reaches: 3}}},
		{"a step thaws", live, []step{{at: 1, do: "freeze"}, {at: 9, do: "step", by: 2}, {at: 10, do: "tick", reaches: 1}, {at: 10, do: "tick", reaches: 3}}},
	} {
		play(t, test.name, started(t, test.options), test.steps)
	}
}

// play goes through the steps and compares what those that read the clock give.
func play(t *testing.T, name string, s clock.State, steps []step) {
	t.Helper()
	for i, step := range steps {
		now := seconds(wall, step.at)
		var got time.Time
		switch step.do {
		case "tick":
			got, s = s.Tick(now)
		case "now":
			got = s.Now(now)
		case "move":
			s = s.Moved(now, seconds(start, step.to))
			continue
		case "promise":
			s = s.Promised(seconds(start, step.to), seconds(wall, step.by))
			continue
		case "freeze":
			s = s.Freeze(now)
			continue
		case "thaw":
			s = s.Thaw(now)
			continue
		case "pace":
			s = must(s.Paced(now, step.by))
			continue
		case "step":
			s = must(s.Stepping(now, time.Duration(step.by*float64(time.Second))))
			continue
		}
		if want := seconds(start, step.reaches); !got.Equal(want) {
			t.Errorf("%s: step %d, %s: %v, want %v", name, i+1, step.do, got, want)
		}
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	s := started(t, clock.Options{})
	want := clock.Options{Mode: clock.Live, Start: wall, Speed: 1, Step: time.Second}
	if diff := cmp.Diff(want, s.Options); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	zero := 0.0
	for says, o := range map[string]clock.Options{
		`clock mode "frozen": say live or stepped`: {Mode: "frozen"},
		"clock speed -1":    {Speed: -1},
		"clock speed NaN":   {Speed: zero / zero},
		"clock speed 1e+09": {Speed: 1e9},
		"clock step -1s":    {Mode: clock.Stepped, Step: -time.Second},
		"clock instant 1969-12-31T23:59:59Z: say one from 1970": {Start: time.Unix(-1, 0)},
	} {
		if _, err := clock.New(o, wall); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %s", err, says)
		}
	}
}

func TestUntil(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options clock.Options
		to      float64
		want    time.Duration
		ok      bool
	}{
		{clock.Options{Start: start}, 30, 20 * time.Second, true},
		{clock.Options{Start: start, Speed: 2}, 30, 5 * time.Second, true},
		{clock.Options{Start: start}, 10, 0, true},
		{clock.Options{Start: start}, -5, 0, true},
		{clock.Options{Mode: clock.Stepped, Start: start}, 30, 0, false},
		{clock.Options{Mode: clock.Stepped, Start: start}, 0, 0, true},
	} {
		s := started(t, test.options)
		got, ok := s.Until(seconds(wall, 10), seconds(start, test.to))
		if got != test.want || ok != test.ok {
			t.Errorf("%+v until %v: %v %v, want %v %v", test.options, test.to, got, ok, test.want, test.ok)
		}
	}
}

// Time does not go back by itself, whatever the wall does and whatever was
// promised; and a fold of the instants alone gives the same clock, so that a
// run restored from its journal goes on where it was.
func TestFoldAndOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]clock.Mode{clock.Live, clock.Stepped}).Draw(t, "mode")
		s, err := clock.New(clock.Options{Mode: mode, Start: start, Speed: rapid.Float64Range(0.01, 1000).Draw(t, "speed")}, wall)
		if err != nil {
			t.Fatal(err)
		}
		folded := s
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now := wall.Add(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "wall")))
			if ahead := rapid.Int64Range(-60, 600).Draw(t, "promise"); ahead > 0 {
				s = s.Promised(s.Now(now).Add(time.Duration(ahead)*time.Second), now.Add(time.Duration(ahead)*time.Second))
			}
			before, present := s.Last, s.Now(now)
			var instant time.Time
			instant, s = s.Tick(now)
			if instant.Before(before) || instant.Before(present) {
				t.Fatalf("%v after %v, when it was %v", instant, before, present)
			}
			if mode == clock.Stepped && !before.IsZero() && instant.Before(before.Add(time.Second)) {
				t.Fatalf("%v is no step after %v", instant, before)
			}
			if now := s.Now(now); !now.Equal(instant) {
				t.Fatalf("ticked to %v, and it is %v", instant, now)
			}
			folded = folded.At(instant)
			if diff := cmp.Diff(s, folded, cmpopts.IgnoreUnexported(clock.State{})); diff != "" {
				t.Fatalf("(-ticked +folded):\n%s", diff)
			}
		}
		later := wall.Add(24 * time.Hour)
		if instant, _ := folded.Tick(later); instant.Before(s.Last) || instant.After(s.Next) {
			t.Fatalf("restored, it goes on at %v, not at %v", instant, s.Next)
		}
	})
}

// What changed one copy must not show in another: a run forks by copying.
func TestStateIsAValue(t *testing.T) {
	t.Parallel()
	s := started(t, clock.Options{Mode: clock.Stepped, Start: start})
	_, s = s.Tick(wall)
	for i := range 3 {
		s = s.Promised(seconds(start, float64(10+i)), seconds(wall, float64(10+i)))
	}
	fork := s.Promised(seconds(start, 500), seconds(wall, 1))
	other := s.Promised(seconds(start, 900), seconds(wall, 1))
	for want, state := range map[float64]clock.State{1: s, 500: fork, 900: other} {
		if got, _ := state.Tick(seconds(wall, 2)); !got.Equal(seconds(start, want)) {
			t.Errorf("ticked to %v, want %v", got, seconds(start, want))
		}
	}
}

func started(t *testing.T, o clock.Options) clock.State {
	t.Helper()
	s, err := clock.New(o, wall)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
