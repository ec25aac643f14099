package clock_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"parity/fakes/clock"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestMovesAreChecked(t *testing.T) {
	t.Parallel()
	s := started(t, clock.Options{Start: start})
	for _, test := range []struct {
		says string
		do   func() (clock.State, error)
	}{
		{"clock speed 0", func() (clock.State, error) { return s.Paced(wall, 0) }},
		{"clock speed NaN", func() (clock.State, error) { return s.Paced(wall, math.NaN()) }},
		{"clock step 0s", func() (clock.State, error) { return s.Stepping(wall, 0) }},
		{"clock step -1s", func() (clock.State, error) { return s.Apply(wall, clock.Move{Step: -time.Second}) }},
		{"clock speed +Inf", func() (clock.State, error) { return s.Apply(wall, clock.Move{Speed: math.Inf(1)}) }},
		{`clock mode "frozen"`, func() (clock.State, error) { return s.Apply(wall, clock.Move{Mode: "frozen"}) }},
		{"clock instant 2262-01-01T00:00:00Z", func() (clock.State, error) {
			return s.Apply(wall, clock.Move{To: time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC)})
		}},
		{"clock instant 1969-12-31T23:59:59Z", func() (clock.State, error) { return s.Apply(wall, clock.Move{To: time.Unix(-1, 0)}) }},
	} {
		if _, err := test.do(); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("error %v, want one that says %s", err, test.says)
		}
	}
}

// What a move leaves out stays: a speed that was set holds after steps and a
// frost.
func TestAMoveLeavesTheRest(t *testing.T) {
	t.Parallel()
	s := started(t, clock.Options{Start: start, Speed: 60})
	s = must(s.Stepping(wall, time.Minute)).Freeze(wall)
	s = must(s.Apply(wall, clock.Move{To: seconds(start, 9), Frozen: true}))
	want := clock.Move{To: seconds(start, 9), Frozen: true, Mode: clock.Stepped, Speed: 60, Step: time.Minute}
	if diff := cmp.Diff(want, s.Move()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s = must(s.Apply(wall, clock.Move{Mode: clock.Live}))
	if got, _ := s.Tick(seconds(wall, 1)); !got.Equal(seconds(start, 69)) {
		t.Errorf("live again, it is %v", got)
	}
}

func TestUntilOfAFrozenClock(t *testing.T) {
	t.Parallel()
	s := started(t, clock.Options{Start: start}).Freeze(wall)
	if d, ok := s.Until(wall, seconds(start, 5)); ok {
		t.Errorf("a frozen clock gets there in %v", d)
	}
	s = s.Promised(seconds(start, 5), seconds(wall, 5))
	if d, ok := s.Until(seconds(wall, 6), seconds(start, 5)); d != 0 || !ok {
		t.Errorf("reached, it has %v to go, %t", d, ok)
	}
}

// A moved draws one thing that whoever controls a run may ask for.
func moved(t *rapid.T, s clock.State, now time.Time) clock.State {
	second := func(name string) time.Duration {
		return time.Duration(rapid.Int64Range(1, 100).Draw(t, name)) * time.Second / 4
	}
	switch rapid.SampledFrom([]string{"freeze", "thaw", "advance", "back", "pace", "step", "any"}).Draw(t, "move") {
	case "freeze":
		return s.Freeze(now)
	case "thaw":
		return s.Thaw(now)
	case "advance":
		return s.Moved(now, s.Now(now).Add(second("by")))
	case "back":
		return s.Moved(now, s.Now(now).Add(-second("by")))
	case "pace":
		return must(s.Paced(now, rapid.Float64Range(0.01, 1000).Draw(t, "speed")))
	case "step":
		return must(s.Stepping(now, second("step")))
	}
	m := clock.Move{
		Frozen: rapid.Bool().Draw(t, "frozen"),
		Mode:   rapid.SampledFrom([]clock.Mode{"", clock.Live, clock.Stepped}).Draw(t, "mode"),
		Speed:  rapid.SampledFrom([]float64{0, 0.5, 60}).Draw(t, "speed"),
		Step:   rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Hour}).Draw(t, "step"),
	}
	if rapid.Bool().Draw(t, "set") {
		m.To = start.Add(second("to"))
	}
	return must(s.Apply(now, m))
}

// Whatever exchanges, moves and promises come, and whatever the wall does: a
// fold of the events alone, as a journal keeps them, gives the same clock; time
// goes back by a move only; and a frozen clock gives one instant, until it gives
// one that was promised.
func TestMovesFold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]clock.Mode{clock.Live, clock.Stepped}).Draw(t, "mode")
		live := must(clock.New(clock.Options{Mode: mode, Start: start}, wall))
		folded, now := live, wall
		promised := map[time.Time]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(int64(-time.Second), int64(time.Minute)).Draw(t, "wall")))
			switch rapid.SampledFrom([]string{"move", "promise", "tick", "tick", "tick"}).Draw(t, "event") {
			case "move":
				live = moved(t, live, now)
				folded = must(folded.Apply(time.Time{}, live.Move()))
			case "promise":
				instant := live.Now(now).Add(time.Second)
				live, promised[instant] = live.Promised(instant, now.Add(time.Second)), true
			case "tick":
				before := live
				var instant time.Time
				instant, live = live.Tick(now)
				folded = folded.At(instant)
				if instant.Before(before.Next) {
					t.Fatalf("%v, when %v was the earliest", instant, before.Next)
				}
				if before.Frozen && !instant.Equal(before.Next) && !promised[instant] {
					t.Fatalf("frozen at %v, it gave %v", before.Next, instant)
				}
			}
			if present := live.Now(now); present.Before(live.Last) && !live.Set {
				t.Fatalf("it is %v, before the last exchange at %v", present, live.Last)
			}
			if diff := cmp.Diff(live, folded, cmpopts.IgnoreUnexported(clock.State{})); diff != "" {
				t.Fatalf("(-live +folded):\n%s", diff)
			}
		}
		// Restored, it goes on where it was, whatever the wall has become.
		much := now.Add(240 * time.Hour)
		if instant, _ := folded.Resumed(much).Tick(much); !instant.Equal(live.Next) {
			t.Fatalf("restored, it goes on at %v, not at %v", instant, live.Next)
		}
	})
}
