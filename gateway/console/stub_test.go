package console

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/client"
)

// stub is a control port that shows the page and has approvals, without a gateway.
type stub struct {
	*httptest.Server
	proved string // the name that a token proves

	mu      sync.Mutex
	list    []client.Approval
	asked   []string // decisions, as "ID BODY"
	refusal string   // a code that the next decision is refused with
	changed chan struct{}
	streams bool
}

func newStub(t *testing.T, list ...client.Approval) *stub {
	t.Helper()
	s := &stub{list: list, changed: make(chan struct{}), streams: true}
	mux := http.NewServeMux()
	mux.Handle("/console/", Handler())
	mux.HandleFunc("POST /v1/console/tokens", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != `{"code":"good"}` {
			problem(w, 403, "unknown-code")
			return
		}
		answer(w, client.ConsoleToken{Token: "t0ken", Name: s.proved, Proved: s.proved != ""})
	})
	mux.HandleFunc("GET /v1/approvals", s.listed)
	mux.HandleFunc("GET /v1/runs/{run}/clock", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, client.Clock{Mode: "live", Now: began, Speed: 60})
	})
	mux.HandleFunc("GET /v1/runs/{run}/approvals/{id}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		answer(w, s.list[s.at(r.PathValue("id"))])
	})
	mux.HandleFunc("POST /v1/runs/{run}/approvals/{id}/decision", s.decided)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != "/v1/console/tokens" && r.Header.Get("Authorization") != "Bearer t0ken" {
			problem(w, 401, "unauthorised")
			return
		}
		if r.Header.Get("Cookie") != "" {
			t.Errorf("%s has a cookie", r.URL)
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func problem(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"status":%d,"title":"x","code":%q,"detail":"the gateway says %s"}`, status, code, code)
}

// at is where an approval is in the list; mu is held.
func (s *stub) at(id string) int {
	for i := range s.list {
		if s.list[i].ID == id {
			return i
		}
	}
	panic("no approval " + id)
}

// change changes the list, and tells whoever follows it.
func (s *stub) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *stub) listed(w http.ResponseWriter, r *http.Request) {
	live := strings.Contains(r.Header.Get("Accept"), "text/event-stream")
	for first := true; ; first = false {
		s.mu.Lock()
		list, changed := append([]client.Approval{}, s.list...), s.changed
		if !s.streams || !live {
			s.mu.Unlock()
			answer(w, client.Approvals{Approvals: list})
			return
		}
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range list {
			data, _ := json.Marshal(list[i])
			fmt.Fprintf(w, "id: %d\nevent: approval\ndata: %s\n\n", i, data)
		}
		if first {
			fmt.Fprint(w, "id: 0\nevent: listed\ndata: {}\n\n")
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func (s *stub) decided(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var said client.Decision
	if err := json.Unmarshal(body, &said); err != nil {
		problem(w, 400, "contract")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.PathValue("id")+" "+string(body))
	a := &s.list[s.at(r.PathValue("id"))]
	if code := s.refusal; code != "" {
		s.refusal = ""
		a.Digest = "moved-since"
		problem(w, 409, code)
		return
	}
	a.State = map[string]string{"approve": client.Approved, "reject": client.Rejected, "change": client.Changed, "escalate": client.Escalated, "revoke": client.Revoked}[said.Decision]
	a.By, a.Note, a.Set, a.Decided = &client.By{Name: said.By, Kind: client.ByClaimed}, said.Note, said.Set, began
	answer(w, *a)
}

// decisions are what was asked so far.
func (s *stub) decisions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.asked...)
}

// began is an instant on the clock of the runs.
var began = time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)

// refund is an approval of a refund that waits.
func refund(id string, lapses time.Duration) client.Approval {
	return client.Approval{
		ID: id, Run: "support-desk-7", Gate: "large-refunds", State: client.Pending, Because: "A refund cannot be taken back.", Asked: began.Add(-20 * time.Minute), Lapses: began.Add(lapses), Digest: "9f2c-" + id,
		AskedCall: client.AskedCall{
			Identity: "stripe-support-bot", Operation: "stripe POST /v1/refunds", Class: "irreversible", Intent: "f3c1.1", Event: 17,
			Request: client.AskedRequest{Path: map[string]any{}, Query: map[string]any{}, Body: map[string]any{
				"charge": "ch_3NqKx2eZvKYlo2C1", "amount": 12000, "reason": "requested_by_customer", "metadata": map[string]any{"ticket": "T-4711", "tags": []any{"vip", "second complaint"}},
			}},
			Before: []client.Earlier{{Event: 9, Call: "stripe GET /v1/customers/cus_Ada", Status: 200}, {Event: 12, Call: "stripe GET /v1/charges/ch_3NqKx2eZvKYlo2C1", Status: 200}, {Event: 15, Call: "stripe POST /v1/refunds", Status: 402}},
		},
		Bound: []client.Bound{{Record: "stripe.charges/ch_3NqKx2eZvKYlo2C1", Version: 3}},
		Predicted: &client.Prediction{
			Status: 200, Body: map[string]any{"id": "re_1", "object": "refund", "amount": 12000, "status": "succeeded"}, Webhooks: 2, Fidelity: "modelled", Touches: map[string]int{"stripe.refunds": 1, "stripe.charges": 1},
			Diff: []client.Change{
				{Record: "stripe.refunds/(new)", Op: "create", After: map[string]any{"amount": 12000, "currency": "usd", "charge": "ch_3NqKx2eZvKYlo2C1", "status": "succeeded", "description": nil, "failure_reason": nil, "transfer_reversal": nil, "balance_transaction": nil}},
				{Record: "stripe.charges/ch_3NqKx2eZvKYlo2C1", Op: "update", Fields: map[string][2]any{"amount_refunded": {0, 12000}, "refunded": {false, true}}},
				{Record: "stripe.disputes/dp_1", Op: "delete", Before: map[string]any{"reason": "duplicate", "amount": 12000}},
			},
			Differences: []string{"no-settlement"}, Signals: []client.Signal{{Kind: "dependency", Text: "slack is down by the rule chat-outage"}},
		},
		Answer: client.Answer{Approver: "billing-lead"},
	}
}

// message is another sort of call, by another gate.
func message(id string) client.Approval {
	a := refund(id, 3*time.Minute)
	a.Gate, a.Operation, a.Class, a.Identity, a.Because, a.Run = "broadcasts", "slack POST /api/chat.postMessage", "reversible", "slack-bot", "", "nightly-2"
	a.Request.Body = map[string]any{"channel": "C0GENERAL", "text": "The refund service is back."}
	a.Predicted.Diff, a.Predicted.Outbox, a.Predicted.Webhooks = a.Predicted.Diff[:1], 1, 0
	a.Predicted.Diff[0].Record = "slack.messages/(new)"
	return a
}

// decidedBy is one that was answered.
func decidedBy(id, state, name string) client.Approval {
	a := refund(id, time.Hour)
	a.State, a.Decided, a.By, a.Note = state, began.Add(-time.Minute), &client.By{Name: name, Kind: client.ByPerson}, "Looks like a double."
	return a
}
