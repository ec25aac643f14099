package stripe

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const (
	methodName = "PaymentMethod" // as errors call it

	rawNumber = "Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing. To enable testing raw card data APIs, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis."

	spentAttach = "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again."

	spentPay = "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first."
)

// A draft is a payment method that a call names: one that is there, or one
// that its token is about to become.
type draft struct {
	record *world.Record  // nil when it is new
	value  map[string]any // what it holds, or will
}

func (d draft) id() string { return kit.Text(d.value, "id") }

// keep writes the draft, as the customer's own when one is given.
func (d draft) keep(c *call, customer string) *world.Record {
	switch {
	case d.record == nil:
		if customer != "" {
			c.bestow(d.value, customer)
		}
		return c.create(paymentMethods, d.value)
	case customer == "" || d.value["customer"] == customer:
		return d.record
	}
	value := changed(d.record)
	c.bestow(value, customer)
	return c.update(paymentMethods, value)
}

// bestow makes a method the customer's own, once its issuer has checked the card.
func (c *call) bestow(value map[string]any, customer any) {
	value["customer"] = customer
	if face := cast.Object(value["card"]); face != nil {
		value["card"] = kit.Merge(face, map[string]any{"checks": checksOf(face, c.fake.cards.of(world.Loose("", value)))})
	}
}

// methodFor finds a payment method by id, or makes one of a test token.
func (c *call) methodFor(id, param string) (draft, *refusal) {
	if record, ok := c.find(paymentMethods, id); ok {
		return draft{record, record.Value()}, nil
	}
	if known, ok := c.fake.cards.token(id); ok {
		return draft{value: c.cardMethod(known)}, nil
	}
	if known, ok := c.fake.cards.unmade(id); ok && !c.spent(id) {
		made := c.cardMethod(known)
		made["id"] = id
		return draft{value: made}, nil
	}
	return draft{}, missing(http.StatusBadRequest, methodName, id, param)
}

// methodFrom makes a payment method of payment_method_data, or of the body of
// its own creation.
func (c *call) methodFrom(data map[string]any, prefix string) (draft, *refusal) {
	kind, _ := data["type"].(string)
	if kind == "" {
		return draft{}, required(prefix + "type")
	}
	if kind != "card" {
		return draft{}, unsaved(invalid(prefix+"type", "", "The payment method type \"%s\" is invalid. Please ensure the provided type is activated in your dashboard (https://dashboard.stripe.com/account/payments/settings) and your account is enabled for any preview features that you are trying to use.", kind))
	}
	given, _ := data["card"].(map[string]any)
	token, _ := given["token"].(string)
	if _, raw := given["number"]; raw {
		return draft{}, unsaved(&refusal{status: http.StatusPaymentRequired, kind: cardError, message: rawNumber})
	}
	if token == "" {
		return draft{}, required(prefix + "card")
	}
	known, ok := c.fake.cards.token(token)
	if !ok {
		return draft{}, missing(http.StatusBadRequest, "token", token, prefix+"card[token]")
	}
	made := draft{value: c.cardMethod(known)}
	if face, ok := made.value["card"].(map[string]any); ok {
		preferNetwork(face, given)
	}
	c.label(made.value, data)
	return made, nil
}

// unchecked is what a card's code is before an issuer has been asked: attaching
// it to a customer and charging it ask.
const unchecked = "unchecked"

// checksOf is what an issuer says of a card, for one that nobody asked about yet.
func checksOf(face map[string]any, k card) map[string]any {
	held := cast.Object(face["checks"])
	if held["cvc_check"] != unchecked {
		return held
	}
	code := "pass"
	if k.token == "cvcCheckFail" {
		code = "fail"
	}
	return kit.Merge(held, map[string]any{"cvc_check": code})
}

