package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// A run that was reset is as one that was just made, and a rollback brings the
// snapshot back; the events of both stay.
func TestResetAndRollback(t *testing.T) {
	t.Parallel()
	h := open(t, troubled, shared)
	k, ctx := h.control(), t.Context()
	runs := h.make(client.NewRun{Names: []string{"used", "fresh"}})
	c := h.single()
	walk(t, c, base(runs[0]), 20)
	if _, err := k.TakeSnapshot(ctx, "used", "here"); err != nil {
		t.Fatal(err)
	}
	at := h.dump("used", 0)
	walk(t, c, base(runs[0]), 10)
	if _, err := k.Reset(ctx, "used"); err != nil {
		t.Fatal(err)
	}
	if h.dump("used", 0) != h.dump("fresh", 0) {
		t.Error("a run that was reset is not as a fresh one")
	}
	walk(t, c, base(runs[0]), 30)
	walk(t, c, base(runs[1]), 30)
	if h.dump("used", 0) != h.dump("fresh", 0) {
		t.Error("it does not go on as a fresh one")
	}
	if _, err := k.RollBack(ctx, "used", "here"); err != nil {
		t.Fatal(err)
	}
	if h.dump("used", 0) != at {
		t.Error("a rollback does not bring the snapshot back")
	}
	kept, err := h.Kept("used")
	if err != nil {
		t.Fatal(err)
	}
	state, err := kept.At(0)
	if err != nil {
		t.Fatal(err)
	}
	if now := k; state.World.Hash() != mustHash(t, now, "used").World {
		t.Error("the record does not fold to the run")
	}
}

func mustHash(t *testing.T, k *client.Client, run string) client.Hash {
	t.Helper()
	hash, err := k.Hash(t.Context(), run, 0)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

const slow = quiet + `
faults:
  slow-work: {call: stripe.PostPaymentIntents, inject: timeout, with: {for: 300ms, commits: first}, trigger: {nth: 1}}
`

// A call that waits while its run is reset does nothing, and gives up its key.
func TestResetOvertakesACallThatWaits(t *testing.T) {
	t.Parallel()
	h := open(t, slow, shared)
	k := h.control()
	run := h.make(client.NewRun{Names: []string{"overtaken"}})[0]
	c := h.single()
	ended := make(chan int, 1)
	go func() {
		status, _, _, _ := call(t, c, "POST", base(run)+"/v1/payment_intents", payment, "Idempotency-Key", "k")
		ended <- status
	}()
	waitFor(t, "the reservation", func() bool { r, err := k.Run(t.Context(), "overtaken"); return err == nil && r.Events >= 2 })
	if _, err := k.Reset(t.Context(), "overtaken"); err != nil {
		t.Fatal(err)
	}
	if status := <-ended; status != http.StatusServiceUnavailable {
		t.Errorf("the call that waited got %d", status)
	}
	if strings.Contains(h.dump("overtaken", 0), `"ch_`) {
		t.Error("it was charged all the same")
	}
	var kinds []trail.Kind
	for _, e := range h.eventsOf("overtaken") {
		kinds = append(kinds, e.Kind)
		if x := e.Exchange; x != nil && e.Kind == trail.Exchanged && (x.Outcome != trail.Overtaken || x.Committed) {
			t.Errorf("recorded as %+v", x)
		}
	}
	if fmt.Sprint(kinds) != "[started reservation reset exchange]" {
		t.Errorf("events %v", kinds)
	}
}

// A fork leaves a call that waits behind: its key is free there, and the call
// still does its work in the run itself.
func TestForkLeavesACallThatWaitsBehind(t *testing.T) {
	t.Parallel()
	h := open(t, slow, shared)
	k := h.control()
	run := h.make(client.NewRun{Names: []string{"trunk"}})[0]
	c := h.single()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _, _, _ = call(t, c, "POST", base(run)+"/v1/payment_intents", payment, "Idempotency-Key", "k")
	}()
	waitFor(t, "the reservation", func() bool { r, err := k.Run(t.Context(), "trunk"); return err == nil && r.Events >= 2 })
	if status, _, _, err := call(t, c, "POST", base(run)+"/v1/payment_intents", payment, "Idempotency-Key", "k"); err != nil || status != http.StatusConflict {
		t.Errorf("the key in flight, in the run itself: %d %v", status, err)
	}
	fork, err := k.Fork(t.Context(), "trunk", client.Fork{At: 2, Names: []string{"branch"}})
	if err != nil {
		t.Fatal(err)
	}
	must(t, c, "POST", base(fork[0])+"/v1/payment_intents", payment, "Idempotency-Key", "k")
	<-ended
	waitFor(t, "the late charge", func() bool { return strings.Contains(h.dump("trunk", 0), `"ch_`) })
	events := h.eventsOf("branch")
	if len(events) != 4 || events[2].Kind != trail.Abandoned || events[2].Of != 2 {
		t.Errorf("the fork's events: %+v", events)
	}
}

