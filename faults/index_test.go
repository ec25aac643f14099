package faults

import (
	"slices"
	"testing"

	"parity/specs"
)

// An index finds what asking each pattern of each operation finds.
func TestIndexFindsWhatPatternsMatch(t *testing.T) {
	t.Parallel()
	var operations []*specs.Operation
	for _, name := range []string{"stripe", "github", "acme-crm"} {
		contract, err := specs.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		operations = append(operations, contract.Operations...)
	}
	x := NewIndex(operations)
	for _, text := range []string{
		"*", "stripe *", "stripe GET *", "stripe.PostRefunds", "stripe POST /v1/refunds", "stripe GET /v1/charges/{any}", "acme-crm GET /contacts/{id}",
		"acme-crm GET /v1/contacts/{id}", "github GET /repos/{o}/{r}/issues", "github GET *}/issues", "nobody GET /x", "stripe.Get*",
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		for i, op := range operations {
			if p.Match(op) {
				want = append(want, i)
			}
		}
		for range 2 {
			if got := x.Find([]Pattern{p}); !slices.Equal(got, want) {
				t.Errorf("%s: found %v, want %v", text, got, want)
			}
		}
	}
}
