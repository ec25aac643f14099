package kept

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/profiles"
	"parity/specs"
	"parity/specs/words"
)

// found notes what was found out about the request and its reply.
func (t *Told) found(o *exchange.Outcome, rev *exchange.Revision, port int) {
	t.Service, t.Operation, t.ID, t.Effect = o.Entry.Service, o.Entry.Operation, o.Entry.OperationID, o.Entry.Effect
	t.Path, t.Identity, t.Violations, t.Attempt = o.Input.Path, o.Identity, o.Entry.Violations, o.Entry.Intent.Attempt
	t.Policy, t.Permit = "played here: nothing leaves", o.Entry.Policy
	if !o.Served() {
		t.Policy = "refused: no service of this profile answers for the host"
		if ok, by := rev.Egress.Decide(t.Host, port); ok {
			t.Policy = "passed through unread, by " + by
			t.Refused = "what passes through unread meets no rules"
		}
	}
	t.Status, t.Reply = o.Reply.Status, said(o)
}

// said is what the client would get, in words.
func said(o *exchange.Outcome) string {
	wire := o.Entry.Wire
	switch {
	case o.Plan.Hold != nil && o.Plan.Hold.Acts:
		return fmt.Sprintf("nothing: held for %v, then done, and closed unanswered", o.Plan.Hold.For)
	case o.Plan.Hold != nil:
		return fmt.Sprintf("nothing: held for %v, then closed", o.Plan.Hold.For)
	case o.Reply.Status == 0:
		return "nothing"
	}
	text := fmt.Sprintf("%d", o.Reply.Status)
	switch {
	case o.Answered:
		text += ", refused"
	case o.Entry.Fidelity == trail.Injected:
		text += ", which a rule puts in the place of the service's"
	case o.Entry.Altered:
		text += " of the service, altered by a rule"
	default:
		text += " of the service"
	}
	if wire.Delay > 0 {
		text += fmt.Sprintf(", after %v", wire.Delay)
	}
	switch {
	case wire.NoHead || wire.HeadCut:
		text += "; it does not arrive: " + string(wire.End)
	case wire.Short:
		text += "; its body is cut"
	case wire.End != trail.Complete:
		text += "; then " + string(wire.End)
	}
	if o.Entry.Committed {
		text += "; the world has changed"
	}
	return text
}

// stand says of each rule, armed ones first and then in file order, where it
// stands to the request.
func (t *Told) stand(o *exchange.Outcome, p *profiles.Profile) {
	strikes := map[string]*trail.Strike{}
	for i := range o.Entry.Strikes {
		strikes[o.Entry.Strikes[i].Rule+o.Entry.Strikes[i].Hash] = &o.Entry.Strikes[i]
	}
	all := slices.Clone(o.Asked)
	all = slices.DeleteFunc(all, func(r *faults.Rule) bool { return slices.Contains(p.Rules, r) })
	decided := ""
	for _, r := range append(all, p.Rules...) {
		st := Standing{Rule: r.Name, Fault: r.Fault.Name, Phase: string(r.Fault.Phase)}
		if s := strikes[r.Name+r.Hash]; s != nil {
			st.Met, st.Fires, st.Index, st.Per, st.Why = true, s.Fired, s.Index, s.Per, s.Why
			switch {
			case s.Fired && r.Fault.Decides && decided == "":
				decided = r.Name
			case s.Outranked && decided != "":
				st.Why = decided + " comes before it and decides the outcome"
			case s.Fired:
				st.Why = s.Did
			}
		} else {
			st.Why = t.unmet(o, r)
		}
		t.Rules = append(t.Rules, st)
	}
	for _, name := range p.Disabled {
		t.Rules = append(t.Rules, Standing{Rule: name, Why: "it is switched off"})
	}
}

// unmet says why a rule is not even asked.
func (t *Told) unmet(o *exchange.Outcome, r *faults.Rule) string {
	switch {
	case o.Operation == nil:
		return "the request is no operation of a service"
	case !r.Matches(o.Operation, o.Input):
		return "its call does not match: it is about " + about(r, o.Operation)
	case r.Fault.Connection:
		return "it is about connections, before any request is known"
	}
	if lacks := r.Misfit(o.Operation, o.Service.Fake); lacks != "" {
		return r.Fault.Name + " cannot strike here: " + lacks
	}
	return "it is not asked: " + t.Refused
}

// about names those calls of a rule that come nearest to an operation.
func about(r *faults.Rule, op *specs.Operation) string {
	near := func(p faults.Pattern) int {
		score, text := 0, p.String()
		if p.Service() == op.Service {
			score += 4
		}
		if strings.HasSuffix(text, " "+op.Path) {
			score += 2
		}
		if strings.Contains(text, " "+op.Method+" ") {
			score++
		}
		return -score
	}
	calls := slices.Clone(r.About())
	slices.SortStableFunc(calls, func(a, b faults.Pattern) int { return near(a) - near(b) })
	text := calls[0].String()
	if more := len(calls) - 1; more > 0 {
		text += " and " + words.Count(more, "other")
	}
	return text
}
