package sdktest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v84"
	"github.com/stripe/stripe-go/v84/webhook"
)

// ok gives what a call returned, and ends the task where it failed: caught
// turns that into the task's error.
func ok[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("%T: %w", v, err))
	}
	return v
}

func caught(err *error) {
	if what, is := recover().(error); is {
		*err = what
	}
}

// bill goes from a product to a subscription that is billed, changed and
// canceled.
func (a agent) bill([]string) (found map[string]any, err error) {
	defer caught(&err)
	s, ctx := stripe.String[string], a.ctx
	customer := ok(a.client.V1Customers.Create(ctx, &stripe.CustomerCreateParams{Email: s("bill@example.com"), Name: s("Bill")}))
	method := ok(a.client.V1PaymentMethods.Attach(ctx, "pm_card_visa", &stripe.PaymentMethodAttachParams{Customer: &customer.ID}))
	ok(a.client.V1Customers.Update(ctx, customer.ID, &stripe.CustomerUpdateParams{InvoiceSettings: &stripe.CustomerUpdateInvoiceSettingsParams{DefaultPaymentMethod: &method.ID}}))
	product := ok(a.client.V1Products.Create(ctx, &stripe.ProductCreateParams{Name: s("Basic"), DefaultPriceData: &stripe.ProductCreateDefaultPriceDataParams{
		Currency: s("usd"), UnitAmount: stripe.Int64(1000), Recurring: &stripe.ProductCreateDefaultPriceDataRecurringParams{Interval: s("month")},
	}}))
	price := ok(a.client.V1Prices.Retrieve(ctx, product.DefaultPrice.ID, nil))
	once := ok(a.client.V1Prices.Create(ctx, &stripe.PriceCreateParams{Product: &product.ID, Currency: s("usd"), UnitAmount: stripe.Int64(500)}))
	found = map[string]any{}
	a.subscribe(found, customer.ID, product.ID, price.ID)
	a.invoice(found, customer.ID, method.ID, once.ID)
	setup := ok(a.client.V1SetupIntents.Create(ctx, &stripe.SetupIntentCreateParams{
		Customer: &customer.ID, PaymentMethodTypes: stripe.StringSlice([]string{"card"}), PaymentMethod: s("pm_card_visa"), Confirm: stripe.Bool(true),
	}))
	list := &stripe.InvoiceListParams{Customer: &customer.ID}
	list.Limit = stripe.Int64(2)
	found["setup"], found["invoices"] = setup.Status, len(ok(collect(a.client.V1Invoices.List(ctx, list))))
	return found, nil
}

func (a agent) subscribe(found map[string]any, customer, product, price string) {
	s, ctx := stripe.String[string], a.ctx
	coupon := ok(a.client.V1Coupons.Create(ctx, &stripe.CouponCreateParams{PercentOff: stripe.Float64(50), Duration: s("once")}))
	code := ok(a.client.V1PromotionCodes.Create(ctx, &stripe.PromotionCodeCreateParams{
		Promotion: &stripe.PromotionCodeCreatePromotionParams{Type: s("coupon"), Coupon: &coupon.ID}, Code: s("HALF"),
	}))
	begin := &stripe.SubscriptionCreateParams{
		Customer: &customer, Items: []*stripe.SubscriptionCreateItemParams{{Price: &price, Quantity: stripe.Int64(2)}},
		Discounts: []*stripe.SubscriptionCreateDiscountParams{{PromotionCode: &code.ID}},
	}
	begin.AddExpand("latest_invoice.payments")
	subscription := ok(a.client.V1Subscriptions.Create(ctx, begin))
	item, first := subscription.Items.Data[0], subscription.LatestInvoice
	changed := ok(a.client.V1SubscriptionItems.Update(ctx, item.ID, &stripe.SubscriptionItemUpdateParams{Quantity: stripe.Int64(3), ProrationBehavior: s("none")}))
	preview := ok(a.client.V1Invoices.CreatePreview(ctx, &stripe.InvoiceCreatePreviewParams{Subscription: &subscription.ID}))
	ending := ok(a.client.V1Subscriptions.Update(ctx, subscription.ID, &stripe.SubscriptionUpdateParams{CancelAtPeriodEnd: stripe.Bool(true)}))
	gone := ok(a.client.V1Subscriptions.Cancel(ctx, subscription.ID, nil))
	found["subscription"], found["first"], found["payment"] = subscription.Status, []int64{first.Subtotal, first.AmountPaid}, first.Payments.Data[0].Status
	found["quantity"], found["preview"], found["ending"], found["gone"] = changed.Quantity, preview.Total, ending.CancelAt == item.CurrentPeriodEnd, gone.Status
}

