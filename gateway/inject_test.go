package gateway_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// lists is what a list of charges is answered with.
func lists(t *testing.T, h *harness, r client.Run) int {
	t.Helper()
	status, _, _, err := call(t, h.single(), http.MethodGet, strings.Replace(base(r), r.URLs.Base, "http://"+h.Addr()+"/run/"+r.ID+":"+r.Token, 1)+"/v1/charges", "")
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func (h *harness) arm(run string, n client.NewArmed) client.Armed {
	h.t.Helper()
	a, err := h.control().Arm(h.t.Context(), run, n)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

func down(status int) client.NewArmed {
	return client.NewArmed{Call: []string{"stripe GET /v1/charges"}, Inject: "error", With: map[string]any{"status": status}}
}

// An armed rule is in force from the next call on, in its run alone, before the
// rules of the profile, until its time is over on the run's clock.
func TestArmedRuleIsInForceInItsRunUntilItsTimeIsOver(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+"faults: {down: {call: stripe GET /v1/charges, inject: error, with: {status: 500}, trigger: {first: 1}}}\n", shared)
	runs := h.make(client.NewRun{Names: []string{"one", "other"}})
	n := down(503)
	n.TTL, n.Because = "10m", "Monday."
	a := h.arm("one", n)
	if a.Name != "injected-1" || a.Event != 2 || a.Until.IsZero() || len(a.Warnings) > 0 {
		t.Errorf("%+v", a)
	}
	if got := [2]int{lists(t, h, runs[0]), lists(t, h, runs[1])}; got != [2]int{503, 500} {
		t.Errorf("answered %v", got)
	}
	h.arm("one", down(502)) // one that comes later outranks none
	if got := lists(t, h, runs[0]); got != 503 {
		t.Errorf("with two armed: %d", got)
	}
	if _, err := h.control().MoveClock(t.Context(), "one", client.Move{Advance: "10m"}); err != nil {
		t.Fatal(err)
	}
	all, err := h.control().Armed(t.Context(), "one")
	if err != nil || len(all) != 1 || all[0].Name != "injected-2" {
		t.Errorf("armed after ten minutes: %+v %v", all, err)
	}
	if got := lists(t, h, runs[0]); got != 502 {
		t.Errorf("after ten minutes: %d", got)
	}
	if err := h.control().Disarm(t.Context(), "one", "injected-2"); err != nil {
		t.Fatal(err)
	}
	if got := lists(t, h, runs[0]); got != 200 {
		t.Errorf("with none armed: %d", got)
	}
	events := h.eventsOf("one")
	strikes := events[2].Exchange.Strikes
	if len(strikes) != 2 || strikes[0].Rule != "injected-1" || !strikes[0].Fired || !strikes[1].Outranked {
		t.Errorf("%+v", strikes)
	}
	var said, trace bytes.Buffer
	if err := h.control().Report(t.Context(), &said, "one", "text"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Armed while it ran: injected-1 (error at stripe GET /v1/charges) from #2, until", "Armed while it ran: injected-2 (error at stripe GET /v1/charges) from #4 to #8"} {
		if !strings.Contains(strings.Join(strings.Fields(said.String()), " "), want) {
			t.Errorf("the report does not say %q:\n%s", want, said.String())
		}
	}
	h.close()
	if err := printTrace(&trace, h.root, "one"); err != nil || !strings.Contains(trace.String(), "rule injected-1 armed: error at stripe GET /v1/charges, until 2026-01-05 09:10:00") ||
		!strings.Contains(trace.String(), "rule injected-2 disarmed") {
		t.Errorf("%v\n%s", err, trace.String())
	}
}

// What was armed is an input of the run: it forks, is set back with it, goes on
// after the gateway's end, and is decided again as it was.
func TestArmedRulesForkReplayAndOutliveTheGateway(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	run := h.make(client.NewRun{Names: []string{"one"}})[0]
	k := h.control()
	check := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	lists(t, h, run)
	check(k.TakeSnapshot(t.Context(), "one", "calm"))
	n := down(503)
	n.Trigger = map[string]any{"nth": 2}
	h.arm("one", n) // #4
	lists(t, h, run)
	before, err := k.Fork(t.Context(), "one", client.Fork{At: 3, Names: []string{"before"}})
	check(before, err)
	after, err := k.Fork(t.Context(), "one", client.Fork{At: 5, Names: []string{"after"}})
	check(after, err)
	at := []int{}
	for _, r := range []client.Run{before[0], after[0], run} {
		call(t, h.single(), http.MethodPost, base(r)+"/v1/customers", "name=Ada") //nolint:errcheck // another intent in between
		at = append(at, lists(t, h, r))
	}
	if at[0] != 200 || at[1] != 503 || at[2] != 503 {
		t.Errorf("the forks before and after it and the run answer %v", at)
	}
	equal, err := k.Hash(t.Context(), "one", 0)
	check(equal, err)
	h.close()
	next := h.reopen()
	if hash, err := next.control().Hash(t.Context(), "one", equal.Event); err != nil || hash != equal {
		t.Errorf("%+v %v; it was %+v", hash, err, equal)
	}
	check(next.control().RollBack(t.Context(), "one", "calm"))
	if all, err := next.control().Armed(t.Context(), "one"); err != nil || len(all) != 0 {
		t.Errorf("armed where it was set back to: %+v %v", all, err)
	}
	if a := next.arm("one", down(504)); a.Name != "injected-2" {
		t.Errorf("a name is given twice: %+v", a)
	}
	if got := lists(t, next, run); got != 504 {
		t.Errorf("after a restart: %d", got)
	}
	d, err := next.control().DisarmAll(t.Context())
	check(d, err)
	if len(d.Runs) != 2 || strings.Join(d.Runs["one"], " ") != "injected-2" || strings.Join(d.Runs["after"], " ") != "injected-1" {
		t.Errorf("disarmed: %+v", d)
	}
	if got := [2]int{lists(t, next, run), lists(t, next, after[0])}; got != [2]int{200, 200} {
		t.Errorf("after all were disarmed: %v", got)
	}
	next.close()
	for _, name := range []string{"one", "before", "after"} {
		var said bytes.Buffer
		if code, err := replayRun(t.Context(), &said, h.root, name, ""); code != 0 || err != nil {
			t.Errorf("replay of %s: %d %v\n%s", name, code, err, said.String())
		}
	}
}

func TestArmingRefuses(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+"faults: {slow: {call: \"*\", inject: latency, with: {fixed: 1ms}}}\n", shared)
	h.make(client.NewRun{Names: []string{"one", "over"}})
	k := h.control()
	if _, err := k.End(t.Context(), "over", nil); err != nil {
		t.Fatal(err)
	}
	named := func(name string) client.NewArmed { n := down(503); n.Name = name; return n }
	h.arm("one", named("mine"))
	bad := down(503)
	bad.When = "world.stripe.refunds.amount > ("
	wrong := down(99)
	endless := down(503)
	endless.When = strings.Repeat("(", 1_000) + "true"
	growing := down(503)
	growing.When = `reduce(1..60, #acc + #acc, "a") == ""`
	forever := down(503)
	forever.TTL = "-1h"
	for name, c := range map[string]struct {
		run    string
		rule   client.NewArmed
		status int
		want   string
	}{
		"no such run":   {"nobody", down(503), 404, "there is no run nobody"},
		"an ended run":  {"over", down(503), 409, "has ended"},
		"a name twice":  {"one", named("mine"), 409, "a rule mine is armed in run one already"},
		"a rule's name": {"one", named("slow"), 409, "the profile has a rule slow"},
		"condition":     {"one", bad, 422, "injected: when: "},
		"parameter":     {"one", wrong, 422, "injected: error.status: 99 is out of bounds"},
		"deep":          {"one", endless, 422, "injected: when: "},
		"growing":       {"one", growing, 422, "injected: when: reduce is not allowed"},
		"time":          {"one", forever, 422, "write a duration above 0"},
	} {
		_, err := k.Arm(t.Context(), c.run, c.rule)
		var refused *client.Error
		if !errors.As(err, &refused) || refused.Status != c.status || !strings.Contains(refused.Detail, c.want) {
			t.Errorf("%s: %v; want %d …%s…", name, err, c.status, c.want)
		}
	}
	if err := k.Disarm(t.Context(), "one", "yours"); err == nil || !strings.Contains(err.Error(), "no rule yours is armed in run one; those that are: mine") {
		t.Errorf("%v", err)
	}
	for range 99 {
		h.arm("one", down(503))
	}
	if _, err := k.Arm(t.Context(), "one", down(503)); err == nil || !strings.Contains(err.Error(), "100 rules armed") {
		t.Errorf("a hundred and one: %v", err)
	}
	if events := h.eventsOf("one"); len(events) != 101 {
		t.Errorf("%d events", len(events))
	}
}

