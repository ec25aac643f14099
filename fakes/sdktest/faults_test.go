package sdktest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A faultCase is one fault as it meets an SDK, in a run of its own.
type faultCase struct {
	name  string // of the run: the fault's, and what tells it from others of that fault
	fault string
	with  string
	steps []string // the calls; the fault strikes at the last
	wait  int      // milliseconds that the SDK is told to wait for an answer
	also  string   // another rule
	// trigger is empty where the rule strikes at every call.
	trigger string
}

var (
	write   = []string{"write"}
	list    = []string{"list"}
	written = []string{"write", "write", "write", "write", "list"}
)

// faultCases are the faults that an SDK can meet in one read or write.
func faultCases() []faultCase {
	return []faultCase{
		{name: "ambiguous-success", fault: "ambiguous-success", steps: write},
		{name: "ambiguous-success-html", fault: "ambiguous-success", with: "reply: html", steps: write},
		{name: "ambiguous-success-cut-body", fault: "ambiguous-success", with: "reply: cut-body", steps: write},
		{name: "error", fault: "error", steps: write},
		{name: "error-read", fault: "error", with: "status: 503", steps: list},
		{name: "async-accept", fault: "async-accept", steps: write},
		{name: "cascade", fault: "cascade", with: "from: %list", steps: []string{"list", "write"}, also: "error"},
		{name: "clock-skew", fault: "clock-skew", with: "refuse: true", steps: list},
		{name: "connect-refused", fault: "connect-refused", steps: list},
		{name: "deprecation", fault: "deprecation", steps: list},
		{name: "duplicate-effect", fault: "duplicate-effect", steps: write},
		{name: "html-page", fault: "html-page", steps: list},
		{name: "html-page-gateway", fault: "html-page", with: "page: gateway", steps: list},
		{name: "idempotency-conflict", fault: "idempotency-conflict", with: "how: reused", steps: write},
		{name: "idempotency-conflict-in-flight", fault: "idempotency-conflict", with: "how: in-flight, for: 10m", steps: write},
		{name: "large-reply", fault: "large-reply", with: "size: 64KB", steps: list},
		{name: "latency", fault: "latency", with: "p50: 5ms, p95: 5ms, p99: 5ms", steps: list},
		{name: "malformed-body", fault: "malformed-body", steps: list},
		{name: "malformed-body-bom", fault: "malformed-body", with: "how: bom", steps: list},
		{name: "malformed-body-empty", fault: "malformed-body", with: "how: empty", steps: list},
		{name: "malformed-body-duplicate-keys", fault: "malformed-body", with: "how: duplicate-keys", steps: written},
		{name: "malformed-body-html-labelled", fault: "malformed-body", with: "how: html-labelled", steps: list},
		{name: "misleading-refusal", fault: "misleading-refusal", steps: write},
		{name: "outage", fault: "outage", steps: list},
		{name: "partial-page", fault: "partial-page", steps: written},
		{name: "partial-result", fault: "partial-result", steps: written},
		{name: "quota", fault: "quota", with: "as: unsaid", steps: write},
		{name: "rate-limit", fault: "rate-limit", with: "retry_after: 1s", steps: list},
		{name: "redirect", fault: "redirect", with: "status: 302", steps: list, trigger: "max: 1, tries: 1"},
		{name: "schema-drift", fault: "schema-drift", with: "change: rename", steps: written},
		{name: "session-expired", fault: "session-expired", steps: list},
		{name: "session-expired-login-page", fault: "session-expired", with: "how: login-page", steps: list},
		{name: "silent-no-op", fault: "silent-no-op", steps: write},
		{name: "slow-body", fault: "slow-body", with: "rate: 1MB, pause: 20ms", steps: list},
		{name: "stale-cache", fault: "stale-cache", steps: written},
		{name: "stale-read", fault: "stale-read", steps: written},
		{name: "timeout", fault: "timeout", with: "for: 4s", steps: list, wait: 1000},
		{name: "truncated-body", fault: "truncated-body", steps: list},
		{name: "truncated-body-right", fault: "truncated-body", with: "length: right", steps: list},
		{name: "wrong-value", fault: "wrong-value", with: "%wrong", steps: written},
	}
}

// A faultSDK is what one SDK calls.
type faultSDK struct {
	name, service, write, list string
	wrong                      string // with what a wrong-value finds something to strike at
}

