package fidelity_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/fidelity"
)

// bank wants a credential of another kind at each of its paths.
const bank = `openapi: 3.0.3
info: {title: bank, version: "1"}
servers: [{url: "https://bank.example"}]
paths:
  /accounts:
    get: {security: [{basic: []}], responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/A"}}}}}}}
  /accounts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {security: [{header: []}], responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}, "401": {description: no}, "404": {description: no}}}
    patch: {security: [{query: []}], requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}}
  /cards:
    post: {security: [{bearer: []}], requestBody: {content: {application/json: {schema: {type: object, properties: {holder: {type: string}}}}}}, responses: {"201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/C"}}}}}}
    get: {security: [{cookie: []}], responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/C"}}}}}}}
  /cards/{gid}:
    parameters: [{name: gid, in: path, required: true, schema: {type: string}}]
    get: {security: [{bearer: []}], responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/C"}}}}, "404": {description: no}}}
    delete: {security: [{bearer: []}], responses: {"204": {description: ok}}}
components:
  securitySchemes:
    basic: {type: http, scheme: basic}
    bearer: {type: http, scheme: bearer}
    header: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: key}
    cookie: {type: apiKey, in: cookie, name: sid}
  schemas:
    A: {type: object, required: [id, name, note], properties: {id: {type: string}, name: {type: string}, note: {type: string}, owner_id: {type: string}}}
    C: {type: object, required: [gid], properties: {gid: {type: string, format: uuid}, holder: {type: string}}}
`

// Of a service of one's own nothing was measured but 401 and 404: no credential of
// its kind was shown, and what was read was not there.
func TestAServiceOfOnesOwnIsMeasured(t *testing.T) {
	t.Parallel()
	const dashed = "0b3e8a51-6f0d-4c55-9d0e-2f3a54c1b7aa"
	plain := strings.ReplaceAll(dashed, "-", "")
	card := `{"gid":"` + dashed + `","holder":"Ada"}`
	type call struct {
		method, target, body string
		status               int
		reply                string
	}
	file := har(t, []call{
		{"GET", "/accounts", "", 200, `[{"id":"acc_1","name":"main","note":"","owner_id":""},{"id":"acc_2","name":"other","note":"n"}]`},
		{"GET", "/accounts/acc_1", "", 401, ``},
		{"GET", "/accounts/acc_1", "", 200, `{"id":"acc_1","name":"main","note":"","owner_id":""}`},
		{"PATCH", "/accounts/acc_2", `{"name":"better"}`, 200, `{"id":"acc_2","name":"better","note":"n"}`},
		{"GET", "/accounts/acc_2", "", 200, `{"id":"acc_2","name":"better","note":"n"}`},
		{"GET", "/accounts/acc_9", "", 404, ``},
		{"GET", "/cards", "", 200, `[]`},
		{"POST", "/cards", `{"holder":"Ada"}`, 201, card},
		{"GET", "/cards/" + plain, "", 200, card},
		{"GET", "/cards/" + dashed, "", 200, card},
		{"GET", "/cards", "", 200, `[` + card + `]`},
		{"DELETE", "/cards/" + plain, "", 204, ``},
		{"GET", "/cards/" + dashed, "", 404, ``},
	}, func(c call) (string, string, string, int, string) {
		return c.method, c.target, c.body, c.status, c.reply
	})
	dir := t.TempDir()
	profile := filepath.Join(dir, "p.yaml")
	for name, text := range map[string]string{"bank.yaml": bank, "p.yaml": "profile: p\nservices: {bank: {contract: bank.yaml}}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := measured(t, fidelity.Measurement{Recordings: []string{file}, Profile: profile})
	for _, d := range r.Differences {
		if d.What == "text" && d.Production == "" { // a refusal says what happened, also where its contract has no body for that
			continue
		}
		t.Errorf("%s %s %s: %q here, %q recorded", d.Operation, d.What, d.Where, d.Here, d.Production)
	}
	if r.Writes.Exchanges != 3 || r.Reads.Exchanges != 10 || r.Writes.Percent != 100 || r.Exchanges != 13 || len(r.Disputes) != 0 {
		t.Errorf("writes %+v, reads %+v, disputes %+v", r.Writes, r.Reads, r.Disputes)
	}
}

// An empty text stood for an id of ours, and then for each empty part of a path.
func TestAnEmptyTextIsNoID(t *testing.T) {
	t.Parallel()
	type call struct{ method, target, body, reply string }
	file := har(t, []call{
		{"POST", "/v1/customers", "name=Ada", `{"id":"","object":"customer","name":"Ada"}`},
		{"GET", "/v1/customers", "", `{"object":"list","data":[],"has_more":false,"url":"/v1/customers"}`},
	}, func(c call) (string, string, string, int, string) { return c.method, c.target, c.body, 200, c.reply })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "bank.example", "api.stripe.com")), 0o600); err != nil {
		t.Fatal(err)
	}
	r, _ := measured(t, fidelity.Measurement{Recordings: []string{file}})
	found := map[string]bool{}
	for _, d := range r.Differences {
		found[d.Operation+" "+d.What+" "+d.Where] = true
	}
	if !found["stripe POST /v1/customers value /id"] || found["stripe GET /v1/customers status "] {
		t.Errorf("the differences are %v", found)
	}
}

// har writes a recording of calls in which nobody kept a credential.
func har[C any](t *testing.T, calls []C, of func(C) (method, target, body string, status int, reply string)) string {
	t.Helper()
	var entries []any
	for _, c := range calls {
		method, target, body, status, reply := of(c)
		kind := "application/json"
		if body != "" && body[0] != '{' {
			kind = "application/x-www-form-urlencoded"
		}
		request := map[string]any{"method": method, "url": "https://bank.example" + target, "headers": []any{}}
		if body != "" {
			request["headers"] = []any{map[string]string{"name": "Content-Type", "value": kind}}
			request["postData"] = map[string]string{"mimeType": kind, "text": body}
		}
		headers := []any{}
		if reply != "" {
			headers = append(headers, map[string]string{"name": "Content-Type", "value": "application/json"})
		}
		entries = append(entries, map[string]any{"request": request, "response": map[string]any{"status": status, "headers": headers, "content": map[string]string{"text": reply}}})
	}
	data, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": entries}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.har", len(calls)))
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
