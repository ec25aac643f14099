package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"parity/gateway"
)

// BenchmarkHeld holds 2,000 requests for 200 ms: all at once, and as they come
// in a second. How late their replies are is measured by their clients, and so
// is, at the same moments, a bare timer of 200 ms for each of them: whatever
// else the machine does falls on both alike. A bare net/http server that waits
// for such a timer is asked in turn. Read the ratios, not the times. None may be
// early.
//
// "other" is the time of requests that are not held, beside those that are and
// by themselves.
func BenchmarkHeld(b *testing.B) {
	const requests, hold = 2000, 200 * time.Millisecond
	for _, c := range []struct {
		name   string
		spread time.Duration
	}{{"at-once", 0}, {"in-a-second", time.Second}} {
		b.Run(c.name, func(b *testing.B) {
			srv := heldServer(b, hold)
			defer closeServer(b, srv)
			clients := newHeld(b, srv.Addr(), requests)
			defer clients.close()
			alone := clients.others(hold + c.spread)
			plain := newHeld(b, timedServer(b, hold), requests)
			defer plain.close()
			clients.round(hold, c.spread) // reads the contract, and has a goroutine for each connection
			plain.round(hold, c.spread)
			var late, bare, beside, rival []time.Duration
			var heap uint64
			b.ResetTimer()
			for range b.N {
				l, t, o, h := clients.round(hold, c.spread)
				late, bare, beside, heap = append(late, l...), append(bare, t...), append(beside, o...), max(heap, h)
				l, _, _, _ = plain.round(hold, c.spread)
				rival = append(rival, l...)
			}
			b.StopTimer()
			for _, all := range [][]time.Duration{late, bare, beside, alone, rival} {
				slices.Sort(all)
			}
			if late[0] < 0 {
				b.Errorf("a reply was %v early", -late[0])
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(millis(late[0]), "ms-late/first")
			b.ReportMetric(millis(ranked(late, 0.5)), "ms-late/p50")
			b.ReportMetric(millis(ranked(late, 0.99)), "ms-late/p99")
			b.ReportMetric(millis(ranked(bare, 0.5)), "ms-late/timer-p50")
			b.ReportMetric(millis(ranked(bare, 0.99)), "ms-late/timer-p99")
			b.ReportMetric(float64(ranked(late, 0.99))/float64(ranked(bare, 0.99)), "p99-to-timer")
			b.ReportMetric(millis(ranked(rival, 0.5)), "ms-late/net-http-p50")
			b.ReportMetric(millis(ranked(rival, 0.99)), "ms-late/net-http-p99")
			b.ReportMetric(float64(ranked(beside, 0.5))/float64(ranked(alone, 0.5)), "other-p50:ratio")
			b.ReportMetric(float64(ranked(beside, 0.99))/float64(ranked(alone, 0.99)), "other-p99:ratio")
			b.ReportMetric(float64(heap)/(1<<20), "MB-heap")
		})
	}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func ranked(sorted []time.Duration, share float64) time.Duration {
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func heldServer(b *testing.B, hold time.Duration) *gateway.Server {
	dir := b.TempDir()
	file := filepath.Join(dir, "profile.yaml")
	profile := fmt.Sprintf("profile: held\nservices:\n  stripe: {}\nfaults:\n  it: {call: stripe GET /v1/charges, inject: latency, with: {fixed: %v}}\n", hold)
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		b.Fatal(err)
	}
	srv, err := gateway.Open(b.Context(), gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	return srv
}

// timedServer is a bare net/http server whose every answer waits for a timer.
func timedServer(b *testing.B, hold time.Duration) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stripe/v1/charges" {
			<-time.NewTimer(hold).C
		}
	})}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// held are clients with a connection each, which is open before it counts.
type held struct {
	b     *testing.B
	conns []*heldConn
	other *heldConn
}

type heldConn struct {
	net.Conn
	reader *bufio.Reader
	asks   []byte
}

func newHeld(b *testing.B, addr string, n int) *held {
	h := &held{b: b}
	dial := func(path string) *heldConn {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		return &heldConn{c, bufio.NewReaderSize(c, 1024), fmt.Appendf(nil,
			"GET /stripe%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc\r\n\r\n", path, addr)}
	}
	for range n {
		h.conns = append(h.conns, dial("/v1/charges"))
	}
	h.other = dial("/v1/customers")
	return h
}

func (h *held) close() {
	for _, c := range append(h.conns, h.other) {
		_ = c.Close()
	}
}

// ask makes one call and says how long it took.
func (c *heldConn) ask() (time.Duration, error) {
	began := time.Now()
	if _, err := c.Write(c.asks); err != nil {
		return 0, err
	}
	r, err := http.ReadResponse(c.reader, nil)
	took := time.Since(began)
	if err == nil {
		_, err = io.Copy(io.Discard, r.Body)
	}
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("answered %d", r.StatusCode)
	}
	return took, err
}

// others asks for what is not held, for so long.
func (h *held) others(long time.Duration) (took []time.Duration) {
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		d, err := h.other.ask()
		if err != nil {
			h.b.Error(err)
			return nil
		}
		took = append(took, d)
	}
	return took
}

// round has every client ask once.
func (h *held) round(hold, spread time.Duration) (late, bare, beside []time.Duration, heap uint64) {
	late, bare = make([]time.Duration, len(h.conns)), make([]time.Duration, len(h.conns))
	begin := time.Now().Add(10 * time.Millisecond)
	var all sync.WaitGroup
	for i, c := range h.conns {
		start := begin.Add(spread * time.Duration(i) / time.Duration(len(h.conns)))
		all.Go(func() {
			time.Sleep(time.Until(start))
			took, err := c.ask()
			if err != nil {
				h.b.Error(err)
			}
			late[i] = took - hold
		})
		all.Go(func() {
			time.Sleep(time.Until(start))
			began := time.Now()
			<-time.NewTimer(hold).C
			bare[i] = time.Since(began) - hold
		})
	}
	all.Go(func() { beside = h.others(hold + spread) })
	time.Sleep(hold/2 + spread/2)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	all.Wait()
	return late, bare, beside, m.HeapInuse
}
