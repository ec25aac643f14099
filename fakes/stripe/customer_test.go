package stripe_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCustomers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.must(200, r.post("/v1/customers", "email=a%40b.co&name=Ann&address[line1]=1+St&address[city]=Ulm&shipping[name]=Ann&shipping[address][line1]=z&preferred_locales[0]=en&metadata[order_id]=1"))
	want(t, made, map[string]any{
		"object": "customer", "email": "a@b.co", "address.line1": "1 St", "address.state": nil, "shipping.address.line1": "z",
		"preferred_locales": []any{"en"}, "metadata.order_id": "1", "livemode": false, "tax_exempt": "none", "balance": 0,
		"created": r.now.Unix(), "invoice_settings.default_payment_method": nil,
	})
	path := "/v1/customers/" + made.id()
	now := r.must(200, r.post(path, "name=&description=Good&metadata[order_id]=&metadata[b]=2"))
	want(t, now, map[string]any{"name": nil, "description": "Good", "metadata": map[string]any{"b": "2"}, "email": "a@b.co"})
	if string(r.get(path).raw) != string(now.raw) {
		t.Error("reading gives something else")
	}
	event := r.get("/v1/events?type=customer.updated")
	want(t, event, map[string]any{"data.0.data.previous_attributes.name": "Ann", "data.0.data.object.name": nil})
}

func TestADeletedCustomerLeavesATombstone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.must(200, r.post("/v1/customers", "email=a@b.co")).id()
	method := r.must(200, r.post("/v1/payment_methods/pm_card_visa/attach", "customer="+id)).id()
	intent := r.must(200, r.post("/v1/payment_intents", "amount=500&currency=usd&customer="+id)).id()
	path := "/v1/customers/" + id
	stone := map[string]any{"id": id, "object": "customer", "deleted": true}
	if diff := cmp.Diff(stone, r.must(200, r.send("DELETE", path, "", nil)).body); diff != "" {
		t.Error(diff)
	}
	want(t, r.must(200, r.get(path)), map[string]any{"deleted": true})
	r.must(404, r.post(path, "name=B"))
	r.must(404, r.send("DELETE", path, "", nil))
	r.must(400, r.post("/v1/payment_intents", "amount=500&currency=usd&customer="+id))
	want(t, r.get("/v1/customers"), map[string]any{"data": []any{}})
	want(t, r.get("/v1/payment_methods/"+method), map[string]any{"customer": nil})
	want(t, r.get("/v1/payment_intents/"+intent+"?expand[]=customer"), map[string]any{"customer": stone})
	if n := len(r.get("/v1/payment_intents?customer=" + id).ids()); n != 1 {
		t.Errorf("%d intents of the deleted customer", n)
	}
}

func TestPaymentMethods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann := r.must(200, r.post("/v1/customers", "name=Ann")).id()
	bob := r.must(200, r.post("/v1/customers", "name=Bob&payment_method=pm_card_amex&invoice_settings[default_payment_method]=pm_card_amex"))
	amex := bob.at("invoice_settings.default_payment_method").(string)
	card := r.must(200, r.post("/v1/payment_methods", "type=card&card[token]=tok_visa&billing_details[name]=Ann"))
	want(t, card, map[string]any{"card.last4": "4242", "card.exp_month": 3, "card.exp_year": 2027, "customer": nil, "billing_details.name": "Ann", "billing_details.email": nil})
	path := "/v1/payment_methods/" + card.id()
	want(t, r.must(200, r.post(path+"/attach", "customer="+ann)), map[string]any{"customer": ann})
	r.must(200, r.post(path+"/attach", "customer="+ann))
	r.must(400, r.post(path+"/attach", "customer="+bob.id()))
	want(t, r.must(200, r.post(path, "card[exp_month]=5&card[exp_year]=2030&metadata[k]=v")), map[string]any{"card.exp_month": 5, "card.last4": "4242", "metadata.k": "v"})
	r.must(400, r.post(path, "card[exp_month]=13"))
	r.must(200, r.post("/v1/customers/"+ann, "invoice_settings[default_payment_method]="+card.id()))
	r.must(400, r.post("/v1/customers/"+ann, "invoice_settings[default_payment_method]="+amex))
	if diff := cmp.Diff([]string{card.id()}, r.get("/v1/customers/"+ann+"/payment_methods?type=card").ids()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{amex}, r.get("/v1/payment_methods?customer="+bob.id()).ids()); diff != "" {
		t.Error(diff)
	}
	r.must(404, r.get("/v1/customers/"+ann+"/payment_methods/"+amex))
	r.must(200, r.get("/v1/customers/"+bob.id()+"/payment_methods/"+amex))
	want(t, r.must(200, r.post(path+"/detach", "")), map[string]any{"customer": nil})
	want(t, r.get("/v1/customers/"+ann), map[string]any{"invoice_settings.default_payment_method": nil})
	r.must(400, r.post(path+"/detach", ""))
	r.must(400, r.post(path+"/attach", "customer="+ann))
}

