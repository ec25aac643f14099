package gateway_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway"
)

// held is how much the gateway says that it holds, in bytes.
func (h *harness) held() int64 {
	n, err := strconv.ParseFloat(h.metric("parity_held_bytes"), 64)
	if err != nil {
		h.t.Error(err)
	}
	return int64(n)
}

// TestFloodFigures prints what a healthy client of the same address and run
// waits beside each flood, and what the gateway, a process of its own, comes to
// in memory:
//
//	PARITY_FLOODS=5s go test -v -run FloodFigures ./gateway
func TestFloodFigures(t *testing.T) {
	span, err := time.ParseDuration(os.Getenv("PARITY_FLOODS"))
	if err != nil {
		t.Skip("prints figures; PARITY_FLOODS says how long each flood lasts, such as 5s")
	}
	t.Logf("%-30s %10s %10s %10s %10s %8s %8s %10s", "flood", "p50 quiet", "p99 quiet", "p50", "p99", "answered", "refused", "resident")
	for _, f := range floods() {
		g := startGateway(t)
		for range 100 {
			if status := g.call(t.Context(), "POST", "/stripe/v1/customers", "description="+strings.Repeat("x", 4000)); status != http.StatusOK {
				t.Fatalf("filling: %d", status)
			}
		}
		quiet := g.measure(t.Context(), span/2)
		stop := make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() { f.do(g.addr, stop) })
		beside := g.measure(t.Context(), span)
		close(stop)
		all.Wait()
		t.Logf("%-30s %10v %10v %10v %10v %8d %8d %8dMB", f.name, quiet.at(0.5), quiet.at(0.99), beside.at(0.5), beside.at(0.99), len(beside.took), beside.refused, g.resident()>>10)
		g.end()
	}
}

// A gatewayProcess is a gateway in a process of its own.
type gatewayProcess struct {
	cmd    *exec.Cmd
	url    string
	addr   string // without a scheme
	client *http.Client
}

func startGateway(t *testing.T) *gatewayProcess {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "profile.yaml"), []byte(quiet), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedRoot+"="+root, killedDurability+"=async", killedAddress+"=127.0.0.1:0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g := &gatewayProcess{cmd: cmd, client: &http.Client{Transport: &http.Transport{}, Timeout: 30 * time.Second}}
	t.Cleanup(g.end)
	waitFor(t, "a gateway", func() bool {
		text, err := os.ReadFile(filepath.Join(root, "ready"))
		_, rest, found := strings.Cut(string(text), "data     ")
		g.url, _, _ = strings.Cut(rest, "\n")
		g.addr = strings.TrimPrefix(g.url, "http://")
		return err == nil && found
	})
	return g
}

func (g *gatewayProcess) end() {
	g.client.CloseIdleConnections()
	_ = g.cmd.Process.Kill()
	_ = g.cmd.Wait()
}

// call gives the status of an answer that was read to its end, 0 for none.
func (g *gatewayProcess) call(ctx context.Context, method, path, body string) int {
	r, err := http.NewRequestWithContext(ctx, method, g.url+path, strings.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("Authorization", "Bearer "+floodKey)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	reply, err := g.client.Do(r)
	if err != nil {
		return 0
	}
	_, err = io.Copy(io.Discard, reply.Body)
	_ = reply.Body.Close()
	if err != nil {
		return 0
	}
	return reply.StatusCode
}

// resident is the most memory that the gateway has had, in KiB.
func (g *gatewayProcess) resident() int {
	if runtime.GOOS != "linux" {
		return 0
	}
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(g.cmd.Process.Pid) + "/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	n, _ := strconv.Atoi(strings.TrimSpace(rest[:max(0, strings.Index(rest, "kB"))]))
	return n
}

// figures are what the calls of a healthy client came to.
type figures struct {
	took    []time.Duration // of those that were answered, in order
	refused int
}

func (f figures) at(share float64) time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	return f.took[min(len(f.took)-1, int(float64(len(f.took))*share))].Round(10 * time.Microsecond)
}

// measure calls for as long as that, one call at a time.
func (g *gatewayProcess) measure(ctx context.Context, span time.Duration) (f figures) {
	for end := time.Now().Add(span); time.Now().Before(end); {
		began := time.Now()
		if g.call(ctx, "GET", "/stripe/v1/customers?limit=1", "") == http.StatusOK {
			f.took = append(f.took, time.Since(began))
		} else {
			f.refused++
		}
	}
	slices.Sort(f.took)
	return f
}

// Beside each flood a healthy client of the same address and run is answered,
// each time, and what is held for requests stays within its bound. A flood that
// connects anew whenever it is cut has a share of the last eighth of its client's
// calls, so that a call may be refused in words; tried again it comes through. How
// long it waits is printed; TestFloodFigures has more of that.
func TestHealthyClientBesideFloods(t *testing.T) {
	const bound = 128 << 20
	calls := 60
	if testing.Short() {
		calls = 8
		t.Logf("%d calls beside each flood; 60 without -short", calls)
	}
	for _, f := range floods() {
		t.Run(f.name, func(t *testing.T) {
			h := open(t, quiet, func(s *gateway.Settings) { s.MaxHeld = bound })
			customers := "http://" + h.Addr() + "/stripe/v1/customers"
			c := h.direct(false, false)
			for range 20 {
				must(t, c, "POST", customers, "description="+strings.Repeat("x", 400))
			}
			alone := persist(t, c, customers, calls)
			if alone.refused > 0 {
				t.Errorf("%d of %d calls were refused without a flood, want none", alone.refused, calls)
			}
			stop := make(chan struct{})
			var all sync.WaitGroup
			all.Go(func() { f.do(h.Addr(), stop) })
			t.Cleanup(sync.OnceFunc(func() { close(stop); all.Wait() })) // where a call fails too, and before the gateway closes
			beside := persist(t, c, customers, calls)
			held := h.held()
			t.Logf("p50 %v, p99 %v; alone %v, %v; %d refused at first; held %d KiB of %d", beside.at(0.5), beside.at(0.99), alone.at(0.5), alone.at(0.99), beside.refused, held>>10, bound>>10)
			if held > bound {
				t.Errorf("%d bytes are held, want at most %d", held, bound)
			}
		})
	}
}

// persist makes calls, one at a time, each until it is answered: it may be refused
// because its address has too many under way, and nothing else.
func persist(t *testing.T, c *http.Client, target string, calls int) (f figures) {
	t.Helper()
	for range calls {
		for began := time.Now(); ; {
			status, body, header, err := call(t, c, "GET", target, "")
			if err == nil && status == http.StatusOK {
				f.took = append(f.took, time.Since(began))
				break
			}
			if status != http.StatusTooManyRequests || header.Get("X-Parity-Refused") != "client-busy" || header.Get("Retry-After") == "" {
				t.Fatalf("answered %d %v %v, want 200, or 429 that says client-busy and when to come back", status, body, err)
			}
			if f.refused++; f.refused > calls {
				t.Fatalf("%d refusals in %d calls, want fewer than one a call", f.refused, calls)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	slices.Sort(f.took)
	return f
}
