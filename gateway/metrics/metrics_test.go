package metrics

import (
	"fmt"
	"io"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/faults/trail"
)

func newMetrics() *Metrics {
	m := New(Options{
		Faults: []string{"latency", "error"}, Reasons: []string{"unknown-host", "journal-full"}, Sheds: []string{"resets"}, Backlog: func() int64 { return 42 }, Held: func() int64 { return 43 },
		Store: func() int64 { return 44 }, Record: func() int64 { return 45 }, MaxHeld: 46, MaxRuns: 47, Version: "0.1.0", Started: time.Unix(48, 0),
	})
	m.Declare("stripe", "GET /v1/charges", "POST /v1/refunds")
	return m
}

// scrape gives the lines about Parity, values included.
func scrape(t *testing.T, m *Metrics) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(w.Body)
	if err != nil || w.Code != 200 {
		t.Fatal(w.Code, err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "parity_") {
			cut := strings.LastIndexByte(line, ' ')
			lines[line[:cut]] = strings.TrimSpace(line[cut:])
		}
	}
	return lines
}

func TestWhatIsCounted(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	m.Operation("stripe", "POST /v1/refunds").Exchange(trail.Answered, trail.Modelled, 300*time.Microsecond)
	m.Operation("stripe", "POST /v1/refunds").Exchange(trail.Answered, trail.Modelled, 2*time.Second)
	m.Operation("stripe", "DELETE /v9/nothing").Exchange(trail.Unknown, trail.None, 0)
	m.Operation("evil.example", "GET /").Exchange(trail.Denied, trail.None, 0)
	m.Operation("stripe", "GET /v1/charges").Exchange("made up", "made up", 0)
	m.Fault("error").Met()
	m.Fault("error").Met()
	m.Fault("error").Fired()
	m.Fault("latency").Outranked()
	m.Fault("made up").Met()
	m.Refused("journal-full")
	m.Refused("made up")
	m.Shed("resets")
	m.Panicked("act")
	m.Tunnelled()
	m.Left("read")
	m.Left("made up")
	m.Contained(false)
	m.Contained(true)
	m.RequestBegan()
	m.RequestBegan()
	m.RequestEnded()
	m.HoldBegan()
	m.HoldBegan()
	m.HoldEnded()
	m.RunBegan()
	m.Reloaded(time.Unix(1_700_000_000, 500_000_000), true)
	m.Reloaded(time.Unix(1_800_000_000, 0), false)

	got := scrape(t, m)
	for series, want := range map[string]string{
		`parity_exchanges_total{fidelity="modelled",operation="POST /v1/refunds",outcome="answered",service="stripe"}`: "2",
		`parity_exchanges_total{fidelity="none",operation="unknown",outcome="unknown",service="stripe"}`:               "1",
		`parity_exchanges_total{fidelity="none",operation="unknown",outcome="denied",service="unknown"}`:               "1",
		`parity_exchanges_total{fidelity="other",operation="GET /v1/charges",outcome="other",service="stripe"}`:        "1",
		`parity_exchange_seconds_count{service="stripe"}`:                                                              "4",
		`parity_exchange_seconds_sum{service="stripe"}`:                                                                "2.0003",
		`parity_exchange_seconds_bucket{service="stripe",le="0.0005"}`:                                                 "3",
		`parity_faults_total{fault="error",result="met"}`:                                                              "2",
		`parity_faults_total{fault="error",result="fired"}`:                                                            "1",
		`parity_faults_total{fault="error",result="outranked"}`:                                                        "0",
		`parity_faults_total{fault="latency",result="outranked"}`:                                                      "1",
		`parity_faults_total{fault="other",result="met"}`:                                                              "1",
		`parity_requests_refused_total{reason="journal-full"}`:                                                         "1",
		`parity_requests_refused_total{reason="unknown-host"}`:                                                         "0",
		`parity_requests_refused_total{reason="other"}`:                                                                "1",
		`parity_shed_total{what="resets"}`:                                                                             "1",
		`parity_shed_total{what="other"}`:                                                                              "0",
		`parity_held_bytes`:                                                                                            "43",
		`parity_store_bytes`:                                                                                           "44",
		`parity_record_bytes`:                                                                                          "45",
		`parity_held_limit_bytes`:                                                                                      "46",
		`parity_runs_limit`:                                                                                            "47",
		`parity_start_time_seconds`:                                                                                    "48",
		`parity_build_info{goversion="` + runtime.Version() + `",version="0.1.0"}`:                                     "1",
		`parity_panics_total{step="act"}`:                                                                              "1",
		`parity_panics_total{step="settle"}`:                                                                           "0",
		`parity_tunnels_total`:                                                                                         "1",
		`parity_upstream_requests_total{class="read"}`:                                                                 "1",
		`parity_upstream_requests_total{class="admin"}`:                                                                "0",
		`parity_upstream_requests_total{class="other"}`:                                                                "1",
		`parity_contained`:                                                                                             "1",
		`parity_requests_open`:                                                                                         "1",
		`parity_requests_held`:                                                                                         "1",
		`parity_runs_live`:                                                                                             "1",
		`parity_profile_last_reload_successful`:                                                                        "0",
		`parity_profile_last_reload_success_timestamp_seconds`:                                                         "1.7000000005e+09",
		`parity_journal_backlog_bytes`:                                                                                 "42",
	} {
		if got[series] != want {
			t.Errorf("%s is %q, want %q", series, got[series], want)
		}
	}
	m.Reloaded(time.Unix(1_800_000_000, 0), true)
	if got := scrape(t, m)["parity_profile_last_reload_successful"]; got != "1" {
		t.Errorf("after a good reload: %s", got)
	}
}