func TestRefusedMethods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann := r.must(200, r.post("/v1/customers", "")).id()
	no := r.must(402, r.post("/v1/payment_methods/pm_card_chargeDeclined/attach", "customer="+ann))
	want(t, no, map[string]any{"error.code": "card_declined", "error.param": "", "error.decline_code": "generic_decline"})
	r.must(200, r.post("/v1/payment_methods/pm_card_chargeCustomerFail/attach", "customer="+ann))
	no = r.must(404, r.post("/v1/payment_methods/nope/attach", "customer="+ann))
	want(t, no, map[string]any{"error.code": "resource_missing", "error.param": "payment_method"})
	want(t, r.must(400, r.post("/v1/payment_methods/pm_card_visa/attach", "")), map[string]any{"error.code": "parameter_missing"})
	no = r.must(402, r.post("/v1/payment_methods", "type=card&card[number]=4242424242424242&card[exp_month]=1&card[exp_year]=2030"))
	if message, _ := no.at("error.message").(string); !strings.Contains(message, "generally unsafe") {
		t.Error(message)
	}
	r.must(400, r.post("/v1/payment_methods", "type=sepa_debit"))
	r.must(400, r.post("/v1/payment_methods", ""))
	r.must(400, r.post("/v1/payment_methods", "type=card&card[token]=tok_nope"))
}

func TestPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var ids []string // newest first
	for i := range 12 {
		r.now = r.now.Add(time.Minute)
		mail := fmt.Sprintf("email=%d@b.co", i%2)
		ids = append([]string{r.must(200, r.post("/v1/customers", mail)).id()}, ids...)
	}
	start := r.now.Unix()
	tests := []struct {
		query string
		want  []string
		more  bool
	}{
		{"", ids[:10], true},
		{"limit=3", ids[:3], true},
		{"limit=100", ids, false},
		{"limit=3&starting_after=" + ids[2], ids[3:6], true},
		{"limit=3&starting_after=" + ids[8], ids[9:12], false},
		{"starting_after=" + ids[11], []string{}, false},
		{"limit=3&ending_before=" + ids[5], ids[2:5], true},
		{"limit=3&ending_before=" + ids[3], ids[0:3], false},
		{"ending_before=" + ids[0], []string{}, false},
		{"limit=2&email=1@b.co", []string{ids[0], ids[2]}, true},
		{"limit=2&email=1@b.co&starting_after=" + ids[2], []string{ids[4], ids[6]}, true},
		{"limit=2&email=1@b.co&ending_before=" + ids[4], []string{ids[0], ids[2]}, false},
		{"email=nobody", []string{}, false},
		{fmt.Sprintf("created[gte]=%d", start-60), ids[:2], false},
		{fmt.Sprintf("created[gt]=%d&created[lt]=%d", start-180, start), ids[1:3], false},
		{fmt.Sprintf("created=%d", start-60), ids[1:2], false},
		{fmt.Sprintf("created[lte]=%d&limit=1", start-60), ids[1:2], true},
	}
	for _, test := range tests {
		page := r.must(200, r.get("/v1/customers?"+test.query))
		if diff := cmp.Diff(test.want, page.ids()); diff != "" {
			t.Errorf("%s: %s", test.query, diff)
		}
		want(t, page, map[string]any{"has_more": test.more, "object": "list", "url": "/v1/customers"})
	}
	no := r.must(400, r.get("/v1/customers?starting_after=cus_nope"))
	want(t, no, map[string]any{"error.code": "resource_missing", "error.param": "starting_after", "error.message": "No such customer: 'cus_nope'"})
	r.must(400, r.get("/v1/customers?limit=0"))
	r.must(400, r.get("/v1/customers?limit=101"))
}

