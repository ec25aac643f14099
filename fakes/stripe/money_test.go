package stripe_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func (s shop) charged(amount, card string) faketest.Got {
	s.T.Helper()
	return s.post("/v1/payment_intents", "amount="+amount+"&currency=usd&payment_method="+card+"&confirm=true&payment_method_types[]=card&expand[]=latest_charge")
}

func TestBalanceAndPayouts(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	s.charged("1000", "pm_card_bypassPending")
	s.charged("2500", "pm_card_visa")
	s.Wait(2 * time.Second)
	faketest.Want(t, s.get("/v1/balance"), map[string]any{"available.0.amount": 941, "pending.0.amount": 2500 - 103})
	s.refused(400, "balance_insufficient", "", s.Form("POST", "/v1/payouts", "amount=2000&currency=usd"))
	payout := s.post("/v1/payouts", "amount=900&currency=usd")
	faketest.Want(t, payout, map[string]any{"status": "pending"})
	faketest.Want(t, s.get("/v1/balance"), map[string]any{"available.0.amount": 41})
	other := s.make("/v1/payouts", "amount=41&currency=usd")
	faketest.Want(t, s.post("/v1/payouts/"+other+"/cancel", ""), map[string]any{"status": "canceled"})
	s.Wait(3 * day)
	faketest.Want(t, s.get("/v1/payouts/"+payout.Text("id")), map[string]any{"status": "paid"})
	s.Wait(5 * day)
	faketest.Want(t, s.get("/v1/balance"), map[string]any{"available.0.amount": 41 + 2397, "pending.0.amount": 0})
	faketest.Want(t, s.get("/v1/balance_transactions?type=charge"), map[string]any{"data.0.status": "available", "data.0.fee": 103, "data.1.net": 941})
}

func TestDisputes(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	open := func(card string) string { return s.charged("5000", card).Text("latest_charge.dispute") }
	won, lost, closed, silent := open("pm_card_createDispute"), open("pm_card_createDispute"), open("pm_card_createDisputeProductNotReceived"), open("pm_card_createDispute")
	inquiry := open("pm_card_createDisputeInquiry")
	faketest.Want(t, s.get("/v1/disputes/"+won), map[string]any{"status": "needs_response", "amount": 5000, "balance_transactions.0.fee": 1500, "evidence_details.submission_count": 0})
	faketest.Want(t, s.get("/v1/disputes/"+closed), map[string]any{"reason": "product_not_received"})
	faketest.Want(t, s.get("/v1/disputes/"+inquiry), map[string]any{"status": "warning_needs_response", "balance_transactions": []any{}})
	faketest.Want(t, s.post("/v1/disputes/"+won, "evidence[uncategorized_text]=winning_evidence&submit=false"), map[string]any{"status": "needs_response", "evidence_details.has_evidence": true})
	faketest.Want(t, s.post("/v1/disputes/"+won, "submit=true"), map[string]any{"status": "under_review"})
	s.post("/v1/disputes/"+lost, "evidence[uncategorized_text]=losing_evidence")
	faketest.Want(t, s.post("/v1/disputes/"+closed+"/close", ""), map[string]any{"status": "lost"})
	s.refused(400, "", "", s.Form("POST", "/v1/disputes/"+closed+"/close", ""))
	s.Wait(time.Minute)
	faketest.Want(t, s.get("/v1/disputes/"+won), map[string]any{"status": "won", "balance_transactions.1.amount": 5000})
	faketest.Want(t, s.get("/v1/disputes/"+lost), map[string]any{"status": "lost"})
	s.Wait(11 * day)
	faketest.Want(t, s.get("/v1/disputes/"+silent), map[string]any{"status": "lost", "evidence_details.past_due": true})
	faketest.Want(t, s.get("/v1/disputes/"+inquiry), map[string]any{"status": "warning_closed"})
}

