package specs

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestStripeAgainstTheVendor checks that all our contract says of Stripe is in
// the vendor's: operations by path, method and id; parameters by name; fields
// of records by name, and their being nullable.
func TestStripeAgainstTheVendor(t *testing.T) {
	t.Parallel()
	var theirs vendorDocument
	if err := json.Unmarshal(sharedContract(t, "stripe.json.gz"), &theirs); err != nil {
		t.Fatal(err)
	}
	contract := stripe(t)
	for _, op := range contract.Operations {
		op.read()
		vendor, ok := theirs.Paths[op.Path][strings.ToLower(op.Method)]
		if op.ID == "GetInvoicesUpcoming" {
			continue // of versions before 2025-03-31
		}
		if !ok || vendor.OperationID != op.ID {
			t.Errorf("%s (%s) is %q in the vendor's contract", op.Name(), op.ID, vendor.OperationID)
			continue
		}
		for in, part := range map[string]*part{"path": op.path, "query": op.query} {
			if part == nil {
				continue
			}
			for name := range part.known().properties {
				if _, inBody := vendor.RequestBody.Content["application/x-www-form-urlencoded"].Schema.Properties[name]; inBody && op.Method == "DELETE" {
					continue // the vendor's document has it in a body, its SDKs in the query
				}
				if !older(name) && !slices.ContainsFunc(vendor.Parameters, func(p parameter) bool { return p.In == in && p.Name == name }) {
					t.Errorf("%s: %s parameter %s is not the vendor's", op.Name(), in, name)
				}
			}
		}
		for _, body := range op.bodies {
			properties := vendor.RequestBody.Content[body.pattern].Schema.Properties
			for name := range body.part.known().properties {
				if _, ok := properties[name]; !ok && !older(name) {
					t.Errorf("%s: body parameter %s is not the vendor's", op.Name(), name)
				}
			}
			for name := range properties {
				if body.part.known().properties[name] == nil && op.ID != "PostPaymentMethods" {
					t.Logf("%s: we leave out %s", op.Name(), name)
				}
			}
		}
	}
	theirs.records(t)
}

// records compares the schemas of records, and of their parts. Fields that may
// be null here but not there would be news to the vendor's SDKs.
func (d vendorDocument) records(t *testing.T) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("stripe/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for ours, vendor := range map[string]string{
		"customer": "customer", "deleted_customer": "deleted_customer", "payment_method": "payment_method",
		"payment_intent": "payment_intent", "charge": "charge", "refund": "refund", "event": "event",
		"address": "address", "shipping": "shipping", "billing_details": "billing_details", "transfer_data": "transfer_data",
		"payment_method_card": "payment_method_card", "card_checks": "payment_method_card_checks",
		"charge_card": "payment_method_details_card", "charge_outcome": "charge_outcome", "api_error": "api_errors",
	} {
		theirs := d.Components.Schemas[vendor].Properties
		for name, property := range doc.Components.Schemas[ours].Value.Properties {
			field, ok := theirs[name]
			if !ok && unsaid(name) {
				continue
			}
			if !ok {
				t.Errorf("%s: field %s is not the vendor's", ours, name)
				continue
			}
			// Where theirs only refers, the nullable may be at what it refers to.
			if property.Value.Nullable && !field.Nullable && field.Ref == "" {
				t.Errorf("%s: field %s may be null here, and may not in the vendor's contract", ours, name)
			}
			if field.Nullable && !property.Value.Nullable {
				t.Errorf("%s: field %s may be null in the vendor's contract, and may not here", ours, name)
			}
		}
	}
}

// older tells whether a parameter is one of Stripe's versions before 2025-10:
// its document has the newest only, and clients are on all of them.
func older(name string) bool {
	return slices.Contains([]string{"coupon", "plan", "price", "promotion_code", "quantity", "unit_amount"}, name)
}

// unsaid tells whether Stripe sends a field that its document does not have,
// as recorded: some always, some to clients of older versions.
func unsaid(name string) bool {
	return slices.Contains([]string{"charges", "destination", "dispute", "invoice", "order", "source"}, name)
}

type vendorDocument struct {
	Paths      map[string]map[string]vendorOperation
	Components struct {
		Schemas map[string]vendorSchema
	}
}

type parameter struct{ Name, In string }

type vendorOperation struct {
	OperationID string
	Parameters  []parameter
	RequestBody struct {
		Content map[string]struct{ Schema vendorSchema }
	}
}

type vendorSchema struct {
	Ref        string `json:"$ref"`
	Nullable   bool
	Properties map[string]vendorSchema
}

func (o *vendorOperation) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return nil // summary, parameters and so on beside the methods
	}
	type plain vendorOperation
	return json.Unmarshal(data, (*plain)(o))
}
