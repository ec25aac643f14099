package exchange

import (
	"slices"
	"strconv"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/profiles"
	"parity/specs/body"
)

// strikesLive asks the rules of the profile that say live: true about a call that
// policy lets pass and that is about to leave, once. It tells whether one of them
// answers in place of the service: nothing leaves then. What is left of the plan is
// done to the reply.
func (x *Exchange) strikesLive(t *run.Turn, reads bool) bool {
	if x.ruledLive || !x.leaves() {
		return false
	}
	x.ruledLive, x.plan = true, faults.Plan{}
	var e *faults.Evaluation
	for _, r := range x.rev.Rules.Of(x.op, x.input) {
		if !r.Live || !r.Fault.Live.Reaches(reads) || !r.Matches(x.op, x.input) {
			continue
		}
		if why := x.waitsForPerson(t, r); why != "" {
			x.entry.Strikes = append(x.entry.Strikes, trail.Strike{Rule: r.Name, Hash: r.Hash, Fault: r.Fault.Name, Phase: string(r.Fault.Phase), Required: r.Required, Live: true, Why: why})
			continue
		}
		if e == nil {
			e = x.evaluation(t)
		}
		x.entry.Strikes = append(x.entry.Strikes, r.ConsiderLive(e, x.tallies(t), &x.plan, reads))
	}
	x.tally()
	return x.plan.Skip
}

// waitsForPerson says why a rule may not strike where real services are called; "":
// it may.
func (x *Exchange) waitsForPerson(t *run.Turn, r *faults.Rule) string {
	if x.run.Stage < faults.LeastLiveStage {
		return "at stage " + strconv.Itoa(x.run.Stage) + " no rule strikes where real services are called"
	}
	approved, before := approval.RuleApproved(t.State.World, r.Name, x.rev.Profile.Revision)
	switch {
	case approved:
		return ""
	case before:
		return faults.WaitsAnew
	}
	return faults.WaitsForPerson
}

// replaced is the event of a call that a rule has answered in place of its real
// service: nothing left, and nothing was done.
func (x *Exchange) replaced(t *run.Turn) *trail.Event {
	t.Discard()
	x.reply = fakes.Reply{}
	x.enter(Record)
	return x.compose(t)
}

// missed notes of rules that were to alter a real reply that there was none.
func (x *Exchange) missed(why string) {
	x.plan = faults.Plan{}
	for i := range x.entry.Strikes {
		if s := &x.entry.Strikes[i]; s.Live && s.Fired {
			s.Fired, s.Why = false, why
		}
	}
}

// alters tells whether a rule has altered a real reply.
func alters(strikes []trail.Strike) bool {
	return slices.ContainsFunc(strikes, func(s trail.Strike) bool { return s.Live && s.Fired })
}

// veil keeps from the record what of a real reply a rule would tell, and what of it
// can be read no more, so that nobody can say whose it is.
func (x *Exchange) veil() {
	if x.keeps == nil || x.keeps.how == profiles.KeepAll {
		return
	}
	e := &x.entry
	if _, wrong := body.DecodeJSON(e.ReplyBody); x.entry.Altered && wrong != nil {
		e.ReplyBody = nil
	}
	for i := range e.Strikes {
		s := &e.Strikes[i]
		if !s.Live || len(s.Planted)+len(s.Left) == 0 {
			continue
		}
		s.Planted, s.Left, s.Did = nil, nil, "altered what the real service said"
	}
}

// asRecorded takes over from a record what a rule made of a real reply: the record
// has that reply as it is kept alone.
func (x *Exchange) asRecorded(e *trail.Exchange) {
	was := x.recorded
	if was == nil || !alters(was.Strikes) {
		return
	}
	e.Status, e.ReplyHeader, e.ReplyBody, e.Wire = was.Status, was.ReplyHeader, was.ReplyBody, was.Wire
	e.Strikes, e.Altered, e.FakeStatus, e.Whole, e.Upstream = was.Strikes, was.Altered, was.FakeStatus, was.Whole, was.Upstream
}
