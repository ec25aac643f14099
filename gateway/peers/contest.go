package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A contest is one kind of call, made to all who can answer it.
type contest struct {
	name, title string
	way         way
	contract    string // of the service; empty: Stripe
	peers       []string
	// prepare makes what the call needs in a gateway, and gives the call.
	prepare func(context.Context, *gateway) (call, error)
}

const (
	customerForm = "email=ada%40acme.example&name=Ada+Lovelace"
	intentForm   = "amount=4900&currency=usd&payment_method_types[0]=card&metadata[order_id]=6735"
	thing        = `{"title":"On loopback","author":"ada@acme.example","pages":42,"price":9.5,"state":"draft","tags":["a","b"],"size":{"width":10,"height":20}}`
	shelf        = "shelf.yaml"
	grown        = 10_000
)

// contests are all of them, in the order of the table.
func contests() []contest {
	oneCustomer := reading(call{"POST", "/v1/customers", customerForm}, "/v1/customers/%s")
	return []contest{
		{"get", "Stripe: GET one customer", direct, "", []string{bare, parity, before, hoverfly, stripeMock}, oneCustomer},
		{"plain", "Stripe: GET through a plain proxy", plain, "", []string{bare, viaProxy, goproxy, parity, before, hoverfly}, oneCustomer},
		{"intercepted", "Stripe: GET intercepted", intercepted, "", []string{bare, viaTunnel, goproxy, parity, before, hoverfly}, oneCustomer},
		{"post", "Stripe: POST a customer", direct, "", []string{bare, parity, before, stripeMock}, posting(call{"POST", "/v1/customers", customerForm})},
		{"intent", "Stripe: POST a payment intent", direct, "", []string{bare, parity, before, stripeMock}, posting(call{"POST", "/v1/payment_intents", intentForm})},
		{"list", "Stripe: list of 20", direct, "", []string{bare, parity, before, hoverfly, stripeMock}, listing(call{"POST", "/v1/customers", customerForm}, 20)},
		{"generic-get", "Contract: GET one", direct, shelf, []string{bare, parity, before, prism}, reading(call{"POST", "/books", thing}, "/books/%s")},
		{"generic-post", "Contract: POST", direct, shelf, []string{bare, parity, before, prism}, posting(call{"POST", "/letters", thing})},
		{"generic-list", "Contract: list of 20 of 40", direct, shelf, []string{bare, parity, before, prism}, listing(call{"POST", "/books", thing}, 40)},
		{"generic-grown", "Contract: list of 20 of 10,000", direct, shelf, []string{bare, parity, before}, listing(call{"POST", "/leaves", thing}, grown)},
	}
}

// reading makes one record, which is read.
func reading(making call, member string) func(context.Context, *gateway) (call, error) {
	return func(ctx context.Context, g *gateway) (call, error) {
		id, err := g.made(ctx, making)
		return call{method: "GET", path: fmt.Sprintf(member, id)}, err
	}
}

// posting needs nothing.
func posting(making call) func(context.Context, *gateway) (call, error) {
	return func(context.Context, *gateway) (call, error) { return making, nil }
}

// listing makes n records, of which 20 are listed.
func listing(making call, n int) func(context.Context, *gateway) (call, error) {
	return func(ctx context.Context, g *gateway) (call, error) {
		return call{method: "GET", path: making.path + "?limit=20"}, g.fill(ctx, making, n)
	}
}

// chosen are those of all whose names are listed; all where none is. An unknown
// name is an error that says which there are.
func chosen(list string, all []string) ([]string, error) {
	if list == "" {
		return all, nil
	}
	names := strings.Split(list, ",")
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no %q: there are %s", name, strings.Join(all, ", "))
		}
	}
	return names, nil
}
