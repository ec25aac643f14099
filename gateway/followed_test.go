package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/gateway"
	"parity/gateway/client"
)

// The run of clients that name none filled up, and a shared gateway was of no use
// to them any more.
func TestTheRunOfClientsThatNameNoneIsFollowedByAnother(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h, _ := filled(t, shared, logInto(&log))
	c, k, old := h.direct(false, false), h.control(), h.Run
	next := ""
	waitFor(t, "another run", func() bool {
		g, err := k.Gateway(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		next = g.FirstRun
		return next != old.ID
	})
	if status, body, _, err := call(t, c, "POST", "http://"+h.Addr()+"/stripe/v1/customers", "name=Ada"); err != nil || status != http.StatusOK {
		t.Fatalf("whoever names no run: %d %v %v", status, body, err)
	}
	// What `parity env` had told clients to call.
	named := "http://" + h.Addr() + "/run/" + old.ID + ":" + old.Token + "/stripe/v1/customers"
	status, body, _, err := call(t, c, "GET", named, "")
	if list, _ := body["data"].([]any); err != nil || status != http.StatusOK || len(list) != 1 {
		t.Errorf("who names the run before it: %d %v %v", status, body, err)
	}
	if status, _, _, err := call(t, c, "GET", strings.Replace(named, old.Token, "another", 1), ""); err != nil || status != http.StatusUnauthorized {
		t.Errorf("with another token: %d %v", status, err)
	}
	waitFor(t, "the end of the one before", func() bool {
		all, err := k.Runs(t.Context(), client.Ended)
		if err != nil {
			t.Fatal(err)
		}
		return len(all) == 1 && all[0].ID == old.ID
	})
	live, err := k.Runs(t.Context(), client.Live)
	if err != nil || len(live) != 1 || live[0].ID != next || !strings.Contains(live[0].Trouble, old.ID) {
		t.Errorf("who lists runs is told %+v, %v", live, err)
	}
	reply, err := c.Do(requestOf(t, "GET", "http://"+h.Control()+"/readyz", "", nil))
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		t.Errorf("not ready: %d", reply.StatusCode)
	}
	h.close()
	if n := strings.Count(log.String(), "clients that name no run have a new one"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, log.String())
	}
}

// Retention alone ended no run that goes on, so that the record of one that stayed
// up for a year grew for a year.
func TestTheRunOfClientsThatNameNoneDoesNotOutliveRetention(t *testing.T) {
	t.Parallel()
	if keep := gateway.DefaultKeep(); keep.Age <= 0 || keep.Bytes <= 0 {
		t.Fatalf("nothing bounds what is kept: %+v", keep)
	}
	wall := &ahead{}
	h := open(t, strings.Replace(quiet, "clock: {mode: stepped}", "", 1), shared, func(s *gateway.Settings) { s.Keep, s.Wall = gateway.DefaultKeep(), wall })
	k, old := h.control(), h.Run.ID
	must(t, h.direct(false, false), "POST", "http://"+h.Addr()+"/stripe/v1/payment_intents", "amount=100&currency=usd") // which has a timer
	h.make(client.NewRun{Names: []string{"mine"}})
	wall.by(gateway.DefaultKeep().Age * 2)
	waitFor(t, "another run", func() bool {
		wall.by(time.Hour) // nobody calls
		g, err := k.Gateway(t.Context())
		return err == nil && g.FirstRun != old
	})
	if _, err := k.Run(t.Context(), "mine"); err != nil {
		t.Errorf("a run that somebody made by name: %v", err)
	}
	waitFor(t, "its world to be let go", h.Run.Asleep)
	time.Sleep(100 * time.Millisecond)
	if !h.Run.Asleep() {
		t.Error("what waited for its timer has woken it after its end")
	}
}
