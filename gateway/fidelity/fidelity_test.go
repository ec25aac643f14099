package fidelity_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/recording"
	"parity/gateway/fidelity"
	"parity/profiles"
	"parity/specs"
)

// recorded is one reply to a list of customers.
func recorded(t *testing.T, query string, status int, header map[string]string, body string, took time.Duration) fidelity.Exchange {
	t.Helper()
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	service, _ := all.Service("stripe")
	u, err := url.Parse("https://api.stripe.com/v1/customers" + query)
	if err != nil {
		t.Fatal(err)
	}
	return fidelity.Exchange{
		Exchange: recording.Exchange{
			Request: recording.Request{Method: "GET", URL: u.String(), Header: map[string]string{}}, Response: recording.Response{Status: status, Header: header, Body: body},
		},
		Service: service, Operation: service.Contract.MatchCall(&specs.Call{Method: "GET", Path: u.Path, Query: u.RawQuery}).Operation, Took: took,
	}
}

// What a profile wants to know of a service is read out of its replies.
func TestPaceLimitsAndPagesAreDerived(t *testing.T) {
	t.Parallel()
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	list := func(n int, more bool) string {
		items := strings.TrimSuffix(strings.Repeat(`{},`, n), ",")
		return fmt.Sprintf(`{"object": "list", "url": "/v1/customers", "data": [%s], "has_more": %v}`, items, more)
	}
	var seen []fidelity.Exchange
	for n := range 100 {
		seen = append(seen, recorded(t, "", 200, map[string]string{"X-RateLimit-Limit": "100"}, list(10, true), time.Duration(n+1)*10*time.Millisecond))
	}
	seen = append(seen,
		recorded(t, "?limit=50", 200, nil, list(50, true), 0), recorded(t, "", 200, nil, list(3, false), 0),
		recorded(t, "", 429, map[string]string{"retry-after": "7"}, `{"error": {}}`, 0),
	)
	r, err := fidelity.Measure([]fidelity.Recording{{Name: "a", Exchanges: seen}}, fidelity.Options{Catalogue: all})
	if err != nil || len(r.Paces) != 1 || len(r.Limits) != 1 || len(r.Pages) != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	if got := r.Paces[0].With(); got != "{p50: 510ms, p95: 960ms, p99: 1s}" {
		t.Errorf("pace %s", got)
	}
	if l := r.Limits[0]; l.Refused != 1 || l.RetryAfter[0] != "7" || l.Headers["x-ratelimit-limit"] != "100" {
		t.Errorf("limit %+v", l)
	}
	if p := r.Pages[0]; p.Default != 10 || p.Asked["limit=50"] != 50 || p.Longest != 50 {
		t.Errorf("page %+v", p)
	}
	file := filepath.Join(t.TempDir(), "p.yaml")
	text := "profile: p\nservices: {stripe: {}}\n" + r.Proposed
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load(file, profiles.Options{Catalogue: all})
	if err != nil || len(p.Warnings) > 0 || len(p.Rules) != 1 || len(p.Disabled) != 1 {
		t.Errorf("%v\n%s", err, text)
	}
}
