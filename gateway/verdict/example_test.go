package verdict_test

import (
	"fmt"

	"parity/faults/trail"
	"parity/gateway/verdict"
)

// A refund whose reply was reset is sent again under a new key.
func ExampleJudge() {
	refund := func(seq uint64, key string, wire trail.Wire, strikes ...trail.Strike) trail.Event {
		return trail.Event{Seq: seq, Kind: trail.Exchanged, Exchange: &trail.Exchange{
			Service: "stripe", Operation: "POST /v1/refunds", Path: "/v1/refunds", Effect: "irreversible",
			Intent: trail.Intent{ID: "refund.1", Key: key}, Outcome: trail.Answered, Fidelity: trail.Modelled,
			Status: 200, Wire: wire, Strikes: strikes,
		}}
	}
	j := verdict.Judge(verdict.Input{Ended: true, Events: []trail.Event{
		refund(1, "a", trail.Wire{NoHead: true, End: trail.Reset}, trail.Strike{Rule: "lose-it", Fault: "ambiguous-success", Fired: true}),
		refund(2, "b", trail.Wire{}),
	}})
	v := j.Verdicts[0]
	fmt.Println(v.Subject, v.Result, v.Reaction)
	fmt.Println(v.Lines[0])
	fmt.Println(v.Mend)
	// Output:
	// lose-it failed mishandled
	// #1 POST /v1/refunds, reply lost   #2 sent again with a new key
	// keep the Idempotency-Key of the first attempt, or look for what it made first
}
