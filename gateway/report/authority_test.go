package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
)

// governed is a run in which policy had something to say of everything.
func governed() Report {
	r := sample()
	desk, ada := &trail.Speaker{Name: "desk", Kind: trail.ByRehearsed}, &trail.Speaker{Name: "ada", Kind: trail.ByPerson}
	r.Policy = &trail.Authority{
		Stage: 2,
		Blocked: []trail.Blocked{
			{Call: "stripe POST /v1/payouts", Code: "not-granted", By: "grant", Calls: 2, Events: []uint64{14, 15}},
			{Call: "slack POST /api/chat.postMessage", Code: "gate-refused", By: "broadcasts", Calls: 1, Events: []uint64{17}},
			{Call: "stripe POST /v1/refunds", Code: "over-stage", By: "stage", Calls: 2, Events: []uint64{18, 19}},
		},
		Asked: []trail.Asked{
			{ID: "apr_1", Gate: "refunds", Call: "stripe POST /v1/refunds", Said: "approved", State: "used", By: desk, Wait: 90 * time.Second, Events: []uint64{3, 5, 6}},
			{ID: "apr_2", Gate: "refunds", Call: "stripe POST /v1/refunds", Said: "approved", State: "expired", By: desk, Wait: time.Minute, Events: []uint64{9}},
			{ID: "apr_3", Gate: "refunds", Call: "stripe POST /v1/refunds", Said: "rejected", State: "rejected", By: ada, Wait: 2 * time.Hour, Note: "<script>no</script>", Events: []uint64{12}},
			{ID: "apr_4", Gate: "refunds", Call: "stripe POST /v1/refunds", Said: "lapsed", State: "lapsed", Events: []uint64{20}},
		},
		Drafts: []trail.Draft{{ID: "drf_1", Event: 21, Call: "stripe POST /v1/refunds", Identity: "desk-bot", Diff: []string{"create stripe.refunds/(new): amount 12000", "update stripe.charges/ch_1: amount_refunded 0 → 12000"}}},
		Skipped: []trail.Skipped{
			{How: "standing-approval", By: "112 clean in 7d", Calls: 1, Events: []uint64{22}},
			{How: "override", By: "ada: queue is on fire", Calls: 2, Events: []uint64{23, 24}},
		},
		Classes: []trail.ClassUse{{Service: "stripe", Class: "irreversible", Calls: 7, Stopped: 4}, {Service: "stripe", Class: "read", Calls: 12}},
	}
	return r
}

