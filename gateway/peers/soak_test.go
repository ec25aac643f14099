package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestSoakAsksForWhatItMadeAndTellsTheFirstFailure: a server that knows only
// what it made, and fails once.
func TestSoakAsksForWhatItMadeAndTellsTheFirstFailure(t *testing.T) {
	t.Parallel()
	var made, lists, failures atomic.Int64
	mux := http.NewServeMux()
	making := func(prefix string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"id":"%s%d"}`, prefix, made.Add(1)) }
	}
	reading := func(prefix string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.PathValue("id"), prefix) {
				http.NotFound(w, r)
			}
		}
	}
	mux.HandleFunc("POST /stripe/v1/customers", making("cus_"))
	mux.HandleFunc("GET /stripe/v1/customers/{id}", reading("cus_"))
	mux.HandleFunc("POST /stripe/v1/payment_intents", making("pi_"))
	mux.HandleFunc("GET /stripe/v1/payment_intents/{id}", reading("pi_"))
	mux.HandleFunc("GET /stripe/v1/customers", func(w http.ResponseWriter, _ *http.Request) {
		if lists.Add(1) == 3 {
			failures.Add(1)
			http.Error(w, "the record is full", http.StatusInsufficientStorage)
		}
	})
	mux.HandleFunc("POST /stripe/v1/refunds", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.FormValue("payment_intent"), "pi_") {
			http.NotFound(w, r)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	w := newSoaking(raw, target{addr: server.Listener.Addr().String(), way: direct, prefix: "/stripe"}, 60)
	defer w.crowd.close()
	w.work(t.Context(), w.crowd[0])
	if w.calls != 60 || lists.Load() != 10 || made.Load() != 20 || w.failed != 1 {
		t.Errorf("%d calls, %d lists, %d made, %d failed: %s", w.calls, lists.Load(), made.Load(), w.failed, w.first)
	}
	var b strings.Builder
	if err := w.verdict(&b); err == nil || !strings.Contains(err.Error(), "call 17, GET /v1/customers?limit=10: status 507: the record is full") {
		t.Errorf("got %v", err)
	}
	server.Close()
	gone := newSoaking(raw, w.to, 0)
	gone.work(t.Context(), gone.crowd[0]) // it ends, though nobody answers
	if gone.failed != 1000 {
		t.Errorf("%d failed", gone.failed)
	}
}
