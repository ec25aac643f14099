package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/stripe/stripe-go/v84"
)

// golang is stripe-go at the same work as node/stripe.mjs.
func golang(work []string) int {
	result := map[string]any{}
	a := agent{client: dial("sk_test_4eC39HqLyjWDarjtT1zdp7dc"), ctx: context.Background()}
	for _, name := range work {
		act := map[string]func() (map[string]any, error){"pay": a.pay, "page": a.page, "fail": a.fail, "lose": a.lose, "limit": a.limit}[name]
		part, err := act()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			return 1
		}
		result[name] = part
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		return 1
	}
	return 0
}

func dial(key string) *stripe.Client {
	config := &stripe.BackendConfig{LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}}
	if base := os.Getenv("STRIPE_BASE"); base != "" {
		config.URL = stripe.String(base)
	}
	return stripe.NewClient(key, stripe.WithBackends(stripe.NewBackendsWithConfig(config)))
}

type agent struct {
	client *stripe.Client
	ctx    context.Context
}

func (a agent) intent(amount int64) *stripe.PaymentIntentCreateParams {
	return &stripe.PaymentIntentCreateParams{
		Amount: stripe.Int64(amount), Currency: stripe.String("usd"), PaymentMethod: stripe.String("pm_card_visa"),
		PaymentMethodTypes: stripe.StringSlice([]string{"card"}),
	}
}

func (a agent) pay() (map[string]any, error) {
	create := &stripe.CustomerCreateParams{Email: stripe.String("ada@example.com"), Name: stripe.String("Ada")}
	create.AddMetadata("tier", "gold")
	create.AddMetadata("drop", "me")
	customer, err := a.client.V1Customers.Create(a.ctx, create)
	if err != nil {
		return nil, err
	}
	update := &stripe.CustomerUpdateParams{Name: stripe.String("Ada L.")}
	update.AddMetadata("drop", "")
	updated, err := a.client.V1Customers.Update(a.ctx, customer.ID, update)
	if err != nil {
		return nil, err
	}
	params := a.intent(4900)
	params.Customer, params.CaptureMethod = stripe.String(customer.ID), stripe.String("manual")
	held, err := a.client.V1PaymentIntents.Create(a.ctx, params)
	if err != nil {
		return nil, err
	}
	confirmed, err := a.client.V1PaymentIntents.Confirm(a.ctx, held.ID, nil)
	if err != nil {
		return nil, err
	}
	captured, err := a.client.V1PaymentIntents.Capture(a.ctx, held.ID, &stripe.PaymentIntentCaptureParams{AmountToCapture: stripe.Int64(4000)})
	if err != nil {
		return nil, err
	}
	refund, err := a.client.V1Refunds.Create(a.ctx, &stripe.RefundCreateParams{
		PaymentIntent: stripe.String(held.ID), Amount: stripe.Int64(1500), Reason: stripe.String("requested_by_customer"),
	})
	if err != nil {
		return nil, err
	}
	look := &stripe.ChargeRetrieveParams{}
	look.AddExpand("customer")
	charge, err := a.client.V1Charges.Retrieve(a.ctx, captured.LatestCharge.ID, look)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"customer": customer.Object, "name": updated.Name, "metadata": updated.Metadata, "created": held.Status,
		"confirmed": confirmed.Status, "captured": captured.Status, "received": captured.AmountReceived, "refund": refund.Status,
		"refunded": charge.AmountRefunded - (charge.Amount - charge.AmountCaptured), "expanded": charge.Customer.Email,
	}, nil
}

func (a agent) page() (map[string]any, error) {
	var made, seen []string
	for i := range 25 {
		c, err := a.client.V1Customers.Create(a.ctx, &stripe.CustomerCreateParams{
			Email: stripe.String(fmt.Sprintf("page%d@example.com", i)), Description: stripe.String("paged"),
		})
		if err != nil {
			return nil, err
		}
		made = append(made, c.ID)
	}
	list := &stripe.CustomerListParams{}
	list.Limit = stripe.Int64(10)
	for c, err := range a.client.V1Customers.List(a.ctx, list) {
		if err != nil {
			return nil, err
		}
		if c.Description == "paged" {
			seen = append(seen, c.ID)
		}
	}
	slices.Reverse(made)
	return map[string]any{"made": len(made), "same": slices.Equal(made, seen)}, nil
}