func faultSDKs() []faultSDK {
	return []faultSDK{
		{"stripe", "stripe", "POST /v1/customers", "GET /v1/customers", ""},
		{"@octokit/rest", "github", "POST /repos/{owner}/{repo}/issues", "GET /repos/{owner}/{repo}/issues", ""},
		{"@slack/web-api", "slack", "POST /api/chat.postMessage", "POST /api/conversations.history", ""},
		{"@sendgrid/client", "sendgrid", "POST /v3/templates", "GET /v3/templates", ""},
		{"@googleapis/calendar", "googlecalendar", "POST /calendar/v3/calendars/{calendarId}/events", "GET /calendar/v3/calendars/{calendarId}/events", ""},
		{"@hubspot/api-client", "hubspot", "POST /crm/v3/objects/{objectType}", "GET /crm/v3/objects/{objectType}", ""},
		{"node-zendesk", "zendesk", "POST /api/v2/tickets", "GET /api/v2/tickets", ""},
		{"@notionhq/client", "notion", "POST /v1/pages", "GET /v1/blocks/{block_id}/children", ""},
	}
}

// call is the operation of a step, as a rule names it.
func (s faultSDK) call(step string) string {
	return s.service + " " + map[string]string{"write": s.write, "list": s.list}[step]
}

// profile has the rule of one case.
func (s faultSDK) profile(c faultCase) string {
	call := s.call(c.steps[len(c.steps)-1])
	if c.fault == "connect-refused" {
		call = s.service + " *"
	}
	with := strings.NewReplacer("%list", strconv.Quote(s.call("list")), "%wrong", s.wrong).Replace(c.with)
	text := fmt.Sprintf("profile: %s\nworld: empty\nservices: {%s: {}}\nfaults:\n  struck: {call: %q, inject: %s, with: {%s}, trigger: {%s}, because: a test}\n", c.name, s.service, call, c.fault, with, c.trigger)
	if c.also != "" {
		text += fmt.Sprintf("  also: {call: %q, inject: %s, because: a test}\n", s.call(c.steps[0]), c.also)
	}
	return text
}

// A sight is what an SDK makes of a fault: what it throws, or that it returns,
// after how many calls to the gateway.
type sight struct {
	Sees  string `json:"sees"`
	Calls int    `json:"calls,omitempty"`
	// Source is where the SDK's own source says so; none where it is the same
	// as of the file.
	Source string `json:"source,omitempty"`
}

// A sightings file is what is expected of one SDK, as read in its source.
type sightings struct {
	Source []string         `json:"source"`
	Cases  map[string]sight `json:"cases"`
}

// What each SDK throws under each fault is what its own source says that it
// throws at such an answer; and each fault that fits an operation has fired.
func TestFaultsThroughSDKs(t *testing.T) {
	t.Parallel()
	for _, s := range faultSDKs() {
		t.Run(s.service, func(t *testing.T) {
			t.Parallel()
			want := expected(t, s)
			got := s.meet(t, faultCases())
			for _, c := range faultCases() {
				w := want.Cases[c.name]
				w.Source = ""
				if got[c.name] != w {
					t.Errorf("%s under %s: got %+v; its source says %+v", s.name, c.name, got[c.name], w)
				}
			}
			if os.Getenv("SDKTEST_TELL") != "" {
				text, _ := json.Marshal(got)
				fmt.Fprintln(os.Stderr, s.service, string(text))
			}
		})
	}
}

