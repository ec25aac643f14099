package faults

import (
	"maps"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/specs"
)

// desk plays the part of the turn: it asks rules of the phase Policy, decides, keeps
// what they note, and folds the event.
type desk struct {
	rule    *Rule
	set     *Set
	tallies *Tallies
	notes   map[string]map[string]any
	n       int
}

func newDesk(t *testing.T, call, fault string, with map[string]any, trigger Trigger, contract *specs.Contract) *desk {
	t.Helper()
	pattern, err := ParsePattern(call)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := NewRule(Draft{Name: "it", Calls: []Pattern{pattern}, Fault: fault, With: with, Trigger: trigger})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{rule: rule, tallies: NewTallies(), notes: map[string]map[string]any{}}
	targets := make([]Target, len(contract.Operations))
	for i, op := range contract.Operations {
		targets[i] = Target{Operation: op}
	}
	d.set = NewSet([]*Rule{rule}, targets)
	return d
}

// call gives the plan of a call, once policy had decided with it, and its strikes.
func (d *desk) call(op *specs.Operation, identity, approval string, rules func(*Plan) Ruling) (*Plan, []trail.Strike) {
	d.n++
	ofPolicy, others := Apart(d.set.Of(op, specs.Input{}))
	if len(others) > 0 {
		panic("a rule of the phase policy is asked with the others")
	}
	in := d.tallies.Intend(identity, op.Name()+strings.Repeat("'", d.n), op.Name(), "", nil, nil)
	p := &Plan{Rests: approval}
	strikes := ConsiderPolicy(ofPolicy, &Evaluation{
		Operation: op, Identity: identity, Intent: in,
		Vars:  func(func(string) bool) map[string]any { return nil },
		Noted: func(id string) map[string]any { return d.notes[id] },
	}, d.tallies, p)
	p.Ruled(strikes, rules(p))
	for _, n := range p.Notes() {
		d.notes[n.ID] = maps.Clone(n.Value)
	}
	d.tallies.Fold(&trail.Event{Seq: uint64(d.n), Kind: trail.Exchanged, Identity: identity, Exchange: &trail.Exchange{ //nolint:gosec // few
		Service: op.Service, Operation: op.Method + " " + op.Path, Intent: in, Strikes: strikes, Outcome: trail.Answered, Status: 200,
	}})
	return p, strikes
}

func stripeOps(t *testing.T) (contract *specs.Contract, refund, read *specs.Operation) {
	t.Helper()
	contract, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	refund, _ = contract.Operation("stripe POST /v1/refunds")
	read, _ = contract.Operation("stripe GET /v1/charges")
	return contract, refund, read
}

// What is narrowed is narrowed for all that the caller asks of the service from then
// on, whatever the rule names; it has fired where that made a difference.
func TestPermissionChangeLastsForTheRun(t *testing.T) {
	t.Parallel()
	contract, refund, read := stripeOps(t)
	d := newDesk(t, "stripe GET /v1/charges", "permission-change", map[string]any{"to": "read", "mask": true}, Trigger{Nth: 2}, contract)
	decide := func(op *specs.Operation) func(*Plan) Ruling {
		return func(p *Plan) Ruling { return Ruling{Refused: p.Narrow != nil && op != read} }
	}
	for i, c := range []struct {
		op              *specs.Operation
		who             string
		narrowed, fired bool
		strikes         int
	}{
		{read, "desk", false, false, 1},
		{refund, "desk", false, false, 0}, // the rule does not name it
		{read, "other", false, false, 1},  // counted apart
		{read, "desk", true, false, 1},    // from here on; reads are left
		{refund, "desk", true, true, 1},
		{read, "desk", true, false, 1},
		{refund, "other", false, false, 0},
		{refund, "desk", true, true, 1},
	} {
		p, strikes := d.call(c.op, c.who, "", decide(c.op))
		fired := false
		for _, s := range strikes {
			fired = fired || s.Fired
		}
		if (p.Narrow != nil) != c.narrowed || fired != c.fired || len(strikes) != c.strikes {
			t.Errorf("call %d, %s by %s: narrowed %v, strikes %+v", i+1, c.op.Name(), c.who, p.Narrow, strikes)
		}
		if p.Narrow != nil && *p.Narrow != (Narrow{To: "read", Mask: true}) {
			t.Errorf("%+v", p.Narrow)
		}
	}
}

func TestApprovalLostCountsCallsThatRestOnOne(t *testing.T) {
	t.Parallel()
	contract, refund, _ := stripeOps(t)
	for how, strikesAt := range map[string][]string{
		"expired": {"approved"}, "revoked": {"approved"}, "used": {"approved"}, "other-version": {"approved"}, "never-arrives": {"approved", "pending", "escalated"},
	} {
		for _, state := range []string{"", "pending", "escalated", "approved", "rejected", "lapsed"} {
			d := newDesk(t, "stripe POST /v1/refunds", "approval-lost", map[string]any{"how": how}, Trigger{Nth: 2}, contract)
			looks := func(p *Plan) Ruling { return Ruling{Lost: p.Lose != ""} }
			var p *Plan
			var strikes []trail.Strike
			for _, approval := range []string{"approved", "", state} { // the first is the one before the second
				p, strikes = d.call(refund, "desk", approval, looks)
			}
			want := ""
			for _, s := range strikesAt {
				if s == state {
					want = how
				}
			}
			if p.Lose != want || len(strikes) != 1 || strikes[0].Fired != (want != "") || (strikes[0].Why == "") != (want != "") {
				t.Errorf("%s, where it is %q: %q %+v", how, state, p.Lose, strikes)
			}
		}
	}
	d := newDesk(t, "stripe POST /v1/refunds", "approval-lost", nil, Trigger{Nth: 1}, contract)
	if _, strikes := d.call(refund, "desk", "approved", func(*Plan) Ruling { return Ruling{} }); strikes[0].Fired {
		t.Error("it has fired, though policy did not look at the approval")
	}
}

func TestNobodyIsAskedAboutARead(t *testing.T) {
	t.Parallel()
	_, _, read := stripeOps(t)
	if built(t, "approval-lost", nil).(Requirer).Misfit(read, nil) == "" {
		t.Error("a rule that loses the approval of a read is taken")
	}
}
