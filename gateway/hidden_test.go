package gateway_test

import (
	"strings"
	"testing"
)

// keyed is a contract that takes its credentials in every place there is, and
// has secrets in queries and bodies besides.
const keyed = `
openapi: 3.1.0
info: {title: Keyed, version: "1"}
security: [{inQuery: []}, {inHeader: []}, {inCookie: []}]
paths:
  /things:
    get:
      operationId: list
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: cursor, in: query, schema: {type: string}}
        - {name: pin, in: query, schema: {type: string, format: password, maxLength: 30}}
      responses: {"200": {description: All, headers: {Link: {schema: {type: string}}}, content: {application/json: {schema: {type: object, properties: {next: {type: string, format: uri}, items: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}}}}
    post:
      operationId: make
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
      responses: {"201": {description: Made, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: read
      responses: {"200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
components:
  securitySchemes:
    inQuery: {type: apiKey, in: query, name: api_key}
    inHeader: {type: apiKey, in: header, name: X-Agent-Key}
    inCookie: {type: apiKey, in: cookie, name: sid}
  schemas:
    Thing:
      type: object
      properties:
        id: {type: string, readOnly: true}
        name: {type: string}
        pin: {type: string, format: password, maxLength: 30}
        deep: {allOf: [{type: object, properties: {pin: {type: string, format: password, writeOnly: true}}}, {type: object, properties: {own: {type: string}}}]}
`

// What a contract of one's own names as a credential, or calls a password, is
// in no file of the run, and in no event.
func TestSecretsThatAContractNamesReachNoDisk(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, strings.Replace(ownProfile, "crm/crm.yaml", "keyed.yaml", 1), logInto(&log), beside(t, "keyed.yaml", keyed))
	c := h.proxied(false)
	const canary = "canaryQ7xZ2mWv9"
	const api = "https://crm.test/things"
	send := func(method, target, body string, header ...string) int {
		t.Helper()
		header = append([]string{"Content-Type", "application/json", "Authorization", ""}, header...)
		status, _, _, err := call(t, c, method, target, body, header...)
		if err != nil && !strings.Contains(err.Error(), "invalid character") && !strings.Contains(err.Error(), "EOF") {
			t.Fatal(err)
		}
		return status
	}
	for _, name := range []string{"a", "b", "c"} {
		if status := send("POST", api+"?api_key="+canary, `{"name":"`+name+`","pin":"`+canary+`","deep":{"own":"o","pin":"`+canary+`"}}`); status != 201 {
			t.Fatalf("making one: %d", status)
		}
	}
	for _, target := range []string{"?api_key=", "?limit=1&api_key=", "?limit=1&api%5Fkey=", "?limit=x&api_key=", "?api_key=1&pin=", "?limit=1&api_key=1&pin=" + strings.Repeat("x", 30), "/none?api_key="} {
		send("GET", api+target+canary, "")
	}
	send("GET", api, "", "X-Agent-Key", canary)
	send("GET", api, "", "Cookie", "sid="+canary)
	send("POST", api+"?api_key=1", `{"pin":["`+canary+`"]}`)
	send("POST", api+"?api_key=1", `{"pin":"`+strings.Repeat("x", 30)+canary+`"}`)
	send("POST", api+"?api_key=1", `{"pin":9876543210123}`)
	h.nowhere(canary, &log)
	h.nowhere("9876543210123", &log)
}
