package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/gateway"
	"parity/gateway/client"
)

// sleepy has runs sleep as soon as nobody calls them.
func sleepy(s *gateway.Settings) { s.Sleep, s.Wall = 1, &ahead{} }

// asleep waits until so many runs sleep, as metrics say, which wake none.
func (h *harness) asleep(n int) {
	h.t.Helper()
	number := regexp.MustCompile(`(?m)^parity_runs_asleep (\d+)$`)
	waitFor(h.t, fmt.Sprint(n, " runs asleep"), func() bool {
		reply, err := http.Get("http://" + h.Control() + "/metrics")
		if err != nil {
			h.t.Fatal(err)
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		found := number.FindSubmatch(text)
		return err == nil && found != nil && string(found[1]) == fmt.Sprint(n)
	})
}

const eventful = quiet + `
faults:
  lose-one:
    call: stripe POST /v1/payment_intents
    inject: ambiguous-success
    with: {reply: reset}
    trigger: {nth: 2}
  slow-down:
    call: stripe GET /v1/payment_intents
    inject: rate-limit
    trigger: {every: 3}
`

// A run that slept between any two calls has the journal of one that never did.
func TestSleepingLeavesNoTraceInAJournal(t *testing.T) {
	t.Parallel()
	var journals [3]any
	var hashes [3]client.Hash
	for i, doze := range []bool{false, true, true} {
		settings := []func(*gateway.Settings){shared}
		if doze {
			settings = append(settings, sleepy)
		}
		if i == 2 {
			settings = append(settings, laying)
		}
		h := open(t, eventful, settings...)
		h.make(client.NewRun{Names: []string{"a"}})
		rest := func() {
			if doze {
				h.asleep(2) // with that of clients that name none
			}
		}
		c, base, k := h.direct(false, false), "http://"+h.Addr()+"/run/a/stripe/v1/", h.control()
		do := func(method, path, form string, header ...string) {
			rest()
			_, _, _, _ = call(t, c, method, base+path, form, header...) // the journal has what came of it
		}
		do("POST", "customers", "name=Ada")
		do("POST", "payment_intents", "amount=100&currency=usd&payment_method=pm_card_visa&confirm=true", "Idempotency-Key", "one")
		do("POST", "payment_intents", "amount=200&currency=usd&payment_method=pm_card_visa&confirm=true", "Idempotency-Key", "two")
		do("POST", "payment_intents", "amount=200&currency=usd&payment_method=pm_card_visa&confirm=true", "Idempotency-Key", "two")
		rest()
		if _, err := k.TakeSnapshot(t.Context(), "a", "s"); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			do("GET", "payment_intents", "")
		}
		do("POST", "payment_intents", "amount=100&currency=usd&payment_method=pm_card_visa&confirm=true", "Idempotency-Key", "one")
		rest()
		if _, err := k.MoveClock(t.Context(), "a", client.Move{Advance: "25h"}); err != nil {
			t.Fatal(err)
		}
		do("POST", "payment_intents", "amount=100&currency=usd&payment_method=pm_card_visa&confirm=true", "Idempotency-Key", "one")
		rest()
		if _, err := k.RollBack(t.Context(), "a", "s"); err != nil {
			t.Fatal(err)
		}
		do("GET", "payment_intents", "")
		do("POST", "refunds", "payment_intent=pi_none")
		rest()
		runs, err := k.Runs(t.Context(), client.Live)
		if err != nil || len(runs) != 2 {
			t.Fatal(runs, err)
		}
		rest() // listing wakes none
		if hashes[i], err = k.Hash(t.Context(), "a", 0); err != nil {
			t.Fatal(err)
		}
		journals[i] = h.eventsOf("a")
		if at := h.laid("a"); i == 2 && at+4 < h.eventsOf("a")[len(h.eventsOf("a"))-1].Seq || i != 2 && at > 0 {
			t.Errorf("its newest checkpoint is after event %d", at)
		}
		h.goesOnFromCheckpoints("a")
	}
	for i, how := range []string{1: "and folded its events", 2: "and was rebuilt from checkpoints"} {
		if diff := cmp.Diff(journals[0], journals[i]); diff != "" {
			t.Errorf("the journals of a run that slept %s and of one that did not differ:\n%s", how, diff)
		}
		if hashes[0] != hashes[i] {
			t.Errorf("%+v, and after it slept %s %+v", hashes[0], how, hashes[i])
		}
	}
}

