package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
)

func swept() Sweep {
	calm := sample()
	calm.Run, calm.Profile, calm.Flags = "sweep-1", "", []string{"--allow", "models.internal"}
	calm.Verdicts, calm.Faults = calm.Verdicts[2:], nil
	doubled := trail.Verdict{
		Kind: "fault", Result: trail.Failed, Reaction: trail.Mishandled,
		Lines: []string{"#3 refunded, reply lost   #4 sent again without a key: 2 refunds, 98.00 USD"},
		Mend:  "send an Idempotency-Key and keep it for the retry, or look for the refund first",
	}
	agent := func(code int) *Agent { return &Agent{Started: true, Exit: code, Took: time.Second} }
	cell := func(call, effect, fault, outcome, why string, a *Agent, failed ...trail.Verdict) Cell {
		for i := range failed {
			failed[i].Subject = fault
		}
		run := "sweep-2"
		if a == nil {
			run = ""
		}
		return Cell{
			Name: call + " × " + fault, Call: call, Effect: effect, Fault: fault, Outcome: outcome, Why: why, Run: run, Agent: a, Failed: failed,
			Again: "parity run --seed 7 --cell '" + call + " × " + fault + "' -- my-agent",
		}
	}
	const refund, read, mail = "stripe POST /v1/refunds", "stripe GET /v1/charges/{charge}", "sendgrid POST /v3/mail/send"
	return Sweep{Calm: calm, Parallel: 2, Took: 95 * time.Second, Exit: 1, Why: "2 cells mishandled", Again: "parity run --cell 'CALL × FAULT' -- my-agent", Cells: []Cell{
		cell(refund, "irreversible", "ambiguous-success", "mishandled", "", agent(0), doubled),
		cell(mail, "irreversible", "ambiguous-success", "mishandled", "", agent(1), doubled),
		cell(refund, "irreversible", "timeout", "cut short", "the agent was ended: it went on for too long", agent(143)),
		cell(read, "read", "rate-limit", "handled", "", agent(3)),
		cell(read, "read", "schema-drift", "not evaluated", "nothing was written after it, and the wire does not show whether it was noticed", agent(0)),
		cell(read, "read", "stale-cache", "not reached", "the agent did not make this call this time", agent(0)),
		cell(read, "read", "latency", "cut by the budget", "the time budget was over", nil),
		cell(read, "read", "partial-page", "nothing struck", "the page has 1 of 1 items", agent(0)),
		cell(mail, "irreversible", "timeout", "cut by the budget", "the agent was ended: the time budget was over", agent(143)),
		cell(mail, "irreversible", "latency", "left out", "--max-cells allows 9", nil),
	}}
}

func TestSweepText(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := SweepText(&out, swept(), Options{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "sweep.txt", out.Bytes())
}

// What fails without any fault is said once, before all cells.
func TestSweepOfWhatFailsAnyway(t *testing.T) {
	t.Parallel()
	s := swept()
	s.Calm.Verdicts[0].Result, s.Calm.Verdicts[0].Lines = trail.Failed, []string{"#2 charged   #3 charged once more"}
	var out bytes.Buffer
	if err := SweepText(&out, s, Options{}); err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(out.String(), "stripe POST /v1/refunds")
	if !strings.Contains(before, "Without any fault, this fails already") || !strings.Contains(before, "FAILED  always: one effect per intent\n  #2 charged   #3") || strings.Contains(after, "#2 charged") {
		t.Error(out.String())
	}
}

func TestSweepJSONHidesSecrets(t *testing.T) {
	t.Parallel()
	s := swept()
	s.Calm.Command = []string{"my-agent", "--api-key", "abc"}
	s.Cells[0].Failed[0].Lines[0] += " with sk_live_abcdef"
	var out bytes.Buffer
	if err := SweepJSON(&out, s); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{`"abc"`, "sk_live_abcdef"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("it says %s", secret)
		}
	}
	if !strings.Contains(out.String(), `"outcome": "left out"`) {
		t.Error(out.String())
	}
}
