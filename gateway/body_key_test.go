package gateway_test

import (
	"net/http"
	"testing"
)

// A key in the body was one for the fake, and none for the faults that take a
// call for a new one.
func TestAKeyInTheBodyIsForgottenAndDoubledAsOneInAHeaderIs(t *testing.T) {
	t.Parallel()
	const bank = `openapi: 3.0.3
info: {title: bank, version: "1"}
servers: [{url: "https://bank.example"}]
paths:
  /payments:
    get: {responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/P"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {type: object, required: [idempotency_key], properties: {idempotency_key: {type: string}, amount: {type: integer}}}}}}, responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/P"}}}}}}
  /payments/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/P"}}}}}}
components: {schemas: {P: {type: object, properties: {id: {type: string}, amount: {type: integer}}}}}
`
	for inject, want := range map[string]int{
		"":                     1,
		"duplicate-effect":     2,
		"idempotency-conflict": 3,
	} {
		faults := map[string]string{
			"":                     "",
			"duplicate-effect":     "faults: {it: {call: bank POST /payments, inject: duplicate-effect, trigger: {nth: 1}}}\n",
			"idempotency-conflict": "faults: {it: {call: bank POST /payments, inject: idempotency-conflict, with: {how: forgotten}, trigger: {tries: 9}}}\n",
		}[inject]
		h := open(t, "profile: bank\nseed: 7\nservices: {bank: {contract: bank.yaml}}\nclock: {mode: stepped}\n"+faults, beside(t, "bank.yaml", bank))
		for range 3 {
			sends(t, h, "POST", "/bank/payments", "application/json", `{"idempotency_key":"one-and-only","amount":5}`)
		}
		made := map[string]bool{}
		for _, x := range exchanges(h) {
			if x.Status != http.StatusOK || x.Intent.Key == "" {
				t.Errorf("%s: answered %d, with the key %q", inject, x.Status, x.Intent.Key)
			}
		}
		events, _ := h.events()
		for i := range events {
			for _, c := range events[i].Delta {
				if c.Collection == "bank.payments" {
					made[c.ID] = true
				}
			}
		}
		if len(made) != want {
			t.Errorf("%s: %d payments, want %d", inject, len(made), want)
		}
	}
}
