package gateway_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/exchange"
)

// waitFor polls until a condition holds, within a bound.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(60 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("%s did not come within a minute", what)
		case <-tick.C:
		}
	}
}

// A panic in any step costs one exchange, on every way in: it is answered,
// counted and journaled, and the next call is served.
func TestPanicInAStepCostsOneExchange(t *testing.T) {
	t.Parallel()
	for turn, step := range []exchange.Step{exchange.Admit, exchange.Match, exchange.Permit, exchange.Plan, exchange.Act, exchange.Record, exchange.Enact, exchange.Settle} {
		for _, w := range sampled(t, ways(), turn) {
			t.Run(string(step)+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				var armed atomic.Bool
				h := open(t, quiet, func(s *gateway.Settings) {
					s.Before = func(at exchange.Step) {
						if at == step && armed.CompareAndSwap(true, false) {
							panic("planted")
						}
					}
				}).contain()
				c := w.client(h)
				must(t, c, "GET", w.base(h)+"/v1/charges", "")
				armed.Store(true)
				status, _, _, err := call(t, c, "POST", w.base(h)+"/v1/customers", "name=Ada") // a GET would be sent again by net/http itself
				wire := step == exchange.Enact || step == exchange.Settle
				if !wire && (err != nil || status != http.StatusInternalServerError) {
					t.Errorf("the client got %d, %v; want 500", status, err)
				}
				if armed.Load() {
					t.Fatal("the step was never entered")
				}
				must(t, c, "GET", w.base(h)+"/v1/charges", "")
				if got := h.metric(`parity_panics_total{step="` + string(step) + `"}`); got != "1" {
					t.Errorf("panics counted: %q; want 1", got)
				}
				checkFallen(t, h, wire, step)
			})
		}
	}
}

func checkFallen(t *testing.T, h *harness, wire bool, step exchange.Step) {
	t.Helper()
	events, settlements := h.events()
	var exchanges, fallen int
	for _, e := range events {
		if e.Exchange == nil {
			continue
		}
		exchanges++
		if e.Exchange.Outcome == trail.Panicked || strings.Contains(settlements[e.Seq].Error, "panic in "+string(step)) {
			fallen++
		}
	}
	before := step == exchange.Admit // no run was known yet
	if !before && (exchanges != 3 || fallen != 1) || before && exchanges < 2 {
		t.Errorf("%d exchanges recorded, %d of them fallen (on the wire: %v)", exchanges, fallen, wire)
	}
}

// metric reads one series from the control port.
func (h *harness) metric(series string) string {
	h.t.Helper()
	reply, err := http.Get("http://" + h.Control() + "/metrics")
	if err != nil {
		h.t.Fatal(err)
	}
	defer reply.Body.Close()
	text := new(strings.Builder)
	if err := reply.Write(text); err != nil {
		h.t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if value, ok := strings.CutPrefix(line, series+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// script makes n calls that create, read, list, change, fail and repeat.
func script(t *testing.T, h *harness, n int) {
	t.Helper()
	walk(t, h.proxied(false), "https://api.stripe.com", n)
}

const troubled = quiet + `
faults:
  lose-some:
    call: stripe POST /v1/payment_intents
    when: result.amount > 100
    inject: ambiguous-success
    with: {reply: cut-body}
    trigger: {every: 3}
  sometimes:
    call: stripe POST *
    inject: error
    with: {status: 503}
    trigger: {chance: 20%}
`

// Folding the journal up to any event gives the world and the tallies that
// were there.
func TestFoldOfTheJournalIsTheRun(t *testing.T) {
	t.Parallel()
	h := open(t, troubled)
	type snapshot struct{ world, tallies string }
	live := map[uint64]snapshot{}
	take := func() {
		seq, world, tallies := h.Run.Hashes()
		live[seq] = snapshot{world, tallies}
	}
	take()
	c, events := h.proxied(false), uint64(200)
	if testing.Short() {
		events = 80
	}
	for i := 0; h.Run.Seq() < events; i++ {
		switch i % 4 {
		case 0, 1:
			_, _, _, _ = call(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment, "Idempotency-Key", fmt.Sprint("k", i/3))
		case 2:
			_, _, _, _ = call(t, c, "POST", "https://api.stripe.com/v1/customers", fmt.Sprintf("name=n%d", i))
		case 3:
			_, _, _, _ = call(t, c, "GET", "https://api.stripe.com/v1/charges", "")
		}
		take()
	}
	record, _ := h.events()
	compared := uint64(0)
	state := emptyState(t)
	for i := range record {
		if err := state.Fold(&record[i]); err != nil {
			t.Fatal(err)
		}
		want, ok := live[state.Seq]
		if !ok {
			continue
		}
		compared++
		if got := (snapshot{state.World.Hash(), state.Tallies.Hash()}); got != want {
			t.Fatalf("after event %d: folded %v, was %v", state.Seq, got, want)
		}
	}
	if compared < events {
		t.Errorf("only %d events compared", compared)
	}
}

func emptyState(t *testing.T) run.State {
	t.Helper()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Mode: clock.Stepped, Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return run.NewState(w, c)
}

// The same calls under the same seed on a stepped clock give the same journal,
// byte for byte, but for settlements.
func TestSameSeedSameJournal(t *testing.T) {
	t.Parallel()
	encoded := func() [][]byte {
		h := open(t, troubled)
		script(t, h, 80)
		events, _ := h.events()
		codec, err := trail.NewCodec()
		if err != nil {
			t.Fatal(err)
		}
		var all [][]byte
		for i := range events {
			data, err := codec.Event(&events[i])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data)
		}
		return all
	}
	first, second := encoded(), encoded()
	if len(first) < 81 {
		t.Fatalf("only %d events", len(first))
	}
	if !slices.EqualFunc(first, second, bytes.Equal) { // cmp takes seconds to find so much equal
		t.Errorf("the journals differ:\n%s", cmp.Diff(first, second))
	}
}

// A broken save changes nothing and says where it is broken; a good one holds
// for the next exchange, and its event says so.
func TestBrokenSaveKeepsTheLastGoodProfile(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, quiet, logInto(&log))
	c := h.proxied(false)
	const charges = "https://api.stripe.com/v1/charges"
	must(t, c, "GET", charges, "")
	save := func(text string) {
		t.Helper()
		if err := os.WriteFile(h.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save(quiet + "faults:\n  broken: {call: stripe GET /v1/charges, inject: latencyy}\n")
	waitFor(t, "the failed reload", func() bool { return h.metric("parity_profile_last_reload_successful") == "0" })
	must(t, c, "GET", charges, "")
	save(quiet + "faults:\n  down: {call: stripe GET /v1/charges, inject: error, with: {status: 503}}\n")
	waitFor(t, "the good reload", func() bool { return h.metric("parity_profile_last_reload_successful") == "1" })
	if status, _, _, err := call(t, c, "GET", charges, ""); err != nil || status != 503 {
		t.Errorf("after the good save: %d, %v; want 503", status, err)
	}
	events, _ := h.events()
	var revisions []string
	for _, e := range events {
		if e.Exchange != nil {
			revisions = append(revisions, e.Revision)
		}
	}
	if len(revisions) != 3 || revisions[0] != revisions[1] || revisions[1] == revisions[2] {
		t.Errorf("revisions of the three exchanges: %v", revisions)
	}
	if text := log.String(); !strings.Contains(text, filepath.Base(h.file)+":") || !strings.Contains(text, "latencyy") || !strings.Contains(text, "did you mean") {
		t.Errorf("the log does not say what is wrong where:\n%s", text)
	}
}
