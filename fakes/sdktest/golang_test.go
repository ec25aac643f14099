package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/stripe/stripe-go/v84"
)

// golang is stripe-go at the same work as node/stripe.mjs.
func golang(work []string) int {
	switch work[0] {
	case "github":
		return githubAgent(work[1])
	case "googlecalendar":
		return calendarAgent(work[1])
	case "sendgrid":
		return mailAgent(work[1])
	case "slack":
		return slackAgent(work[1])
	}
	a := agent{client: dial("sk_test_parity"), ctx: context.Background()}
	tasks := map[string]func(args []string) (map[string]any, error){
		"pay": a.pay, "bill": a.bill, "account": a.account, "page": a.page, "fail": a.fail, "again": a.again, "lose": a.lose, "limit": a.limit,
	}
	found, err := tasks[work[0]](work[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", work[0], err)
		return 1
	}
	return 0
}

// dial makes a client as an agent would; but for the base URL, it only keeps
// the SDK from logging what the tests provoke.
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

func visa(amount int64) *stripe.PaymentIntentCreateParams {
	return &stripe.PaymentIntentCreateParams{
		Amount: stripe.Int64(amount), Currency: stripe.String("usd"), PaymentMethod: stripe.String("pm_card_visa"),
		PaymentMethodTypes: stripe.StringSlice([]string{"card"}),
	}
}

// customer makes one, changes it, and reads it.
func (a agent) customer() (*stripe.Customer, error) {
	create := &stripe.CustomerCreateParams{Email: stripe.String("ada@example.com"), Name: stripe.String("Ada")}
	create.AddMetadata("tier", "gold")
	create.AddMetadata("drop", "me")
	made, err := a.client.V1Customers.Create(a.ctx, create)
	if err != nil {
		return nil, err
	}
	update := &stripe.CustomerUpdateParams{Name: stripe.String("Ada L.")}
	update.AddMetadata("drop", "")
	if _, err := a.client.V1Customers.Update(a.ctx, made.ID, update); err != nil {
		return nil, err
	}
	return a.client.V1Customers.Retrieve(a.ctx, made.ID, nil)
}

// pay goes from a customer to a refund.
func (a agent) pay([]string) (map[string]any, error) {
	customer, err := a.customer()
	if err != nil {
		return nil, err
	}
	params := visa(4900)
	params.Customer, params.CaptureMethod = stripe.String(customer.ID), stripe.String("manual")
	intent, err := a.client.V1PaymentIntents.Create(a.ctx, params)
	if err != nil {
		return nil, err
	}
	confirmed, err := a.client.V1PaymentIntents.Confirm(a.ctx, intent.ID, nil)
	if err != nil {
		return nil, err
	}
	captured, err := a.client.V1PaymentIntents.Capture(a.ctx, intent.ID, &stripe.PaymentIntentCaptureParams{AmountToCapture: stripe.Int64(4000)})
	if err != nil {
		return nil, err
	}
	refund, err := a.client.V1Refunds.Create(a.ctx, &stripe.RefundCreateParams{
		PaymentIntent: stripe.String(intent.ID), Amount: stripe.Int64(1500), Reason: stripe.String("requested_by_customer"),
	})
	if err != nil {
		return nil, err
	}
	look := &stripe.PaymentIntentRetrieveParams{}
	look.AddExpand("latest_charge.customer")
	looked, err := a.client.V1PaymentIntents.Retrieve(a.ctx, intent.ID, look)
	if err != nil {
		return nil, err
	}
	list := &stripe.ChargeListParams{Customer: stripe.String(customer.ID)}
	list.AddExpand("data.payment_intent")
	charges, err := collect(a.client.V1Charges.List(a.ctx, list))
	if err != nil {
		return nil, err
	}
	var listed []stripe.PaymentIntentStatus
	for _, c := range charges {
		listed = append(listed, c.PaymentIntent.Status)
	}
	charge := looked.LatestCharge
	return map[string]any{
		"object": customer.Object, "name": customer.Name, "metadata": customer.Metadata,
		"created": intent.Status, "confirmed": confirmed.Status, "captured": captured.Status, "received": captured.AmountReceived,
		"refund": refund.Status, "of_charge": refund.Charge.ID == charge.ID,
		"charge":   []int64{charge.Amount, charge.AmountCaptured, charge.AmountRefunded},
		"expanded": charge.Customer.Email, "listed": listed,
	}, nil
}

// page reads a list of 21, in pages of 10 and of 7: the last has one, or is
// full.
func (a agent) page([]string) (map[string]any, error) {
	var made []string
	for i := range 21 {
		c, err := a.client.V1Customers.Create(a.ctx, &stripe.CustomerCreateParams{Email: stripe.String(fmt.Sprintf("page%d@example.com", i))})
		if err != nil {
			return nil, err
		}
		made = append(made, c.ID)
	}
	slices.Reverse(made)
	found := map[string]any{}
	for _, limit := range []int64{10, 7} {
		list := &stripe.CustomerListParams{}
		list.Limit = stripe.Int64(limit)
		customers, err := collect(a.client.V1Customers.List(a.ctx, list))
		if err != nil {
			return nil, err
		}
		var seen []string
		for _, c := range customers {
			seen = append(seen, c.ID)
		}
		found[fmt.Sprintf("by_%d", limit)] = map[string]any{"seen": len(seen), "newest_first": slices.Equal(made, seen)}
	}
	return found, nil
}

func collect[T any](pages stripe.Seq2[T, error]) ([]T, error) {
	var all []T
	for item, err := range pages {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// fail meets one of each class of error.
func (a agent) fail([]string) (map[string]any, error) {
	open, err := a.client.V1PaymentIntents.Create(a.ctx, visa(900))
	if err != nil {
		return nil, err
	}
	if _, err := a.keyed("Once", "order-77"); err != nil {
		return nil, err
	}
	card := visa(900)
	card.Confirm, card.PaymentMethod = stripe.Bool(true), stripe.String("pm_card_visa_chargeDeclinedInsufficientFunds")
	_, declined := a.client.V1PaymentIntents.Create(a.ctx, card)
	_, missing := a.client.V1PaymentIntents.Create(a.ctx, &stripe.PaymentIntentCreateParams{Currency: stripe.String("usd")})
	misspelt := &stripe.CustomerCreateParams{}
	misspelt.AddExtra("nmae", "Ada")
	_, unknown := a.client.V1Customers.Create(a.ctx, misspelt)
	_, absent := a.client.V1Customers.Retrieve(a.ctx, "cus_absent", nil)
	_, state := a.client.V1PaymentIntents.Capture(a.ctx, open.ID, nil)
	_, conflict := a.keyed("Twice", "order-77")
	_, badKey := collect(dial("sk_test_").V1Customers.List(a.ctx, nil))
	_, noKey := collect(dial("").V1Customers.List(a.ctx, nil))
	return map[string]any{
		"declined": failure(declined), "missing": failure(missing), "unknown": failure(unknown), "absent": failure(absent),
		"state": failure(state), "conflict": failure(conflict), "bad_key": failure(badKey), "no_key": failure(noKey),
	}, nil
}

func (a agent) keyed(name, key string) (*stripe.Customer, error) {
	params := &stripe.CustomerCreateParams{Name: stripe.String(name)}
	params.SetIdempotencyKey(key)
	return a.client.V1Customers.Create(a.ctx, params)
}

// again makes the same call with the same key.
func (a agent) again([]string) (map[string]any, error) {
	first, err := a.keyed("Once", "order-78")
	if err != nil {
		return nil, err
	}
	second, err := a.keyed("Once", "order-78")
	if err != nil {
		return nil, err
	}
	customers, err := collect(a.client.V1Customers.List(a.ctx, nil))
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"first": replayed(first.LastResponse), "second": replayed(second.LastResponse),
		"same": first.ID == second.ID, "customers": len(customers),
	}, nil
}

func replayed(r *stripe.APIResponse) string { return r.Header.Get("Idempotent-Replayed") }

// outcome is what became of a payment whose reply was lost.
type outcome struct {
	Class    string `json:"class"`
	Replayed string `json:"replayed"`
	Charges  int    `json:"charges"`
}

// lose makes one payment for each way to lose its reply, all at once: metadata
// tells the rules apart.
func (a agent) lose(replies []string) (map[string]any, error) {
	found, outcomes := map[string]any{}, map[string]*outcome{}
	var paying sync.WaitGroup
	for _, reply := range replies {
		o := &outcome{}
		found[reply], outcomes[reply] = o, o
		paying.Go(func() {
			params := visa(7700)
			params.Confirm = stripe.Bool(true)
			params.AddMetadata("reply", reply)
			params.AddMetadata("order_id", reply) // an order each, and not one that was worded anew
			paid, err := a.client.V1PaymentIntents.Create(a.ctx, params)
			o.Class = class(err)
			if err == nil {
				o.Replayed = replayed(paid.LastResponse)
			}
		})
	}
	paying.Wait()
	list := &stripe.ChargeListParams{}
	list.Limit = stripe.Int64(100)
	charges, err := collect(a.client.V1Charges.List(a.ctx, list))
	if err != nil {
		return nil, err
	}
	for _, c := range charges {
		outcomes[c.Metadata["reply"]].Charges++
	}
	return found, nil
}

func (a agent) limit([]string) (map[string]any, error) {
	_, err := collect(a.client.V1Charges.List(a.ctx, nil))
	return failure(err), nil
}

// failure tells an error in the words of stripe-node.
func failure(err error) map[string]any {
	told := map[string]any{"class": class(err)}
	var e *stripe.Error
	if !errors.As(err, &e) {
		return told
	}
	told["status"], told["message"] = e.HTTPStatusCode, e.Msg
	for name, value := range map[string]string{
		"code": string(e.Code), "param": e.Param, "decline": string(e.DeclineCode), "after": e.LastResponse.Header.Get("Retry-After"),
	} {
		if value != "" {
			told[name] = value
		}
	}
	return told
}

// class names the kind of an error as stripe-node does. stripe-go has a type
// for each, or tells them by status: docs.stripe.com/api/errors.
func class(err error) string {
	var e *stripe.Error
	switch {
	case err == nil:
		return "none"
	case !errors.As(err, &e):
		return "StripeConnectionError"
	case e.HTTPStatusCode == 401:
		return "StripeAuthenticationError"
	case e.HTTPStatusCode == 429:
		return "StripeRateLimitError"
	}
	return map[stripe.ErrorType]string{
		stripe.ErrorTypeAPI: "StripeAPIError", stripe.ErrorTypeCard: "StripeCardError",
		stripe.ErrorTypeInvalidRequest: "StripeInvalidRequestError", stripe.ErrorTypeIdempotency: "StripeIdempotencyError",
	}[e.Type]
}