func TestWhatPolicySaidIsToldInEachFormat(t *testing.T) {
	t.Parallel()
	r := governed()
	rows := []string{
		"2 · 1 draft, 2 refused",
		"5 calls: stripe POST /v1/payouts (not-granted) #14 #15; slack POST /api/chat.postMessage (gate-refused by broadcasts) #17; stripe POST /v1/refunds (over-stage) #18 #19",
		"4 approvals: 2 approved (desk, rehearsed) #3 #9, 1 rejected (ada, person) #12, 1 lapsed #20; median wait 1m30s",
		"1 by standing approval (112 clean in 7d) #22, 2 by override of ada: queue is on fire #23 #24",
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"terminal": func(b *bytes.Buffer) error { return Terminal(b, r, Options{Width: 400}) },
		"markdown": func(b *bytes.Buffer) error { return Markdown(b, r) },
		"html":     func(b *bytes.Buffer) error { return HTML(b, r, nil, nil, HTMLOptions{}) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("\\", "", "&#8203;", "").Replace(out.String())
		for _, row := range rows {
			if !strings.Contains(text, row) {
				t.Errorf("%s does not say %q:\n%s", name, row, text[:min(len(text), 4000)])
			}
		}
		if name != "terminal" && !strings.Contains(text, "amount_refunded 0 → 12000") {
			t.Errorf("%s does not say what the draft would have done", name)
		}
		if strings.Contains(out.String(), "<script>no") {
			t.Errorf("%s has markup of a reviewer's", name)
		}
	}
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Policy struct {
			Stage                           int
			Blocked, Asked, Drafts, Skipped []map[string]any
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil || doc.Policy.Stage != 2 || len(doc.Policy.Blocked) != 3 || len(doc.Policy.Asked) != 4 || len(doc.Policy.Drafts) != 1 || len(doc.Policy.Skipped) != 2 {
		t.Errorf("%v %+v", err, doc)
	}
}

func TestNothingIsSaidOfPolicyWhereThereIsNone(t *testing.T) {
	t.Parallel()
	r := sample()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"terminal": func(b *bytes.Buffer) error { return Terminal(b, r, Options{}) },
		"markdown": func(b *bytes.Buffer) error { return Markdown(b, r) },
		"html":     func(b *bytes.Buffer) error { return HTML(b, r, nil, nil, HTMLOptions{}) },
		"json":     func(b *bytes.Buffer) error { return JSON(b, r) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"What policy said", `"policy"`, "Blocked", "Stage "} {
			if strings.Contains(out.String(), word) {
				t.Errorf("%s speaks of policy: %q", name, word)
			}
		}
	}
}

func TestATraceSaysWhatPolicyDecided(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*trail.Policy{
		"":                                  {Decision: trail.PolicyAllowed, Class: "read"},
		"refused not-granted":               {Decision: trail.PolicyRefused, Code: "not-granted", By: "grant"},
		"refused gate-refused payouts":      {Decision: trail.PolicyRefused, Code: "gate-refused", By: "payouts"},
		"held apr_1 pending":                {Decision: trail.PolicyHeld, Code: "approval-required", Approval: "apr_1", State: "pending"},
		"held apr_1 rejected":               {Decision: trail.PolicyHeld, Code: "approval-rejected", Approval: "apr_1", State: "rejected"},
		"held apr_2 pending approval-stale": {Decision: trail.PolicyHeld, Code: "approval-stale", Approval: "apr_2", State: "pending"},
		"captured drf_1":                    {Decision: trail.PolicyCaptured, Code: "over-stage", Draft: "drf_1"},
		"approved apr_1 used":               {Decision: trail.PolicyAllowed, Approval: "apr_1", State: "used"},
		"skipped the gate by override":      {Decision: trail.PolicyAllowed, Skipped: "override"},
		"refused class-escalation (X-HTTP-Method-Override: DELETE)": {Decision: trail.PolicyRefused, Code: "class-escalation", Carried: "X-HTTP-Method-Override: DELETE"},
	} {
		if got := decided(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
		var out bytes.Buffer
		events := []trail.Event{{Seq: 7, Kind: trail.Exchanged, Exchange: &trail.Exchange{Service: "stripe", Operation: "POST /v1/payouts", Method: "POST", Path: "/v1/payouts", Status: 403, Policy: p}}}
		if err := Trace(&out, events, nil, TraceOptions{}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v %s", err, out.String())
		}
	}
	if decided(nil) != "" {
		t.Error(decided(nil))
	}
}

func TestADiffComparesWhatPolicyDecided(t *testing.T) {
	t.Parallel()
	const pay = `POST /v1/payments {"sum":10} → 403 {"error":"no"}`
	a, b := journal(1, pay), journal(1, pay)
	a.Events[1].Exchange.Policy = &trail.Policy{Decision: trail.PolicyRefused, Code: "not-granted"}
	b.Events[1].Exchange.Policy = &trail.Policy{Decision: trail.PolicyHeld, Code: "approval-required", Approval: "apr_1", State: "pending"}
	b.Events[0].Start.Stage = 3
	d := Part(a, b)
	if len(d.Steps) != 1 || d.Steps[0].How != OtherAnswer || len(d.Steps[0].Answer) != 1 || d.Steps[0].Answer[0].Field != "/policy" {
		t.Fatalf("%+v", d.Steps)
	}
	if d.Steps[0].A.Answer != "403, refused not-granted" || d.Steps[0].B.Answer != "403, held apr_1 pending" {
		t.Errorf("%+v %+v", d.Steps[0].A, d.Steps[0].B)
	}
	if len(d.Conditions) != 1 || d.Conditions[0].What != "stage" {
		t.Errorf("%+v", d.Conditions)
	}
	a.Events[1].Exchange.Policy, b.Events[1].Exchange.Policy = nil, &trail.Policy{Decision: trail.PolicyAllowed, Class: "reversible"}
	b.Events[0].Start.Stage = 0
	if d := Part(a, b); !d.Equal {
		t.Errorf("a call that policy allows differs from one without policy: %+v", d.Steps)
	}
}

func TestSurfaceCountsCallsByClass(t *testing.T) {
	t.Parallel()
	s := Surface{Services: []ServiceSurface{{Service: "stripe", Called: []trail.Touched{{Operation: "stripe POST /v1/refunds", Effect: "irreversible", Exchanges: 7}}, Classes: governed().Policy.Classes}}}
	var out bytes.Buffer
	if err := Surfaces(&out, s, false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "CALLS BY CLASS") {
			if got := strings.Fields(line); strings.Join(got, " ") != "CALLS BY CLASS READ DRAFT REVERSIBLE IRREVERSIBLE ADMIN" {
				t.Error(line)
			}
			if got := strings.Join(strings.Fields(lines[i+1]), " "); got != "stripe 12 - - 7, 4 stopped -" {
				t.Error(got)
			}
			return
		}
	}
	t.Error(out.String())
}
