package gateway

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// found notes what was found out about the request and its reply.
func (t *Told) found(x *exchange) {
	t.Service, t.Operation, t.ID, t.Effect = x.entry.Service, x.entry.Operation, x.entry.OperationID, x.entry.Effect
	t.Path, t.Identity, t.Violations, t.Attempt = x.input.Path, x.identity, x.entry.Violations, x.entry.Intent.Attempt
	t.Policy = "played here: nothing leaves"
	if !x.served {
		t.Policy = "refused: no service of this profile answers for the host"
		if ok, by := x.rev.egress.Decide(t.Host, x.origin.Authority.Port); ok {
			t.Policy = "passed through unread, by " + by
			t.Refused = "what passes through unread meets no rules"
		}
	}
	t.Status, t.Reply = x.reply.Status, said(x)
}

// said is what the client would get, in words.
func said(x *exchange) string {
	wire := x.entry.Wire
	switch {
	case x.plan.Hold != nil && x.plan.Hold.Acts:
		return fmt.Sprintf("nothing: held for %v, then done, and closed unanswered", x.plan.Hold.For)
	case x.plan.Hold != nil:
		return fmt.Sprintf("nothing: held for %v, then closed", x.plan.Hold.For)
	case x.reply.Status == 0:
		return "nothing"
	}
	text := fmt.Sprintf("%d", x.reply.Status)
	switch {
	case x.answered:
		text += ", refused"
	case x.entry.Fidelity == trail.Injected:
		text += ", which a rule puts in the place of the service's"
	case x.entry.Altered:
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
	if x.entry.Committed {
		text += "; the world has changed"
	}
	return text
}

// stand says of each rule, armed ones first and then in file order, where it
// stands to the request.
func (t *Told) stand(x *exchange, asked []*faults.Rule) {
	strikes := map[string]*trail.Strike{}
	for i := range x.entry.Strikes {
		strikes[x.entry.Strikes[i].Rule+x.entry.Strikes[i].Hash] = &x.entry.Strikes[i]
	}
	all := slices.Clone(asked)
	all = slices.DeleteFunc(all, func(r *faults.Rule) bool { return slices.Contains(x.rev.profile.Rules, r) })
	decided := ""
	for _, r := range append(all, x.rev.profile.Rules...) {
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
			st.Why = t.unmet(x, r)
		}
		t.Rules = append(t.Rules, st)
	}
	for _, name := range x.rev.profile.Disabled {
		t.Rules = append(t.Rules, Standing{Rule: name, Why: "it is switched off"})
	}
}

// unmet says why a rule is not even asked.
func (t *Told) unmet(x *exchange, r *faults.Rule) string {
	switch {
	case x.op == nil:
		return "the request is no operation of a service"
	case !r.Matches(x.op, x.input):
		return "its call does not match: it is about " + about(r, x.op)
	case r.Fault.Connection:
		return "it is about connections, before any request is known"
	}
	if lacks := r.Misfit(x.op, x.service.Fake); lacks != "" {
		return r.Fault.Name + " cannot strike here: " + lacks
	}
	return "it is not asked: " + t.Refused
}

// about names those calls of a rule that come nearest to an operation.
func about(r *faults.Rule, op *operation) string {
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
