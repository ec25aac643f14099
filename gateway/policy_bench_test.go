package gateway_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/gateway"
)

// BenchmarkPolicy compares what a call costs under policies of several kinds with
// what it costs under none, interleaved in one process: a grant and a stage, a gate
// whose condition does not hold, a gate that holds the call and asks, and a grant
// beside ten thousand approvals that wait. Read the ratios.
func BenchmarkPolicy(b *testing.B) {
	const grant = "identities:\n  bot: {presents: {value: sk_test_parityparity}, may: irreversible}\n"
	gate := func(when string) string {
		return grant + "policy:\n  gates:\n    customers: {call: stripe POST /v1/customers, " + when + "then: approve}\n  approvers:\n    clerk: {decides: nothing}\n"
	}
	kinds := []struct {
		name, profile string
		waits         int
		path          string
	}{
		{"none", "", 0, "customers"},
		{"static", grant + "policy: {stage: 5}\n", 0, "customers"},
		{"gate-passes", gate(`when: request.body.name == "nobody", `), 0, "customers"},
		{"gate-holds", gate(""), 0, "customers"},
		{"10000-wait", gate(""), 10_000, "products"},
	}
	took, allocs := make([]time.Duration, len(kinds)), make([]uint64, len(kinds))
	var asks []func(int)
	for _, k := range kinds {
		post := policied(b, k.profile)
		for n := range k.waits {
			post("customers", n)
		}
		asks = append(asks, func(n int) { post(k.path, n) })
	}
	const rounds = 10
	per := max(b.N/rounds, 50)
	b.ResetTimer()
	for round := range rounds {
		for i := range kinds {
			before, began := mallocs(), time.Now()
			for n := range per {
				asks[i](round*per + n)
			}
			took[i] += time.Since(began)
			allocs[i] += mallocs() - before
		}
	}
	b.StopTimer()
	b.ReportMetric(0, "ns/op")
	for i, k := range kinds {
		b.ReportMetric(float64(took[i])/float64(took[0]), k.name+":ratio")
		b.ReportMetric(float64(allocs[i])/float64(rounds*per), k.name+":allocs")
	}
}

// policied opens a gateway under a policy, and gives what posts a record to it.
func policied(b *testing.B, policy string) func(path string, n int) {
	b.Helper()
	dir := b.TempDir()
	file := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte("profile: bench\nworld: empty\nservices: {stripe: {}}\n"+policy), 0o600); err != nil {
		b.Fatal(err)
	}
	srv, err := gateway.Open(b.Context(), gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file, Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeServer(b, srv) })
	c := &http.Client{Transport: &http.Transport{}}
	return func(path string, n int) {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+srv.Addr()+"/stripe/v1/"+path, strings.NewReader(fmt.Sprintf("name=n%d", n)))
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer sk_test_parityparity")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		reply, err := c.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, reply.Body)
		reply.Body.Close()
		if reply.StatusCode != http.StatusOK && reply.StatusCode != http.StatusForbidden {
			b.Fatalf("POST %s: %s", path, reply.Status)
		}
	}
}
