package gateway

import (
	"strconv"
	"sync"
	"time"

	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/verdict"
	"parity/profiles"
)

// armament has the armed rules of one run compiled, each once, by the event that
// armed it; nil is one that this Parity cannot read.
type armament struct {
	mu    sync.Mutex
	rules map[uint64]*faults.Rule
}

func (a *armament) rule(armed *run.Armed) (*faults.Rule, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.rules[armed.Seq]; ok {
		return known, nil
	}
	rule, err := rearm(armed.Seq, &armed.Arming)
	if a.rules == nil {
		a.rules = map[uint64]*faults.Rule{}
	}
	a.rules[armed.Seq] = rule
	return rule, err
}

// rearm compiles a rule that an event has armed. One that is armed again counts
// anew.
func rearm(seq uint64, a *trail.Arming) (*faults.Rule, error) {
	return profiles.Rearm(a.Name, a.Text, strconv.FormatUint(seq, 10))
}

// rules gives the rules that are about this call: those that are armed come
// before those of the profile.
func (x *exchange) rules(state *run.State, now time.Time) []*faults.Rule {
	return x.g.inForce(x.live, state, now, x.rev.rules.Of(x.op, x.input), func(r *faults.Rule) bool { return !r.Fault.Connection && r.Matches(x.op, x.input) })
}

// inForce puts the armed rules that are about something before those of the
// profile that are.
func (g *Gateway) inForce(l *tenant, state *run.State, now time.Time, ofProfile []*faults.Rule, about func(*faults.Rule) bool) []*faults.Rule {
	if len(state.Armed) == 0 {
		return ofProfile
	}
	var all []*faults.Rule
	for i := range state.Armed {
		armed := &state.Armed[i]
		if armed.Over(now) {
			continue
		}
		rule, err := l.armament.rule(armed)
		if err != nil {
			g.log.Error("an armed rule is not in force", "run", l.ID, "rule", armed.Name, "error", err)
		}
		if rule != nil && about(rule) {
			all = append(all, rule)
		}
	}
	return append(all, ofProfile...)
}

// armedRules are those that were ever armed in the run, for whoever judges it.
func (k *Kept) armedRules() []verdict.RuleInfo {
	var all []verdict.RuleInfo
	for i := range k.Events {
		e := &k.Events[i]
		if e.Kind != trail.Armed || e.Arming == nil {
			continue
		}
		info := verdict.RuleInfo{Name: e.Arming.Name, Fault: e.Arming.Fault, Required: e.Arming.Required, Because: e.Arming.Because}
		if rule, err := rearm(e.Seq, e.Arming); err == nil {
			info.Hash = rule.Hash
		}
		all = append(all, info)
	}
	return all
}
