package faults_test

import (
	"testing"

	"parity/faults"
	"parity/specs"
)

// Two orders whose bodies are lists are two intents.
func TestBodiesThatAreListsTellIntentsApart(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("PostRefunds")
	one := faults.Fingerprint("a", op, specs.Input{Value: []any{int64(1)}})
	other := faults.Fingerprint("a", op, specs.Input{Value: []any{int64(2)}})
	none := faults.Fingerprint("a", op, specs.Input{})
	if one == other || one == none || one != faults.Fingerprint("a", op, specs.Input{Value: []any{int64(1)}}) {
		t.Errorf("fingerprints %s, %s, %s", one, other, none)
	}
}
