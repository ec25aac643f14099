package report_test

import (
	"bytes"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/report"
)

// A bad request of the agent's own, which the service itself refused, was told of
// in no report.
func TestWhatTheServiceRefusedIsToldInEachFormat(t *testing.T) {
	t.Parallel()
	r := report.Report{Run: "run", Ended: true, Agent: &report.Agent{Started: true}, Command: []string{"python", "bot.py"}, Judgement: trail.Judgement{Valid: true, Scope: trail.Scope{
		Exchanges: 3, Declined: []trail.Declined{{Call: "zendesk POST /api/v2/tickets", Status: 400, Calls: 2, First: 17}},
	}}}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"terminal": func(b *bytes.Buffer) error { return report.Terminal(b, r, report.Options{Width: 200}) },
		"markdown": func(b *bytes.Buffer) error { return report.Markdown(b, r) },
		"html":     func(b *bytes.Buffer) error { return report.HTML(b, r, nil, nil, report.HTMLOptions{}) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		const want = "calls were refused by the service without a fault, and python exited 0: #17 zendesk POST /api/v2/tickets, answered 400"
		if text := strings.NewReplacer("\\", "", "&#8203;", "").Replace(out.String()); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q:\n%s", name, want, text[:min(len(text), 3000)])
		}
	}
	var out bytes.Buffer
	if err := report.JSON(&out, r); err != nil || !strings.Contains(out.String(), `"declined": [`) {
		t.Errorf("json: %v\n%s", err, out.String())
	}
}
