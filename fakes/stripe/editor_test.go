package stripe_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/fakes/stripe"
)

func editRig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := stripe.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	r.Header.Set("Authorization", "Bearer sk_test_1234567890abcdef")
	return r
}

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := editRig(t)
	customer := r.Must(200, r.Form("POST", "/v1/customers", "email=a@example.com&metadata[a]=1&metadata[b]=2")).Text("id")
	intent := r.Must(200, r.Form("POST", "/v1/payment_intents", "amount=500&currency=eur&customer="+customer)).Text("id")
	product := r.Must(200, r.Form("POST", "/v1/products", "name=Lamp")).Text("id")
	r.Edits(faketest.Edit{
		Read: "/v1/payment_intents/" + intent, Writes: []string{"POST /v1/payment_intents/" + intent, "POST /v1/payment_intents/" + intent + "/confirm"},
		Nowhere: "/v1/payment_intents/pi_none", Set: map[string]any{"description": "By hand"}, At: "description", Shows: "By hand", Bad: map[string]any{"amount": "much"},
	})
	r.Edits(faketest.Edit{
		Read: "/v1/products/" + product, Writes: []string{"DELETE /v1/products/" + product}, Set: map[string]any{"name": "Lantern"}, At: "name", Shows: "Lantern", Gone: 404,
	})
	r.Edits(faketest.Edit{
		Read: "/v1/customers/" + customer, Writes: []string{"POST /v1/customers/" + customer, "DELETE /v1/customers/" + customer},
		Set: map[string]any{"metadata": map[string]any{"a": "9"}}, At: "metadata.b", Shows: "2", Bad: map[string]any{"id": "cus_other"}, Gone: 200,
	})
	if r.Change("/v1/customers/"+customer, map[string]any{"emial": "b@example.com"}) == nil {
		t.Error("a field that no customer has is set")
	}
	if c, id := r.Subject("POST", "/v1/customers"); c != "" {
		t.Errorf("a new customer is %s %s", c, id)
	}
}

func TestACopyHasNothingOfTheOldID(t *testing.T) {
	t.Parallel()
	r := editRig(t)
	intent := r.Must(200, r.Form("POST", "/v1/payment_intents", "amount=500&currency=eur")).Text("id")
	r.Now = r.Now.Add(time.Minute)
	call := r.Asked("GET", "/v1/payment_intents/"+intent)
	made, err := r.Service.Fake.(fakes.Copier).Copy(call, "stripe.payment_intents", intent)
	if err != nil {
		t.Fatal(err)
	}
	r.World = call.Tx.Commit()
	got := r.Must(200, r.Send("GET", "/v1/payment_intents/"+made, ""))
	if secret := got.Text("client_secret"); secret[:len(made)] != made {
		t.Errorf("the copy %s has the client secret %s", made, secret)
	}
	if list := r.Must(200, r.Send("GET", "/v1/payment_intents", "")); list.Text("data.0.id") != made {
		t.Errorf("the newest is %s, not %s", list.Text("data.0.id"), made)
	}
}

func TestTroubleIsWordedAsStripeDoes(t *testing.T) {
	t.Parallel()
	r := editRig(t)
	r.Words("POST", "/v1/customers", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `does not have the required permissions for this endpoint.","request_log_url"`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message":"Ask for a test key."`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `"code":"api_key_expired"`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "Expired API Key provided: sk_test_****", Header: []string{"Www-Authenticate", `Basic realm="Stripe"`}},
		{Trouble: fakes.Problem{Kind: fakes.KeyInFlight}, Status: 409, Says: "idempotency_key_in_use"},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 400, Says: `"type":"idempotency_error"`},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 429, Says: "lock_timeout"},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 429, Says: "rate_limit", Header: []string{"Retry-After", "3600"}},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 410, Says: "Unrecognized request URL"},
	})
	r.Words("GET", "/v1/customers", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired}, Status: 400, Says: `"param":"starting_after"`},
	})
}
