package stripe_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the sweep and the walks found, by its symptom.

func TestAnUnsetShippingNameIsTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const unnamed = "shipping[name]=&shipping[address][city]=Graz"
	customer := r.must(200, r.post("/v1/customers", unnamed))
	intent := r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd&"+unnamed))
	paid, charge := r.pay("amount=1000&currency=usd&payment_method=pm_card_visa&" + unnamed)
	for _, path := range []string{"/v1/customers/" + customer.id(), "/v1/payment_intents/" + intent.id(), "/v1/payment_intents/" + paid, "/v1/charges/" + charge} {
		got := r.get(path)
		want(t, got, map[string]any{"shipping.address.city": "Graz", "shipping.phone": nil})
		if strings.Contains(asJSON(got.at("shipping")), `"name"`) {
			t.Errorf("%s: an unset name is shown: %s", path, asJSON(got.at("shipping")))
		}
	}
	want(t, r.must(200, r.post("/v1/charges/"+charge, unnamed)), map[string]any{"shipping.address.city": "Graz"})
}

func TestTransferOfAnIntentIsChanged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.connect("acct_1")
	made := r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd&capture_method=manual&transfer_data[destination]=acct_1"+
		"&transfer_data[description]=&transfer_data[metadata][a]=1&transfer_data[metadata][b]=2"))
	want(t, made, map[string]any{"transfer_data": map[string]any{"destination": "acct_1", "metadata": map[string]any{"a": "1", "b": "2"}}})
	path := "/v1/payment_intents/" + made.id()
	changed := r.must(200, r.post(path, "transfer_data[amount]=900&transfer_data[description]=d&transfer_data[metadata][a]="))
	want(t, changed, map[string]any{"transfer_data": map[string]any{"amount": 900, "description": "d", "destination": "acct_1", "metadata": map[string]any{"b": "2"}}})
	want(t, r.must(200, r.post(path, "transfer_data[description]=&transfer_data[metadata]=")), map[string]any{
		"transfer_data": map[string]any{"amount": 900, "destination": "acct_1", "metadata": map[string]any{}},
	})

	r.must(200, r.post(path+"/confirm", "payment_method=pm_card_visa&return_url=https://a.example"))
	captured := r.must(200, r.post(path+"/capture", "amount_to_capture=500&transfer_data[amount]=400&expand[]=latest_charge"))
	want(t, captured, map[string]any{"transfer_data.amount": 400, "latest_charge.transfer_data": map[string]any{"amount": 400, "destination": "acct_1"}})

	none := r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd"))
	want(t, r.must(200, r.post("/v1/payment_intents/"+none.id(), "transfer_data[amount]=900")), map[string]any{"transfer_data": nil})
}

func TestARefusedCustomerLeavesNoMethodBehind(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	before := r.world.Hash()
	no := r.must(400, r.post("/v1/customers", "payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_none"))
	want(t, no, map[string]any{"error.code": "resource_missing", "error.param": "invoice_settings[default_payment_method]"})
	if r.world.Hash() != before {
		t.Error("a refused call left something behind")
	}
	loose := r.must(200, r.post("/v1/payment_methods", "type=card&card[token]=tok_visa")).id()
	for _, method := range []string{"pm_card_visa", loose} {
		made := r.must(200, r.post("/v1/customers", "payment_method="+method+"&invoice_settings[default_payment_method]="+method+"&expand[]=invoice_settings.default_payment_method"))
		want(t, made, map[string]any{"invoice_settings.default_payment_method.customer": made.id()})
	}
}

func TestAChargeShowsWhatItsCaptureSaid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, charge := r.pay("amount=1000&currency=usd&payment_method=pm_card_visa&capture_method=manual")
	captured := r.must(200, r.post("/v1/charges/"+charge+"/capture", "application_fee=10&receipt_email=a@b.co&statement_descriptor=ONE&statement_descriptor_suffix=TWO&transfer_group=g"))
	want(t, captured, map[string]any{
		"application_fee_amount": 10, "receipt_email": "a@b.co", "statement_descriptor": "ONE",
		"statement_descriptor_suffix": "TWO", "transfer_group": "g", "captured": true,
	})

	intent, charge := r.pay("amount=1000&currency=usd&payment_method=pm_card_visa&capture_method=manual")
	r.must(200, r.post("/v1/payment_intents/"+intent+"/capture", "application_fee_amount=20&statement_descriptor=ONE&payment_details[order_reference]=o"))
	want(t, r.get("/v1/charges/"+charge), map[string]any{"application_fee_amount": 20, "statement_descriptor": "ONE"})
	want(t, r.get("/v1/payment_intents/"+intent), map[string]any{"application_fee_amount": 20, "payment_details.order_reference": "o"})
}