func TestFiltersOfOtherLists(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann := r.must(200, r.post("/v1/customers", "")).id()
	mine, charge := r.pay("amount=500&currency=usd&payment_method=pm_card_visa&customer=" + ann)
	other, _ := r.pay("amount=500&currency=usd&payment_method=pm_card_visa")
	for query, wanted := range map[string][]string{
		"/v1/payment_intents?customer=" + ann:        {mine},
		"/v1/payment_intents":                        {other, mine},
		"/v1/charges?customer=" + ann:                {charge},
		"/v1/charges?payment_intent=" + mine:         {charge},
		"/v1/charges?transfer_group=none":            {},
		"/v1/refunds?payment_intent=" + mine:         {},
		"/v1/events?type=charge.refunded":            {},
		"/v1/events?types[]=charge.nope&limit=1":     {},
		"/v1/charges?customer=" + ann + "&created=1": {},
	} {
		if diff := cmp.Diff(wanted, r.must(200, r.get(query)).ids()); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if n := len(r.get("/v1/events?type=charge.*").ids()); n != 2 {
		t.Errorf("%d charge events", n)
	}
	r.must(400, r.get("/v1/charges?customer=cus_nope"))
	first := r.get("/v1/events?limit=1")
	want(t, r.must(200, r.get("/v1/events/"+first.ids()[0])), map[string]any{"object": "event", "request.idempotency_key": nil})
}

func TestExpand(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ann := r.must(200, r.post("/v1/customers", "email=a@b.co")).id()
	method := r.must(200, r.post("/v1/payment_methods/pm_card_visa/attach", "customer="+ann)).id()
	r.must(200, r.post("/v1/customers/"+ann, "invoice_settings[default_payment_method]="+method))
	intent, charge := r.pay("amount=500&currency=usd&customer=" + ann + "&payment_method=" + method)
	refund := r.must(200, r.post("/v1/refunds", "amount=100&charge="+charge)).id()
	tests := []struct{ query, path, want string }{
		{"/v1/payment_intents/" + intent + "?expand[]=customer", "customer.email", "a@b.co"},
		{"/v1/payment_intents/" + intent + "?expand[0]=latest_charge", "latest_charge.id", charge},
		{"/v1/payment_intents/" + intent + "?expand[]=latest_charge.customer&expand[]=customer", "latest_charge.customer.id", ann},
		{"/v1/payment_intents/" + intent + "?expand[]=latest_charge.payment_intent.latest_charge.customer", "latest_charge.payment_intent.latest_charge.customer.email", "a@b.co"},
		{"/v1/payment_intents/" + intent + "?expand[]=latest_charge.refunds.data.charge", "latest_charge.refunds.data.0.charge.id", charge},
		{"/v1/charges/" + charge + "?expand[]=refunds", "refunds.data.0.id", refund},
		{"/v1/charges/" + charge + "?expand[]=balance_transaction", "id", charge},
		{"/v1/customers/" + ann + "?expand[]=invoice_settings.default_payment_method", "invoice_settings.default_payment_method.card.last4", "4242"},
		{"/v1/payment_intents?expand[]=data.customer", "data.0.customer.email", "a@b.co"},
		{"/v1/refunds?expand[]=data.charge.payment_intent.customer", "data.0.charge.payment_intent.customer.id", ann},
	}
	for _, test := range tests {
		want(t, r.must(200, r.get(test.query)), map[string]any{test.path: test.want})
	}
	for query, message := range map[string]string{
		"/v1/payment_intents?expand[]=customer":                        "This property cannot be expanded (customer). You may want to try expanding 'data.customer' instead.",
		"/v1/payment_intents?expand[]=data.amount":                     "This property cannot be expanded (data.amount).",
		"/v1/charges/" + charge + "?expand[]=customer.bogus":           "This property cannot be expanded (customer.bogus).",
		"/v1/refunds?expand[]=data.charge.payment_intent.customer.tax": "You cannot expand more than 4 levels of a property. Property: data.charge.payment_intent.customer.tax",
		"/v1/charges/ch_nope?expand[]=bogus":                           "This property cannot be expanded (bogus).",
		"/v1/charges/" + charge + "?expand[]=a.b.c.d.e":                "You cannot expand more than 4 levels of a property. Property: a.b.c.d.e",
		"/v1/charges/" + charge + "?expand[]=refunds.items.charge":     "This property cannot be expanded (refunds.items).",
	} {
		want(t, r.must(400, r.get(query)), map[string]any{"error.message": message})
	}
	// A bad path stops a creation, too.
	before := r.world.Len("stripe.customers")
	r.must(400, r.post("/v1/customers", "expand[]=bogus"))
	if n := r.world.Len("stripe.customers"); n != before {
		t.Error("a customer was made")
	}
	plain := r.get("/v1/payment_intents/" + intent)
	want(t, plain, map[string]any{"customer": ann, "latest_charge": charge})
}

func TestMetadataRules(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf("metadata[k%d]=v", i))
	}
	r.must(400, r.post("/v1/customers", strings.Join(many, "&")))
	id := r.must(200, r.post("/v1/customers", strings.Join(many[:50], "&"))).id()
	r.must(400, r.post("/v1/customers/"+id, "metadata[one]=more"))
	r.must(200, r.post("/v1/customers/"+id, "metadata[one]=more&metadata[k0]="))
	r.must(400, r.post("/v1/customers", "metadata["+strings.Repeat("k", 41)+"]=v"))
	r.must(200, r.post("/v1/customers", "metadata["+strings.Repeat("k", 40)+"]=v"))
	r.must(400, r.post("/v1/customers", "metadata[k]="+strings.Repeat("v", 501)))
	r.must(200, r.post("/v1/customers", "metadata[k]="+strings.Repeat("v", 500)))
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	plain := r.must(200, r.post("/v1/customers", ""))
	if diff := cmp.Diff(http.Header{
		"Content-Type": {"application/json"}, "Request-Id": plain.header["Request-Id"], "Stripe-Version": {"2026-08-26.dahlia"},
	}, plain.header); diff != "" {
		t.Error(diff)
	}
	keyed := r.must(200, r.send("POST", "/v1/customers", "", http.Header{"Idempotency-Key": {"k"}, "Stripe-Version": {"2020-08-27"}}))
	id := keyed.header["Request-Id"]
	if diff := cmp.Diff(http.Header{
		"Content-Type": {"application/json"}, "Request-Id": id, "Stripe-Version": {"2020-08-27"},
		"Idempotency-Key": {"k"}, "Original-Request": id, "Stripe-Should-Retry": {"false"},
	}, keyed.header); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(id[0], "req_") || len(id[0]) != len("req_")+14 {
		t.Errorf("Request-Id is %q", id)
	}
}
