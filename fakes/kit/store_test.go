package kit_test

import (
	"testing"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// What a fake stores against its contract is found, with the record and the
// place in it; what is right, what is another's, and what is gone is not.
func TestRecordAgainstTheContractIsFound(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	stripe := fakes.Service{Name: "stripe", Contract: contract}
	tombstone := map[string]any{"id": "cus_1", "object": "customer", "deleted": true}
	wrong := map[string]any{"id": "cus_2", "object": "customer", "deleted": "yes"}
	tx := shared(t, world.Collection{Name: "s.customers"}, world.Collection{Name: "stripe.customers"}, world.Collection{Name: "stripe.own", Hidden: true}).Begin()
	store := kit.Store{Service: "stripe"}
	store.Create(tx, "customers", "cus_1", tombstone)
	store.Create(tx, "own", "x", map[string]any{"anything": "goes"})
	kit.Store{Service: "s"}.Create(tx, "customers", "cus_2", wrong)
	if found := kit.Breaches(stripe, tx.Changes()); len(found) > 0 {
		t.Errorf("what is right, or another's, is a breach: %+v", found)
	}
	store.Update(tx, "customers", "cus_1", wrong)
	found := kit.Breaches(stripe, tx.Changes())
	if len(found) == 0 || found[0].In != "the record customers cus_1 at " || found[0].Message == "" {
		t.Errorf("a wrong record is not found: %+v", found)
	}
	store.Delete(tx, "customers", "cus_1")
	if found := kit.Breaches(stripe, tx.Changes()[3:]); len(found) > 1 {
		t.Errorf("what is gone is a breach: %+v", found)
	}
}
