package stripe_test

import (
	"testing"

	"parity/fakes/faketest"
)

func TestRefundsUnderTheirCharge(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	pay := func() string {
		return s.post("/v1/payment_intents", "amount=1000&currency=usd&confirm=true&payment_method_types[]=card&payment_method=pm_card_visa").Text("latest_charge")
	}
	charge, other := pay(), pay()
	made := s.post("/v1/charges/"+charge+"/refunds", "amount=300&reason=duplicate&metadata[a]=1")
	faketest.Want(t, made, map[string]any{"object": "refund", "amount": 300, "charge": charge, "reason": "duplicate", "status": "succeeded"})
	path := "/v1/charges/" + charge + "/refunds/" + made.Text("id")
	faketest.Want(t, s.get(path), map[string]any{"id": made.Text("id")})
	faketest.Want(t, s.post(path, "metadata[b]=2"), map[string]any{"metadata": map[string]any{"a": "1", "b": "2"}})
	s.refused(404, "resource_missing", "No such refund: '"+made.Text("id")+"'", s.Send("GET", "/v1/charges/"+other+"/refunds/"+made.Text("id"), ""))
	s.refused(404, "resource_missing", "No such charge: 'ch_none'", s.Form("POST", "/v1/charges/ch_none/refunds", ""))
	s.post("/v1/charges/"+charge+"/refunds", "")
	faketest.Want(t, s.get("/v1/charges/"+charge), map[string]any{"amount_refunded": 1000, "refunded": true})
	if got := s.get("/v1/charges/"+charge+"/refunds").Texts("data", "amount"); len(got) != 2 || got[0] != "700" {
		t.Errorf("refunds of %v, want 700 and 300", got)
	}
	s.refused(400, "charge_already_refunded", "", s.Form("POST", "/v1/charges/"+charge+"/refunds", ""))
}