// A run ends by its lifetime and by its idle bound; its record stays.
func TestRunsEndByTheirTerms(t *testing.T) {
	t.Parallel()
	wall := &skewed{}
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Wall = wall })
	k := h.control()
	runs := h.make(client.NewRun{Names: []string{"short"}, TTL: "1h"})
	idle := h.make(client.NewRun{Names: []string{"idle", "busy"}, Idle: "30m"})
	stays := h.make(client.NewRun{Names: []string{"stays"}})
	c := h.single()
	wall.ahead.Add(int64(20 * time.Minute))
	must(t, c, "GET", base(idle[1])+"/v1/charges", "")
	wall.ahead.Add(int64(20 * time.Minute))
	waitFor(t, "the idle run's end", func() bool {
		r, err := k.Runs(t.Context(), client.Ended)
		return err == nil && len(r) == 1 && r[0].ID == "idle"
	})
	must(t, c, "GET", base(idle[1])+"/v1/charges", "")
	wall.ahead.Add(int64(25 * time.Minute))
	waitFor(t, "the short run's end", func() bool { r, err := k.Runs(t.Context(), client.Ended); return err == nil && len(r) == 2 })
	if status, body, _, err := call(t, c, "GET", base(runs[0])+"/v1/charges", ""); err != nil || status != http.StatusUnauthorized {
		t.Errorf("a call to a run that has ended: %d %v %v", status, body, err)
	}
	must(t, c, "GET", base(stays[0])+"/v1/charges", "")
	if len(h.eventsOf("short")) != 1 || len(h.eventsOf("busy")) != 3 {
		t.Error("their records are not kept")
	}
	if _, err := k.Reset(t.Context(), "short"); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("a reset of it: %v", err)
	}
}

// skewed is the system's clock, ahead by what a test says.
type skewed struct {
	clock.System
	ahead atomic.Int64
}

func (s *skewed) Now() time.Time { return s.System.Now().Add(time.Duration(s.ahead.Load())) }

// After a gateway's end the next one goes on with the runs that were made by
// name: same worlds, same tokens; a profile that was saved meanwhile is in
// force.
func TestRunsGoOnAfterARestart(t *testing.T) {
	t.Parallel()
	h := open(t, troubled, shared)
	runs := h.make(client.NewRun{Names: []string{"one", "two", "over"}, TTL: "1h"})
	c := h.single()
	for _, r := range runs {
		walk(t, c, base(r), 30)
	}
	fork, err := h.control().Fork(t.Context(), "one", client.Fork{At: 9, Names: []string{"branch"}})
	if err != nil {
		t.Fatal(err)
	}
	walk(t, c, base(fork[0]), 10)
	if _, err := h.control().End(t.Context(), "over", nil); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range []string{"one", "two", "branch"} {
		want[name] = h.dump(name, 0)
	}
	h.close()
	if err := os.WriteFile(h.file, []byte(quiet), 0o600); err != nil {
		t.Fatal(err)
	}
	next := h.reopen()
	for name := range want {
		if got := next.dump(name, 0); got != want[name] {
			t.Errorf("%s is not as it was", name)
		}
	}
	again := base(runs[0])
	again = strings.Replace(again, h.Addr(), next.Addr(), 1)
	walk(t, next.single(), again, 5)
	for _, e := range next.eventsOf("one")[30:] {
		if e.Kind == trail.Resumed && (!e.Epoch.Clean || e.Epoch.Number != 2) {
			t.Errorf("resumed as %+v", e.Epoch)
		}
	}
	if _, err := next.control().Reset(t.Context(), "over"); err == nil {
		t.Error("a run that was ended goes on")
	}
	live, err := next.control().Runs(t.Context(), client.Live)
	if err != nil || len(live) != 4 {
		t.Errorf("%d runs go on, want one, two, branch and a first one: %v", len(live), err)
	}
	if list := next.dump("branch", 9); list != next.dump("one", 9) {
		t.Error("a fork has lost its past")
	}
}

