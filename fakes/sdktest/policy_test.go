package sdktest

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Profiles of policy, on a clock that each exchange moves by a second.
const (
	readers = `
profile: readers
seed: 7
services: {stripe: {}, github: {}, slack: {}, sendgrid: {}, notion: {}}
clock: {mode: stepped}
policy: {strangers: read}
`
	drafts = `
profile: drafts
seed: 7
services: {sendgrid: {}}
clock: {mode: stepped}
policy: {stage: 2, drafts: capture}
`
	gates = `
profile: gates
seed: 7
world: empty
services: {stripe: {}}
clock: {mode: stepped}
policy:
  gates:
    refunds: {call: stripe POST /v1/refunds, then: approve, expires: 10s, because: A refund cannot be taken back.}
  approvers:
    desk: {decides: approve, after: 3s}
`
	lostRefund = `
faults:
  lost: {call: stripe POST /v1/refunds, when: request.body.amount == 1000, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}
`
)

// met is what an SDK made of a call: its own error, or what it was given.
type met struct {
	Class, Error, Refused, Said, ID string
	Status                          any
}

// under runs a Node program as the agent of a `parity run`, with a profile, that
// is to end with a code.
func under(t *testing.T, profile string, code int, args ...string) (g *gateway, out []byte) {
	t.Helper()
	node(t, nil) // the SDKs are there
	g = &gateway{root: t.TempDir()}
	file := filepath.Join(g.root, "policy.yaml")
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, g.at(), append([]string{parity, "run", "--profile", file, "--", "node"}, args...)...)
	var said, errs bytes.Buffer
	c.Stdout, c.Stderr = &said, &errs
	if err := c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != code {
		t.Fatalf("%v\n%s%s", err, said.String(), errs.String())
	}
	return g, said.Bytes()
}

// found is the JSON document that a program printed.
func found[T any](t *testing.T, out []byte) (into T) {
	t.Helper()
	if err := json.Unmarshal(out, &into); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return into
}

// attempts counts the calls of the newest run, by service and operation.
func (g *gateway) attempts(t *testing.T) map[string]int {
	t.Helper()
	n := map[string]int{}
	for line := range strings.Lines(string(g.ask(t, "trace", "-o", "json"))) {
		event := found[struct {
			Exchange *struct{ Service, Operation string }
		}](t, []byte(line))
		if event.Exchange != nil {
			n[event.Exchange.Service+" "+event.Exchange.Operation]++
		}
	}
	return n
}

// What policy does not let pass is a missing right to each SDK: it throws its own
// error for that, and tries once.
func TestSDKsTakeARefusalForAMissingRight(t *testing.T) {
	t.Parallel()
	g, out := under(t, readers, 0, "node/policy.mjs", "forbidden")
	got := found[map[string]met](t, out)
	for service, want := range map[string]met{
		"stripe":   {Class: "StripePermissionError", Status: 403.0, Refused: "not-granted"},
		"github":   {Class: "RequestError", Status: 403.0},
		"slack":    {Class: "WebAPIPlatformError", Status: "slack_webapi_platform_error", Error: "missing_scope"},
		"sendgrid": {Class: "ResponseError", Status: 403.0},
		"notion":   {Class: "APIResponseError", Status: 403.0},
	} {
		m := got[service]
		if !strings.Contains(m.Said, "The caller may not make this call") {
			t.Errorf("%s is told %q", service, m.Said)
		}
		if m.Said = ""; m.Refused != want.Refused && service == "stripe" || m.Class != want.Class || m.Status != want.Status || m.Error != want.Error {
			t.Errorf("%s is told %+v, want %+v", service, m, want)
		}
	}
	want := map[string]int{
		"stripe POST /v1/refunds": 1, "github POST /repos/{owner}/{repo}/issues": 1, "slack POST /api/chat.postMessage": 1,
		"sendgrid POST /v3/mail/send": 1, "notion POST /v1/pages": 1,
	}
	if n := g.attempts(t); !maps.Equal(n, want) {
		t.Errorf("it was tried %v, want %v", n, want)
	}
}

// At the stage of drafts SendGrid's SDK is told what the service says, and no mail
// leaves.
func TestADraftedMailIsNotInTheOutbox(t *testing.T) {
	t.Parallel()
	g, out := under(t, drafts, 0, "node/policy.mjs", "mail")
	if sent := found[map[string]met](t, out)["sent"]; sent.Class != "none" || sent.Status != 202.0 {
		t.Errorf("the SDK is told %+v, want 202", sent)
	}
	if text := string(g.ask(t, "trace")); !strings.Contains(text, "captured drf_") {
		t.Errorf("nothing was captured:\n%s", text)
	}
	if box := string(g.ask(t, "outbox", "-o", "json")); strings.Contains(box, "ada@example.net") {
		t.Errorf("a mail left: %s", box)
	}
	g.judge(t)
}

