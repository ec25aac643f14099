package stripe_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parity/fakes/cast"
	"parity/fakes/faketest"
)

// on makes a call for a connected account.
func (s shop) on(account, method, path, form string) faketest.Got {
	s.T.Helper()
	header := []string{"Stripe-Account", account}
	if method == "POST" {
		header = append(header, "Content-Type", "application/x-www-form-urlencoded")
	}
	return s.Send(method, path, form, header...)
}

// seller is an account that was connected and onboarded.
func (s shop) seller() string {
	s.T.Helper()
	made := s.post("/v1/accounts", "type=express&country=US&email=jo@example.com&capabilities[card_payments][requested]=true&capabilities[transfers][requested]=true")
	faketest.Want(s.T, made, map[string]any{"charges_enabled": false, "details_submitted": false, "capabilities.transfers": "inactive", "requirements.disabled_reason": "requirements.past_due"})
	id := made.Text("id")
	s.refused(400, "insufficient_capabilities_for_transfer", "", s.Form("POST", "/v1/transfers", "amount=100&currency=usd&destination="+id))
	if _, err := s.Act("complete", "stripe.accounts", id, nil); err != nil {
		s.T.Fatal(err)
	}
	faketest.Want(s.T, s.get("/v1/accounts/"+id), map[string]any{"charges_enabled": true, "payouts_enabled": true, "capabilities.transfers": "active", "requirements.disabled_reason": nil})
	return id
}

// connect puts in an account that others can send money to, under a name of the
// test's own.
func (r *rig) connect(id string) string {
	r.t.Helper()
	return r.seed("accounts", map[string]any{
		"id": id, "object": "account", "capabilities": map[string]any{"transfers": "active"}, "charges_enabled": true, "country": "US", "created": int64(1),
		"default_currency": "usd", "details_submitted": true, "metadata": map[string]any{}, "payouts_enabled": true, "type": "express",
	})
}

// held is what an account's balance comes to, settled or not; "": the platform's.
func (s shop) held(account string) int64 {
	s.T.Helper()
	got := s.Must(200, s.on(account, "GET", "/v1/balance", ""))
	sum := int64(0)
	for _, list := range []string{"available", "pending"} {
		for _, one := range cast.List(got.At(list)) {
			n, _ := cast.Object(one)["amount"].(float64)
			sum += int64(n)
		}
	}
	return sum
}

func TestAConnectedAccountIsAWorldOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	one, two := s.seller(), s.seller()
	made := s.Must(200, s.on(one, "POST", "/v1/customers", "email=zoe@example.com"))
	if got := made.Header.Get("Stripe-Account"); got != one {
		t.Errorf("the answer is for %q", got)
	}
	id := made.Text("id")
	for _, account := range []string{"", two} {
		s.refused(404, "resource_missing", "No such customer: '"+id+"'", s.on(account, "GET", "/v1/customers/"+id, ""))
		if got := s.on(account, "GET", "/v1/customers?email=zoe@example.com", ""); got.Len("data") != 0 {
			t.Errorf("%q lists %s", account, got.Body)
		}
	}
	s.refused(404, "resource_missing", "", s.on(one, "GET", "/v1/customers/"+s.customer, ""))
	s.refused(400, "resource_missing", "", s.on(one, "POST", "/v1/payment_intents", "amount=500&currency=usd&customer="+s.customer))
	if got := s.Must(200, s.on(one, "GET", "/v1/customers", "")); !slices.Equal(got.IDs("data"), []string{id}) {
		t.Errorf("the account has %v", got.IDs("data"))
	}
	s.refused(403, "account_invalid", "The provided key 'sk_t*****' does not have access to account 'acct_nobody' (or that account does not exist). Application access may have been revoked.", s.on("acct_nobody", "GET", "/v1/customers", ""))
	s.refused(403, "account_invalid", "", s.Send("GET", "/v1/accounts/acct_nobody", ""))
	s.refused(400, "resource_missing", "No such destination: 'acct_nobody'", s.Form("POST", "/v1/transfers", "amount=100&currency=usd&destination=acct_nobody"))

	keyed := func(account string) string {
		return s.Must(200, s.Send("POST", "/v1/customers", "name=K", "Content-Type", "application/x-www-form-urlencoded", "Stripe-Account", account, "Idempotency-Key", "k")).Text("id")
	}
	if a, b := keyed(one), keyed(two); a == b || a != keyed(one) {
		t.Error("accounts share idempotency keys, or an account has none")
	}
	faketest.Want(t, s.Must(200, s.on(one, "GET", "/v1/account", "")), map[string]any{"id": one})
	if got := s.get("/v1/accounts").IDs("data"); !slices.Equal(got, []string{two, one}) {
		t.Errorf("accounts: %v", got)
	}
	link := s.post("/v1/account_links", "account="+one+"&type=account_onboarding&refresh_url=https://a.example/r&return_url=https://a.example/b")
	if !strings.HasPrefix(link.Text("url"), "https://connect.stripe.com/setup/e/"+one) {
		t.Errorf("link: %s", link.Body)
	}
	s.post("/v1/accounts/"+one+"/login_links", "")
	s.Must(200, s.Send("DELETE", "/v1/accounts/"+two, ""))
	s.refused(403, "account_invalid", "", s.on(two, "GET", "/v1/customers", ""))
}

