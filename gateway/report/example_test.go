package report_test

import (
	"os"

	"parity/faults/trail"
	"parity/gateway/report"
)

func ExampleTerminal() {
	r := report.Report{
		Run: "7f3a", Seed: 7, Profile: "rough-afternoon", Ended: true, Command: []string{"my-agent"},
		Judgement: trail.Judgement{
			Valid: true,
			Verdicts: []trail.Verdict{{
				Subject: "lose-a-big-refund", Kind: "fault", Result: trail.Failed, Reaction: trail.Mishandled,
				Lines: []string{"#14 refunded, reply lost   #15 sent again with a new key: 2 refunds, 240.00 USD"},
				Mend:  "keep the Idempotency-Key of the first attempt, or read the charge first", Headline: "refunded twice: 240.00 USD",
			}},
			Scope: trail.Scope{
				Exchanges:   11,
				Faults:      []trail.RuleCount{{Rule: "lose-a-big-refund", Fault: "ambiguous-success", Fired: 1}},
				Operations:  []trail.Touched{{Operation: "stripe POST /v1/refunds", Exchanges: 11, Fidelity: []trail.Fidelity{trail.Modelled}}},
				NeverCalled: []string{"hubspot"},
			},
		},
	}
	if err := report.Terminal(os.Stdout, r, report.Options{Width: 100}); err != nil {
		panic(err)
	}
	// Output:
	// run 7f3a   rough-afternoon   seed 7   11 calls
	//
	// FAILED  refunded twice: 240.00 USD
	//   #14 refunded, reply lost   #15 sent again with a new key: 2 refunds, 240.00 USD
	//   Mend: keep the Idempotency-Key of the first attempt, or read the charge first
	//   by lose-a-big-refund
	//
	// Proved      1 fault fired; 1 operation, modelled
	// NOT proved  hubspot (never called)
	// Again       parity run --profile rough-afternoon --seed 7 --only lose-a-big-refund -- my-agent
}
