package profiles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/chance"
	"parity/faults"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs"
)

// gated are faults whose striking depends on more of a run than which call of
// which intent it is: those of the library are met in gateway/library_test.go.
var gated = []string{
	"cascade", "concurrent-edit", "connect-refused", "cursor-expired", "idempotency-conflict", "lock-lost", "owner-changed",
	"redirect", "session-expired",
}

// A rule of the library that never fires, or is always outranked by another of
// its profile, teaches nobody anything. Here an agent that is busy for a while
// meets each of them.
func TestEveryLibraryRuleBites(t *testing.T) {
	t.Parallel()
	for _, name := range profiles.Library() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := profiles.Load(name, options(t, t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			fired, why := play(p.Rules, some(p.Rules, played(t)))
			for _, r := range p.Rules {
				if fired[r.Name] == 0 && !slices.Contains(gated, r.Fault.Name) {
					t.Errorf("rule %s never fires: %v", r.Name, why[r.Name])
				}
				if r.Required && !r.Trigger.Counted() {
					t.Errorf("rule %s is required, and names no intent by number", r.Name)
				}
			}
		})
	}
}

// No call of a library rule is a leftover: each pattern names an operation.
func TestEveryLibraryCallNamesAnOperation(t *testing.T) {
	t.Parallel()
	operations := played(t)
	for _, name := range profiles.Library() {
		p, err := profiles.Load(name, options(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rules {
			for _, call := range r.Calls {
				if !slices.ContainsFunc(operations, call.Match) {
					t.Errorf("%s: rule %s: %s names no operation that is played", name, r.Name, call)
				}
			}
		}
	}
}

// played lists the operations of every service that ships.
func played(t *testing.T) []*specs.Operation {
	t.Helper()
	var all []*specs.Operation
	for _, service := range catalogue(t).Services() {
		all = append(all, service.Contract.Operations...)
	}
	return all
}

// some are a few operations of each service, and all that a rule names without a
// glob: an agent does not call a thousand.
func some(rules []*faults.Rule, all []*specs.Operation) []*specs.Operation {
	const few = 12
	of := map[string]int{}
	return slices.DeleteFunc(slices.Clone(all), func(op *specs.Operation) bool {
		of[op.Service]++
		return of[op.Service] > few && !slices.ContainsFunc(rules, func(r *faults.Rule) bool {
			return slices.ContainsFunc(r.Calls, func(p faults.Pattern) bool { return !strings.ContainsAny(p.String(), "*?") && p.Match(op) })
		})
	})
}

// play has 50 rounds of every operation, three attempts each, 10 ms apart: more
// than 25 calls a second, and long enough for a chance of 5%. It gives how
// often each rule fired, and why it last did not.
func play(rules []*faults.Rule, operations []*specs.Operation) (fired map[string]int, why map[string]string) {
	fired, why = map[string]int{}, map[string]string{}
	var targets []faults.Target
	for _, op := range operations {
		targets = append(targets, faults.Target{Operation: op})
	}
	set, tallies := faults.NewSet(rules, targets), faults.NewTallies()
	began := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	var seq uint64
	for round := range 50 {
		for _, op := range operations {
			for attempt := range 3 {
				seq++
				now := began.Add(time.Duration(seq) * 10 * time.Millisecond)
				intent := trail.Intent{
					ID: fmt.Sprintf("%s %d", op.Name(), round), Fingerprint: fmt.Sprintf("%s %d", op.Name(), round), Occurrence: 1, Attempt: attempt + 1,
				}
				x := &trail.Exchange{Service: op.Service, Operation: op.Method + " " + op.Path, OperationID: op.ID, Intent: intent}
				plan := &faults.Plan{}
				for _, r := range set.For(op) {
					strike := r.Consider(&faults.Evaluation{
						Operation: op, Seed: chance.Seed(7), Identity: "agent", Intent: intent, Now: now, Began: began,
						Vars: func(func(string) bool) map[string]any {
							return map[string]any{"result": map[string]any{"status": "succeeded", "ok": true}}
						},
					}, tallies, plan)
					x.Strikes = append(x.Strikes, strike)
					if strike.Fired {
						fired[r.Name]++
					} else {
						why[r.Name] = strike.Why
					}
				}
				tallies.Fold(&trail.Event{Seq: seq, Kind: trail.Exchanged, At: trail.At(now), Identity: "agent", Exchange: x})
			}
		}
	}
	return fired, why
}
