package faults

import (
	"parity/faults/trail"
)

// LiveUse says how a fault may strike where a real service is called, by rules that
// say live: true. What strikes in what a fake does cannot.
//
//	            │ reads of a real service      │ writes to it
//	LiveInstead │ answered, and nothing leaves │ answered, and nothing leaves
//	LiveReply   │ the reply is altered         │ never: it was done by then
type LiveUse string

// The uses.
const (
	LiveNever   LiveUse = ""
	LiveInstead LiveUse = "instead" // it answers in place of the service
	LiveReply   LiveUse = "reply"   // it alters what comes back, or how that goes out
)

// Reaches tells whether the fault may strike a call to a real service.
func (u LiveUse) Reaches(reads bool) bool { return u == LiveInstead || u == LiveReply && reads }

// LeastLiveStage is the lowest stage at which rules strike where a real service is
// called.
const LeastLiveStage = 4

// Why a rule does not strike where a real service is called, though it says that it
// does.
const (
	WaitsForPerson = "it waits for a person to approve it in this run"
	WaitsAnew      = "it was approved under another revision of the profile, and waits for a person again"
)

// ConsiderLive asks a rule about a call to a real service. It strikes within the
// bounds of its fault alone: nothing that a fake would have to do, and nothing after
// a write was done.
func (r *Rule) ConsiderLive(e *Evaluation, t *Tallies, p *Plan, reads bool) trail.Strike {
	was := *p
	s := r.Consider(e, t, p)
	s.Live = true
	if p.fakes() || !reads && !p.Skip && (p.Wire != trail.Wire{} || len(p.works) > 0 || p.Encoding != "") {
		*p = was
		if s.Fired {
			s.Fired, s.Why = false, "it cannot strike so where a real service is called"
		}
	}
	if !s.Fired {
		*p = was // what it would have said of calls that it lets pass
	}
	return s
}

// fakes tells whether the plan asks something of a fake.
func (p *Plan) fakes() bool {
	if p.Hold != nil || p.NoCommit || p.Job != nil || p.Ask != (Ask{}) || len(p.notes) > 0 {
		return true
	}
	for _, w := range p.works {
		if w.At != OnReply {
			return true
		}
	}
	return false
}
