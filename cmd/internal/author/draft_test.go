package author_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/author"
	"parity/cmd/internal/gatewaytest"
	"parity/fakes/builtin"
	"parity/gateway"
	"parity/profiles"
)

// begun makes a profile and reads it as anybody would.
func begun(t *testing.T, s author.ProfileDraft) (*profiles.Profile, string) {
	t.Helper()
	var said bytes.Buffer
	if err := author.NewProfile(&said, s); err != nil {
		t.Fatal(err)
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.Dir, "profile.yaml")
	p, err := profiles.Load(file, profiles.Options{Catalogue: catalogue})
	if err != nil || len(p.Warnings) > 0 {
		t.Fatalf("what was written does not lint clean: %v %v", err, p)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, beside := range []string{"parity.lock", "profile.schema.json"} {
		if _, err := os.Stat(filepath.Join(s.Dir, beside)); err != nil {
			t.Error(err)
		}
	}
	return p, string(text)
}

func TestAProfileIsBegunFromNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mine")
	p, text := begun(t, author.ProfileDraft{Name: "mine", Dir: dir})
	if p.Name != "mine" || len(p.Rules) != 0 || !strings.Contains(text, "#     inject: ambiguous-success") {
		t.Errorf("%+v\n%s", p, text)
	}
	if err := author.NewProfile(&bytes.Buffer{}, author.ProfileDraft{Name: "mine", Dir: dir}); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("it was written over: %v", err)
	}
	if err := author.NewProfile(&bytes.Buffer{}, author.ProfileDraft{Name: "No Name", Dir: dir + "2"}); err == nil {
		t.Error("that is no name")
	}
}

