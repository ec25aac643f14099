package run_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// ringing is a run in which something is due n times, twice each minute; its
// record is full after so many events, 0: never.
func ringing(t *testing.T, n, full int) (*run.Run, *shelf) {
	t.Helper()
	w, err := world.New(world.Collection{Name: "a.rung"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Mode: clock.Stepped, Start: start}, start)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{}
	return run.New(run.Options{
		ID: "r", State: run.NewState(w, c), Codec: codec, Wall: clock.System{},
		Sink: sink(func(seq uint64, data []byte) error {
			if full > 0 && seq > uint64(full) { //nolint:gosec // a small number
				return errFull
			}
			return s.Append(seq, data)
		}),
		Fire: func(turn *run.Turn, until time.Time) *trail.Event {
			rung := turn.State.World.Len("a.rung")
			at := minute(rung / 2)
			if rung == n || at.After(until) {
				return nil
			}
			if _, err := turn.Tx().Insert("a.rung", fmt.Sprint(rung), map[string]any{}); err != nil {
				t.Error(err)
			}
			return &trail.Event{Kind: trail.Fired, At: trail.At(at), Timer: &trail.Timer{Service: "a", Kind: "ring"}}
		},
	}), s
}

type sink func(uint64, []byte) error

func (s sink) Append(seq uint64, data []byte) error { return s(seq, data) }

var errFull = errors.New("full")

func minute(n int) time.Time { return start.Add(time.Duration(n) * time.Minute) }

// A year of renewals was one turn, in which the run took no calls, nothing was
// delivered, and nobody could end it.
func TestAClockThatIsMovedFarRestsOnTheWay(t *testing.T) {
	t.Parallel()
	const n = 2000
	far := clock.Move{To: minute(n), Mode: clock.Stepped, Step: time.Second}
	once, _ := ringing(t, n, 0)
	if _, err := once.Move(far); err != nil {
		t.Fatal(err)
	}
	r, _ := ringing(t, n, 0)
	var rests []int
	next, err := r.Advance(far, func() error {
		rung := r.World().Len("a.rung")
		if at := minute((rung - 1) / 2); !r.Now().Equal(at) || rung%2 != 0 {
			t.Errorf("after %d the clock stands at %v, not at %v", rung, r.Now(), at)
		}
		rests = append(rests, rung)
		return nil
	})
	if err != nil || !next.Now(start).Equal(minute(n)) {
		t.Fatalf("%v, %v", next, err)
	}
	if len(rests) < 4 || rests[0] > n/4 || !slices.IsSorted(rests) {
		t.Errorf("it rested after %v", rests)
	}
	if got, want := r.World().Hash(), once.World().Hash(); got != want {
		t.Errorf("in portions the world is %s, and in one it is %s", got, want)
	}
}

// A record that was full half way left the clock where it was, and in the world
// what was due half a year later.
func TestAClockThatIsHeldUpSaysHowFarItCame(t *testing.T) {
	t.Parallel()
	broke := errors.New("broke")
	for name, try := range map[string]func() (*run.Run, error, error){
		"its record is full": func() (*run.Run, error, error) {
			r, s := ringing(t, 2000, 700)
			_, err := r.Advance(clock.Move{To: minute(2000), Mode: clock.Stepped, Step: time.Second}, func() error { return nil })
			if len(s.events) != 700 {
				t.Errorf("%d events", len(s.events))
			}
			return r, err, errFull
		},
		"whoever asked has left": func() (*run.Run, error, error) {
			r, _ := ringing(t, 2000, 0)
			_, err := r.Advance(clock.Move{To: minute(2000), Mode: clock.Stepped, Step: time.Second}, func() error { return broke })
			return r, err, broke
		},
	} {
		r, err, why := try()
		var stopped *run.StoppedError
		if !errors.As(err, &stopped) || !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !stopped.At.Equal(r.Now()) || !stopped.At.After(start) || stopped.At.After(minute(400)) {
			t.Errorf("%s: it says %v, and the clock stands at %v", name, stopped.At, r.Now())
		}
	}
	r, _ := ringing(t, 2000, 0)
	_, err := r.Advance(clock.Move{To: minute(2000), Mode: clock.Stepped, Step: time.Second}, r.Reset)
	var refused *run.RefusedError
	if !errors.As(err, &refused) || !r.Now().Equal(start) {
		t.Errorf("after a reset on the way: %v, and the clock stands at %v", err, r.Now())
	}
}

// What is due was looked for at each call, and whoever waits for it was woken.
func TestACallThatDefersNothingWakesNobody(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "a.note"}, world.Collection{Name: fakes.TimersCollection, Sorted: []string{"due"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Start: start}, start)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	var looked, woken int
	r := run.New(run.Options{
		ID: "r", State: run.NewState(w, c), Codec: codec, Wall: clock.System{}, Sink: sink(func(uint64, []byte) error { return nil }),
		Due:   kit.Earliest,
		Waits: func() { woken++ },
		Fire: func(turn *run.Turn, until time.Time) *trail.Event {
			looked++
			due, ok := kit.Due(turn.State.World, until)
			if !ok {
				return nil
			}
			if err := kit.Cancel(turn.Tx(), due.Service, due.Kind, due.Subject); err != nil {
				t.Error(err)
			}
			return &trail.Event{Kind: trail.Fired, At: trail.At(due.Due), Timer: &trail.Timer{Service: due.Service, Kind: due.Kind}}
		},
	})
	call := func(after time.Duration, write func(*world.Tx) error) {
		t.Helper()
		if _, err := r.Decide(start.Add(after), time.Time{}, func(turn *run.Turn) *trail.Event {
			if err := write(turn.Tx()); err != nil {
				t.Error(err)
			}
			return &trail.Event{Kind: trail.Exchanged, Exchange: &trail.Exchange{}}
		}); err != nil {
			t.Fatal(err)
		}
	}
	note := func(tx *world.Tx) error {
		_, err := tx.Insert("a.note", fmt.Sprint(r.Seq()), map[string]any{})
		return err
	}
	timer := func(due time.Duration) func(*world.Tx) error {
		return func(tx *world.Tx) error {
			return kit.Schedule(tx, fakes.Timer{Service: "a", Kind: "ring", Due: start.Add(due)})
		}
	}
	call(time.Second, timer(time.Minute))
	if woken != 1 {
		t.Errorf("whoever waits is woken %d times by a new timer, want once", woken)
	}
	call(2*time.Second, note)
	looked, woken = 0, 0
	for n := range 10 {
		call(time.Duration(3+n)*time.Second, note)
	}
	if looked != 0 || woken != 0 {
		t.Errorf("ten calls that defer nothing look %d times for what is due and wake somebody %d times, want never", looked, woken)
	}
	call(20*time.Second, timer(30*time.Second)) // it comes sooner now
	call(31*time.Second, note)
	if n := r.World().Len(fakes.TimersCollection); n != 0 {
		t.Errorf("%d timers are left, want the one that was due fired before the call", n)
	}
	woken = 0
	r.End()
	if woken != 1 {
		t.Errorf("the end wakes somebody %d times, want once", woken)
	}
}
