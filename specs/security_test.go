package specs

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCredentialsArePresentAndWellFormed(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
security: [{token: []}]
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    user: {type: http, scheme: basic}
    key: {type: apiKey, in: query, name: api_key}
    header: {type: apiKey, in: header, name: X-Key}
    cookie: {type: apiKey, in: cookie, name: sid}
    oauth: {type: oauth2, flows: {}}
paths:
  /token: {get: {operationId: token, responses: {}}}
  /open: {get: {operationId: open, security: [], responses: {}}}
  /maybe: {get: {operationId: maybe, security: [{}, {token: []}], responses: {}}}
  /user: {get: {operationId: user, security: [{user: []}], responses: {}}}
  /both: {get: {operationId: both, security: [{key: [], header: []}], responses: {}}}
  /either: {get: {operationId: either, security: [{key: []}, {cookie: []}], responses: {}}}
  /oauth: {get: {operationId: oauth, security: [{oauth: [read]}], responses: {}}}
`)
	for _, test := range []struct{ id, query, header, want string }{
		{"token", "", "", "header /Authorization"},
		{"token", "", "Authorization: Bearer abc", ""},
		{"token", "", "Authorization: bearer abc", ""},
		{"token", "", "Authorization: Bearer", "header /Authorization"},
		{"token", "", "Authorization: Basic YTpi", "header /Authorization"},
		{"token", "", "Authorization: Basic YTo=", ""}, // a key, as the name: an official client's way
		{"token", "", "Authorization: Basic Og==", "header /Authorization"},
		{"open", "", "", ""},
		{"maybe", "", "", ""},
		{"user", "", "Authorization: Basic YTpi", ""},
		{"user", "", "Authorization: Basic ab:c", "header /Authorization"},
		{"both", "api_key=1", "X-Key: 2", ""},
		{"both", "api_key=1", "", "header /X-Key"},
		{"either", "", "Cookie: sid=1", ""},
		{"either", "api_key=", "", "query /api_key"},
		{"oauth", "", "Authorization: Bearer x", ""},
		{"oauth", "", "", "header /Authorization"},
	} {
		header := http.Header{}
		if name, value, ok := strings.Cut(test.header, ": "); ok {
			header.Set(name, value)
		}
		got := ""
		op := operation(t, contract, test.id)
		input, _ := op.Read(Request{Query: test.query})
		if v := op.Authenticate(input.Query, header); v != nil {
			got = v.In + " " + v.Pointer
		}
		if got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

func TestUndeclaredFieldsAreFlagged(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    post:
      operationId: a
      parameters: [{name: q, in: query, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                name: {type: string}
                tags: {type: object, additionalProperties: {type: string}}
                free: {type: object}
                list: {type: array, items: {type: object, properties: {x: {type: integer}}}}
                one: {anyOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}
                all: {allOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}
      responses: {}
`)
	op := operation(t, contract, "a")
	input, found := op.Read(Request{Query: "q=1&r=2", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(
		`{"name":"x","nmae":"y","tags":{"k":"v"},"free":{"z":1},"list":[{"x":1},{"y":2}],"one":{"a":"1","c":"2"},"all":{"a":"1","b":"2","d":"3"}}`)})
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, v := range op.Undeclared(input) {
		got = append(got, v.In+" "+v.Pointer)
	}
	if diff := cmp.Diff([]string{"body /all/d", "body /list/1/y", "body /nmae", "body /one/c", "query /r"}, got); diff != "" {
		t.Error(diff)
	}
}