func TestMoneyGoesToAndFroBetweenAccounts(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	seller := s.seller()
	card := "&currency=usd&confirm=true&payment_method=pm_card_visa&payment_method_types[]=card"

	// A direct charge of 100.00: 2.9 % and 30 cents, and 10.00 for the platform.
	direct := s.Must(200, s.on(seller, "POST", "/v1/payment_intents", "amount=10000&application_fee_amount=1000"+card))
	if p, a := s.held(""), s.held(seller); p != 1000 || a != 10000-320-1000 {
		t.Errorf("after a direct charge: platform %d, account %d", p, a)
	}
	charge := s.Must(200, s.on(seller, "GET", "/v1/charges/"+direct.Text("latest_charge"), ""))
	fee := charge.Text("application_fee")
	faketest.Want(t, s.get("/v1/application_fees/"+fee), map[string]any{"amount": 1000.0, "account": seller, "charge": charge.Text("id")})
	s.refused(404, "resource_missing", "", s.Send("GET", "/v1/charges/"+charge.Text("id"), ""))
	s.Must(200, s.on(seller, "POST", "/v1/refunds", "refund_application_fee=true&amount=5000&charge="+charge.Text("id")))
	if p, a := s.held(""), s.held(seller); p != 500 || a != 10000-320-1000-5000+500 {
		t.Errorf("after its refund: platform %d, account %d", p, a)
	}
	faketest.Want(t, s.get("/v1/application_fees/"+fee), map[string]any{"amount_refunded": 500.0, "refunded": false})
	s.post("/v1/application_fees/"+fee+"/refunds", "")
	faketest.Want(t, s.get("/v1/application_fees/"+fee), map[string]any{"amount_refunded": 1000.0, "refunded": true})

	// A destination charge of 100.00, of which the platform keeps 10.00 and pays the fee.
	platform, account := s.held(""), s.held(seller)
	sent := s.post("/v1/payment_intents", "amount=10000&application_fee_amount=1000&on_behalf_of="+seller+"&transfer_data[destination]="+seller+card)
	if p, a := s.held("")-platform, s.held(seller)-account; p != -320+1000 || a != 9000 {
		t.Errorf("a destination charge: platform %d, account %d", p, a)
	}
	charge = s.get("/v1/charges/" + sent.Text("latest_charge"))
	transfer := s.get("/v1/transfers/" + charge.Text("transfer"))
	faketest.Want(t, transfer, map[string]any{"amount": 10000.0, "destination": seller, "source_transaction": charge.Text("id"), "transfer_group": "group_" + sent.Text("id")})
	faketest.Want(t, s.Must(200, s.on(seller, "GET", "/v1/charges/"+transfer.Text("destination_payment"), "")), map[string]any{"amount": 10000.0, "source_transfer": transfer.Text("id"), "application_fee_amount": 1000.0})
	back := s.post("/v1/refunds", "reverse_transfer=true&refund_application_fee=true&charge="+charge.Text("id"))
	if p, a := s.held("")-platform, s.held(seller)-account; p != -320 || a != 0 {
		t.Errorf("given back: platform %d, account %d", p, a)
	}
	faketest.Want(t, s.get("/v1/transfers/"+transfer.Text("id")), map[string]any{"reversed": true, "reversals.data.0.id": back.Text("transfer_reversal")})
	faketest.Want(t, s.get("/v1/transfers/"+transfer.Text("id")+"/reversals/"+back.Text("transfer_reversal")), map[string]any{"amount": 10000.0, "source_refund": back.Text("id")})

	alone := s.post("/v1/transfers", "amount=700&currency=usd&destination="+seller)
	s.post("/v1/transfers/"+alone.Text("id")+"/reversals", "amount=200")
	faketest.Want(t, s.get("/v1/transfers/"+alone.Text("id")), map[string]any{"amount_reversed": 200.0, "reversed": false})
	s.refused(400, "", "", s.Form("POST", "/v1/transfers/"+alone.Text("id")+"/reversals", "amount=501"))
	s.refused(400, "", "", s.Form("POST", "/v1/payment_intents", "amount=1000&application_fee_amount=10"+card))
	s.refused(400, "", "", s.Form("POST", "/v1/refunds", "reverse_transfer=true&payment_intent="+s.make("/v1/payment_intents", "amount=1000"+card)))
}

func TestConnectWebhooksHearOfConnectedAccountsAlone(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	seller := s.seller()
	s.make("/v1/webhook_endpoints", "url=https://own.example/hook&enabled_events[]=customer.created")
	s.make("/v1/webhook_endpoints", "url=https://connect.example/hook&enabled_events[]=customer.created&enabled_events[]=checkout.session.completed&connect=true")
	s.make("/v1/customers", "name=Platform")
	s.Must(200, s.on(seller, "POST", "/v1/customers", "name=Seller"))
	page := s.Must(200, s.on(seller, "POST", "/v1/checkout/sessions", beansPage)).Text("id")
	if _, err := s.Act("complete", sessionsAt, page, nil); err != nil {
		t.Fatal(err)
	}
	var told []string
	for range s.Deliveries() {
		d, _ := s.Attempt(200)
		var event struct{ Type, Account string }
		if err := json.Unmarshal(d.Body, &event); err != nil {
			t.Fatal(err)
		}
		told = append(told, strings.TrimPrefix(d.URL, "https://")+" "+event.Type+" "+strings.Replace(event.Account, seller, "seller", 1))
	}
	if want := []string{"own.example/hook customer.created ", "connect.example/hook customer.created seller", "connect.example/hook checkout.session.completed seller"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	for _, kind := range s.kinds() {
		if kind == "checkout.session.completed" {
			t.Error("the platform lists an event of the account")
		}
	}
	if got := s.Must(200, s.on(seller, "GET", "/v1/events", "")); got.Text("data.0.account") != seller || got.At("data.0.pending_webhooks") != 0.0 {
		t.Errorf("events of the account: %s", got.Body)
	}
	faketest.Want(t, s.Must(200, s.on(seller, "GET", "/v1/checkout/sessions/"+page, "")), map[string]any{"status": "complete"})
}
