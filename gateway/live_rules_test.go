package gateway_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// liveRules are rules that strike where the real service is called, and one that
// does not.
const liveRules = `
policy: {stage: 5}
faults:
  down: {call: "stripe GET /v1/customers/{customer}", inject: error, with: {status: 503}, trigger: {max: 1}, live: true, because: Reads fail on Mondays.}
  cut: {call: stripe GET /v1/customers, inject: truncated-body, trigger: {max: 1}, live: true, because: Lists are cut.}
  odd: {call: "stripe GET /v1/products/{id}", inject: wrong-value, with: {field: name}, trigger: {max: 1}, live: true, because: Names are odd.}
  lost: {call: stripe POST /v1/customers, inject: error, with: {status: 500}, trigger: {max: 1}, live: true, because: Writes fail.}
  fakes-alone: {call: stripe *, inject: error, with: {status: 504}}
`

func strikesOf(events []trail.Event) (all []trail.Strike) {
	for _, e := range events {
		if e.Exchange != nil && e.Kind == trail.Exchanged {
			all = append(all, e.Exchange.Strikes...)
		}
	}
	return all
}

// A rule that says live: true strikes where the real service is called, once a
// person has approved it: in place of the call, or on what comes back. It waits
// until then, and all else passes.
func TestRulesStrikeWhereTheRealServiceIsCalled(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	direct := "http://" + r.Addr() + "/stripe/v1"
	made := must(t, r.direct(false, false), "POST", direct+"/customers", "email=ada@example.com&name=Ada")
	product := must(t, r.direct(false, false), "POST", direct+"/products", "name=Tea")
	id, _ := made["id"].(string)
	before := len(r.saw())
	h := open(t, r.profile("live-read", "")+liveRules, withRealKey, shared)
	one := h.make(client.NewRun{Names: []string{"one"}})[0]
	base := one.URLs.Base + "/stripe/v1"
	status := func(method, path, body string) int {
		t.Helper()
		code, _, _, _ := call(t, h.single(), method, base+path, body)
		return code
	}
	if code := status("GET", "/customers/"+id, ""); code != 200 {
		t.Errorf("before anybody approved the rule: %d", code)
	}
	for _, rule := range []string{"down", "cut", "odd", "lost"} {
		if a, err := h.control().ApproveRule(t.Context(), "one", client.NewRuleApproval{Rule: rule, By: "ada", Because: "agreed"}); err != nil || a.Rule != rule || a.By.Name != "ada" {
			t.Fatalf("%+v %v", a, err)
		}
	}
	for _, rule := range []string{"fakes-alone", "none"} {
		if _, err := h.control().ApproveRule(t.Context(), "one", client.NewRuleApproval{Rule: rule, By: "ada"}); err == nil {
			t.Errorf("%s was approved", rule)
		}
	}
	seen := len(r.saw())
	if code := status("GET", "/customers/"+id, ""); code != 503 || len(r.saw()) != seen {
		t.Errorf("in place of the service: %d, and it saw %d", code, len(r.saw())-seen)
	}
	if code := status("POST", "/customers", "email=bob@example.com"); code != 500 {
		t.Errorf("a write was answered %d", code)
	}
	if _, _, _, err := call(t, h.single(), "GET", base+"/customers", ""); err == nil || len(r.saw()) != seen+1 {
		t.Errorf("on the way back: %v, and it saw %d", err, len(r.saw())-seen)
	}
	code, odd, _, err := call(t, h.single(), "GET", base+"/products/"+product["id"].(string), "") //nolint:forcetypeassert // it was made
	if code != 200 || err != nil || odd["name"] == "Tea" {
		t.Errorf("what comes back is %d %v %v", code, odd, err)
	}
	for range 2 { // each has struck as often as it may
		if code := status("GET", "/customers/"+id, ""); code != 200 {
			t.Errorf("afterwards: %d", code)
		}
	}
	forks, err := h.control().Fork(t.Context(), "one", client.Fork{Names: []string{"two"}})
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, _ = call(t, h.single(), "GET", forks[0].URLs.Base+"/stripe/v1/products", "")
	events := h.eventsOf("one")
	fired := map[string]int{}
	for _, s := range strikesOf(events) {
		if !s.Live || s.Rule == "fakes-alone" {
			t.Errorf("%+v", s)
		}
		if s.Fired {
			fired[s.Rule]++
		}
	}
	if len(fired) != 4 || fired["down"] != 1 || fired["cut"] != 1 || fired["odd"] != 1 || fired["lost"] != 1 {
		t.Errorf("struck: %v", fired)
	}
	for _, call := range r.saw()[before:] {
		if !strings.HasPrefix(call, "GET ") {
			t.Errorf("the real service saw %s", call)
		}
	}
	for _, s := range strikesOf(h.eventsOf("two")[len(events):]) {
		t.Errorf("in a fork: %+v", s)
	}
	toldOfLiveRules(t, h)
}

// toldOfLiveRules holds what is told of the run of these rules: the strikes apart,
// the proof, the record, and what is decided again.
func toldOfLiveRules(t *testing.T, h *harness) {
	t.Helper()
	k, err := kept.Read(h.root, "one")
	if err != nil {
		t.Fatal(err)
	}
	rep := k.Report()
	var text bytes.Buffer
	if err := report.Terminal(&text, rep, report.Options{Width: 400}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Live faults down (error), approved by ada (claimed): it struck 1 call: #", "in place of the service: nothing left", "it waited for a person at 1 call",
		"cut (truncated-body), approved by ada (claimed): it struck 1 call: #", "on the way back", "0 writes of 1 tried (1 answered by a fault)",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), want) {
			t.Errorf("the report does not say %q: %s", want, text.String())
		}
	}
	if p := rep.Upstream; p.Struck != 1 || p.Faked != 0 || !p.Agrees {
		t.Errorf("%+v", p)
	}
	nowhere(t, h.root, "canary")
	nowhere(t, h.root, "ada@example.com")
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, "one", ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// What one revision of a profile was approved for, another waits for again; and
// below stage 4 nothing strikes.
func TestAnApprovalOfARuleIsOfItsRevision(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	text := r.profile("live-read", "") + liveRules
	h := open(t, text, withRealKey, shared)
	base := map[string]string{"low": h.make(client.NewRun{Names: []string{"low"}, Stage: 3})[0].URLs.Base, "high": h.make(client.NewRun{Names: []string{"high"}})[0].URLs.Base}
	for _, run := range []string{"low", "high"} {
		if _, err := h.control().ApproveRule(t.Context(), run, client.NewRuleApproval{Rule: "cut", By: "ada"}); err != nil {
			t.Fatal(err)
		}
	}
	h.save(strings.Replace(text, "Lists are cut.", "Lists are cut now.", 1))
	for run, why := range map[string]string{"low": "at stage 3 no rule strikes where real services are called", "high": faults.WaitsAnew} {
		status, _, _, err := call(t, h.single(), http.MethodGet, base[run]+"/stripe/v1/customers", "")
		strikes := strikesOf(h.eventsOf(run))
		if err != nil || status != 200 || len(strikes) != 1 || strikes[0].Fired || strikes[0].Why != why {
			t.Errorf("%s: %d %v %+v", run, status, err, strikes)
		}
	}
}
