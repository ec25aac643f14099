package gateway_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/people"
)

// deskContract is one whose writes take the version of what they are about.
const deskContract = `openapi: 3.1.0
info: {title: desk, version: "1"}
servers: [{url: https://desk.example}]
security: [{key: []}]
paths:
  /tickets:
    get: {operationId: list, responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/ticket"}}}}}}}
    post: {operationId: make, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/ticket"}}}}, responses: {"201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/ticket"}}}}}}
  /tickets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/ticket"}}}}}}
    patch:
      operationId: change
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/ticket"}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/ticket"}}}}}
    delete: {operationId: remove, responses: {"204": {description: gone}}}
components:
  securitySchemes: {key: {type: http, scheme: bearer}}
  schemas: {ticket: {type: object, properties: {id: {type: string, readOnly: true}, title: {type: string}}}}
`

// The version that was approved goes with the write, so that the real service itself
// closes the time between the look and the write; what it makes and deletes is so in
// the run's world.
func TestAWriteSaysTheVersionThatWasApproved(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var saw []string
	front := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		saw = append(saw, strings.TrimSpace(q.Method+" "+q.URL.Path+" "+q.Header.Get("If-Match")))
		w.Header().Set("ETag", `"v7"`)
		w.Header().Set("Content-Type", "application/json")
		switch q.Method {
		case http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		case http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"id":"t9","title":"new"}`)
		case http.MethodPatch:
			_, _ = io.WriteString(w, `{"id":"t1","title":"loud"}`)
		default:
			_, _ = io.WriteString(w, `{"id":"t1","title":"calm"}`)
		}
	}))
	t.Cleanup(front.Close)
	dir := t.TempDir()
	roots := filepath.Join(dir, "roots.pem")
	for name, data := range map[string][]byte{roots: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw}), filepath.Join(dir, "desk.yaml"): []byte(deskContract)} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := openIn(t, dir, fmt.Sprintf(`
profile: desk
seed: 7
services:
  desk:
    contract: desk.yaml
    mode: live
    upstream: {credential: {env: STRIPE_REAL}, hosts: ["%s"], roots: %s}
clock: {mode: stepped}
policy: {stage: 3, approvers: {ada: {person: true}}}
`, strings.TrimPrefix(front.URL, "https://"), roots), withRealKey, func(s *gateway.Settings) { s.Token = controlToken })
	token, err := people.Add(filepath.Join(h.root, people.FileName), "ada", h.Run.Clock().Last)
	if err != nil {
		t.Fatal(err)
	}
	ada, err := client.New(client.Options{URL: "http://" + h.Control(), Token: token})
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path, body string) (int, string) {
		status := 0
		for range 2 {
			q, err := http.NewRequestWithContext(t.Context(), method, "http://"+h.Addr()+"/desk"+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set("Authorization", "Bearer any")
			q.Header.Set("Content-Type", "application/json")
			reply, err := h.single().Do(q)
			if err != nil {
				t.Fatal(err)
			}
			said, _ := io.ReadAll(reply.Body)
			_ = reply.Body.Close()
			if status = reply.StatusCode; status != http.StatusForbidden {
				return status, string(said)
			}
			id, _, _ := strings.Cut(reply.Header.Get("Parity-Approval"), ";")
			if err := h.says(t, ada, id); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
		}
		return status, ""
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		there, title       string
	}{
		{"PATCH", "/tickets/t1", `{"title":"loud"}`, 200, "t1", "loud"},
		{"POST", "/tickets", `{"title":"new"}`, 201, "t9", "new"},
		{"DELETE", "/tickets/t1", "", 204, "t1", ""},
	} {
		if status, body := send(c.method, c.path, c.body); status != c.status {
			t.Errorf("%s: %d %s", c.method, status, body)
		}
		record, ok := h.Run.World().Get("desk.tickets", c.there)
		if ok != (c.title != "") || ok && record.Value()["title"] != c.title {
			t.Errorf("after %s the run's world has %v", c.method, record)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	writes := strings.Join(saw, ", ")
	for want, n := range map[string]int{`PATCH /tickets/t1 "v7"`: 1, "POST /tickets": 1, "DELETE /tickets/t1": 1} {
		if got := strings.Count(writes+",", want+","); got != n {
			t.Errorf("%s came %d times: %s", want, got, writes)
		}
	}
	h.events()
	h.again(t)
}