func TestWebhooksAreSignedAndTriedAgain(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	made := s.post("/v1/webhook_endpoints", "url=https://hooks.example/a&enabled_events[]=customer.created&enabled_events[]=product.*x.y")
	secret := made.Text("secret")
	if !strings.HasPrefix(secret, "whsec_") || s.get("/v1/webhook_endpoints/"+made.Text("id")).At("secret") != nil {
		t.Error("the secret is shown when it is made, and never again")
	}
	s.make("/v1/customers", "email=b@c.co")
	event := s.get("/v1/events?type=customer.created")
	faketest.Want(t, event, map[string]any{"data.0.pending_webhooks": 1})
	d, header := s.Attempt(500)
	at, v1, _ := strings.Cut(strings.TrimPrefix(header.Get("Stripe-Signature"), "t="), ",v1=")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "." + string(d.Body)))
	if v1 != hex.EncodeToString(mac.Sum(nil)) || d.URL != "https://hooks.example/a" {
		t.Errorf("signed %q", header.Get("Stripe-Signature"))
	}
	if len(s.Deliveries()) != 1 || s.Deliveries()[0].Attempt != 2 || !s.Deliveries()[0].Due.After(s.Now) {
		t.Errorf("not tried again: %+v", s.Deliveries())
	}
	s.Attempt(200)
	faketest.Want(t, s.get("/v1/events?type=customer.created&delivery_success=true"), map[string]any{"data.0.pending_webhooks": 0})
	s.post("/v1/webhook_endpoints/"+made.Text("id"), "disabled=true")
	s.make("/v1/customers", "")
	if n := len(s.Deliveries()); n != 0 {
		t.Errorf("%d deliveries to an endpoint that is off", n)
	}
	s.refused(400, "url_invalid", "", s.Form("POST", "/v1/webhook_endpoints", "url=nowhere&enabled_events[]=*"))
	s.Must(200, s.Send("DELETE", "/v1/webhook_endpoints/"+made.Text("id"), ""))
	s.refused(404, "resource_missing", "", s.Send("GET", "/v1/webhook_endpoints/"+made.Text("id"), ""))
}

func TestWebhooksEnd(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	s.make("/v1/webhook_endpoints", "url=https://hooks.example/a&enabled_events[]=*")
	s.make("/v1/customers", "")
	tries := 0
	for start := s.Now; len(s.Deliveries()) > 0; tries++ {
		s.Attempt(0)
		if s.Now.Sub(start) > 4*day {
			t.Fatal("tried for more than three days")
		}
	}
	if tries < 5 {
		t.Errorf("%d attempts", tries)
	}
}

func TestSearchLagsBehind(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	id := s.make("/v1/customers", "email=late@example.com&metadata[order]=67'35")
	find := func(query string) faketest.Got {
		return s.get("/v1/customers/search?query=" + strings.NewReplacer(" ", "%20", `"`, "%22", "'", "%27", ">", "%3E", "<", "%3C").Replace(query))
	}
	if n := find(`email:"late@example.com"`).Len("data"); n != 0 {
		t.Errorf("%d found before the index knows", n)
	}
	s.Wait(time.Minute)
	for _, query := range []string{
		`email:"late@example.com"`, `email:'LATE@example.com'`, `email~"late@"`, `metadata["order"]:"67'35"`, `created>1 AND -name:"Ann"`,
		`name:"nobody" OR email:"late@example.com"`, `name:null`,
	} {
		if got := find(query).IDs("data"); len(got) != 1 || got[0] != id {
			t.Errorf("%s: %v", query, got)
		}
	}
	s.post("/v1/customers/"+id, "email=new@example.com")
	faketest.Want(t, find(`email:"late@example.com"`), map[string]any{"data.0.email": "new@example.com", "object": "search_result"})
	for _, query := range []string{"", "late", `shoe:"9"`, `email:"a" AND email:"b" OR email:"c"`, `email>"a"`, `created:"`} {
		s.Must(400, s.Send("GET", "/v1/customers/search?query="+strings.NewReplacer(" ", "%20", `"`, "%22", ">", "%3E").Replace(query), ""))
	}
}

func TestSearchPages(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	for range 5 {
		s.make("/v1/customers", "metadata[batch]=1")
	}
	s.Wait(time.Minute)
	seen, page := map[string]bool{}, ""
	for range 4 {
		g := s.get("/v1/customers/search?limit=2&query=metadata[%22batch%22]:%221%22&page=" + page)
		for _, id := range g.IDs("data") {
			seen[id] = true
		}
		if page = g.Text("next_page"); page == "" {
			break
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d of 5", len(seen))
	}
	s.Must(400, s.Send("GET", "/v1/customers/search?query=metadata[%22batch%22]:%221%22&page=zzz", ""))
}
