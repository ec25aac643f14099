package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/gateway/metrics"
)

func Example() {
	m := metrics.New(metrics.Options{Faults: []string{"timeout"}})
	m.Declare("stripe", "POST /v1/refunds")

	m.Operation("stripe", "POST /v1/refunds").Exchange(trail.Answered, trail.Modelled, 300*time.Microsecond)
	m.Operation("some.host", "GET /").Exchange(trail.Denied, trail.None, time.Microsecond)

	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "parity_exchanges_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// parity_exchanges_total{fidelity="modelled",operation="POST /v1/refunds",outcome="answered",service="stripe"} 1
	// parity_exchanges_total{fidelity="none",operation="unknown",outcome="denied",service="unknown"} 1
}
