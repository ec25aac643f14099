// Package approval is the life of an approval: what somebody is asked about one
// call, and what they said. It is a record of the run's world, in a hidden
// collection, so that it forks, replays and is set back with everything else.
//
//	        ┌─▶ rejected
//	pending ┼─▶ approved / changed ─▶ used │ expired │ stale │ revoked
//	   ▲    ├─▶ lapsed
//	   └────┴── escalated: the next is asked
//
// Ask and Look are of the turn that decides a call, Decide of whoever says
// something, Fire of stand-ins and of lapses, which are timers of the run.
package approval

import (
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The states of an approval.
const (
	Pending   = "pending"
	Approved  = "approved"
	Rejected  = "rejected"
	Changed   = "changed" // approved, as it was changed
	Escalated = "escalated"
	Lapsed    = "lapsed"
	Used      = "used"
	Expired   = "expired"
	Stale     = "stale"
	Revoked   = "revoked"
)

// An Approval is one, as the world has it. It is not written to.
type Approval struct{ value map[string]any }

// Get finds an approval.
func Get(r world.Reader, id string) (Approval, bool) {
	record, ok := r.Get(fakes.ApprovalsCollection, id)
	if !ok {
		return Approval{}, false
	}
	return Approval{record.Value()}, true
}

// All gives the approvals of a world, in the order in which they were asked for.
func All(r world.Reader) []Approval {
	var all []Approval
	for record := range r.Oldest(fakes.ApprovalsCollection, 0) {
		all = append(all, Approval{record.Value()})
	}
	return all
}

// Value is the approval as it is kept; nobody may change it.
func (a Approval) Value() map[string]any { return a.value }

// ID is what it is called.
func (a Approval) ID() string { return cast.Text(a.value["id"]) }

// State is what it has come to.
func (a Approval) State() string { return cast.Text(a.value["state"]) }

// Gate is what asked: a gate of the policy, or the stage.
func (a Approval) Gate() string { return cast.Text(a.value["gate"]) }

// Identity is who wants to make the call.
func (a Approval) Identity() string { return cast.Text(a.value["identity"]) }

// Note is what was said with the decision.
func (a Approval) Note() string { return cast.Text(a.value["note"]) }

// Set are the fields of the body as whoever decided wants them.
func (a Approval) Set() map[string]any { return cast.Object(a.value["set"]) }

// Live tells whether the call leaves for its real service: a person decides, and
// nobody stands in.
func (a Approval) Live() bool { return a.value["live"] == true }

// By is how whoever decided is known.
func (a Approval) By() string { return cast.Text(cast.Object(a.value["by"])["kind"]) }

// Waits tells whether nobody has answered yet.
func (a Approval) Waits() bool { return a.State() == Pending || a.State() == Escalated }

// Granted tells whether the call may be made.
func (a Approval) Granted() bool { return a.State() == Approved || a.State() == Changed }

// Instant gives one of its instants: asked, decided, lapses or expires.
func (a Approval) Instant(name string) time.Time {
	ns, ok := a.value[name].(int64)
	if !ok {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

// with puts an approval down with some fields set otherwise.
func (a Approval) with(tx *world.Tx, set map[string]any) Approval {
	next := make(map[string]any, len(a.value)+len(set))
	for name, value := range a.value {
		next[name] = value
	}
	for name, value := range set {
		if value == nil {
			delete(next, name)
			continue
		}
		next[name] = value
	}
	kit.Keep(tx, fakes.ApprovalsCollection, a.ID(), next)
	return Approval{next}
}

// settled takes away the timers of an approval that somebody has answered.
func (a Approval) settled(tx *world.Tx) {
	for _, kind := range []string{fakes.ApprovalTimer, fakes.LapseTimer} {
		must(kit.Cancel(tx, fakes.ApprovalService, kind, a.ID()))
	}
}

// must panics where a write fails that nothing from outside can make fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
