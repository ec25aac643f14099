package policy_test

import (
	"testing"

	"parity/faults"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// BenchmarkDecide decides what stage, grant and gates make of a call: what a
// profile with policy costs each call before its turn.
func BenchmarkDecide(b *testing.B) {
	never, err := faults.ParsePattern("stripe POST /v1/payouts")
	if err != nil {
		b.Fatal(err)
	}
	refunds, err := faults.ParsePattern("stripe POST /v1/refunds")
	if err != nil {
		b.Fatal(err)
	}
	a := &policy.Authority{
		Grants: map[string]policy.Grant{"bot": {May: map[string]class.Class{"stripe": class.Irreversible}, Never: []faults.Pattern{never}}},
		Gates:  []*policy.Gate{{Name: "refunds", Calls: []faults.Pattern{refunds}, Then: policy.Approve}},
	}
	q := policy.Question{Operation: &specs.Operation{Service: "stripe", Method: "POST", Path: "/v1/refunds"}, Class: class.Irreversible, Identity: "bot", Stage: 4}
	b.ReportAllocs()
	for b.Loop() {
		if a.Gate(q, a.Decide(q), a.Gates, nil).Then != policy.Approve {
			b.Fatal("it is let through")
		}
	}
}
