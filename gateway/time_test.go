package gateway_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway/client"
)

// A limit that was met is over when the run's clock says so.
func TestLimitEndsWithTheRunsClock(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+`
faults:
  few: {call: stripe GET *, inject: rate-limit, with: {limit: 2, window: 1h, retry_after: 30m}}
`, shared)
	run := h.make(client.NewRun{Names: []string{"limited"}})[0]
	c := h.direct(false, false)
	get := func() int {
		status, _, _, err := call(t, c, "GET", base(run)+"/v1/charges", "")
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	if got := fmt.Sprint(get(), get(), get(), get()); got != "200 200 429 429" {
		t.Fatalf("four calls: %s", got)
	}
	for _, c := range []struct {
		advance string
		want    int
	}{{"20m", 429}, {"45m", 200}} {
		if _, err := h.control().MoveClock(t.Context(), "limited", client.Move{Advance: c.advance}); err != nil {
			t.Fatal(err)
		}
		if got := get(); got != c.want {
			t.Errorf("%s later: %d, want %d", c.advance, got, c.want)
		}
	}
}

// Every reply is dated by the run's clock, one that is cut too.
func TestReplyIsDatedByTheMachinesClock(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+`
faults:
  cut: {call: stripe GET /v1/charges, inject: truncated-body, with: {at: 20B}}
`, shared)
	run := h.make(client.NewRun{Names: []string{"dated"}})[0]
	at := time.Date(2031, time.March, 4, 5, 6, 7, 0, time.UTC)
	for _, m := range []client.Move{{Freeze: true}, {Set: at.Format(time.RFC3339)}} {
		if _, err := h.control().MoveClock(t.Context(), "dated", m); err != nil {
			t.Fatal(err)
		}
	}
	for over2, origin := range map[bool]string{false: base(run), true: "https://api.stripe.com"} {
		for _, path := range []string{"/v1/customers", "/v1/charges", "/v1/nothing"} {
			req, err := http.NewRequestWithContext(t.Context(), "GET", origin+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer sk_test_dated")
			if over2 { // the base URL names the run by itself
				req.Header.Set("Parity-Run", "dated")
			}
			res, err := h.direct(over2, over2).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if over2 != (res.ProtoMajor == 2) {
				t.Errorf("%s went over %s", path, res.Proto)
			}
			if got, want := res.Header["Date"], at.Format(http.TimeFormat); len(got) != 1 || got[0] != want {
				t.Errorf("%s over %s: Date %v, want %s", path, res.Proto, got, want)
			}
		}
	}
}

// An idempotency key is forgotten after 24 hours of the run's clock, and not
// before.
func TestKeyIsForgottenAfterADay(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	run := h.make(client.NewRun{Names: []string{"keyed"}})[0]
	c := h.direct(false, false)
	pay := func() (string, bool) {
		status, body, header, err := call(t, c, "POST", base(run)+"/v1/payment_intents", payment, "Idempotency-Key", "k")
		if err != nil || status != http.StatusOK {
			t.Fatalf("%d %v %v", status, body, err)
		}
		return fmt.Sprint(body["id"]), header.Get("Idempotent-Replayed") == "true"
	}
	first, _ := pay()
	for _, c := range []struct {
		advance  string
		replayed bool
	}{{"23h59m", true}, {"2m", false}} {
		if _, err := h.control().MoveClock(t.Context(), "keyed", client.Move{Advance: c.advance}); err != nil {
			t.Fatal(err)
		}
		if id, replayed := pay(); replayed != c.replayed || replayed != (id == first) {
			t.Errorf("after %s more: %s, replayed %v", c.advance, id, replayed)
		}
	}
}

// Advancing a clock does what is due on the way, in order and at its instant.
func TestAdvancingFiresWhatIsDue(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	run := h.make(client.NewRun{Names: []string{"held"}})[0]
	c := h.direct(false, false)
	var ids []string
	for range 3 {
		made := must(t, c, "POST", base(run)+"/v1/payment_intents", payment+"&capture_method=manual")
		ids = append(ids, fmt.Sprint(made["id"]))
	}
	must(t, c, "POST", base(run)+"/v1/payment_intents/"+ids[1]+"/capture", "")
	for _, c := range []struct{ advance, first, second, third string }{
		{"144h", "requires_capture", "succeeded", "requires_capture"},
		{"48h", "canceled", "succeeded", "canceled"},
	} {
		if _, err := h.control().MoveClock(t.Context(), "held", client.Move{Advance: c.advance}); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{c.first, c.second, c.third} {
			if got := must(t, h.direct(false, false), "GET", base(run)+"/v1/payment_intents/"+ids[i], "")["status"]; got != want {
				t.Errorf("after %s: payment %d is %v, want %s", c.advance, i, got, want)
			}
		}
	}
	events := h.eventsOf("held")
	var fired []time.Time
	for i, e := range events {
		if e.Kind != trail.Fired {
			continue
		}
		fired = append(fired, e.At.Time())
		if moved := events[len(events)-4]; moved.Kind != trail.ClockMoved || i > len(events)-4 {
			t.Errorf("timer %d is not before the clock's move: %s", i, moved.Kind)
		}
	}
	if len(fired) != 2 || !fired[0].Before(fired[1]) {
		t.Errorf("fired at %v", fired)
	}
}

// A frozen clock gives every call one instant; set and step move it on.
func TestFrozenClock(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	run := h.make(client.NewRun{Names: []string{"ice"}})[0]
	c := h.direct(false, false)
	created := func() int64 {
		made := must(t, c, "POST", base(run)+"/v1/customers", "name=x")
		n, _ := made["created"].(float64)
		return int64(n)
	}
	move := func(m client.Move) {
		if _, err := h.control().MoveClock(t.Context(), "ice", m); err != nil {
			t.Fatal(err)
		}
	}
	move(client.Move{Freeze: true})
	first := created()
	if second := created(); second != first {
		t.Errorf("on a frozen clock: %d, then %d", first, second)
	}
	move(client.Move{Set: "2030-05-06T07:08:09Z"})
	if got := created(); got != time.Date(2030, 5, 6, 7, 8, 9, 0, time.UTC).Unix() {
		t.Errorf("after set: %d", got)
	}
	move(client.Move{Step: "10s"})
	a, b := created(), created()
	if b-a != 10 {
		t.Errorf("stepped by 10 s: %d, then %d", a, b)
	}
	move(client.Move{Set: "2020-01-01T00:00:00Z"})
	if got := created(); got != time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Unix() {
		t.Errorf("set back: %d", got)
	}
}