func (a agent) invoice(found map[string]any, customer, method, price string) {
	s, ctx := stripe.String[string], a.ctx
	draft := ok(a.client.V1Invoices.Create(ctx, &stripe.InvoiceCreateParams{Customer: &customer, CollectionMethod: s("send_invoice"), DaysUntilDue: stripe.Int64(7)}))
	ok(a.client.V1InvoiceItems.Create(ctx, &stripe.InvoiceItemCreateParams{
		Customer: &customer, Invoice: &draft.ID, Pricing: &stripe.InvoiceItemCreatePricingParams{Price: &price}, Quantity: stripe.Int64(3),
	}))
	sent := ok(a.client.V1Invoices.SendInvoice(ctx, draft.ID, nil))
	paid := ok(a.client.V1Invoices.Pay(ctx, draft.ID, &stripe.InvoicePayParams{PaymentMethod: &method}))
	note := ok(a.client.V1CreditNotes.Create(ctx, &stripe.CreditNoteCreateParams{Invoice: &draft.ID, Amount: stripe.Int64(500), RefundAmount: stripe.Int64(500)}))
	other := ok(a.client.V1Invoices.Create(ctx, &stripe.InvoiceCreateParams{Customer: &customer, PendingInvoiceItemsBehavior: s("exclude")}))
	ok(a.client.V1InvoiceItems.Create(ctx, &stripe.InvoiceItemCreateParams{Customer: &customer, Invoice: &other.ID, Amount: stripe.Int64(900)}))
	ok(a.client.V1Invoices.FinalizeInvoice(ctx, other.ID, nil))
	page := &stripe.PaymentLinkCreateParams{LineItems: []*stripe.PaymentLinkCreateLineItemParams{{Price: &price, Quantity: stripe.Int64(2)}}}
	page.AddExpand("line_items")
	link := ok(a.client.V1PaymentLinks.Create(ctx, page))
	session := ok(a.client.V1CheckoutSessions.Create(ctx, &stripe.CheckoutSessionCreateParams{
		Mode: s("payment"), SuccessURL: s("https://shop.example/done"), LineItems: []*stripe.CheckoutSessionCreateLineItemParams{{Price: &price, Quantity: stripe.Int64(2)}},
	}))
	found["sent"], found["paid"], found["note"] = []any{sent.Status, sent.AmountDue}, paid.Status, note.Refunds[0].AmountRefunded
	found["voided"], found["link"] = ok(a.client.V1Invoices.VoidInvoice(ctx, other.ID, nil)).Status, link.LineItems.Data[0].AmountTotal
	found["session"] = []any{session.AmountTotal, ok(a.client.V1CheckoutSessions.Expire(ctx, session.ID, nil)).Status}
}

// account asks what the account has, what is disputed, and who is told.
func (a agent) account([]string) (found map[string]any, err error) {
	defer caught(&err)
	s, ctx := stripe.String[string], a.ctx
	endpoint := ok(a.client.V1WebhookEndpoints.Create(ctx, &stripe.WebhookEndpointCreateParams{
		URL: s("https://hooks.invalid/stripe"), EnabledEvents: stripe.StringSlice([]string{"charge.dispute.created"}),
	}))
	pay := func(amount int64, method string) *stripe.PaymentIntent {
		params := visa(amount)
		params.PaymentMethod, params.Confirm, params.CaptureMethod = s(method), stripe.Bool(true), s("automatic")
		params.AddExpand("latest_charge")
		return ok(a.client.V1PaymentIntents.Create(ctx, params))
	}
	disputed := pay(5000, "pm_card_createDispute")
	pay(9000, "pm_card_bypassPending")
	disputes := ok(collect(a.client.V1Disputes.List(ctx, &stripe.DisputeListParams{Charge: &disputed.LatestCharge.ID})))
	dispute := ok(a.client.V1Disputes.Retrieve(ctx, disputes[0].ID, nil))
	answered := ok(a.client.V1Disputes.Update(ctx, dispute.ID, &stripe.DisputeUpdateParams{Evidence: &stripe.DisputeUpdateEvidenceParams{UncategorizedText: s("winning_evidence")}}))
	payout := ok(a.client.V1Payouts.Create(ctx, &stripe.PayoutCreateParams{Amount: stripe.Int64(1000), Currency: s("usd")}))
	balance := ok(a.client.V1Balance.Retrieve(ctx, nil))
	var movements []int64
	for _, m := range ok(collect(a.client.V1BalanceTransactions.List(ctx, &stripe.BalanceTransactionListParams{Type: s("charge")}))) {
		movements = append(movements, m.Amount)
	}
	_, poor := a.client.V1Payouts.Create(ctx, &stripe.PayoutCreateParams{Amount: stripe.Int64(999999), Currency: s("usd")})
	event := ok(collect(a.client.V1Events.List(ctx, &stripe.EventListParams{Type: s("charge.dispute.created")})))[0]
	body := ok(json.Marshal(event))
	header := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: body, Secret: endpoint.Secret}).Header
	signed := ok(webhook.ConstructEventWithOptions(body, header, endpoint.Secret, webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true}))
	search := &stripe.CustomerSearchParams{SearchParams: stripe.SearchParams{Query: "email:'nobody@example.com'"}}
	if all := ok(collect(a.client.V1Customers.Search(ctx, search))); len(all) > 0 {
		return nil, fmt.Errorf("%d customers were found that are not there", len(all))
	}
	return map[string]any{
		"dispute": []any{dispute.Status, dispute.Amount, answered.Status}, "payout": payout.Status, "available": balance.Available[0].Amount,
		"movements": movements, "poor": failure(poor), "event": []any{signed.Type, event.PendingWebhooks}, "secret": strings.HasPrefix(endpoint.Secret, "whsec_"),
		"found": "search_result", "deleted": ok(a.client.V1WebhookEndpoints.Delete(ctx, endpoint.ID, nil)).Deleted,
	}, nil
}
