package exchange

import (
	"strconv"
	"sync"
	"time"

	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/profiles"
)

// armedRules has the armed rules of one run compiled, each once, by the event that
// armed it; nil is one that this Parity cannot read.
type armedRules struct {
	mu    sync.Mutex
	rules map[uint64]*faults.Rule
}

func (a *armedRules) rule(armed *run.Armed) (*faults.Rule, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.rules[armed.Seq]; ok {
		return known, nil
	}
	rule, err := Rearm(armed.Seq, &armed.Arming)
	if a.rules == nil {
		a.rules = map[uint64]*faults.Rule{}
	}
	a.rules[armed.Seq] = rule
	return rule, err
}

// Rearm compiles a rule that an event has armed. One that is armed again counts
// anew.
func Rearm(seq uint64, a *trail.Arming) (*faults.Rule, error) {
	return profiles.Rearm(a.Name, a.Text, strconv.FormatUint(seq, 10))
}

// rules gives the rules that are about this call: those that are armed come
// before those of the profile.
//
// Those of the phase Policy are not among them: they are asked before policy decides.
func (x *Exchange) rules(state *run.State, now time.Time) []*faults.Rule {
	_, rules := faults.Apart(x.everyRule(state, now))
	return rules
}

// everyRule gives them with those.
func (x *Exchange) everyRule(state *run.State, now time.Time) []*faults.Rule {
	return x.line.inForce(x.run, state, now, x.rev.Rules.Of(x.op, x.input), func(r *faults.Rule) bool { return !r.Fault.Connection && r.Matches(x.op, x.input) })
}

// inForce puts the armed rules that are about something before those of the
// profile that are.
func (l *Line) inForce(r *Run, state *run.State, now time.Time, ofProfile []*faults.Rule, about func(*faults.Rule) bool) []*faults.Rule {
	if len(state.Armed) == 0 {
		return ofProfile
	}
	var all []*faults.Rule
	for i := range state.Armed {
		armed := &state.Armed[i]
		if armed.Over(now) {
			continue
		}
		rule, err := r.armed.rule(armed)
		if err != nil {
			l.log.Error("an armed rule is not in force", "run", r.ID, "rule", armed.Name, "error", err)
		}
		if rule != nil && about(rule) {
			all = append(all, rule)
		}
	}
	return append(all, ofProfile...)
}
