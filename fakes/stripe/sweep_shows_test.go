package stripe_test

import (
	"fmt"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// shows holds the record of an answer against the parameters that were sent,
// where the two have a name in common.
func (s *sweep) shows(operation *specs.Operation, call *fakes.Call, reply fakes.Reply, what string) {
	fields := s.document.fields(operation.Anatomy.Collection)
	for name, sent := range call.Input.Body {
		if !fields[name] || s.expandsField(call, name) || shownOtherwise(operation.ID, name, sent) != "" {
			continue
		}
		if name == "payment_method" && call.Input.Body["payment_method_data"] != nil {
			continue // which of the two is shown is not what this is about
		}
		if !isShown(name, sent, reply.Result[name]) {
			s.complain(fmt.Sprintf("%s does not show the %s that was sent", operation.ID, name), "%s\n\tsent %s, shown %s", what, asJSON(sent), asJSON(reply.Result[name]))
		}
	}
}

// filters holds the items of a page against the query, where the two have a
// name in common.
func (s *sweep) filters(operation *specs.Operation, call *fakes.Call, reply fakes.Reply, what string) {
	fields := s.document.fields(operation.Anatomy.Collection)
	if len(call.Input.Query) == 1 {
		s.complete(operation, call, reply, what)
	}
	for name, sent := range call.Input.Query {
		text, isText := sent.(string)
		if text == "" || !isText || !fields[name] || strings.HasSuffix(text, "*") || s.expandsField(call, name) {
			continue
		}
		for _, item := range list(reply.Result["data"]) {
			if record := item.(map[string]any); record[name] != text {
				s.complain(fmt.Sprintf("%s lists what its %s does not ask for", operation.ID, name), "%s\n\t%s", what, asJSON(record[name]))
			}
		}
	}
}

// complete holds a page against all that its one filter asks for.
func (s *sweep) complete(operation *specs.Operation, call *fakes.Call, reply fakes.Reply, what string) {
	const page = 10
	for name, sent := range call.Input.Query {
		if text, isText := sent.(string); !isText || text == "" || !s.document.fields(operation.Anatomy.Collection)[name] || strings.HasSuffix(text, "*") {
			continue
		}
		want := 0
		for record := range call.Tx.Newest("stripe."+operation.Anatomy.Collection, 0) {
			owner, nested := call.Input.Path["customer"]
			if record.Value()[name] == sent && (!nested || record.Value()["customer"] == owner) {
				want++
			}
		}
		if have := len(list(reply.Result["data"])); have != min(want, page) {
			s.complain(operation.ID+" does not list all that its "+name+" asks for", "%s\n\t%d of %d", what, have, want)
		}
	}
}

// expansions gives what a call asked to have expanded in each record.
func (s *sweep) expansions(call *fakes.Call) []string {
	var paths []string
	for _, given := range []map[string]any{call.Input.Body, call.Input.Query} {
		for _, path := range list(given["expand"]) {
			text, _ := path.(string)
			paths = append(paths, strings.TrimPrefix(text, "data."))
		}
	}
	return paths
}

func (s *sweep) expandsField(call *fakes.Call, name string) bool {
	for _, path := range s.expansions(call) {
		if first, _, _ := strings.Cut(path, "."); first == name {
			return true
		}
	}
	return false
}

// expands holds what was to be expanded: it is null, or a
// record, or the id of one that is not there.
func (s *sweep) expands(operation *specs.Operation, call *fakes.Call, reply fakes.Reply, what string) {
	records := list(reply.Result["data"])
	if operation.Anatomy.Items == "" {
		records = []any{reply.Result}
	}
	for _, path := range s.expansions(call) {
		target, refers := s.service.Contract.Refers(operation.Anatomy.Collection, path)
		if !refers {
			continue
		}
		for _, one := range records {
			value := got{body: one.(map[string]any)}.at(path)
			id, isID := value.(string)
			if _, there := call.Tx.Get("stripe."+target, id); isID && there {
				s.complain(operation.ID+" does not expand "+path, "%s\n\t%s", what, asJSON(value))
			}
		}
	}
}

// isShown tells whether a record's field is what was sent for it: "" unsets,
// and an object changes the parts that it names.
func isShown(name string, sent, shown any) bool {
	switch x := sent.(type) {
	case string:
		if name == "currency" {
			return shown == strings.ToLower(x)
		}
		if text, isText := shown.(string); isText && strings.HasPrefix(x, "pm_card_") {
			return strings.HasPrefix(text, "pm_1") // a method made of the token
		}
		if x == "" {
			m, isMap := shown.(map[string]any)
			return shown == nil || isMap && len(m) == 0 || name == "tax_exempt" && shown == "none"
		}
	case map[string]any:
		if name == "hooks" || name == "payment_data" { // the contract says nothing of their parts
			break
		}
		m, _ := shown.(map[string]any)
		for part, value := range x {
			if !isShown(part, value, m[part]) {
				return false
			}
		}
		return true
	}
	return asJSON(sent) == asJSON(shown)
}

// shownOtherwise says why a record does not show what was sent; "" where it
// has to.
func shownOtherwise(operation, name string, sent any) string {
	parts, _ := sent.(map[string]any)
	switch operation + " " + name {
	case "PostChargesChargeCapture amount":
		return "it is the amount_captured"
	case "PostChargesChargeCapture application_fee":
		return "it is the application_fee_amount; this field is an id"
	case "PostPaymentIntentsIntentConfirm client_secret":
		return "it proves who calls"
	case "PostPaymentMethods card":
		if parts["networks"] == nil {
			return "the token decides"
		}
		delete(parts, "token")
		delete(parts, "exp_month")
		delete(parts, "exp_year")
		delete(parts, "cvc")
	case "PostPaymentMethods customer":
		return "it says whose method is to be copied"
	case "PostPaymentIntents automatic_payment_methods":
		if parts["enabled"] == false {
			return "null is how Stripe shows that"
		}
	case "PostRefunds currency", "PostRefunds customer", "PostRefunds instructions_email",
		"PostChargesChargeRefunds currency", "PostChargesChargeRefunds customer", "PostChargesChargeRefunds instructions_email":
		return "these are for refunds that are not to a card"
	}
	switch name {
	case "cash_balance", "tax":
		return "there only when expanded"
	case "amount_details", "customer_account":
		return "taken and not kept"
	case "sepa_debit", "us_bank_account":
		return "cards only"
	case "payment_method_options":
		if text, isText := parts["key"].(string); isText && text != "" || parts["0"] != nil {
			return "no kind's options"
		}
	case "transfer_data":
		if parts["destination"] == nil && len(parts) > 0 {
			return "there may be no transfer; TestTransferOfAnIntentIsChanged looks at one"
		}
	}
	return ""
}
