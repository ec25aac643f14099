package fidelity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/cmd/internal/fidelity"
	"parity/cmd/internal/gatewaytest"
	"parity/cmd/internal/output"
	judged "parity/gateway/fidelity"
)

// production is a service that differs from the fake of ours in ways that we
// know: each changes one kind of reply.
type production struct {
	h     *gatewaytest.Gateway
	plant map[string]func(r *http.Response, body map[string]any) // by method and path
	delay map[string]time.Duration
}

func (p *production) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+p.h.Addr()+"/stripe"+r.URL.RequestURI(), r.Body)
	if err != nil {
		panic(err)
	}
	out.Header, out.Close = r.Header.Clone(), true
	got, err := http.DefaultClient.Do(out)
	if err != nil {
		panic(err)
	}
	defer got.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(got.Body).Decode(&body); err != nil {
		panic(err)
	}
	path, _, _ := strings.Cut(r.URL.Path, "?")
	if change := p.plant[r.Method+" "+shapeOf(path)]; change != nil {
		change(got, body)
	}
	got.Header.Del("Content-Length")
	for name, values := range got.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(got.StatusCode)
	_ = json.NewEncoder(w).Encode(body)
}

// shapeOf puts {id} in the place of ids.
func shapeOf(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.Contains(part, "_") && part != "payment_intents" {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}

// recorder is a client that keeps what it sends and gets as HAR. How long a reply
// took is what the service says it took, so that a busy machine adds nothing.
type recorder struct {
	t       *testing.T
	base    string
	delay   map[string]time.Duration
	entries []any
}

func (c *recorder) do(method, target, form string) map[string]any {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.base+target, strings.NewReader(form))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer sk_test_canarycanarycanary")
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	pairs := func(h http.Header) (all []map[string]string) {
		for name := range h {
			all = append(all, map[string]string{"name": name, "value": h.Get(name)})
		}
		return all
	}
	path, _, _ := strings.Cut(target, "?")
	entry := map[string]any{
		"timings": map[string]any{"wait": max(1, c.delay[method+" "+shapeOf(path)].Milliseconds())},
		"request": map[string]any{
			"method": method, "url": "https://api.stripe.com" + target, "headers": pairs(request.Header),
			"postData": map[string]any{"mimeType": "application/x-www-form-urlencoded", "text": form},
		},
		"response": map[string]any{"status": reply.StatusCode, "headers": pairs(reply.Header), "content": map[string]any{"text": string(text)}},
	}
	if form == "" {
		delete(entry["request"].(map[string]any), "postData")
	}
	c.entries = append(c.entries, entry)
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		c.t.Fatal(err)
	}
	return body
}

func (c *recorder) file() string {
	c.t.Helper()
	data, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": c.entries}})
	if err != nil {
		c.t.Fatal(err)
	}
	file := filepath.Join(c.t.TempDir(), "canary.har")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return file
}

// planted are ten ways in which production is not as the fake.
func planted() map[string]func(*http.Response, map[string]any) {
	return map[string]func(*http.Response, map[string]any){
		"POST /v1/customers/{id}":      func(r *http.Response, _ map[string]any) { r.StatusCode = 202 },
		"GET /v1/customers/{id}":       func(r *http.Response, b map[string]any) { reword(r, b); delete(b, "livemode") },
		"POST /v1/customers":           func(_ *http.Response, b map[string]any) { b["loyalty_tier"] = "gold" },
		"GET /v1/products/{id}":        func(_ *http.Response, b map[string]any) { b["active"] = "true" },
		"POST /v1/payment_intents":     func(_ *http.Response, b map[string]any) { b["status"] = "requires_source" },
		"GET /v1/customers":            func(_ *http.Response, b map[string]any) { slices.Reverse(b["data"].([]any)) },
		"GET /v1/payment_intents/{id}": func(r *http.Response, _ map[string]any) { r.Header.Set("Sunset", "Sat, 01 Jan 2028 00:00:00 GMT") },
		"GET /v1/products":             func(_ *http.Response, b map[string]any) { b["data"], b["has_more"] = b["data"].([]any)[:2], true },
	}
}

func reword(_ *http.Response, body map[string]any) {
	if e, ok := body["error"].(map[string]any); ok {
		e["message"] = "There is nobody of that name."
	}
}

