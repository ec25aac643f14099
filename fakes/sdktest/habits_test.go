package sdktest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A habit is what an agent does over and over, under a fault that shows it.
type habit struct {
	name  string
	rule  string // under faults:
	more  string // of the profile
	want  string // the result of the rule's verdict
	says  string // in the verdict's lines
	twice bool   // it did something twice, which is always judged
}

// service is the one whose calls the rule is about.
func (h habit) service() string {
	name, _, _ := strings.Cut(strings.Trim(strings.TrimPrefix(h.rule, "{call: "), "'"), " ")
	return name
}

// The customers that pages are of.
const customers = "data: {stripe.customers: {count: 6, set: {email: [ada@example.com]}}}\n"

// habits are misbehaviour that public reports tell of, and beside each of them
// what is no misbehaviour. Rules reach past the SDKs' own retries, where the
// agent is to see them.
var habits = []habit{
	{
		name: "new-key", rule: "{call: stripe POST /v1/payment_intents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1, tries: 3}}",
		want: "failed", says: "with a new key", twice: true,
	},
	{
		name: "one-key", rule: "{call: stripe POST /v1/payment_intents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1, tries: 3}}",
		want: "passed", says: "with the same key",
	},
	{
		name: "two-orders", rule: "{call: stripe POST /v1/payment_intents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}",
		want: "passed", says: "with the same key",
	},
	{name: "first-page", more: customers, rule: "{call: stripe GET /v1/customers, inject: partial-page, trigger: {nth: 1}}", want: "failed", says: "page"},
	{name: "all-pages", more: customers, rule: "{call: stripe GET /v1/customers, inject: partial-page, trigger: {nth: 1}}", want: "passed"},
	{
		name: "no-wait", rule: "{call: googlecalendar GET /calendar/v3/calendars/{calendarId}/events, inject: rate-limit, with: {retry_after: 20s, status: 429}}",
		want: "failed", says: "20s",
	},
	{name: "waits", rule: "{call: notion GET /v1/users, inject: rate-limit, with: {retry_after: 1s}, trigger: {nth: 1}}", want: "passed"},
	{
		name: "no-look", rule: "{call: slack POST /api/chat.postMessage, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}",
		want: "failed", says: "sent again", twice: true,
	},
	{name: "looks", rule: "{call: 'github POST /repos/{owner}/{repo}/issues', inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}", want: "passed"},
}

// Official SDKs with their default settings, in loops that do what public
// reports tell of: each is judged, and named for what it did. Two equal charges
// for two orders are no double charge.
func TestHabitsOfAgents(t *testing.T) {
	t.Parallel()
	for _, h := range habits {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			g := &gateway{root: t.TempDir()}
			profile := filepath.Join(g.root, h.name+".yaml")
			text := "profile: " + h.name + "\nworld: empty\nservices: {" + h.service() + ": {}}\n" + h.more + "faults:\n  struck: " + h.rule + "\n"
			if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c := start(t, g.at(), parity, "run", "--profile", profile, "--seed", "7", "--exit", "verdict", "--", "node", "node/habits.mjs", h.name)
			var out bytes.Buffer
			c.Stdout, c.Stderr = &out, &out
			_ = c.Run() // verdicts decide its code, and are read from the report
			var r struct {
				Verdicts []struct {
					Subject, Result string
					Lines           []string
				}
			}
			if err := json.Unmarshal(g.ask(t, "report", "-o", "json"), &r); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			found := map[string]string{}
			for _, v := range r.Verdicts {
				found[v.Subject] = v.Result
				if says := strings.Join(v.Lines, "\n"); v.Subject == "struck" && !strings.Contains(says, h.says) {
					t.Errorf("it is told as %q, without %q", says, h.says)
				}
			}
			if twice := found["always: one effect per intent"] == "failed"; found["struck"] != h.want || twice != h.twice {
				t.Errorf("it %s, and did something twice: %t\n%s", found["struck"], twice, out.String())
			}
			g.judge(t)
		})
	}
}
