package exchange

import (
	"net/http"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/live"
	"parity/gateway/overlay"
	"parity/profiles/policy"
)

// outward is of a write in mode live.
//
//	liveWrite ─▶ what it is about is read anew ─▶ liveDecided: gates, approval
//	                 (a reservation)                   │ passes: it is used up
//	                                                   ▼
//	cameBack ◀── Send, once ◀── embark: the reservation is on disk ◀── leaves
type outward struct {
	left     bool   // its reservation says that it leaves
	lost     uint64 // the event of one like it that left before, and of which nobody knows what came; 0: there is none
	ifMatch  string // the version of the record that was read, for If-Match
	routed   bool   // a record says that it was to leave
	foretold bool   // nobody sends it: what would become of it is asked
}

// liveWrite decides a write that goes to its real service where policy lets it. What
// it is about is read there first, anew: that is what a person is shown, and what an
// approval rests on.
func (x *Exchange) liveWrite(t *run.Turn) *trail.Event {
	if !x.leaves() && !x.foretold {
		x.entry.Note = "This run reaches nothing real: the fake answered."
		return x.written(t)
	}
	if x.authority == nil {
		x.authority, x.entry.Policy = policy.Staged(), &trail.Policy{}
	}
	x.question.Live, x.entry.Policy.Route = true, string(policy.Live)
	if x.foretold {
		return x.liveDecided(t)
	}
	x.seen, x.ifMatch, x.entry.Upstream = nil, "", nil
	x.writes = x.call(t)
	x.needs = x.over().Rests(x.writes)
	t.Discard()
	if len(x.needs) > 0 {
		return x.departs(t)
	}
	return x.liveDecided(t)
}

// needed lists what is read before a write.
func (x *Exchange) needed(writes *fakes.Call) []overlay.Need {
	if x.mode == policy.Live {
		return x.over().Rests(writes)
	}
	return x.over().Needs(writes)
}

// knows notes what a record is known by that a write rests on. Of what is decided
// again it is an input.
func (x *Exchange) knows(g *glimpse) {
	if x.mode != policy.Live {
		return
	}
	if x.replaying {
		if n := len(x.seen); n < len(x.was) {
			g.known = x.was[n].Shows
		}
	} else {
		g.known = overlay.Shown(g.said.Status, g.said.Header, g.said.Body)
	}
	switch status := g.said.Status; {
	case status == http.StatusNotFound, status == http.StatusGone:
	case status/100 != 2:
		g.lacks = live.Unread(status)
	case g.need.Owns() && x.op.Takes("If-Match"):
		x.ifMatch = overlay.Tag(g.said.Header, g.said.Body)
	}
}

// rests is what an approval of the call rests on besides the run's world.
func (x *Exchange) rests() approval.Leaves {
	l := approval.Leaves{Live: x.question.Live, Lost: x.lost}
	if !l.Live {
		return l
	}
	for i := range x.seen {
		g := &x.seen[i]
		at := g.need.Path
		if g.need.Query != "" {
			at += "?" + g.need.Query
		}
		l.Rest = append(l.Rest, approval.Rest{Read: g.need.Operation.Name(), At: at, Shows: g.known})
	}
	return l
}

// liveDecided has gates and approvals decide, by what the real service has shown.
func (x *Exchange) liveDecided(t *run.Turn) *trail.Event {
	x.lost = x.unknown(t)
	x.needs = nil
	if !x.gated(t) {
		if x.gate.waits != "" {
			return x.waiting(t)
		}
		return x.bare(t)
	}
	if x.foretold {
		x.entry.Note = "It would leave for the real service. What its fake would answer is shown."
		x.perform(t, false)
		x.enter(Record)
		return x.compose(t)
	}
	if x.strikesLive(t, false) {
		return x.replaced(t)
	}
	return x.setsOut(t)
}

// again has a person decide anew where such a call left before, and nobody knows
// what came of it.
func (x *Exchange) again(by policy.Gating) policy.Gating {
	if x.lost > 0 && by.Then == policy.Allow {
		return policy.Gating{Then: policy.Approve, Mode: policy.Live, Stage: by.Stage}
	}
	return by
}

// leftMarks are the notes by which such a call is found again: by what it says, and
// by its idempotency key.
func (x *Exchange) leftMarks() []string {
	marks := []string{"left/" + faults.Binding(x.whose(), x.op, x.input, x.body)}
	if key := x.key(); key != "" {
		marks = append(marks, "left/"+x.whose()+"/"+x.known.full+"/"+key)
	}
	return marks
}

// unknown is the event of a call like this that left, and of which it is not known
// what came: its gateway was killed, its connection broke, or it is under way.
func (x *Exchange) unknown(t *run.Turn) uint64 {
	for _, mark := range x.leftMarks() {
		if note, ok := t.State.World.Get(fakes.NotesCollection, mark); ok {
			return uint64(cast.Int(note.Value()["event"])) //nolint:gosec // counts events
		}
	}
	return 0
}