// record has a client use a service that begins empty.
func record(t *testing.T, plant map[string]func(*http.Response, map[string]any), delay map[string]time.Duration) string {
	t.Helper()
	server := httptest.NewServer(&production{h: gatewaytest.Open(t, gatewaytest.Quiet), plant: plant, delay: delay})
	t.Cleanup(server.Close)
	c := &recorder{t: t, base: server.URL, delay: delay}
	var customer, product string
	for n := range 3 {
		customer, _ = c.do("POST", "/v1/customers", fmt.Sprintf("name=Ada%d", n))["id"].(string)
		product, _ = c.do("POST", "/v1/products", fmt.Sprintf("name=Lamp%d", n))["id"].(string)
	}
	c.do("POST", "/v1/customers/"+customer, "name=Grace")
	c.do("GET", "/v1/customers/"+customer, "")
	c.do("GET", "/v1/customers/cus_nobody", "")
	c.do("GET", "/v1/customers", "")
	c.do("GET", "/v1/products/"+product, "")
	c.do("GET", "/v1/products", "")
	intent, _ := c.do("POST", "/v1/payment_intents", "amount=2000&currency=eur")["id"].(string)
	c.do("GET", "/v1/payment_intents/"+intent, "")
	c.do("GET", "/v1/balance", "")
	return c.file()
}

func measured(t *testing.T, f fidelity.Measurement) (judged.Result, int) {
	t.Helper()
	f.Output = "json"
	var out bytes.Buffer
	code, err := f.Print(&out)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "canarycanary") {
		t.Error("a credential that was recorded is written")
	}
	var r judged.Result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r, code
}

func TestPlantedDifferencesAreFoundAndNoneIsInvented(t *testing.T) {
	t.Parallel()
	file := record(t, planted(), map[string]time.Duration{"GET /v1/balance": 400 * time.Millisecond})
	r, code := measured(t, fidelity.Measurement{Recordings: []string{file}})
	var found []string
	for _, d := range r.Undeclared() {
		found = append(found, strings.TrimSpace(strings.Join([]string{d.Operation, d.What, d.Where}, " ")))
	}
	slices.Sort(found)
	if diff := cmp.Diff([]string{
		"stripe GET /v1/balance timing",
		"stripe GET /v1/customers order /data",
		"stripe GET /v1/customers/{customer} extra /livemode",
		"stripe GET /v1/customers/{customer} value /error/message",
		"stripe GET /v1/payment_intents/{intent} header sunset",
		"stripe GET /v1/products size /data",
		"stripe GET /v1/products/{id} type /active",
		"stripe POST /v1/customers missing /loyalty_tier",
		"stripe POST /v1/customers/{customer} status",
		"stripe POST /v1/payment_intents value /status",
	}, found); diff != "" {
		t.Fatal(diff)
	}
	if code != output.ExitConditions || r.Percent >= 100 || r.Percent < 80 {
		t.Errorf("code %d, %.1f %%", code, r.Percent)
	}

	profile := filepath.Join(t.TempDir(), "p.yaml")
	text := "profile: p\nservices: {stripe: {}}\n" + r.Proposed
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	again, code := measured(t, fidelity.Measurement{Recordings: []string{file}, Profile: profile})
	if left := again.Undeclared(); code != 0 || len(left) > 0 || len(again.Stale) > 0 || len(again.Differences) != 10 {
		t.Errorf("once declared: code %d, undeclared %+v, stale %v\n%s", code, left, again.Stale, text)
	}
}

// A service that is as the fake shows no difference, and what was declared of it
// is stale.
func TestNoDifferenceIsFoundWhereThereIsNone(t *testing.T) {
	t.Parallel()
	file := record(t, nil, nil)
	profile := filepath.Join(t.TempDir(), "p.yaml")
	text := `profile: p
services: {stripe: {}}
differences:
  old: {covers: stripe POST /v1/customers, production: a, here: b, so: c, weakens: [content]}
  elsewhere: {covers: stripe POST /v1/refunds, production: a, here: b, so: c, weakens: [content]}
  unseen: {covers: stripe *, production: a, here: b, so: c, weakens: [settlement]}
`
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, code := measured(t, fidelity.Measurement{Recordings: []string{file}, Profile: profile})
	if code != 0 || r.Percent != 100 || len(r.Differences) != 0 || r.Proposed != "" {
		t.Errorf("code %d, %+v", code, r)
	}
	if diff := cmp.Diff([]string{"old"}, r.Stale); diff != "" {
		t.Error(diff)
	}
}

// A mark with a digest in it, as records have them, was taken for the service's
// word.
func TestMarksOfSecretsAreNoDifference(t *testing.T) {
	t.Parallel()
	file := record(t, map[string]func(*http.Response, map[string]any){
		"POST /v1/payment_intents": func(_ *http.Response, b map[string]any) { b["status"] = "(redacted-x0Qd)" },
		"POST /v1/customers":       func(_ *http.Response, b map[string]any) { b["name"] = "(redacted)" },
		"GET /v1/products/{id}":    func(_ *http.Response, b map[string]any) { b["name"] = "sk_live_(redacted-x0Qd)" },
	}, nil)
	if r, code := measured(t, fidelity.Measurement{Recordings: []string{file}}); code != 0 || r.Percent != 100 {
		t.Errorf("code %d, %+v", code, r.Differences)
	}
}