func (a agent) fail() (map[string]any, error) {
	once := func(client *stripe.Client, name string) (*stripe.Customer, error) {
		params := &stripe.CustomerCreateParams{Name: stripe.String(name)}
		params.SetIdempotencyKey("order-77")
		return client.V1Customers.Create(a.ctx, params)
	}
	first, err := once(a.client, "Once")
	if err != nil {
		return nil, err
	}
	again, err := once(a.client, "Once")
	if err != nil {
		return nil, err
	}
	replayed := ""
	if again.ID == first.ID {
		replayed = again.LastResponse.Header.Get("Idempotent-Replayed")
	}
	_, conflict := once(a.client, "Twice")
	declined := a.intent(900)
	declined.Confirm, declined.PaymentMethod = stripe.Bool(true), stripe.String("pm_card_visa_chargeDeclinedInsufficientFunds")
	_, decline := a.client.V1PaymentIntents.Create(a.ctx, declined)
	_, missing := a.client.V1PaymentIntents.Create(a.ctx, &stripe.PaymentIntentCreateParams{Currency: stripe.String("usd")})
	wrong := &stripe.CustomerCreateParams{}
	wrong.AddExtra("nmae", "Ada")
	_, unknown := a.client.V1Customers.Create(a.ctx, wrong)
	_, absent := a.client.V1Customers.Retrieve(a.ctx, "cus_absent", nil)
	open, err := a.client.V1PaymentIntents.Create(a.ctx, a.intent(900))
	if err != nil {
		return nil, err
	}
	_, state := a.client.V1PaymentIntents.Capture(a.ctx, open.ID, nil)
	var unauthorised error
	for _, unauthorised = range dial("sk_test_").V1Customers.List(a.ctx, &stripe.CustomerListParams{}) {
		break
	}
	return map[string]any{
		"declined": failure(decline), "missing": failure(missing), "unknown": failure(unknown), "absent": failure(absent),
		"state": failure(state), "conflict": failure(conflict), "unauthorised": failure(unauthorised), "replayed": replayed,
	}, nil
}

func (a agent) lose() (map[string]any, error) {
	params := a.intent(7700)
	params.Confirm = stripe.Bool(true)
	paid, err := a.client.V1PaymentIntents.Create(a.ctx, params)
	if err != nil {
		return nil, err
	}
	charges := 0
	for c, err := range a.client.V1Charges.List(a.ctx, &stripe.ChargeListParams{}) {
		if err != nil {
			return nil, err
		}
		if c.Amount == 7700 {
			charges++
		}
	}
	return map[string]any{"status": paid.Status, "charges": charges, "replayed": paid.LastResponse.Header.Get("Idempotent-Replayed")}, nil
}

func (a agent) limit() (map[string]any, error) {
	for _, err := range a.client.V1Charges.List(a.ctx, &stripe.ChargeListParams{}) {
		return failure(err), nil
	}
	return failure(nil), nil
}

// failure words an error of stripe-go as stripe-node names its classes: by
// status and type, as both SDKs document them.
func failure(err error) map[string]any {
	var e *stripe.Error
	if !errors.As(err, &e) {
		return map[string]any{"none": true, "message": fmt.Sprint(err)}
	}
	class := map[stripe.ErrorType]string{
		stripe.ErrorTypeCard: "StripeCardError", stripe.ErrorTypeInvalidRequest: "StripeInvalidRequestError",
		stripe.ErrorTypeIdempotency: "StripeIdempotencyError",
	}[e.Type]
	switch e.HTTPStatusCode {
	case 401:
		class = "StripeAuthenticationError"
	case 429:
		class = "StripeRateLimitError"
	}
	told := map[string]any{"class": class, "status": e.HTTPStatusCode, "message": e.Msg}
	for name, value := range map[string]string{"code": string(e.Code), "param": e.Param, "decline": string(e.DeclineCode)} {
		if value != "" {
			told[name] = value
		}
	}
	return told
}