// TestHostsMakeNoSeries: whatever clients call, in whatever order, the number
// of series is that of what was declared.
func TestHostsMakeNoSeries(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	call := func(i int) {
		host := fmt.Sprintf("host-%d.example", i)
		m.Operation(host, "GET /"+host).Exchange(trail.Denied, trail.None, time.Millisecond)
		m.Operation("stripe", "GET /"+host).Exchange(trail.Unknown, trail.None, time.Millisecond)
		m.Operation("stripe", "GET /v1/charges").Exchange(trail.Outcome(host), trail.Fidelity(host), time.Millisecond)
		m.Fault(host).Fired()
		m.Refused(host)
		m.Panicked(host)
		m.Shed(host)
	}
	call(0)
	before := scrape(t, m)
	for i := range 10_000 {
		call(i)
	}
	after := scrape(t, m)
	for series := range after {
		if _, ok := before[series]; !ok {
			t.Errorf("a new series: %s", series)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d series, %d before", len(after), len(before))
	}
}

func TestDeclareAgainKeepsCounts(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	before := m.Operation("stripe", "GET /v1/charges")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m.Declare("stripe", "GET /v1/charges", fmt.Sprintf("GET /v1/%d", i))
			for range 100 {
				m.Operation("stripe", "GET /v1/charges").Exchange(trail.Answered, trail.Modelled, 0)
			}
		})
	}
	wg.Wait()
	if m.Operation("stripe", "GET /v1/charges") != before {
		t.Error("declared again, an operation counts from 0")
	}
	got := scrape(t, m)[`parity_exchanges_total{fidelity="modelled",operation="GET /v1/charges",outcome="answered",service="stripe"}`]
	if got != "800" {
		t.Error(got)
	}
	for i := range 8 {
		if name := fmt.Sprintf("GET /v1/%d", i); m.Operation("stripe", name).name != name {
			t.Errorf("%s was lost", name)
		}
	}
}

// TestExchangeDoesNotAllocate holds the hot path to its promise.
func TestExchangeDoesNotAllocate(t *testing.T) {
	m := newMetrics()
	hot(m)
	if n := testing.AllocsPerRun(1000, func() { hot(m) }); n != 0 {
		t.Errorf("%v allocations an exchange", n)
	}
}

// hot is what one exchange counts, with one fault.
func hot(m *Metrics) {
	m.RequestBegan()
	m.Operation("stripe", "POST /v1/refunds").Exchange(trail.Answered, trail.Modelled, 300*time.Microsecond)
	m.Fault("error").Met()
	m.RequestEnded()
}

func BenchmarkExchange(b *testing.B) {
	m := newMetrics()
	b.ReportAllocs()
	for b.Loop() {
		hot(m)
	}
}

func BenchmarkExchangeParallel(b *testing.B) {
	m := newMetrics()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			hot(m)
		}
	})
}