// cardMethod is a new payment method for a test card, valid for a year.
func (c *call) cardMethod(k card) map[string]any {
	return map[string]any{
		"id": c.NewID("pm_1", 23), "object": "payment_method", "allow_redisplay": "unspecified",
		"billing_details": map[string]any{"address": address(map[string]any{}), "email": nil, "name": nil, "phone": nil, "tax_id": nil},
		"card": map[string]any{
			"brand": k.brand, "country": or(orNil(k.country), "US"), "display_brand": k.brand,
			"checks":    map[string]any{"address_line1_check": nil, "address_postal_code_check": nil, "cvc_check": unchecked},
			"exp_month": int64(c.Now.UTC().Month()), "exp_year": int64(c.Now.UTC().Year() + 1),
			"fingerprint": k.fingerprint(), "funding": k.funding, "generated_from": nil, "last4": k.last4(),
			"networks":         map[string]any{"available": []any{k.brand}, "preferred": nil},
			"regulated_status": "unregulated", "three_d_secure_usage": map[string]any{"supported": true}, "wallet": nil,
		},
		"created": c.now(), "customer": nil, "customer_account": nil, "livemode": false,
		"metadata": map[string]any{}, "type": "card",
	}
}

// label lays billing details and redisplay over a payment method. Maps in it
// are replaced, never changed.
func (c *call) label(value, data map[string]any) {
	assign(value, data, "allow_redisplay")
	if radar, ok := data["radar_options"].(map[string]any); ok {
		value["radar_options"] = kit.Merge(nil, radar)
	}
	if sent, ok := data["metadata"].(map[string]any); ok {
		value["metadata"] = kit.Merge(map[string]any{}, sent)
	}
	sent, ok := data["billing_details"].(map[string]any)
	if !ok {
		return
	}
	details := map[string]any{}
	if old, ok := value["billing_details"].(map[string]any); ok {
		details = maps.Clone(old)
	}
	assign(details, sent, "email", "name", "phone", "tax_id")
	if where, ok := sent["address"]; ok {
		details["address"] = address(where)
	}
	value["billing_details"] = details
}

// preferNetwork notes which network the customer wants the card charged over.
func preferNetwork(face, sent map[string]any) {
	wish, ok := sent["networks"].(map[string]any)
	if !ok {
		return
	}
	networks := map[string]any{"available": []any{face["brand"]}}
	if old, ok := face["networks"].(map[string]any); ok {
		networks = maps.Clone(old)
	}
	assign(networks, wish, "preferred")
	face["networks"] = networks
}

func createMethod(c *call) (answer, *refusal) {
	made, refused := c.methodFrom(c.Input.Body, "")
	if refused != nil {
		return answer{}, refused
	}
	if made.value["metadata"], refused = c.metadata(nil); refused != nil {
		return answer{}, refused
	}
	return answer{record: made.keep(c, ""), collection: paymentMethods}, nil
}

// getMethod reads a payment method. A test token that is read shows a method
// that is made once its id is used.
func getMethod(c *call) (answer, *refusal) {
	id := c.Input.Path["payment_method"]
	method, refused := c.methodFor(id, "payment_method")
	if refused != nil || !strings.HasPrefix(id, "pm_") {
		return answer{}, missing(http.StatusNotFound, methodName, id, "payment_method")
	}
	if method.record == nil && strings.HasPrefix(id, "pm_card_") {
		known, _ := c.fake.cards.token(id)
		method.value["id"] = unmadePrefix + known.mark() + c.NewID("", unmadeNonce)
	}
	return answer{record: method.record, value: method.value, collection: paymentMethods}, nil
}

func updateMethod(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	c.label(value, c.Input.Body)
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	if sent, ok := c.Input.Body["card"].(map[string]any); ok {
		face, isCard := value["card"].(map[string]any)
		if !isCard {
			return answer{}, invalid("card", "", "You cannot update the card of a PaymentMethod of type %v.", value["type"])
		}
		face = maps.Clone(face)
		assign(face, sent, "exp_month", "exp_year")
		preferNetwork(face, sent)
		if month, _ := face["exp_month"].(int64); month < 1 || month > 12 {
			return answer{}, unsaved(invalid("card[exp_month]", "invalid_expiry_month", "Your card's expiration month is invalid."))
		}
		if year, _ := face["exp_year"].(int64); year < int64(c.Now.UTC().Year()) {
			return answer{}, unsaved(invalid("card[exp_year]", "invalid_expiry_year", "Your card's expiration year is invalid."))
		}
		value["card"] = face
	}
	record := c.update(paymentMethods, value)
	c.emit("payment_method.updated", record.Value(), kit.Before(old.Value(), value))
	return answer{record: record, collection: paymentMethods}, nil
}