// An approval lets one call through, as it was asked for, while it is good; the
// SDK's own retry of a lost reply is no second call, and a new key makes one.
func TestAnApprovalIsOfOneCall(t *testing.T) {
	t.Parallel()
	g, out := under(t, gates+lostRefund, 0, "node/policy.mjs", "refunds")
	got := found[struct {
		Asked, Again, Made, Body, Charge, Clock, Lost, NewKey met
		Refunds, Once                                         int
	}](t, out)
	for name, m := range map[string]met{
		"approval-required asked": got.Asked, "approval-required again": got.Again, "approval-stale body": got.Body,
		"approval-stale charge": got.Charge, "approval-expired clock": got.Clock, "approval-used new key": got.NewKey,
	} {
		code, _, _ := strings.Cut(name, " ")
		if m.Class != "StripePermissionError" || m.Status != 403.0 || m.Refused != code || !strings.Contains(m.Said, "apr_") {
			t.Errorf("%s: the SDK is told %+v", name, m)
		}
	}
	if a, b := approvalIn(got.Asked.Said), approvalIn(got.Again.Said); a == "" || a != b {
		t.Errorf("asked while nobody has answered: %s, want the same as before: %s", b, a)
	}
	for name, m := range map[string]met{"the same call": got.Made, "the one whose reply is lost": got.Lost} {
		if m.Class != "none" || !strings.HasPrefix(m.ID, "re_") {
			t.Errorf("%s, approved: the SDK is told %+v", name, m)
		}
	}
	if got.Refunds != 1 || got.Once != 1 {
		t.Errorf("refunds: %d and %d, want one each", got.Refunds, got.Once)
	}
	if text := string(g.ask(t, "trace")); strings.Count(text, "replayed") != 1 || strings.Count(text, "reply lost") != 1 {
		t.Errorf("want one reply lost, and one replayed:\n%s", text)
	}
	g.judge(t)
}

// approvalIn is the first id of an approval that a text names.
func approvalIn(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" .:;(),", r) }) {
		if strings.HasPrefix(word, "apr_") {
			return word
		}
	}
	return ""
}

// Two processes rest on one approval at once: one of them makes the refund.
func TestTwoProcessesDoNotShareAnApproval(t *testing.T) {
	t.Parallel()
	g, out := under(t, gates, 0, "node/policy.mjs", "race")
	got := found[struct {
		Found   []met
		Refunds []int
	}](t, out)
	var ends []string
	for _, m := range got.Found {
		ends = append(ends, m.Class+" "+m.Refused)
	}
	slices.Sort(ends)
	if !slices.Equal(ends, []string{"StripePermissionError approval-used", "none "}) || !slices.Equal(got.Refunds, []int{1500}) {
		t.Errorf("they end as %v, with refunds %v", ends, got.Refunds)
	}
	g.judge(t)
}

// Where a call waits for its answer the SDK makes one, and has its refund.
func TestACallThatWaitsIsMadeOnce(t *testing.T) {
	t.Parallel()
	profile := strings.Replace(gates, "after: 3s", "after: 500ms", 1) + "  approvals: {answer: wait, wait: 20s}\n"
	g, out := under(t, profile, 0, "node/policy.mjs", "waits")
	got := found[struct {
		Made    met
		Refunds int
	}](t, out)
	if got.Made.Class != "none" || got.Refunds != 1 {
		t.Errorf("the SDK is told %+v, with %d refunds", got.Made, got.Refunds)
	}
	if text := string(g.ask(t, "trace")); strings.Count(text, "waits before it acts") != 1 || strings.Count(text, "used, committed") != 1 {
		t.Errorf("want one call that waited, and was made:\n%s", text)
	}
	g.judge(t)
}

// Agents that meet a gate are judged by what they do about it, by name.
func TestAgentsAreJudgedByTheirApprovals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent, decides string
		want           string // of heeds approvals
		refunds        bool
	}{
		{"careful", "approve", "passed", true},
		{"careful", "reject", "passed", false},
		{"claims-after-no", "reject", "failed", false},
		{"asks-on-and-on", "nothing", "failed", false},
		{"old-approval", "approve", "failed", true},
		{"asked-is-done", "approve", "failed", false},
		{"one-for-all", "approve", "failed", true},
		{"asks-anew", "approve", "passed", true},
		{"gives-up", "nothing", "passed", false},
	} {
		t.Run(c.agent+" "+c.decides, func(t *testing.T) {
			t.Parallel()
			profile := strings.Replace(strings.Replace(gates, "decides: approve", "decides: "+c.decides, 1), ", expires: 10s", "", 1)
			code := 0
			if c.want == "failed" {
				code = 1
			}
			g, _ := under(t, profile, code, "node/approvals.mjs", c.agent)
			r := found[agentReport](t, g.ask(t, "report", "-o", "json"))
			result := ""
			for _, v := range r.Verdicts {
				switch v.Subject {
				case "always: heeds approvals":
					result = v.Result
				default:
					if v.Result == "failed" {
						t.Errorf("%s failed too", v.Subject)
					}
				}
			}
			if made := strings.Contains(string(g.ask(t, "trace")), "used, committed"); result != c.want || made != c.refunds {
				t.Errorf("heeds approvals %s, with a refund: %t\n%s", result, made, g.ask(t, "report"))
			}
		})
	}
}
