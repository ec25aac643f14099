package sweep_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/gateway/sweep"
	"parity/profiles"
	"parity/specs"
)

func catalogue(t *testing.T) *fakes.Catalogue {
	t.Helper()
	c, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lookup finds operations as a run's own profile would.
func lookup(c *fakes.Catalogue) sweep.Lookup {
	return func(x *trail.Exchange) (*specs.Operation, fakes.Fake, specs.Effect, bool) {
		s, ok := c.Service(x.Service)
		if !ok {
			return nil, nil, "", false
		}
		op := s.Contract.Recall(x.Operation, x.Method, x.Path).Operation
		if op == nil {
			return nil, nil, "", false
		}
		return op, s.Fake, op.Effect, true
	}
}

// called is an exchange of a calm run. What more says is put into it.
func called(intent, service, operation, path string, more func(*trail.Exchange)) trail.Event {
	method, _, _ := strings.Cut(operation, " ")
	x := &trail.Exchange{Service: service, Operation: operation, Method: method, Path: path, Status: http.StatusOK, Intent: trail.Intent{ID: intent}}
	if more != nil {
		more(x)
	}
	return trail.Event{Kind: trail.Exchanged, Exchange: x}
}

func calm() []trail.Event {
	committed := func(x *trail.Exchange) { x.Committed = true }
	return []trail.Event{
		{Kind: trail.Started},
		called("1", "stripe", "GET /v1/customers", "/v1/customers", nil),
		called("2", "stripe", "GET /v1/customers", "/v1/customers", func(x *trail.Exchange) { x.Query = "starting_after=cus_1" }),
		called("0", "stripe", "GET /v1/customers/{customer}", "/v1/customers/cus_1", nil),
		called("3", "stripe", "POST /v1/customers/{customer}", "/v1/customers/cus_1", committed),
		called("4", "stripe", "POST /v1/refunds", "/v1/refunds", func(x *trail.Exchange) { x.Committed, x.Intent.Key = true, "k" }),
		called("4", "stripe", "POST /v1/refunds", "/v1/refunds", nil), // a retry
		called("5", "stripe", "POST /v1/refunds", "/v1/refunds", committed),
		called("6", "stripe", "GET /v1/refunds/{refund}", "/v1/refunds/re_1", nil),
		called("7", "nobody", "GET /", "/", nil),
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	type known struct {
		Call                                               string
		Intents                                            int
		Read, Keyed, Paged, AfterWrite, BeforeIrreversible bool
	}
	var got []known
	for _, c := range sweep.Calls(calm(), lookup(catalogue(t))) {
		got = append(got, known{c.Operation.Name(), c.Intents, c.Read, c.Keyed, c.Paged, c.AfterWrite, c.BeforeIrreversible})
	}
	want := []known{
		{"stripe GET /v1/customers", 2, false, false, true, false, true},
		{"stripe GET /v1/customers/{customer}", 1, false, false, false, false, true},
		{"stripe POST /v1/customers/{customer}", 1, true, false, false, false, false},
		{"stripe POST /v1/refunds", 2, false, true, false, false, false},
		{"stripe GET /v1/refunds/{refund}", 1, false, false, false, true, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What costs the most is tried first, each cell once; a list that was read page by
// page gets what pages can do wrong, and a write gets nothing of that.
func TestPlan(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range sweep.Plan(sweep.Calls(calm(), lookup(catalogue(t)))) {
		names = append(names, c.String())
	}
	first := []string{
		"stripe POST /v1/refunds × ambiguous-success",
		"stripe POST /v1/customers/{customer} × ambiguous-success",
		"stripe POST /v1/refunds × rate-limit",
		"stripe POST /v1/customers/{customer} × rate-limit",
		"stripe GET /v1/customers × rate-limit",
		"stripe GET /v1/customers/{customer} × rate-limit",
	}
	if diff := cmp.Diff(first, names[:len(first)]); diff != "" {
		t.Error(diff)
	}
	if last := names[len(names)-1]; last != "stripe POST /v1/refunds #2 × ambiguous-success" {
		t.Errorf("the last is %s", last)
	}
	if each := slices.Compact(slices.Sorted(slices.Values(names))); len(each) != len(names) {
		t.Errorf("%d cells, %d of them different", len(names), len(each))
	}
	for name, want := range map[string]bool{
		"stripe GET /v1/customers × partial-page":                true,
		"stripe GET /v1/customers × moving-page":                 true,
		"stripe GET /v1/refunds/{refund} × partial-page":         false,
		"stripe GET /v1/refunds/{refund} × stale-read":           true,
		"stripe GET /v1/customers × stale-read":                  false,
		"stripe POST /v1/refunds × partial-page":                 false,
		"stripe POST /v1/refunds × idempotency-conflict":         true,
		"stripe POST /v1/customers/{customer} × concurrent-edit": true,
		"stripe POST /v1/refunds × concurrent-edit":              false,
	} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s: planned %v, want %v", name, !want, want)
		}
	}
}

// Each cell, told by its name alone, is a rule that a profile would take without a
// warning, and that makes the run invalid where it does not fire.
func TestCellsAreRules(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	p, err := profiles.Load("baseline", profiles.Options{Catalogue: c})
	if err != nil {
		t.Fatal(err)
	}
	events := append(calm(),
		called("8", "slack", "POST /api/chat.postMessage", "/api/chat.postMessage", nil),
		called("9", "github", "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", "/repos/a/b/pulls/1/merge", nil),
		called("10", "hubspot", "POST /crm/v3/objects/{objectType}/search", "/crm/v3/objects/contacts/search", nil),
		called("11", "zendesk", "PUT /api/v2/tickets/{ticket_id}", "/api/v2/tickets/1", nil),
		called("12", "notion", "POST /v1/pages", "/v1/pages", nil),
	)
	tried := map[string]bool{}
	for _, planned := range sweep.Plan(sweep.Calls(events, lookup(c))) {
		cell, err := sweep.Parse(planned.String())
		if err != nil || cell != planned {
			t.Fatalf("%s is read as %+v, %v", planned, cell, err)
		}
		parts, err := cell.Rule()
		if err != nil {
			t.Fatal(err)
		}
		armed, err := p.Arm(cell.Fault, parts)
		if err != nil || len(armed.Warnings) > 0 || !armed.Rule.Required {
			t.Errorf("%s: %v, %+v", cell, err, armed)
		}
		tried[cell.Fault] = true
	}
	if len(tried) < 25 {
		t.Errorf("%d faults are tried: %v", len(tried), tried)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		cell sweep.Cell
		says string
	}{
		"stripe POST /v1/refunds × timeout":    {cell: sweep.Cell{Call: "stripe POST /v1/refunds", Nth: 1, Fault: "timeout"}},
		"stripe POST /v1/refunds x timeout":    {cell: sweep.Cell{Call: "stripe POST /v1/refunds", Nth: 1, Fault: "timeout"}},
		"stripe POST /v1/refunds #3 × timeout": {cell: sweep.Cell{Call: "stripe POST /v1/refunds", Nth: 3, Fault: "timeout"}},
		"timeout":                              {says: "write CALL × FAULT"},
		"stripe POST /v1/refunds #0 × timeout": {says: "#0 is none"},
		"stripe POST /v1/refunds × slow-body":  {says: "no fault of sweeps"},
		"stripe POST /v1/refunds × slowness":   {says: "there is no fault"},
	} {
		cell, err := sweep.Parse(name)
		if want.says == "" && (err != nil || cell != want.cell) || want.says != "" && (err == nil || !strings.Contains(err.Error(), want.says)) {
			t.Errorf("%s: %+v, %v", name, cell, err)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	always := func(r trail.Result, lines ...string) trail.Verdict {
		return trail.Verdict{Subject: "always: one effect per intent", Kind: "always", Result: r, Lines: lines}
	}
	fault := func(r trail.Result, reaction trail.Reaction, why string, lines ...string) trail.Verdict {
		return trail.Verdict{Subject: "timeout", Kind: "fault", Result: r, Reaction: reaction, Why: why, Lines: lines}
	}
	of := func(v ...trail.Verdict) trail.Judgement { return trail.Judgement{Verdicts: v} }
	away := of(trail.Verdict{Subject: "timeout", Kind: "required", Result: trail.InvalidRun, Why: "it was about 1 call, and never fired: the page has 1 of 1 items"})
	missed := away
	missed.Faults = []trail.RuleCount{{Rule: "timeout"}}
	refused := missed
	refused.Operations = []trail.Touched{{Operation: "stripe POST /v1/refunds"}}
	unhit := of(fault(trail.Passed, trail.Handled, ""))
	unhit.Faults = []trail.RuleCount{{Rule: "timeout", Matched: 1}}
	broken := of(fault(trail.Passed, trail.Handled, ""))
	broken.Defects = []trail.Defect{{Seq: 3}}
	for name, test := range map[string]struct {
		calm, run trail.Judgement
		cut       string
		want      sweep.Outcome
		why       string
		failed    int
	}{
		"handled":                            {run: of(fault(trail.Passed, trail.Handled, "")), want: sweep.Handled},
		"mishandled":                         {run: of(fault(trail.Failed, trail.Mishandled, "", "#1")), want: sweep.Mishandled, failed: 1},
		"two verdicts that say the same":     {run: of(fault(trail.Failed, trail.Mishandled, "", "#1"), always(trail.Failed, "#1")), want: sweep.Mishandled, failed: 1},
		"one verdict that says more":         {run: of(fault(trail.Failed, trail.Mishandled, "", "#1"), always(trail.Failed, "#1   #2")), want: sweep.Mishandled, failed: 1},
		"something else failed":              {run: of(fault(trail.Passed, trail.Handled, ""), always(trail.Failed, "#2")), want: sweep.Mishandled, failed: 1},
		"it fails without the fault too":     {calm: of(always(trail.Failed, "#1")), run: of(fault(trail.Passed, trail.Handled, ""), always(trail.Failed, "#2")), want: sweep.Handled},
		"not evaluated":                      {run: of(fault(trail.NotEvaluated, trail.Unjudged, "nobody looked")), want: sweep.NotEvaluated, why: "nobody looked"},
		"weakened by a difference":           {run: of(fault(trail.NotEvaluated, trail.Mishandled, "so it is")), want: sweep.NotEvaluated, why: "so it is"},
		"the run ended first":                {run: of(fault(trail.NotEvaluated, trail.CutShort, "")), want: sweep.CutShort},
		"the agent was ended":                {run: of(fault(trail.Passed, trail.Handled, "")), cut: "over", want: sweep.CutShort, why: "over"},
		"mishandled before it was ended":     {run: of(fault(trail.Failed, trail.Mishandled, "", "#1")), cut: "over", want: sweep.Mishandled, failed: 1},
		"the call was not made":              {run: missed, want: sweep.NotReached, why: "did not make this call"},
		"the call was refused":               {run: refused, want: sweep.NotStruck, why: "refused before any fault"},
		"ended before it made the call":      {run: missed, cut: "over", want: sweep.CutShort, why: "before the fault struck: over"},
		"the call gave it nothing to strike": {run: away, want: sweep.NotStruck, why: "the page has 1 of 1 items"},
		"it passed, and nothing struck":      {run: unhit, want: sweep.NotStruck},
		"a defect of ours":                   {run: broken, want: sweep.Broken, why: "Parity itself"},
	} {
		got := sweep.Judge(test.calm, test.run, sweep.Cell{Call: "stripe POST /v1/refunds", Nth: 1, Fault: "timeout"}, test.cut)
		if got.Outcome != test.want || !strings.Contains(got.Why, test.why) || len(got.Failed) != test.failed {
			t.Errorf("%s: %+v", name, got)
		}
	}
	once := missed
	once.Faults = []trail.RuleCount{{Rule: "timeout", Matched: 1}}
	if got := sweep.Judge(of(), once, sweep.Cell{Call: "stripe POST /v1/refunds", Nth: 2, Fault: "timeout"}, ""); got.Outcome != sweep.NotReached {
		t.Errorf("the call was made once, and its second time %+v", got)
	}
}
