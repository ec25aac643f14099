package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/profiles"
)

func answering(status string) string {
	return quiet + "faults: {down: {call: stripe GET /v1/charges, inject: error, with: {status: " + status + "}}}\n"
}

// An earlier revision is in force until the file is saved again, be it with what
// it has already; what was in force is kept, and so is why a save was not.
func TestRollBackAProfile(t *testing.T) {
	t.Parallel()
	h := open(t, answering("501"), shared, swift)
	run, k := h.make(client.NewRun{Names: []string{"one"}})[0], h.control()
	if _, err := k.RollBackProfile(t.Context(), "", ""); err == nil || !strings.Contains(err.Error(), "no other revision") {
		t.Errorf("with nothing to go back to: %v", err)
	}
	first := h.state().Revision
	h.save(answering("502"))
	h.save(answering("503"))
	h.save(answering("99"))
	if state := h.state(); !strings.Contains(state.Trouble, "profile.yaml:8:") || lists(t, h, run) != 503 {
		t.Errorf("after a bad save: %+v", state)
	}
	back, err := k.RollBackProfile(t.Context(), h.file, "")
	if err != nil || !back.RolledBack || back.Trouble != "" || !strings.Contains(back.Said, "would have met 1 of the last 1 exchange (down 1)") {
		t.Fatalf("%+v %v", back, err)
	}
	if got := lists(t, h, run); got != 502 {
		t.Errorf("rolled back: %d", got)
	}
	if back, err = k.RollBackProfile(t.Context(), "", first[:5]); err != nil || back.Revision != first || lists(t, h, run) != 501 {
		t.Errorf("rolled back to the first: %+v %v", back, err)
	}
	if _, err = k.RollBackProfile(t.Context(), "", first); err == nil || !strings.Contains(err.Error(), "in force already") {
		t.Errorf("once more: %v", err)
	}
	if text, err := os.ReadFile(h.file); err != nil || string(text) != emptied(answering("99")) {
		t.Errorf("the file is %q, %v", text, err)
	}
	h.save(answering("503"))
	if state := h.state(); state.RolledBack || lists(t, h, run) != 503 {
		t.Errorf("after a save: %+v", state)
	}
	if _, err = k.RollBackProfile(t.Context(), "", first); err != nil {
		t.Fatal(err)
	}
	h.save(answering("503")) // nothing new in it
	if state := h.state(); state.RolledBack || lists(t, h, run) != 503 {
		t.Errorf("after a save of what was there: %+v", state)
	}
	var how []string
	records, err := k.ProfileLog(t.Context(), "")
	for _, r := range records {
		how = append(how, r.How)
	}
	if err != nil || strings.Join(how, ", ") != "opened, saved, saved, refused, rolled back, rolled back, saved, rolled back, saved" {
		t.Errorf("%v %v", how, err)
	}
	kept, err := gateway.ProfileLog(h.root, h.file)
	if err != nil || len(kept) != len(records) {
		t.Errorf("%v\n%+v", err, kept)
	}
	revisions := map[string]bool{}
	for _, r := range mustKept(t, h, "one").Revisions {
		revisions[r.Hash] = true
	}
	if got := mustKept(t, h, "one").Revisions; len(got) != 8 || len(revisions) != 3 {
		t.Errorf("the run's record has %+v", got)
	}
}

func mustKept(t *testing.T, h *harness, run string) *kept.Run {
	t.Helper()
	k, err := h.Kept(run)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A save is held against the newest exchanges: those whose call and condition
// would have fit, and where the record does not say, whose call would.
func TestASaveSaysWhatItWouldHaveMet(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	h := open(t, quiet, shared, swift, logging(&log))
	runs := h.make(client.NewRun{Names: []string{"one", "two"}})
	c := h.direct(false, false)
	for i, r := range []client.Run{runs[0], runs[1], runs[0]} {
		must(t, c, http.MethodPost, base(r)+"/v1/customers", "name=Ada&metadata[n]="+string(rune('0'+i)))
		must(t, c, http.MethodGet, base(r)+"/v1/customers?limit="+string(rune('1'+i)), "")
		must(t, c, http.MethodPost, base(r)+"/v1/payment_intents", payment)
	}
	rules := quiet + `faults:
  third: {call: stripe POST /v1/customers, when: request.body.metadata.n == "2", inject: timeout}
  listed: {call: stripe GET /v1/customers, when: request.query.limit > 1, inject: timeout}
  paid: {call: stripe POST /v1/payment_intents, when: result.amount > 10_000, inject: ambiguous-success}
  many: {call: stripe GET /v1/customers, when: len(world.stripe.customers) > 50, inject: error}
  never: {call: stripe GET /v1/refunds, inject: error}
`
	h.save(rules)
	f := h.state().Foresight
	want := "revision " + h.state().Revision + " in force; would have met 4 of the last 9 exchanges (listed 2, many 3, third 1), 1 of them by call: the record does not say whether its condition held"
	if f.Of != 9 || len(f.Met) != 4 || f.ByCall != 1 || !strings.Contains(log.String(), want) {
		t.Errorf("%+v\n%s", f, log.String())
	}
	if f.Met[0].Run != "one" || f.Met[1].Run != "two" || f.Met[0].Event != 3 {
		t.Errorf("%+v", f.Met)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var said safeBuffer
	ended := make(chan error, 1)
	go func() {
		ended <- kept.WatchProfile(ctx, h.root, h.file, func(p *profiles.Profile, met string, err error) {
			if err != nil {
				fmt.Fprintln(&said, err)
				return
			}
			fmt.Fprintf(&said, "revision %s in force; %s\n", p.Revision, met)
		})
	}()
	waitFor(t, "the first word", func() bool { return strings.Contains(said.String(), want) })
	if err := os.WriteFile(h.file, []byte(rules+"  late: {call: stripe GET /v1/refundz, inject: error}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "problems", func() bool { return strings.Contains(said.String(), "profile.yaml:13:16: ") })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// safeBuffer is written to by one goroutine and read by another.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// A call that came in after a revision was put in force, and before its event, was
// decided under the older one by replay, and departed from its record.
func TestReplayDecidesACallUnderTheRevisionThatItNames(t *testing.T) {
	t.Parallel()
	h := open(t, answering("501"), shared, swift)
	run := h.make(client.NewRun{Names: []string{"one"}})[0]
	lists(t, h, run)
	h.save(answering("502"))
	lists(t, h, run)
	h.close()
	k, err := kept.Read(h.root, "one")
	if err != nil {
		t.Fatal(err)
	}
	events := k.Events
	at := slices.IndexFunc(events, func(e trail.Event) bool { return e.Kind == trail.Revised })
	if at < 0 || at+1 >= len(events) || events[at+1].Kind != trail.Exchanged {
		t.Fatalf("no call right after the revision: %v", events)
	}
	events[at], events[at+1] = events[at+1], events[at]
	events[at].Seq, events[at+1].Seq = events[at+1].Seq, events[at].Seq
	events[at+1].At = events[at].At
	came, err := k.Replay(t.Context(), "")
	if err != nil || came.At != 0 {
		t.Errorf("departs at #%d: %v; %v", came.At, came.Differences, err)
	}
}