// A run that keeps its revision keeps it over a save and a restart; the others
// follow, and the report says from which call on.
func TestLockedRunsKeepTheirRevision(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, swift)
	locked := h.make(client.NewRun{Names: []string{"locked"}, Locked: true})[0]
	free := h.make(client.NewRun{Names: []string{"free"}})[0]
	lists(t, h, locked)
	lists(t, h, free)
	h.save(quiet + "faults: {down: {call: stripe GET /v1/charges, inject: error, with: {status: 503}}}\n")
	if got := [2]int{lists(t, h, locked), lists(t, h, free)}; got != [2]int{200, 503} {
		t.Errorf("after a save: %v", got)
	}
	fork, err := h.control().Fork(t.Context(), "locked", client.Fork{Names: []string{"branch"}})
	if err != nil {
		t.Fatal(err)
	}
	h.close()
	next := h.reopen()
	if got := [3]int{lists(t, next, locked), lists(t, next, free), lists(t, next, fork[0])}; got != [3]int{200, 503, 200} {
		t.Errorf("after a restart: %v", got)
	}
	for name, want := range map[string]int{"locked": 1, "free": 2, "branch": 1} {
		k, err := next.Kept(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(k.Revisions) != want || want == 2 && k.Revisions[1].From != 4 || k.Profile.Revision != k.Revisions[want-1].Hash {
			t.Errorf("%s: %+v", name, k.Revisions)
		}
		revised := 0
		for _, e := range k.Events {
			if e.Kind == trail.Revised {
				revised++
			}
		}
		if revised != want-1 {
			t.Errorf("%s has %d events that a revision came into force", name, revised)
		}
	}
}

// swift has a gateway find saves soon.
func swift(s *gateway.Settings) { s.Quiet = 5 * time.Millisecond }

// save writes the profile and waits until it is in force.
func (h *harness) save(content string) {
	h.t.Helper()
	was := h.state()
	if err := os.WriteFile(h.file, []byte(emptied(content)), 0o600); err != nil {
		h.t.Fatal(err)
	}
	waitFor(h.t, "the save", func() bool { now := h.state(); return now.Since != was.Since || now.Trouble != was.Trouble })
}

// state is what is in force of the gateway's own profile.
func (h *harness) state() client.State {
	h.t.Helper()
	g, err := h.control().Gateway(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, s := range g.InForce {
		if s.Profile == h.file {
			return s
		}
	}
	h.t.Fatalf("%+v", g)
	return client.State{}
}