func TestAChargeKeepsItsCustomer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	one, other := r.post("/v1/customers", "").id(), r.post("/v1/customers", "").id()
	_, charge := r.pay("amount=1000&currency=usd&payment_method=pm_card_visa")
	want(t, r.must(200, r.post("/v1/charges/"+charge, "customer="+one)), map[string]any{"customer": one})
	r.must(200, r.post("/v1/charges/"+charge, "customer="+one))
	want(t, r.must(400, r.post("/v1/charges/"+charge, "customer="+other)), map[string]any{"error.param": "customer"})
	want(t, r.get("/v1/charges/"+charge), map[string]any{"customer": one})
}

func TestAnIntentUnsetsWhatItIsToldTo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd&payment_method=pm_card_visa&payment_details[order_reference]=o&payment_details[customer_reference]=c"+
		"&excluded_payment_method_types[]=link&hooks[inputs][tax][calculation]=t"))
	want(t, made, map[string]any{"status": "requires_confirmation", "excluded_payment_method_types.0": "link", "hooks.inputs.tax.calculation": "t"})
	path := "/v1/payment_intents/" + made.id()
	want(t, r.must(200, r.post(path, "payment_details[order_reference]=")), map[string]any{"payment_details": map[string]any{"customer_reference": "c"}})
	unset := r.must(200, r.post(path, "payment_method=&payment_details=&excluded_payment_method_types=&payment_method_options[card]="))
	want(t, unset, map[string]any{"status": "requires_payment_method", "payment_method": nil, "payment_details": nil, "excluded_payment_method_types": nil, "payment_method_options.card": nil})
	want(t, r.must(400, r.post(path+"/confirm", "return_url=https://a.example")), map[string]any{"error.code": "payment_intent_unexpected_state"})
}

func TestAConfirmationMayNameTheKindsOfMethod(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	path := "/v1/payment_intents/" + r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd&payment_method_types[]=link")).id() + "/confirm"
	r.must(400, r.post(path, "payment_method=pm_card_visa"))
	want(t, r.must(200, r.post(path, "payment_method=pm_card_visa&payment_method_types[]=card")), map[string]any{"payment_method_types": []any{"card"}, "status": "succeeded"})
}

func TestADeletedCustomerGetsNoMethods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	customer := r.post("/v1/customers", "").id()
	intent := r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd&payment_method_types[]=card&setup_future_usage=off_session&customer="+customer)).id()
	r.must(200, r.send("DELETE", "/v1/customers/"+customer, "", nil))
	paid := r.must(200, r.post("/v1/payment_intents/"+intent+"/confirm", "payment_method=pm_card_visa&expand[]=payment_method"))
	want(t, paid, map[string]any{"status": "succeeded", "payment_method.customer": nil})
}

func TestMethodsKeepTheirSmallPrint(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.must(200, r.post("/v1/payment_methods", "type=card&card[token]=tok_visa&card[networks][preferred]=cartes_bancaires&radar_options[session]=rse_1"))
	want(t, made, map[string]any{"card.networks.preferred": "cartes_bancaires", "card.networks.available.0": "visa", "radar_options": map[string]any{"session": "rse_1"}})
	want(t, r.must(200, r.post("/v1/payment_methods/"+made.id(), "card[networks][preferred]=")), map[string]any{"card.networks.preferred": nil})

	customer := r.must(200, r.post("/v1/customers", "invoice_settings[rendering_options][amount_tax_display]="))
	want(t, customer, map[string]any{"invoice_settings.rendering_options": map[string]any{"amount_tax_display": nil, "template": nil}})
}

func TestListsOfWhatIsNotThereAreEmpty(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.must(200, r.post("/v1/customers", ""))
	clock := r.must(200, r.post("/v1/test_helpers/test_clocks", "frozen_time=1772366400")).id()
	clocked := r.must(200, r.post("/v1/customers", "test_clock="+clock)).id()
	r.pay("amount=1000&currency=usd&payment_method=pm_card_visa")
	for path, ids := range map[string][]string{
		"/v1/customers?test_clock=" + clock:          {clocked},
		"/v1/payment_intents?customer_account=acct_": {},
		"/v1/payment_methods?customer_account=acct_": {},
	} {
		if diff := cmp.Diff(ids, r.must(200, r.get(path)).ids()); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestCapturingAFailedChargeTakesNoOther(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	intent := "/v1/payment_intents/" + r.must(200, r.post("/v1/payment_intents", "amount=1000&currency=usd&capture_method=manual&payment_method_types[]=card")).id()
	failed, _ := r.must(402, r.post(intent+"/confirm", "payment_method=pm_card_chargeDeclined")).at("error.charge").(string)
	held := r.must(200, r.post(intent+"/confirm", "payment_method=pm_card_visa"))
	r.must(400, r.post("/v1/charges/"+failed+"/capture", ""))
	want(t, r.get(intent), map[string]any{"status": "requires_capture", "amount_received": 0})
	latest, _ := held.at("latest_charge").(string)
	want(t, r.must(200, r.post("/v1/charges/"+latest+"/capture", "")), map[string]any{"id": latest, "captured": true})
}
