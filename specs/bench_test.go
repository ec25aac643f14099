package specs

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// stripe is the shipped contract, loaded once for all tests that only read it.
func stripe(tb testing.TB) *Contract {
	tb.Helper()
	contract, err := Builtin("stripe")
	if err != nil {
		tb.Fatal(err)
	}
	return contract
}

func operation(tb testing.TB, c *Contract, name string) *Operation {
	tb.Helper()
	op, ok := c.Operation(name)
	if !ok {
		tb.Fatalf("no operation %s", name)
	}
	return op
}

// intentForm is what stripe-node sends for a typical server-side payment.
const intentForm = "amount=12000&currency=usd&customer=cus_NffrFeUfNV2Hib&payment_method=pm_card_visa&confirm=true" +
	"&description=Order%206735&metadata[order_id]=6735&receipt_email=a%40b.co" +
	"&automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=never" +
	"&shipping[name]=Jo&shipping[address][line1]=1%20St&shipping[address][city]=Graz&shipping[address][country]=AT&expand[0]=latest_charge"

func formHeader() http.Header {
	return http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
}

// intentRecord is a payment intent with every field that an ordinary one has.
func intentRecord() map[string]any {
	return map[string]any{
		"id": "pi_3MtwBwLkdIwHu7ix28a3tqPa", "object": "payment_intent", "amount": int64(12000), "amount_capturable": int64(0),
		"amount_details": map[string]any{"tip": map[string]any{}}, "amount_received": int64(12000), "application": nil,
		"application_fee_amount":    nil,
		"automatic_payment_methods": map[string]any{"enabled": true, "allow_redirects": "never"},
		"canceled_at":               nil, "cancellation_reason": nil, "capture_method": "automatic_async",
		"client_secret":       "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH",
		"confirmation_method": "automatic", "created": int64(1680800504), "currency": "usd", "customer": "cus_NffrFeUfNV2Hib",
		"customer_account": nil, "description": "Order 6735", "excluded_payment_method_types": nil,
		"last_payment_error": nil, "latest_charge": "ch_3MtwBwLkdIwHu7ix28a3tqPa", "livemode": false,
		"metadata": map[string]any{"order_id": "6735"}, "next_action": nil, "on_behalf_of": nil,
		"payment_details": map[string]any{}, "payment_method": "pm_1MtwBwLkdIwHu7ixabcdefgh",
		"payment_method_configuration_details": nil,
		"payment_method_options":               map[string]any{"card": map[string]any{"request_three_d_secure": "automatic"}},
		"payment_method_types":                 []any{"card"}, "processing": nil, "receipt_email": "a@b.co", "review": nil,
		"setup_future_usage": nil,
		"shipping": map[string]any{
			"name": "Jo", "phone": nil, "carrier": nil, "tracking_number": nil,
			"address": map[string]any{"line1": "1 St", "line2": nil, "city": "Graz", "postal_code": nil, "state": nil, "country": "AT"},
		},
		"statement_descriptor": nil, "statement_descriptor_suffix": nil, "status": "succeeded",
		"transfer_data": nil, "transfer_group": nil,
	}
}

func BenchmarkBuiltin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		stripe(b)
	}
}

// BenchmarkFirstUse is a start: load, and compile what one refund needs.
func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c := stripe(b)
		op := operation(b, c, "PostPaymentIntents")
		if _, found := op.Read(Request{Header: formHeader(), Body: []byte(intentForm)}); len(found) > 0 {
			b.Fatal(found)
		}
		if found := c.CheckRecord("payment_intents", intentRecord()); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	c := stripe(b)
	for _, path := range []string{"/v1/customers", "/v1/charges/ch_3MtwBwLkdIwHu7ix28a3tqPa", "/v1/customers/cus_1/payment_methods"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c.Match(http.MethodGet, path).Operation == nil {
					b.Fatal("no match")
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	c := stripe(b)
	create, list := operation(b, c, "PostPaymentIntents"), operation(b, c, "GetCharges")
	b.Run("payment intent form", func(b *testing.B) {
		r := Request{Header: formHeader(), Body: []byte(intentForm)}
		b.ReportAllocs()
		for b.Loop() {
			if _, found := create.Read(r); len(found) > 0 {
				b.Fatal(found)
			}
		}
	})
	b.Run("list query", func(b *testing.B) {
		r := Request{Header: formHeader(), Query: "limit=20&created[gte]=1680800504&expand[]=data.customer"}
		b.ReportAllocs()
		for b.Loop() {
			if _, found := list.Read(r); len(found) > 0 {
				b.Fatal(found)
			}
		}
	})
	b.Run("get one", func(b *testing.B) {
		get := operation(b, c, "GetChargesCharge")
		r := Request{Header: formHeader(), Path: map[string]string{"charge": "ch_3MtwBwLkdIwHu7ix28a3tqPa"}}
		b.ReportAllocs()
		for b.Loop() {
			if _, found := get.Read(r); len(found) > 0 {
				b.Fatal(found)
			}
		}
	})
}

func BenchmarkCheckRecord(b *testing.B) {
	c := stripe(b)
	record := intentRecord()
	b.ReportAllocs()
	for b.Loop() {
		if found := c.CheckRecord("payment_intents", record); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// BenchmarkTheirs is what the parts would cost if the libraries did all of it.
func BenchmarkTheirs(b *testing.B) {
	c := stripe(b)
	k := c.collections()["payment_intents"].records[0]
	record := intentRecord()
	b.Run("record by jsonschema", func(b *testing.B) {
		if err := k.compile(); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := k.compiled.Validate(record); err != nil {
				b.Fatal(err)
			}
		}
	})
	doc, err := openapi3.NewLoader().LoadFromFile("stripe/openapi.yaml")
	if err != nil {
		b.Fatal(err)
	}
	of := doc.Components.Schemas["payment_intent"].Value
	b.Run("record by kin-openapi", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := of.VisitJSON(record); err != nil {
				b.Fatal(err)
			}
		}
	})
	router, err := legacy.NewRouter(doc)
	if err != nil {
		b.Fatal(err)
	}
	// One path parameter: their decoders take neither Stripe's brackets in
	// queries nor its forms.
	r := httptest.NewRequest(http.MethodDelete, "https://api.stripe.com/v1/customers/cus_NffrFeUfNV2Hib", nil)
	b.Run("path by openapi3filter", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			route, path, err := router.FindRoute(r)
			if err != nil {
				b.Fatal(err)
			}
			options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
			in := &openapi3filter.RequestValidationInput{Request: r, PathParams: path, Route: route, Options: options}
			if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("path by us", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			match := c.Match(r.Method, r.URL.EscapedPath())
			if _, found := match.Operation.Read(Request{Path: match.Path, Query: r.URL.RawQuery, Header: r.Header}); len(found) > 0 {
				b.Fatal(found)
			}
		}
	})
}