// reopen opens a gateway over what another one has left.
func (h *harness) reopen(change ...func(*gateway.Settings)) *harness {
	h.t.Helper()
	s := gateway.Settings{Root: h.root, CA: h.root + "/../ca", Profile: h.file, Getenv: func(string) string { return "" }}
	for _, c := range append([]func(*gateway.Settings){shared}, change...) {
		c(&s)
	}
	srv, err := gateway.Open(h.t.Context(), s)
	if err != nil {
		h.t.Fatal(err)
	}
	next := &harness{Server: srv, t: h.t, root: h.root, file: h.file}
	h.t.Cleanup(next.close)
	return next
}

// One gateway at a time writes a folder's runs.
func TestSecondGatewayOverOneStoreIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	s := gateway.Settings{Root: h.root, CA: h.root + "/../ca", Profile: h.file, Getenv: func(string) string { return "" }}
	shared(&s)
	_, err := gateway.Open(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "PARITY_DIR") {
		t.Errorf("it opened, or says %v", err)
	}
}

// A record decides as it did: replayed, a long run with waits, resets and moves
// of its clock gives the same events; under another profile it does not, and
// the first difference is told.
func TestReplay(t *testing.T) {
	t.Parallel()
	h := open(t, troubled+`
  wait-a-bit: {call: stripe.PostCustomersCustomer, inject: timeout, with: {for: 20ms, commits: first}, trigger: {every: 2}}
`, shared)
	k, ctx := h.control(), t.Context()
	run := h.make(client.NewRun{Names: []string{"told"}})[0]
	c := h.single()
	for held := false; !held; {
		status, _, _, _ := call(t, c, "POST", base(run)+"/v1/payment_intents", payment+"&capture_method=manual")
		held = status == http.StatusOK
	}
	walk(t, c, base(run), 24)
	for _, err := range []error{
		second(k.TakeSnapshot(ctx, "told", "here")), second(k.MoveClock(ctx, "told", client.Move{Advance: "200h"})),
		second(k.MoveClock(ctx, "told", client.Move{Freeze: true})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	walk(t, c, base(run), 12)
	for _, err := range []error{second(k.RollBack(ctx, "told", "here")), second(k.Reset(ctx, "told"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	walk(t, c, base(run), 12)
	if err := k.Claim(ctx, "told", client.Outcome{Status: "stopped"}); err != nil {
		t.Fatal(err)
	}
	h.close()
	h.goesOnFromCheckpoints("told")
	var out bytes.Buffer
	code, err := replayRun(context.Background(), &out, h.root, "told", "")
	if err != nil || code != 0 || !strings.Contains(out.String(), "all as the record has them") {
		t.Errorf("%d %v: %s", code, err, out.String())
	}
	out.Reset()
	code, err = replayRun(context.Background(), &out, h.root, "told", "baseline")
	if err != nil || code != 3 || !strings.Contains(out.String(), "under other conditions") || !strings.Contains(out.String(), "departs from the record at #") {
		t.Errorf("%d %v: %s", code, err, out.String())
	}
}

// A record answers a client again, in its order, and refuses what it does not
// have, naming what comes nearest.
func TestRecordAnswersAgain(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	run := h.make(client.NewRun{Names: []string{"told"}})[0]
	c := h.single()
	first := must(t, c, "POST", base(run)+"/v1/customers", "name=Ada")
	must(t, c, "GET", base(run)+"/v1/customers/"+fmt.Sprint(first["id"]), "")
	h.close()
	kept, err := kept.Read(h.root, "told")
	if err != nil {
		t.Fatal(err)
	}
	again := h.reopen(func(s *gateway.Settings) { s.Shared, s.Script = false, kept })
	at := "http://" + again.Addr() + "/stripe"
	if made := must(t, again.single(), "POST", at+"/v1/customers", "name=Ada"); made["id"] != first["id"] {
		t.Errorf("made %v, the record has %v", made["id"], first["id"])
	}
	for _, c := range []struct{ method, path, form, says string }{
		{"POST", "/v1/customers", "name=Ada", "It made this call 1 times, the last at #2"},
		{"POST", "/v1/customers", "name=Bob", "The nearest is #2, which differs in /body/name"},
		{"GET", "/v1/charges", "", "It never called that operation"},
	} {
		status, body, _, err := call(t, again.single(), c.method, at+c.path, c.form)
		if detail := fmt.Sprint(body["detail"]); err != nil || status != http.StatusNotImplemented || !strings.Contains(detail, c.says) {
			t.Errorf("%s %s %s: %d %v %v", c.method, c.path, c.form, status, body, err)
		}
	}
}

// Whoever follows a run gets each event as it comes, can take it up again, and
// holds up neither the end of the run nor that of the gateway.
func TestEventsAsTheyCome(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	k := h.control()
	runs := h.make(client.NewRun{Names: []string{"seen", "long"}})
	c := h.single()
	kinds := make(chan string, 100)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	follow := func(run string, from uint64) {
		defer close(kinds)
		for e, err := range k.Events(ctx, run, from) {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				t.Errorf("%s: %v", run, err)
				return
			}
			kinds <- fmt.Sprint(e.Seq, " ", e.Kind)
		}
	}
	go follow("seen", 1)
	if first := <-kinds; first != "1 started" {
		t.Errorf("first came %s", first)
	}
	must(t, c, "POST", base(runs[0])+"/v1/customers", "name=Ada")
	if next := <-kinds; next != "2 exchange" {
		t.Errorf("then %s", next)
	}
	if _, err := k.End(t.Context(), "seen", nil); err != nil {
		t.Fatal(err)
	}
	if more, open := <-kinds; open {
		t.Errorf("after the end came %s", more)
	}
	kinds = make(chan string, 100)
	go follow("seen", 2) // what has ended is read to its end
	if again := <-kinds; again != "2 exchange" {
		t.Errorf("taken up at 2: %s", again)
	}
	for range kinds {
		t.Error("and more")
	}
	kinds = make(chan string, 100)
	go follow("long", 1)
	<-kinds
	time.AfterFunc(100*time.Millisecond, leave) // a client whose gateway has gone looks for it for a while
	h.close()
	<-kinds
}

// A run whose time is over while its gateway is down ends in the next one,
// though nobody asks for it.
func TestRunsEndWhileTheySleep(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	h.make(client.NewRun{Names: []string{"short"}, TTL: "1h"})
	h.make(client.NewRun{Names: []string{"stays"}})
	h.close()
	wall := &skewed{}
	wall.ahead.Store(int64(2 * time.Hour))
	next := h.reopen(func(s *gateway.Settings) { s.Wall = wall })
	waitFor(t, "its end", func() bool {
		ended, err := next.control().Runs(t.Context(), client.Ended)
		return err == nil && slices.ContainsFunc(ended, func(r client.Run) bool { return r.ID == "short" })
	})
	if live, err := next.control().Runs(t.Context(), client.Live); err != nil || len(live) != 2 {
		t.Errorf("%d runs go on, want stays and a first one: %v", len(live), err)
	}
}
