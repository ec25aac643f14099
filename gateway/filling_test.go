package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parity/gateway"
)

// A gateway that stayed up said nothing until its run's record was full, and
// then an error for each call that it refused, reads too.
func TestAFullRecordIsWarnedOfAndToldOnce(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, quiet, logInto(&log), func(s *gateway.Settings) { s.MaxRecord = 256 << 10 })
	client := h.direct(false, false)
	target := "http://" + h.Addr() + "/stripe/v1/customers"
	const refusals = 20
	taken, refused := 0, 0
	for i := 0; refused < refusals && i < 500; i++ {
		status, body, header, err := call(t, client, "POST", target, fmt.Sprintf("name=%d&description=%s", i, strings.Repeat("x", 400)))
		switch {
		case err != nil:
			t.Fatal(err)
		case status == http.StatusOK:
			taken++
		case status == http.StatusServiceUnavailable && header.Get("X-Parity-Refused") == "journal":
			if detail := fmt.Sprint(body["detail"]); !strings.Contains(detail, "--max-record") || !strings.Contains(detail, "nothing was done") {
				t.Fatalf("what to do is not said: %s", detail)
			}
			refused++
		default:
			t.Fatalf("%d %v", status, body)
		}
	}
	if taken == 0 || refused < refusals {
		t.Fatalf("%d calls were taken, %d refused", taken, refused)
	}
	reply, err := client.Do(requestOf(t, "GET", "http://"+h.Control()+"/readyz", "", nil))
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	if reply.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("ready with a full record: %d", reply.StatusCode)
	}
	h.close()
	for want, times := range map[string]int{"% full": 2, "calls are refused, and this is said once": 1} {
		if n := strings.Count(log.String(), want); n != times {
			t.Errorf("%q is said %d times:\n%s", want, n, log.String())
		}
	}
	if errors := strings.Count(log.String(), "level=ERROR"); errors != 1 {
		t.Errorf("%d errors for %d refused calls:\n%s", errors, refused, log.String())
	}
}
