package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parity/gateway/client"
)

// BenchmarkMakeRuns is what the control plane adds to making a run: the guards,
// the contract and the answer, around an operation that does nothing.
func BenchmarkMakeRuns(b *testing.B) {
	operations := every(b)
	answer := Answer{Status: http.StatusCreated, JSON: client.Runs{Runs: []client.Run{{ID: "shard-1", State: client.Live}}}}
	operations["makeRuns"] = func(context.Context, Call) (Answer, error) { return answer, nil }
	h, err := New(Options{Address: "127.0.0.1:0", Token: token, Operations: operations})
	if err != nil {
		b.Fatal(err)
	}
	many := make([]string, 1000)
	for i := range many {
		many[i] = fmt.Sprintf(`"shard-%d"`, i)
	}
	for _, c := range []struct{ name, body string }{
		{"one", `{"names":["shard-1"],"profile":"lost-replies","ttl":"1h"}`},
		{"with-a-seed", `{"names":["shard-1"],"seed":"7","clock":{"mode":"stepped","start":"2026-03-02T13:00:00Z"}}`},
		{"a-thousand", `{"names":[` + strings.Join(many, ",") + `]}`},
		{"refused", `{"names":["Shard 1"]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("POST", "/v1/runs", strings.NewReader(c.body))
				r.Host = "localhost:8081"
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if (w.Code == http.StatusCreated) == (c.name == "refused") {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}

// BenchmarkEvents is what one live event costs on its way out.
func BenchmarkEvents(b *testing.B) {
	operations := every(b)
	payload := map[string]any{"seq": 1, "kind": "exchange", "body": strings.Repeat("a", 2000)}
	operations["getEvents"] = func(context.Context, Call) (Answer, error) {
		return Answer{Events: func(yield func(Event, error) bool) {
			for b.Loop() {
				if !yield(Event{ID: "1", Name: "exchange", JSON: payload}, nil) {
					return
				}
			}
		}}, nil
	}
	h, err := New(Options{Address: "127.0.0.1:0", Token: token, Operations: operations})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	k, err := client.New(client.Options{URL: server.URL, Token: token})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for _, err := range k.Events(b.Context(), "a", 1) {
		if err != nil {
			b.Fatal(err)
		}
	}
}
