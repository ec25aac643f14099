package specs

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// order is a contract with one operation that takes JSON, in either version.
const order = `
openapi: %s
info: {title: t, version: '1'}
servers: [{url: 'http://shop.test'}]
paths:
  /orders/{id}/lines:
    post:
      operationId: add
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, maxLength: 40}}
        - {name: dry_run, in: query, schema: {type: boolean}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [sku, quantity]
              properties:
                sku: {type: string, pattern: '^[A-Z]{3}-[0-9]+$'}
                quantity: {type: integer, minimum: 1, maximum: 1000}
                price: {type: number, minimum: 0}
                currency: {type: string, enum: [usd, eur]}
                note: {type: string, maxLength: 500}
                gift: {type: boolean}
                ship: {type: object, required: [city], properties: {name: {type: string}, line1: {type: string}, city: {type: string}, zip: {type: string, minLength: 3}}}
                tags: {type: array, maxItems: 10, items: {type: string}}
                metadata: {type: object, additionalProperties: {type: string}}
      responses: {'200': {description: ok}}
`

const orderBody = `{"sku":"ABC-1234","quantity":3,"price":19.95,"currency":"eur","note":"Please leave it at the door.","gift":true,` +
	`"ship":{"name":"Jo Doe","line1":"1 Long Street","city":"Graz","zip":"8010"},"tags":["a","b","fragile"],` +
	`"metadata":{"order_id":"6735","source":"agent","trace":"4bf92f3577b34da6"}}`

// BenchmarkJSONBody compares with the filter of kin-openapi, which compiles a
// schema of 3.1 for every request.
func BenchmarkJSONBody(b *testing.B) {
	for _, version := range []string{"3.0.3", "3.1.0"} {
		text := fmt.Sprintf(order, version)
		b.Run(version+"/ours", func(b *testing.B) {
			c := load(b, text)
			header := http.Header{"Content-Type": {"application/json"}}
			b.ReportAllocs()
			for b.Loop() {
				match := c.Match("POST", "/orders/o_17/lines")
				_, found := match.Operation.Read(Request{Path: match.Path, Query: "dry_run=true", Header: header, Body: []byte(orderBody)})
				if len(found) > 0 {
					b.Fatal(found)
				}
			}
		})
		b.Run(version+"/openapi3filter", func(b *testing.B) {
			doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
			if err != nil {
				b.Fatal(err)
			}
			theirs(b, doc, func() *http.Request {
				r := httptest.NewRequest(http.MethodPost, "http://shop.test/orders/o_17/lines?dry_run=true", strings.NewReader(orderBody))
				r.Header.Set("Content-Type", "application/json")
				return r
			})
		})
	}
}

// theirs measures routing and validation by kin-openapi, of a request that is
// made anew each time, since it reads the body.
func theirs(b *testing.B, doc *openapi3.T, make func() *http.Request) {
	b.Helper()
	router, err := legacy.NewRouter(doc)
	if err != nil {
		b.Fatal(err)
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		r := make()
		b.StartTimer()
		route, path, err := router.FindRoute(r)
		if err != nil {
			b.Fatal(err)
		}
		in := &openapi3filter.RequestValidationInput{Request: r, PathParams: path, Route: route, Options: options}
		if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}

func vendor(tb testing.TB, name string) *Contract {
	tb.Helper()
	c, _, err := tryLoad(string(sharedContract(tb, name)))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// BenchmarkVendorForm reads Stripe's payment intent by the vendor's own
// contract.
func BenchmarkVendorForm(b *testing.B) {
	op := operation(b, vendor(b, "stripe.json.gz"), "PostPaymentIntents")
	r := Request{Header: formHeader(), Body: []byte(intentForm)}
	b.ReportAllocs()
	for b.Loop() {
		if _, found := op.Read(r); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// BenchmarkVendorStart loads the vendor's contract and answers the first call.
func BenchmarkVendorStart(b *testing.B) {
	text := string(sharedContract(b, "stripe.json.gz"))
	b.ReportAllocs()
	for b.Loop() {
		c, _, err := tryLoad(text)
		if err != nil {
			b.Fatal(err)
		}
		if _, found := operation(b, c, "PostPaymentIntents").Read(Request{Header: formHeader(), Body: []byte(intentForm)}); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// BenchmarkMatchAmong compares matching among ten paths and among all of
// GitHub's.
func BenchmarkMatchAmong(b *testing.B) {
	github := vendor(b, "github.json.gz")
	var few bytes.Buffer
	few.WriteString("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}: {get: {responses: {}}}\n")
	for i := range 9 {
		fmt.Fprintf(&few, "  /things%d/{a}/{b}: {get: {responses: {}}}\n", i)
	}
	for name, c := range map[string]*Contract{"10": load(b, few.String()), fmt.Sprint(len(github.Operations)): github} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			path := (&url.URL{Path: "/repos/octocat/hello/pulls/17/reviews/80"}).EscapedPath()
			for b.Loop() {
				if c.Match("GET", path).Operation == nil {
					b.Fatal("no match")
				}
			}
		})
	}
}
