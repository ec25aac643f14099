// Package shop is two small agents that `parity demo` rehearses. Both charge
// an order through https://api.stripe.com with plain net/http; neither knows
// of Parity, and nothing of Parity is imported here.
//
//	pay ──▶ reply lost ──┬─ naive:   pay again
//	                     └─ careful: look first, then decide
//
// They are what an agent's tool code often looks like, and what it should.
package shop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Order is what the customer owes.
type Order struct {
	ID       string
	Customer string // an email address
	Amount   int    // in cents
}

// Agent charges orders.
type Agent struct {
	Client *http.Client
	Key    string // a secret key of the payment service
	Log    io.Writer
}

type intent struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// Naive pays, and when that fails, pays again.
func (a Agent) Naive(ctx context.Context, o Order) error {
	fmt.Fprintf(a.Log, "charging order %s\n", o.ID)
	paid, err := a.pay(ctx, o, "")
	if err != nil {
		fmt.Fprintln(a.Log, "no answer, trying again")
		paid, err = a.pay(ctx, o, "")
	}
	if err != nil {
		return fmt.Errorf("order %s: %w", o.ID, err)
	}
	fmt.Fprintf(a.Log, "order %s is paid: %s\n", o.ID, paid.ID)
	return nil
}

// Careful gives the payment a key of its own, and when it gets no answer it
// looks for the payment before it does anything else.
func (a Agent) Careful(ctx context.Context, o Order) error {
	fmt.Fprintf(a.Log, "charging order %s\n", o.ID)
	paid, err := a.pay(ctx, o, "order-"+o.ID)
	if err != nil {
		fmt.Fprintln(a.Log, "no answer, looking whether it went through")
		var found bool
		if paid, found, err = a.find(ctx, o); err != nil {
			return fmt.Errorf("order %s: no answer, and no way to look: %w", o.ID, err)
		}
		if !found {
			fmt.Fprintln(a.Log, "it did not: sending it again with the same key")
			paid, err = a.pay(ctx, o, "order-"+o.ID)
		}
	}
	if err != nil {
		return fmt.Errorf("order %s: %w", o.ID, err)
	}
	fmt.Fprintf(a.Log, "order %s is paid: %s\n", o.ID, paid.ID)
	return nil
}

func (a Agent) pay(ctx context.Context, o Order, key string) (intent, error) {
	form := url.Values{
		"amount": {fmt.Sprint(o.Amount)}, "currency": {"usd"}, "confirm": {"true"}, "payment_method": {"pm_card_visa"},
		"payment_method_types[]": {"card"}, "receipt_email": {o.Customer}, "metadata[order_id]": {o.ID},
	}
	var paid intent
	err := a.call(ctx, http.MethodPost, "/v1/payment_intents", form, key, &paid)
	return paid, err
}

func (a Agent) find(ctx context.Context, o Order) (intent, bool, error) {
	var page struct {
		Data []struct {
			intent
			Metadata map[string]string `json:"metadata"`
		} `json:"data"`
	}
	if err := a.call(ctx, http.MethodGet, "/v1/payment_intents?limit=100", nil, "", &page); err != nil {
		return intent{}, false, err
	}
	for _, p := range page.Data {
		if p.Metadata["order_id"] == o.ID && p.Status == "succeeded" {
			return p.intent, true, nil
		}
	}
	return intent{}, false, nil
}

func (a Agent) call(ctx context.Context, method, path string, form url.Values, key string, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, "https://api.stripe.com"+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+a.Key)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	reply, err := a.Client.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("the payment service said %s: %s", reply.Status, body)
	}
	return json.Unmarshal(body, into)
}