// attachMethod gives a method to a customer for good use. Cards that decline
// are tried first, as at Stripe.
func attachMethod(c *call) (answer, *refusal) {
	method, refused := c.methodFor(c.Input.Path["payment_method"], "payment_method")
	if refused != nil {
		refused.status = http.StatusNotFound
		return answer{}, refused
	}
	id := c.text("customer")
	if id == "" {
		return answer{}, required("customer")
	}
	customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
	if refused == nil {
		refused = c.attachable(method, customer.ID)
	}
	if refused != nil {
		return answer{}, refused
	}
	already := method.value["customer"] == customer.ID
	record := method.keep(c, customer.ID)
	if !already {
		c.emit("payment_method.attached", record.Value(), nil)
	}
	return answer{record: record, collection: paymentMethods}, nil
}

// attachable refuses a method that cannot become the customer's.
func (c *call) attachable(method draft, customer string) *refusal {
	owner, _ := method.value["customer"].(string)
	switch {
	case owner == customer:
		return nil
	case owner != "":
		return invalid("", "", "The payment method you provided has already been attached to a customer.")
	case c.spent(method.id()):
		return invalid("", "", spentAttach)
	}
	if known := c.fake.cards.of(world.Loose("", method.value)); known.decline.happens() && !known.attach {
		return declined(known.decline)
	}
	return nil
}

// declined is the error of a card that an issuer turned down.
func declined(d decline) *refusal {
	return &refusal{
		status: http.StatusPaymentRequired, kind: cardError, code: d.code,
		message: d.message, param: d.param, anyParam: true, decline: d,
	}
}

func detachMethod(c *call, old *world.Record) (answer, *refusal) {
	if old.Value()["customer"] == nil {
		return answer{}, invalid("", "", "The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	value := changed(old)
	value["customer"] = nil
	record := c.update(paymentMethods, value)
	c.spend(record.ID)
	c.unsetDefault(kit.Text(old.Value(), "customer"), record.ID)
	c.emit("payment_method.detached", record.Value(), map[string]any{"customer": old.Value()["customer"]})
	return answer{record: record, collection: paymentMethods}, nil
}

// unsetDefault takes a detached method out of its customer's invoice settings.
func (c *call) unsetDefault(customer, method string) {
	owner, ok := c.find(customers, customer)
	if !ok || kit.Text(owner.Value(), "invoice_settings.default_payment_method") != method {
		return
	}
	settings, _ := owner.Value()["invoice_settings"].(map[string]any)
	settings = maps.Clone(settings)
	settings["default_payment_method"] = nil
	value := changed(owner)
	value["invoice_settings"] = settings
	c.update(customers, value)
}

// spend notes that a method may not be used again.
func (c *call) spend(method string) {
	if c.spent(method) {
		return
	}
	_, err := c.Tx.Insert(spentCollection, method, map[string]any{"id": method})
	kit.Must(name, err)
}

func (c *call) spent(method string) bool {
	_, spent := c.Tx.Get(spentCollection, method)
	return spent
}

func listMethods(c *call) (answer, *refusal) {
	if id := c.query("customer"); id != "" {
		if _, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer"); refused != nil {
			return answer{}, refused
		}
	}
	return c.list(paymentMethods, methodName, nil, "customer", "customer_account", "type", "allow_redisplay")
}

func listCustomerMethods(c *call, customer *world.Record) (answer, *refusal) {
	own := kit.Query{Collection: full(paymentMethods), Index: "customer", Value: customer.ID}
	return c.page(paymentMethods, methodName, c.filtered(own, "type", "allow_redisplay"))
}

func getCustomerMethod(c *call, customer *world.Record) (answer, *refusal) {
	method, refused := theMethod.find(c)
	if refused == nil && method.Value()["customer"] != customer.ID {
		refused = missing(http.StatusNotFound, methodName, c.Input.Path["payment_method"], "payment_method")
	}
	return answer{record: method, collection: paymentMethods}, refused
}
