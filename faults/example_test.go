package faults_test

import (
	"fmt"

	"parity/faults"
	"parity/faults/trail"
	"parity/specs"
)

// A rule meets a call: it says what came of that, and writes what is to happen
// into the plan. Nothing has happened yet.
func ExampleRule_Consider() {
	contract, err := specs.Builtin("stripe")
	if err != nil {
		fmt.Println(err)
		return
	}
	refunds, _ := contract.Operation("stripe POST /v1/refunds")
	pattern, err := faults.ParsePattern("stripe POST /v1/refunds")
	if err != nil {
		fmt.Println(err)
		return
	}
	rule, err := faults.NewRule(faults.Draft{
		Name: "lose-a-refund", Calls: []faults.Pattern{pattern},
		Fault: "ambiguous-success", With: map[string]any{"reply": "reset"},
		Trigger: faults.Trigger{Nth: 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := new(faults.Plan)
	strike := rule.Consider(&faults.Evaluation{
		Operation: refunds, Identity: "clerk", Intent: trail.Intent{ID: "refund.1", Attempt: 1},
		Vars: func(func(string) bool) map[string]any { return nil }, // what a condition may name: this rule has none
	}, faults.NewTallies(), plan)

	fmt.Println(strike.Rule, "met intent", strike.Index, "and fired:", strike.Fired)
	fmt.Println("commits:", !plan.NoCommit && !plan.Skip, "reply sent:", !plan.Wire.NoHead, "ends with", plan.Wire.End)
	// Output:
	// lose-a-refund met intent 1 and fired: true
	// commits: true reply sent: false ends with reset
}
