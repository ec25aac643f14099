package gateway_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/gateway"
	"parity/gateway/client"
)

// A gateway that stayed up said nothing until its run's record was full, and
// then an error for each call that it refused, reads too.
func TestAFullRecordIsWarnedOfAndToldOnce(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, quiet, logInto(&log), func(s *gateway.Settings) { s.MaxRecord = 256 << 10 })
	client := h.direct(false, false)
	target := "http://" + h.Addr() + "/stripe/v1/customers"
	must(t, client, "POST", "http://"+h.Addr()+"/stripe/v1/webhook_endpoints", "url=http%3A%2F%2F127.0.0.1%3A9%2F&enabled_events[]=*") // each attempt is an event, too
	const refusals = 20
	taken, refused := 0, 0
	for i := 0; refused < refusals && i < 5000; i++ {
		status, body, header, err := call(t, client, "POST", target, fmt.Sprintf("name=%d&description=%s", i, strings.Repeat("x", 400)))
		switch {
		case err != nil:
			t.Fatal(err)
		case status == http.StatusOK:
			taken++
		case status == http.StatusServiceUnavailable && header.Get("X-Parity-Refused") == "journal":
			said, _ := body["error"].(map[string]any) // in the service's words
			if said == nil && strings.Contains(fmt.Sprint(body["detail"]), "for a moment") {
				continue // what waits has to be written first
			}
			if message := fmt.Sprint(said["message"]); !strings.Contains(message, "--max-record") || !strings.Contains(message, "nothing was done") {
				t.Fatalf("what to do is not said: %v", body)
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

// A record that connections and webhooks alone had filled was warned of by no call.
func TestARecordThatConnectionsFillIsWarnedOf(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, quiet, logInto(&log), func(s *gateway.Settings) { s.MaxRecord = 40 << 10 })
	for range 3000 { // each is an event of some 300 bytes
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprint(c, "CONNECT nowhere.example:443 HTTP/1.1\r\nHost: nowhere.example:443\r\n\r\n")
		if err == nil {
			_, err = bufio.NewReader(c).ReadString('\n')
		}
		if err := errors.Join(err, c.Close()); err != nil {
			t.Fatal(err)
		}
	}
	h.close()
	if n := strings.Count(log.String(), "% full"); n != 2 {
		t.Errorf("\"%% full\" is said %d times, want 2:\n%s", n, log.String())
	}
}

// What the control port was told to do to a run whose record is full was answered
// as a defect of the gateway, and logged as one.
func TestAFullRecordIsNoDefectAtTheControlPort(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, quiet, logInto(&log), shared, func(s *gateway.Settings) { s.MaxRecord = 256 << 10 })
	c, base := h.direct(false, false), "http://"+h.Addr()+"/stripe/v1/"
	post := func(path, form string) string {
		status, body, _, err := call(t, c, "POST", base+path, form)
		if err != nil || status != http.StatusOK {
			t.Fatal(status, body, err)
		}
		id, _ := body["id"].(string)
		return id
	}
	product := post("products", "name=a")
	price := post("prices", "currency=eur&unit_amount=500&recurring[interval]=day&product="+product)
	customer := post("customers", "payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa")
	post("subscriptions", "customer="+customer+"&items[0][price]="+price)
	control := h.control()
	runs, err := control.Runs(t.Context(), "live")
	if err != nil {
		t.Fatal(err)
	}
	run := runs[0].ID
	began, err := control.Clock(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := control.TakeSnapshot(t.Context(), run, "s0"); err != nil {
		t.Fatal(err)
	}
	stands := began
	for i := 0; stands.Now.Equal(began.Now) && i < 50; i++ { // what waits to be packed may be too much for the first step
		_, err = control.MoveClock(t.Context(), run, client.Move{Advance: "8760h"})
		var failed error
		if stands, failed = control.Clock(t.Context(), run); failed != nil {
			t.Fatal(failed)
		}
	}
	if came := stands.Now.Sub(began.Now); came < 24*time.Hour || came > 8000*time.Hour {
		t.Errorf("the clock went on by %v: %v", came, err)
	}
	full(t, "clock", err, "the clock came to "+stands.Now.UTC().Format("2006-01-02T"))
	_, err = control.MoveClock(t.Context(), run, client.Move{Advance: "8760h"})
	full(t, "clock again", err, "the clock came to ")
	// What waited to be packed may leave room, for an event or for many.
	fill := func() {
		for status := http.StatusOK; status == http.StatusOK; {
			status, _, _, _ = call(t, c, "POST", base+"customers", "name=a")
		}
	}
	for err = nil; err == nil; {
		fill()
		_, err = control.TakeSnapshot(t.Context(), run, "s1")
	}
	full(t, "snapshot", err, "")
	for err = nil; err == nil; {
		fill()
		_, err = control.Reset(t.Context(), run)
	}
	full(t, "reset", err, "")
	_, err = control.RollBack(t.Context(), run, "s0")
	full(t, "roll back", err, "")
	err = nil
	for i := 0; err == nil && i < 90; i++ { // a run has no more rules
		fill()
		_, err = control.Arm(t.Context(), run, client.NewArmed{Call: []string{"stripe POST /v1/refunds"}, Inject: "timeout"})
	}
	full(t, "arm", err, "")
	h.close()
	for _, bad := range []string{"goroutine ", "panic", "defect"} {
		if strings.Contains(log.String(), bad) {
			t.Errorf("the log has %q:\n%s", bad, log.String())
		}
	}
	if errors := strings.Count(log.String(), "level=ERROR"); errors > 1 {
		t.Errorf("%d errors:\n%s", errors, log.String())
	}
}

// full holds a refusal of the control port against what it should say.
func full(t *testing.T, what string, err error, says string) {
	t.Helper()
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable || refused.Code != "journal" ||
		!strings.Contains(refused.Detail, says) || !strings.Contains(refused.Detail, "--max-record") {
		t.Errorf("%s: %v", what, err)
	}
}