func expected(t *testing.T, s faultSDK) (want sightings) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "faults", s.service+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// meet has the SDK meet every case, each in a run of its own on one gateway.
func (s faultSDK) meet(t *testing.T, cases []faultCase) map[string]sight {
	t.Helper()
	folder, got := t.TempDir(), map[string]sight{}
	g := serve(t, "--profiles", folder)
	type errand struct {
		Run      string   `json:"run"`
		Steps    []string `json:"steps"`
		Deadline int      `json:"deadline,omitempty"`
	}
	var work []errand
	for _, c := range cases {
		if err := os.WriteFile(filepath.Join(folder, c.name+".yaml"), []byte(s.profile(c)), 0o600); err != nil {
			t.Fatal(err)
		}
		status, answer := g.control(t, "POST", "/v1/runs", fmt.Sprintf(`{"names": [%q], "profile": %q, "seed": 7}`, c.name, c.name+".yaml"))
		if status >= 300 {
			if !strings.Contains(answer, "cannot strike here") {
				t.Fatalf("%s: %s", c.name, answer)
			}
			got[c.name] = sight{Sees: "does not fit"}
			continue
		}
		work = append(work, errand{c.name, c.steps, c.wait})
	}
	text, err := json.Marshal(work)
	if err != nil {
		t.Fatal(err)
	}
	found := printed(t, within(t, 3*time.Minute, []string{"FAULTS_BASE=" + g.base, "FAULTS_CASES=" + string(text)}, "node", "node/faults.mjs", s.service))
	for _, w := range work {
		got[w.Run] = s.seen(t, g, w.Run, fmt.Sprint(found[w.Run]), w.Steps[len(w.Steps)-1])
	}
	return got
}

// seen is what came of a case, by the SDK and by the record of its run.
func (s faultSDK) seen(t *testing.T, g *gateway, run, sees, step string) sight {
	t.Helper()
	status, answer := g.control(t, "GET", "/v1/runs/"+run+"/report", "")
	var r told
	if err := json.Unmarshal([]byte(answer), &r); err != nil || status != http.StatusOK {
		t.Fatalf("%d, %v in %s", status, err, answer)
	}
	struck := slices.IndexFunc(r.Faults, func(f struct {
		Rule                    string
		Fired, Swallowed, Tries int
	},
	) bool {
		return f.Rule == "struck" && f.Fired > 0
	})
	if struck < 0 {
		return sight{Sees: "does not fire"}
	}
	calls, _ := r.exchanges(s.call(step))
	return sight{Sees: sees, Calls: calls}
}

// control calls the control port.
func (g *gateway) control(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(g.root, "gateway.json"))
	if err != nil {
		t.Fatal(err)
	}
	var up struct {
		Token    string
		Settings struct{ ControlURL string }
	}
	if err := json.Unmarshal(text, &up); err != nil {
		t.Fatal(err)
	}
	ask, err := http.NewRequestWithContext(t.Context(), method, up.Settings.ControlURL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Authorization", "Bearer "+up.Token)
	if body == "" {
		ask.Body = http.NoBody
	} else {
		ask.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}

// The page has what the tables say: SDKTEST_UPDATE=1 writes it anew.
func TestFaultTableOfThePage(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- faults: made from testdata/faults; SDKTEST_UPDATE=1 go test -run FaultTable -->\n", "<!-- end of faults -->\n"
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), begin)
	was, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("README.md has no place for the table of faults")
	}
	catalogue, err := os.ReadFile("../../faults/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range regexp.MustCompile("(?m)^\\| \\[(`[a-z-]+`)\\]").FindAllSubmatch(catalogue, -1) {
		if !strings.Contains(string(page), string(link[1])) {
			t.Errorf("%s is in the catalogue of faults, and not on this page", link[1])
		}
	}
	table := "\n" + faultTable(t) + "\n"
	if os.Getenv("SDKTEST_UPDATE") != "" {
		if err := os.WriteFile("README.md", []byte(head+begin+table+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if was != table {
		t.Error("the table of faults in README.md is not what testdata/faults says: SDKTEST_UPDATE=1 go test -run FaultTable")
	}
}

func faultTable(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("| fault | call |")
	line := "| --- | --- |"
	var all []sightings
	for _, s := range faultSDKs() {
		fmt.Fprintf(&text, " `%s` |", s.name)
		line += " --- |"
		all = append(all, expected(t, s))
	}
	text.WriteString("\n" + line + "\n")
	for _, c := range faultCases() {
		name := "`" + c.fault + "`"
		if with := strings.ReplaceAll(c.with, "%list", "the read"); with != "" && with != "%wrong" {
			name += ", " + with
		}
		fmt.Fprintf(&text, "| %s | %s |", name, map[string]string{"write": "write", "list": "read"}[c.steps[len(c.steps)-1]])
		for _, want := range all {
			w := want.Cases[c.name]
			said := w.Sees
			if w.Calls > 1 {
				said += fmt.Sprintf(" (%d calls)", w.Calls)
			}
			fmt.Fprintf(&text, " %s |", said)
		}
		text.WriteString("\n")
	}
	return text.String()
}
