package verdict

import (
	"testing"

	"parity/faults/trail"
)

// event adds an event that is no exchange, and gives its number.
func (t *tape) event(e trail.Event) uint64 {
	e.Seq, e.At = uint64(len(t.in.Events)+1), trail.At(t.now)
	t.in.Events = append(t.in.Events, e)
	return e.Seq
}

func (t *tape) reset() { t.event(trail.Event{Kind: trail.SetBack}) }

func (t *tape) snapshot() uint64 { return t.event(trail.Event{Kind: trail.Snapshotted}) }

func (t *tape) rollBack(to uint64) {
	t.event(trail.Event{Kind: trail.RolledBack, Snapshot: &trail.Snapshot{Seq: to}})
}

// After a reset a run numbers its intents anew: the same order, made again on
// purpose, was once a double effect.
func TestWhatWasUndoneIsJudgedApart(t *testing.T) {
	t.Parallel()
	lost := func(t *tape) { t.lose("k1").put() }
	second := func(t *tape) { t.call(refunds, "r.1").key("k2").refund("re_00000002").put() }
	look := func(t *tape) {
		t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
	}
	for _, c := range []struct {
		name     string
		play     func(*tape)
		reaction trail.Reaction
		always   trail.Result
	}{
		{"reset in between", func(t *tape) { lost(t); t.reset(); second(t) }, trail.Unjudged, trail.Passed},
		{"reset of a fork that began after the first", func(t *tape) { lost(t); t.in.Forks = []uint64{1}; t.reset(); second(t) }, trail.Mishandled, trail.Failed},
		{"no reset", func(t *tape) { lost(t); second(t) }, trail.Mishandled, trail.Failed},
		{"reset before both", func(t *tape) { second(t); t.reset(); lost(t); second(t) }, trail.Mishandled, trail.Failed},
		{"both undone", func(t *tape) { lost(t); second(t); t.reset() }, trail.Mishandled, trail.Failed},
		{"rolled back to before the first", func(t *tape) { s := t.snapshot(); lost(t); t.rollBack(s); second(t) }, trail.Unjudged, trail.Passed},
		{"rolled back to after the first", func(t *tape) { lost(t); s := t.snapshot(); look(t); t.rollBack(s); second(t) }, trail.Mishandled, trail.Failed},
		{"rolled back twice", func(t *tape) {
			s := t.snapshot()
			lost(t)
			t.rollBack(s)
			lost(t)
			t.rollBack(s)
			second(t)
		}, trail.Unjudged, trail.Passed},
		{"looked only after the reset", func(t *tape) { lost(t); t.reset(); look(t) }, trail.Unjudged, trail.Passed},
		{"claimed after the reset", func(t *tape) { lost(t); t.reset(); t.claims("success") }, trail.Unjudged, trail.Passed},
		{"claimed before the reset", func(t *tape) { lost(t); t.claims("stopped"); t.reset() }, trail.Handled, trail.Passed},
		{"the run goes on after it", func(t *tape) { t.in.Ended = false; lost(t); t.reset() }, trail.Unjudged, trail.Passed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			c.play(tape)
			v, always := tape.verdict(t, loseRule), tape.verdict(t, always)
			if v.Reaction != c.reaction || always.Result != c.always {
				t.Errorf("%s, %s; want %s, %s: %v %s, %v", v.Reaction, always.Result, c.reaction, c.always, v.Lines, v.Why, always.Lines)
			}
			if v.Why == "the run is still going" {
				t.Error("what was undone is still going")
			}
		})
	}
}

// A limit that a reset forgot keeps nobody waiting.
func TestAResetForgetsALimit(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.call("GET /v1/charges", "g.1").strike("busy", "rate-limit").wait(5e9).put()
	tape.reset()
	tape.call("GET /v1/charges", "g.1").missed("busy", "rate-limit", "").put()
	if v := tape.verdict(t, "busy"); v.Reaction == trail.Mishandled {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
}

// A call that was held over a snapshot and ended after it is undone with what
// came after.
func TestACallThatEndedAfterTheSnapshotIsUndone(t *testing.T) {
	t.Parallel()
	tape := newTape()
	s := tape.call(refunds, "r.1").key("k1").strike("held", "timeout")
	reserved := s.put0()
	tape.in.Events[reserved-1].Kind = trail.Reserved
	at := tape.snapshot()
	s.x.Wire, s.x.Reserved = trail.Wire{NoHead: true, End: trail.Close}, reserved
	s.refund("re_00000001").put()
	tape.rollBack(at)
	tape.call(refunds, "r.1").key("k2").refund("re_00000002").put()
	if v := tape.verdict(t, always); v.Result != trail.Passed {
		t.Errorf("%s: %v", v.Result, v.Lines)
	}
}