// What a browser keeps is messy: base64, HTTP/2's own headers, calls that were cut
// short, other people's hosts, numbers that are none.
func TestAProfileIsBegunFromARecording(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet)
	at := h.Base("stripe")
	for n := range 3 {
		h.Must(http.MethodPost, at+"/v1/customers", fmt.Sprintf("name=Ada%d&email=ada%d@example.com", n, n))
	}
	list, err := json.Marshal(h.Must(http.MethodGet, at+"/v1/customers", ""))
	if err != nil {
		t.Fatal(err)
	}
	read := func(wait string) string {
		return fmt.Sprintf(`{"time": 1e99, "timings": {"wait": %s}, "request": {"method": "get", "url": "https://api.stripe.com/v1/customers",
			"headers": [{"name": ":authority", "value": "api.stripe.com"}, {"name": ":method"}]},
			"response": {"status": 200, "content": {"text": %q, "encoding": "base64", "size": -1}}}`, wait, base64.StdEncoding.EncodeToString(list))
	}
	entries := []string{
		`{}`, `{"request": null, "response": "gone"}`,
		`{"request": {"method": "GET", "url": "https://cdn.example.com/x.js"}, "response": {"status": 200}}`,
		`{"request": {"method": "GET", "url": "https://api.stripe.com/v1/charges"}, "response": {"status": 0}}`,
		`{"request": {"method": "POST", "url": "https://api.stripe.com/v1/refunds", "postData": {"params": [{"name": "charge", "value": "ch_1"}]}},
			"response": {"status": 400, "content": {"text": "{}"}}}`,
		`{"request": {"method": "POST", "url": "https://slack.com/api/chat.postMessage", "postData": {"mimeType": "application/json", "text": "{}"}},
			"response": {"status": 200, "content": {"text": "not JSON"}}}`,
		read("-1"), read(`"fast"`),
	}
	for n := range 10 {
		entries = append(entries, read(fmt.Sprint(100*(n+1))))
	}
	dir := t.TempDir()
	har := filepath.Join(dir, "session.har")
	if err := os.WriteFile(har, []byte("\ufeff"+`{"log": {"entries": [`+strings.Join(entries, ",")+`]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, text := begun(t, author.ProfileDraft{Name: "seen", Dir: filepath.Join(dir, "seen"), From: har})
	if len(p.Services) < 2 || len(p.Rules) != 1 {
		t.Errorf("%v %d rules\n%s", p.Services, len(p.Rules), text)
	}
	for _, want := range []string{
		"stripe-pace:", "with: {p50: 600ms, p95: 1s, p99: 1s}", "lost-reply-to-stripe-post-v1-refunds:", "lost-reply-to-slack-post-", "stripe-limit:", "slack-limit:",
		"short-page-of-stripe-get-v1-customers:", "stripe: {fixtures: [fixtures/stripe.customers.yaml]}",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "slack.bots") { // which every workspace has
		t.Errorf("what nobody read is left out:\n%s", text)
	}
	records, err := os.ReadFile(filepath.Join(dir, "seen", "fixtures", "stripe.customers.yaml"))
	if err != nil || strings.Count(string(records), "object: customer") != 3 {
		t.Errorf("%v\n%s", err, records)
	}
	// Its suggestions lint clean as soon as they are taken up.
	taken := strings.ReplaceAll(text, "    enabled: false    # a suggestion: remove this line\n", "")
	if err := os.WriteFile(filepath.Join(dir, "seen", "taken.yaml"), []byte(taken), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := author.LintProfile(&bytes.Buffer{}, filepath.Join(dir, "seen", "taken.yaml")); err != nil || strings.Contains(taken, "enabled:") {
		t.Errorf("%v\n%s", err, taken)
	}
	again := gatewaytest.Open(t, text, func(s *gateway.Settings) { s.Profile = filepath.Join(dir, "seen", "profile.yaml") })
	if got := again.Must(http.MethodGet, again.Base("stripe")+"/v1/customers", ""); len(got["data"].([]any)) != 3 {
		t.Errorf("a run does not begin with what was read: %v", got)
	}
	for _, broken := range []string{"", "[]", `{"log": 1}`, `{"log": {"entries": []}}`} {
		_ = os.WriteFile(har, []byte(broken), 0o600)
		if err := author.NewProfile(&bytes.Buffer{}, author.ProfileDraft{Name: "x", Dir: filepath.Join(dir, "x"), From: har}); err == nil {
			t.Errorf("%q is no HAR file", broken)
		}
	}
}

func TestAProfileIsBegunFromARun(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet)
	at := h.Base("stripe")
	h.Must(http.MethodPost, at+"/v1/customers", "name=Ada")
	h.Must(http.MethodGet, at+"/v1/customers", "")
	h.Close()
	p, text := begun(t, author.ProfileDraft{Root: h.Root, Name: "seen", Dir: filepath.Join(t.TempDir(), "seen"), From: h.Run.ID})
	if len(p.Rules) != 0 || !strings.Contains(text, "lost-reply-to-stripe-post-v1-customers:") {
		t.Errorf("%d rules\n%s", len(p.Rules), text)
	}
	if strings.Contains(text, "fixtures") { // the run made her itself
		t.Errorf("what the run makes is there before it:\n%s", text)
	}
}

// A profile that was begun from a run in the friendly world said of its customers
// that the fake cannot make them.
func TestAProfileBegunInTheFriendlyWorldLeavesItAsItIs(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet)
	h.Must(http.MethodGet, h.Base("stripe")+"/v1/customers", "")
	h.Close()
	p, text := begun(t, author.ProfileDraft{Root: h.Root, Name: "seen", Dir: filepath.Join(t.TempDir(), "seen"), From: h.Run.ID})
	if p.Friendly["stripe"] == "" || strings.Contains(text, "fixtures") {
		t.Errorf("%v\n%s", p.Friendly, text)
	}
}

// A signing secret that a browser had recorded came out in a fixture, and so did
// records of services that were never called.
func TestAProfileBegunFromARecordingHasNoSecretsAndNothingOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	har := filepath.Join(dir, "session.har")
	seen := func(path, body string) string {
		return fmt.Sprintf(`{"request": {"method": "GET", "url": "https://api.stripe.com%s", "headers": [{"name": "Authorization", "value": "Bearer sk_live_canary1"}]},
			"response": {"status": 200, "content": {"text": %q}}}`, path, body)
	}
	entries := []string{
		seen("/v1/customers/cus_1", `{"id":"cus_1","object":"customer","created":1700000000,"livemode":false,"description":"rk_live_canary2 is hers","metadata":{"api_key":"canary3","tier":"gold"}}`),
		seen("/v1/webhook_endpoints/we_1", `{"id":"we_1","object":"webhook_endpoint","url":"https://x.example/h","secret":"whsec_canary4","status":"enabled","enabled_events":["*"],"created":1700000000,"livemode":false,"metadata":{}}`),
	}
	if err := os.WriteFile(har, []byte(`{"log": {"entries": [`+strings.Join(entries, ",")+`]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, text := begun(t, author.ProfileDraft{Name: "seen", Dir: filepath.Join(dir, "seen"), From: har})
	if !strings.Contains(text, "2 values of stripe.customers looked like secrets") {
		t.Errorf("it does not say so:\n%s", text)
	}
	fixtures, err := filepath.Glob(filepath.Join(dir, "seen", "fixtures", "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, file := range fixtures {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if all += string(content); !strings.HasPrefix(filepath.Base(file), "stripe.") {
			t.Errorf("%s is of a service that was not called", filepath.Base(file))
		}
	}
	if strings.Contains(all+text, "canary") || !strings.Contains(all, "gold") || !strings.Contains(all, "is hers") {
		t.Errorf("secrets, or not the rest:\n%s", all)
	}
}
