package gateway_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway"
	"parity/gateway/client"
)

// sharedServer is a gateway that keeps many runs, and a client of its control
// plane.
func sharedServer(b *testing.B, change ...func(*gateway.Settings)) (*gateway.Server, *client.Client) {
	b.Helper()
	dir := b.TempDir()
	file := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte(quiet), 0o600); err != nil {
		b.Fatal(err)
	}
	s := gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file, Shared: true, Token: controlToken,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler), MaxRuns: 1 << 30, MaxRecord: 1 << 40, MaxStore: 1 << 40,
	}
	for _, c := range change {
		c(&s)
	}
	srv, err := gateway.Open(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeServer(b, srv) })
	k, err := client.New(client.Options{URL: "http://" + srv.Control(), Token: controlToken})
	if err != nil {
		b.Fatal(err)
	}
	return srv, k
}

// BenchmarkMakeRun is a run made through the control plane, its reply read.
func BenchmarkMakeRun(b *testing.B) {
	_, k := sharedServer(b)
	n := 0
	for b.Loop() {
		n++
		if _, err := k.Make(context.Background(), client.NewRun{Names: []string{fmt.Sprint("r-", n)}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLiveRuns is what 10,000 runs of one base world cost in memory, each
// of which has written five times.
func BenchmarkLiveRuns(b *testing.B) {
	const runs = 10_000
	for range b.N {
		srv, k := sharedServer(b)
		before := heap()
		var all []client.Run
		for at := 0; at < runs; at += 1000 {
			made, err := k.Make(b.Context(), client.NewRun{Names: numbered("r", at, at+999)})
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, made...)
		}
		c := pooled(&http.Transport{MaxIdleConnsPerHost: 16})
		var work sync.WaitGroup
		for shard := range 16 {
			work.Go(func() {
				for i := shard; i < runs; i += 16 {
					for n := range 5 {
						post(b, c, base(all[i])+"/v1/customers", fmt.Sprint("name=n", n))
					}
				}
			})
		}
		work.Wait()
		b.ReportMetric(float64(heap()-before)/(1<<20), "MB/10k-runs")
		runtime.KeepAlive(srv)
	}
	b.ReportMetric(0, "ns/op")
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

func post(b *testing.B, c *http.Client, target, form string) {
	r, err := http.NewRequest("POST", target, strings.NewReader(form))
	if err != nil {
		b.Error(err)
		return
	}
	r.Header.Set("Authorization", "Bearer sk_test_x")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	reply, err := c.Do(r)
	if err != nil {
		b.Error(err)
		return
	}
	defer reply.Body.Close()
	if _, err := io.Copy(io.Discard, reply.Body); err != nil || reply.StatusCode != http.StatusOK {
		b.Errorf("%s: %d %v", target, reply.StatusCode, err)
	}
}

// BenchmarkJournal compares throughput with the record on disk and in memory,
// in interleaved rounds: what SQLite costs.
func BenchmarkJournal(b *testing.B) {
	disk, _ := sharedServer(b)
	memory, _ := sharedServer(b, func(s *gateway.Settings) { s.Memory = true })
	for _, kind := range []struct{ name, method, path, form string }{
		{"get", "GET", "/stripe/v1/charges?limit=1", ""}, {"post", "POST", "/stripe/v1/customers", "name=Ada"},
	} {
		b.Run(kind.name, func(b *testing.B) {
			const connections, rounds = 16, 10
			took := map[string]time.Duration{}
			c := pooled(&http.Transport{MaxIdleConnsPerHost: connections})
			per := max(b.N/rounds, connections*4)
			for range rounds {
				for name, srv := range map[string]*gateway.Server{"disk": disk, "memory": memory} {
					began := time.Now()
					var work sync.WaitGroup
					for range connections {
						work.Go(func() {
							for range per / connections {
								fetch(b, c, request(b, kind.method, "http://"+srv.Addr()+kind.path, kind.form))
							}
						})
					}
					work.Wait()
					took[name] += time.Since(began)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(took["memory"])/float64(took["disk"]), "disk:ratio")
		})
	}
}

// TestMillionExchanges is for by hand: PARITY_SOAK says how many exchanges one
// process answers, and its heap must be flat.
func TestMillionExchanges(t *testing.T) {
	var total int
	if _, err := fmt.Sscan(os.Getenv("PARITY_SOAK"), &total); err != nil || total == 0 {
		t.Skip("PARITY_SOAK does not say how many exchanges")
	}
	h := open(t, troubled, shared, func(s *gateway.Settings) { s.MaxRecord = 1 << 40 })
	c := h.with(&http.Transport{MaxIdleConnsPerHost: 16})
	var heaps []uint64
	const parts = 10
	for part := range parts {
		var work sync.WaitGroup
		for n := range 16 {
			work.Go(func() {
				for i := range total / parts / 16 { // each an intent of its own
					must(t, c, "GET", fmt.Sprintf("http://%s/stripe/v1/charges?limit=3&created[gte]=%d", h.Addr(), part*total+i*16+n), "")
				}
			})
		}
		work.Wait()
		heaps = append(heaps, heap()>>20)
	}
	t.Logf("heap in use after each tenth of %d exchanges, in MB: %d", total, heaps)
	if last, early := heaps[parts-1], heaps[2]; last > early*3/2+16 {
		t.Errorf("the heap grows: %d", heaps)
	}
}