// A webhook that was due while its run slept was never sent.
func TestAWebhookThatIsDueWakesItsRun(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, 500, 500)
	e.shown = func(r *http.Request) string { return r.URL.Path }
	h := open(t, strings.Replace(quiet, "clock: {mode: stepped}", "clock: {mode: live, speed: 3600}", 1), shared, func(s *gateway.Settings) { s.Sleep = 1 })
	c, base := h.direct(false, false), "http://"+h.Addr()+"/stripe/v1/"
	must(t, c, "POST", base+"webhook_endpoints", "url="+e.URL+"/hook&enabled_events[]=customer.created")
	must(t, c, "POST", base+"customers", "name=Ada")
	h.asleep(1) // retries are an hour apart, which is a second of ours
	waitFor(t, "the third attempt", func() bool { return e.seen() == "/hook, /hook, /hook" })
}

// A revision that came into force while a run slept is noted before anything else
// happens in it.
func TestARunThatSleptGoesOnUnderTheNewestRevision(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, sleepy)
	h.make(client.NewRun{Names: []string{"a"}})
	c, base := h.direct(false, false), "http://"+h.Addr()+"/run/a/stripe/v1/"
	must(t, c, "POST", base+"customers", "name=Ada")
	h.asleep(2)
	if err := os.WriteFile(h.file, []byte(emptied(quiet)+`
faults:
  down:
    call: stripe GET /v1/customers
    inject: error
    with: {status: 503}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the revision in force", func() bool {
		runs, err := h.control().Runs(t.Context(), client.Live)
		return err == nil && runs[0].Revision != h.eventsOf("a")[0].Revision
	})
	h.asleep(2)
	if n := len(h.eventsOf("a")); n != 2 {
		t.Errorf("%d events, though it sleeps", n)
	}
	if status, _, _, err := call(t, c, "GET", base+"customers", ""); err != nil || status != http.StatusServiceUnavailable {
		t.Errorf("%d %v", status, err)
	}
	events := h.eventsOf("a")
	if len(events) != 4 || events[2].Revision != events[3].Revision || events[2].Exchange != nil {
		t.Errorf("%+v", events[2:])
	}
}

// A run that slept outlived its lifetime.
func TestARunThatSleepsEndsByItsTerms(t *testing.T) {
	t.Parallel()
	wall := &ahead{}
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Sleep, s.Wall = 1, wall })
	h.make(client.NewRun{Names: []string{"a"}, TTL: "1h"})
	h.asleep(2)
	wall.by(time.Hour)
	waitFor(t, "its end", func() bool {
		ended, err := h.control().Runs(t.Context(), client.Ended)
		return err == nil && len(ended) == 1 && ended[0].ID == "a"
	})
}

// Runs slept by idleness alone, however much memory they came to.
func TestRunsSleepWhereTheyComeToMoreMemoryThanTheyMay(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.MaxMemory, s.Wall = 2, &ahead{} })
	h.make(client.NewRun{Names: []string{"a", "b"}})
	c := h.direct(false, false)
	for _, run := range []string{"a", "b"} {
		must(t, c, "POST", "http://"+h.Addr()+"/run/"+run+"/stripe/v1/customers", "name=Ada")
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.GC()
			}
		}
	}()
	waitFor(t, "a and b asleep", func() bool {
		h.asleep(3) // and that of clients that name none, which another follows
		return true
	})
	status, body, _, err := call(t, c, "GET", "http://"+h.Addr()+"/run/a/stripe/v1/customers", "")
	if list, _ := body["data"].([]any); err != nil || status != http.StatusOK || len(list) != 1 {
		t.Errorf("%d %v %v", status, body, err)
	}
}

// A secret that a record has is in no journal: rebuilt from it, the run would
// show the agent a mark in its place.
func TestARunWhoseRecordsHaveSecretsDoesNotSleep(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, sleepy)
	h.make(client.NewRun{Names: []string{"a", "b"}})
	c := h.direct(false, false)
	const secret = "sk_live_4eC39HqLyjWDarjtT1zd"
	of := func(run string) string { return "http://" + h.Addr() + "/run/" + run + "/stripe/v1/customers" }
	must(t, c, "POST", of("a"), "name=Ada&metadata[api_key]="+secret)
	must(t, c, "POST", of("b"), "name=Ada")
	h.asleep(2) // not a
	_, body, _, err := call(t, c, "GET", of("a"), "")
	if err != nil || !strings.Contains(fmt.Sprint(body), secret) {
		t.Errorf("the agent does not read back what it wrote: %v %v", body, err)
	}
}

func TestThereIsABoundOnMemoryByDefault(t *testing.T) {
	t.Parallel()
	if got := gateway.DefaultMemory(); got <= 0 || got > 1<<30 {
		t.Errorf("%d bytes", got)
	}
}
