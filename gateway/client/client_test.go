package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/specs"
)

const token = "s3cret"

// every is all operations of the contract; do says what each does.
func every(t *testing.T, do func(id string, call admin.Call) (admin.Answer, error)) map[string]admin.Operation {
	t.Helper()
	contract, err := specs.Builtin("parity")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]admin.Operation{}
	for _, op := range contract.Operations {
		all[op.ID] = func(_ context.Context, call admin.Call) (admin.Answer, error) { return do(op.ID, call) }
	}
	return all
}

// connect gives a client of a control plane with those operations.
func connect(t *testing.T, operations map[string]admin.Operation) *client.Client {
	t.Helper()
	h, err := admin.New(admin.Options{Address: "127.0.0.1:0", Token: token, Operations: operations})
	if err != nil {
		t.Fatal(err)
	}
	return to(t, h, nil)
}

// to gives a client of any server.
func to(t *testing.T, h http.Handler, change func(*client.Options)) *client.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	o := client.Options{URL: server.URL, Token: token}
	if change != nil {
		change(&o)
	}
	c, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each method makes the call that its operation takes, and gives what it answers.
func TestEachMethodIsItsOperation(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	run := client.Run{ID: "a", Token: "t", State: client.Live, Profile: "p", Revision: "r", Seed: "18446744073709551615", Events: 3, Made: at}
	runs, clock := []client.Run{run, {ID: "b", State: client.Ended}}, client.Clock{Mode: "stepped", Now: at, Step: "1s"}
	diff := client.Diff{Changes: []client.DiffRecord{{Collection: "stripe.charges", ID: "ch_1", In: "both", Fields: []client.DiffField{{Pointer: "/paid", Was: false, Is: true}}}}}
	armed := client.Armed{Name: "n", Event: 3, Inject: "error", Call: []string{"stripe *"}, Text: "t", Until: at}
	approval := client.Approval{
		ID: "apr_1", Run: "a", Gate: "g", State: client.Approved, Asked: at, Lapses: at, AskedCall: client.AskedCall{Identity: "bot", Operation: "stripe *", Event: 3},
		Predicted: &client.Prediction{Status: 200, Diff: []client.Change{{Record: "r", Op: "update", Fields: map[string][2]any{"paid": {false, true}}}}},
		Answer:    client.Answer{By: &client.By{Name: "ada", Kind: client.ByPerson}, Decided: at},
	}
	draft := client.Draft{ID: "drf_1", Run: "a", By: "stage 2", At: at, AskedCall: client.AskedCall{Class: "admin"}}
	rule := client.RuleApproval{Run: "a", Rule: "r", Revision: "c", By: client.By{Name: "ada", Kind: client.ByClaimed}, Because: "b", Event: 4}
	override := client.Override{Run: "a", Gate: "g", By: client.By{Name: "ada", Kind: client.ByClaimed}, Because: "b", Until: at, Max: 3, Event: 4}
	credentials := []client.Credential{{Identity: "bot", Service: "slack", Variable: "TOKEN", State: "rotated", Until: at, Value: "xoxb"}}
	permissions := client.Permissions{Run: "a", Stage: 3, Cells: []client.Permission{{Identity: "bot", Decision: "held"}}}
	ctx := t.Context()
	written := func(do func(w io.Writer) error) (any, error) {
		var b strings.Builder
		err := do(&b)
		return b.String(), err
	}
	nothing := func(err error) (any, error) { return nil, err }
	rest := every(t, nil)
	for _, c := range []struct {
		id, got string // the operation, and what it is asked
		do      func(c *client.Client) (any, error)
		answer  any // JSON, or a string as text
		want    any
	}{
		{"getGateway", `{}`, func(c *client.Client) (any, error) { return c.Gateway(ctx) }, client.Gateway{Version: "0", Profiles: []string{"p"}}, client.Gateway{Version: "0", Profiles: []string{"p"}}},
		{"listRuns", `{"query":{"state":"all"}}`, func(c *client.Client) (any, error) { return c.Runs(ctx, "all") }, client.Runs{Runs: runs}, runs},
		{"listRuns", `{"query":{"state":"live"}}`, func(c *client.Client) (any, error) { return c.Runs(ctx, "") }, client.Runs{Runs: runs}, runs},
		{"makeRuns", `{"body":{}}`, func(c *client.Client) (any, error) { return c.Make(ctx, client.NewRun{}) }, client.Runs{Runs: runs}, runs},
		{"makeRuns", `{"body":{"clock":{"frozen":true,"mode":"live","speed":2.5,"start":"2026-03-02T13:00:00Z"},"idle":"20m","names":["a","b"],"port":true,"profile":"p","seed":"18446744073709551615","ttl":"1h"}}`, func(c *client.Client) (any, error) {
			return c.Make(ctx, client.NewRun{Names: []string{"a", "b"}, Profile: "p", Seed: "18446744073709551615", TTL: "1h", Idle: "20m", Port: true, Clock: &client.NewClock{Mode: "live", Start: "2026-03-02T13:00:00Z", Speed: 2.5, Frozen: true}})
		}, client.Runs{Runs: runs}, runs},
		{"getRun", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Run(ctx, "a") }, run, run},
		{"removeRun", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return nothing(c.Remove(ctx, "a")) }, nil, nil},
		{"endRun", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.End(ctx, "a", nil) }, run, run},
		{"endRun", `{"path":{"run":"a"},"body":{"command":["agent"],"decides":"verdict","exit":0,"flags":["--seed","7"],"took":"2s"}}`, func(c *client.Client) (any, error) {
			return c.End(ctx, "a", &client.End{Command: []string{"agent"}, Flags: []string{"--seed", "7"}, Decides: "verdict", Took: "2s"})
		}, run, run},
		{"forkRun", `{"path":{"run":"a"},"body":{"at":17,"idle":"1m","names":["sun"],"port":true,"profile":"p","ttl":"1h"}}`, func(c *client.Client) (any, error) {
			return c.Fork(ctx, "a", client.Fork{At: 17, Names: []string{"sun"}, Profile: "p", TTL: "1h", Idle: "1m", Port: true})
		}, client.Runs{Runs: runs}, runs},
		{"resetRun", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Reset(ctx, "a") }, run, run},
		{"listSnapshots", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Snapshots(ctx, "a") }, client.Snapshots{Snapshots: []client.Snapshot{{Name: "s", Event: 1}}}, []client.Snapshot{{Name: "s", Event: 1}}},
		{"takeSnapshot", `{"path":{"run":"a"},"body":{"name":"s"}}`, func(c *client.Client) (any, error) { return c.TakeSnapshot(ctx, "a", "s") }, client.Snapshot{Name: "s", Event: 1}, client.Snapshot{Name: "s", Event: 1}},
		{"rollBack", `{"path":{"run":"a"},"body":{"snapshot":"s"}}`, func(c *client.Client) (any, error) { return c.RollBack(ctx, "a", "s") }, run, run},
		{"getClock", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Clock(ctx, "a") }, clock, clock},
		{"moveClock", `{"path":{"run":"a"},"body":{"freeze":true}}`, func(c *client.Client) (any, error) { return c.MoveClock(ctx, "a", client.Move{Freeze: true}) }, clock, clock},
		{"moveClock", `{"path":{"run":"a"},"body":{"speed":0.5}}`, func(c *client.Client) (any, error) { return c.MoveClock(ctx, "a", client.Move{Speed: 0.5}) }, clock, clock},
		{"getEvents", `{"path":{"run":"a"},"query":{"from":3,"limit":2}}`, func(c *client.Client) (any, error) {
			return written(func(w io.Writer) error { return c.Lines(ctx, w, "a", 3, 2) })
		}, "{}\n", "{}\n"},
		{"exportRun", `{"path":{"run":"a"},"query":{"format":"har"}}`, func(c *client.Client) (any, error) {
			return written(func(w io.Writer) error { return c.Export(ctx, w, "a", "har") })
		}, "{}\n", "{}\n"},
		{"getState", `{"path":{"run":"a"},"query":{"at":17}}`, func(c *client.Client) (any, error) {
			return written(func(w io.Writer) error { return c.State(ctx, w, "a", 17) })
		}, "{}\n", "{}\n"},
		{"getStateHash", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Hash(ctx, "a", 0) }, client.Hash{Event: 3, World: "w", Tallies: "t"}, client.Hash{Event: 3, World: "w", Tallies: "t"}},
		{"diffState", `{"path":{"run":"a"},"query":{"at":1,"with":"b","with_at":2}}`, func(c *client.Client) (any, error) { return c.Diff(ctx, "a", 1, "b", 2) }, diff, diff},
		{"diffState", `{"path":{"run":"a"},"query":{"with":"b"}}`, func(c *client.Client) (any, error) { return c.Diff(ctx, "a", 0, "b", 0) }, diff, diff},
		{"getReport", `{"path":{"run":"a"},"query":{"format":"text"}}`, func(c *client.Client) (any, error) {
			return written(func(w io.Writer) error { return c.Report(ctx, w, "a", "text") })
		}, "fine\n", "fine\n"},
		{"claimOutcome", `{"path":{"run":"a"},"body":{"claims":[{"subject":"ch_1","text":"refunded"}],"note":"n","status":"success"}}`, func(c *client.Client) (any, error) {
			return nothing(c.Claim(ctx, "a", client.Outcome{Status: "success", Claims: []client.Statement{{Text: "refunded", Subject: "ch_1"}}, Note: "n"}))
		}, run, nil},
		{"armRule", `{"path":{"run":"a"},"body":{"because":"b","call":["stripe *"],"inject":"error","name":"n","required":true,"trigger":{"nth":2},"ttl":"1h","when":"true","with":{"status":503}}}`, func(c *client.Client) (any, error) {
			return c.Arm(ctx, "a", client.NewArmed{Name: "n", Call: []string{"stripe *"}, Inject: "error", With: map[string]any{"status": 503}, When: "true", Trigger: map[string]any{"nth": 2}, Because: "b", Required: true, TTL: "1h"})
		}, armed, armed},
		{"listArmed", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Armed(ctx, "a") }, client.ArmedRules{Armed: []client.Armed{armed}}, []client.Armed{armed}},
		{"disarmRule", `{"path":{"rule":"n","run":"a"}}`, func(c *client.Client) (any, error) { return nothing(c.Disarm(ctx, "a", "n")) }, nil, nil},
		{"disarmAll", `{}`, func(c *client.Client) (any, error) { return c.DisarmAll(ctx) }, client.Disarmed{Runs: map[string][]string{"a": {"n"}}}, client.Disarmed{Runs: map[string][]string{"a": {"n"}}}},
		{"logProfile", `{}`, func(c *client.Client) (any, error) { return c.ProfileLog(ctx, "") }, client.Records{Records: []client.Record{{At: at, File: "f", How: "saved"}}}, []client.Record{{At: at, File: "f", How: "saved"}}},
		{"logProfile", `{"query":{"profile":"a b.yaml"}}`, func(c *client.Client) (any, error) { return c.ProfileLog(ctx, "a b.yaml") }, client.Records{Records: []client.Record{}}, []client.Record{}},
		{"rollBackProfile", `{"body":{}}`, func(c *client.Client) (any, error) { return c.RollBackProfile(ctx, "", "") }, client.State{Revision: "r", Since: at}, client.State{Revision: "r", Since: at}},
		{"rollBackProfile", `{"body":{"profile":"p","revision":"5be0"}}`, func(c *client.Client) (any, error) { return c.RollBackProfile(ctx, "p", "5be0") }, client.State{Revision: "5be0", Since: at}, client.State{Revision: "5be0", Since: at}},
		{"listApprovals", `{}`, func(c *client.Client) (any, error) { return c.Approvals(ctx, "", "") }, client.Approvals{Approvals: []client.Approval{approval}}, []client.Approval{approval}},
		{"listApprovals", `{"query":{"state":"pending"}}`, func(c *client.Client) (any, error) { return c.Approvals(ctx, "", client.Pending) }, client.Approvals{Approvals: []client.Approval{}}, []client.Approval{}},
		{"listRunApprovals", `{"path":{"run":"a"},"query":{"state":"used"}}`, func(c *client.Client) (any, error) { return c.Approvals(ctx, "a", client.Used) }, client.Approvals{Approvals: []client.Approval{approval}}, []client.Approval{approval}},
		{"getApproval", `{"path":{"id":"apr_1","run":"a"}}`, func(c *client.Client) (any, error) { return c.Approval(ctx, "a", "apr_1") }, approval, approval},
		{"decideApproval", `{"path":{"id":"apr_1","run":"a"},"body":{"by":"ada","decision":"change","digest":"9f","note":"n","set":{"amount":500}}}`, func(c *client.Client) (any, error) {
			return c.Decide(ctx, "a", "apr_1", client.Decision{Decision: "change", By: "ada", Digest: "9f", Note: "n", Set: map[string]any{"amount": 500}})
		}, approval, approval},
		{"decideApproval", `{"path":{"id":"apr_1","run":"a"},"body":{"decision":"escalate","to":"lead"}}`, func(c *client.Client) (any, error) {
			return c.Decide(ctx, "a", "apr_1", client.Decision{Decision: "escalate", To: "lead"})
		}, approval, approval},
		{"listDrafts", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Drafts(ctx, "a") }, client.Drafts{Drafts: []client.Draft{draft}}, []client.Draft{draft}},
		{"getDraft", `{"path":{"id":"drf_1","run":"a"}}`, func(c *client.Client) (any, error) { return c.Draft(ctx, "a", "drf_1") }, draft, draft},
		{"listWaits", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Waits(ctx, "a") }, client.Waits{Waits: []client.Wait{{Run: "a", ID: "cs_1", Since: at, Acts: []client.PossibleAct{}}}}, []client.Wait{{Run: "a", ID: "cs_1", Since: at, Acts: []client.PossibleAct{}}}},
		{"act", `{"path":{"run":"a"},"body":{"act":"complete","by":"ada","id":"cs_1","with":{"card":"pm_card_visa"}}}`, func(c *client.Client) (any, error) {
			return c.Act(ctx, "a", client.NewAct{ID: "cs_1", Act: "complete", By: "ada", With: map[string]any{"card": "pm_card_visa"}})
		}, client.Acted{Run: "a", ID: "cs_1", Act: "complete", Event: 4}, client.Acted{Run: "a", ID: "cs_1", Act: "complete", Event: 4}},
		{"approveRule", `{"path":{"run":"a"},"body":{"because":"b","by":"ada","rule":"r"}}`, func(c *client.Client) (any, error) {
			return c.ApproveRule(ctx, "a", client.NewRuleApproval{Rule: "r", By: "ada", Because: "b"})
		}, rule, rule},
		{"overrideGate", `{"path":{"run":"a"},"body":{"because":"b","by":"ada","for":"15m","gate":"g","max":3}}`, func(c *client.Client) (any, error) {
			return c.Override(ctx, "a", client.NewOverride{Gate: "g", By: "ada", Because: "b", For: "15m", Max: 3})
		}, override, override},
		{"makeConsoleCode", `{"body":{"by":"ada"}}`, func(c *client.Client) (any, error) { return c.ConsoleCode(ctx, "ada") }, client.ConsoleCode{Code: "k", Until: at}, client.ConsoleCode{Code: "k", Until: at}},
		{"openConsole", `{"body":{"code":"k"}}`, func(c *client.Client) (any, error) { return c.OpenConsole(ctx, "k") }, client.ConsoleToken{Token: "t", Until: at, Name: "ada", Proved: true}, client.ConsoleToken{Token: "t", Until: at, Name: "ada", Proved: true}},
		{"listCredentials", `{"path":{"run":"a"},"query":{"values":true}}`, func(c *client.Client) (any, error) { return c.Credentials(ctx, "a", true) }, client.Credentials{Credentials: credentials}, credentials},
		{"changeCredentials", `{"path":{"identity":"bot","run":"a","what":"rotate"},"body":{"grace":"5m","service":"slack"}}`, func(c *client.Client) (any, error) {
			return c.ChangeCredentials(ctx, "a", "bot", "rotate", client.CredentialChange{Service: "slack", Grace: "5m"})
		}, client.Credentials{Credentials: credentials}, credentials},
		{"getPermissions", `{"path":{"run":"a"}}`, func(c *client.Client) (any, error) { return c.Permissions(ctx, "a") }, permissions, permissions},
	} {
		delete(rest, c.id)
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 1)
			k := connect(t, every(t, func(id string, call admin.Call) (admin.Answer, error) {
				asked <- id + " " + told(call)
				if text, ok := c.answer.(string); ok {
					return admin.Answer{ContentType: "text/plain", Stream: func(w io.Writer) error { _, err := io.WriteString(w, text); return err }}, nil
				}
				return admin.Answer{JSON: c.answer}, nil
			}))
			got, err := c.do(k)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := <-asked, c.id+" "+c.got; got != want {
				t.Errorf("asked %s, want %s", got, want)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for id := range rest {
		t.Errorf("no method makes the call %s", id)
	}
}

// told is what a call asks, as JSON.
func told(call admin.Call) string {
	var body any
	if call.Body != nil {
		body = call.Body
	}
	data, err := json.Marshal(struct {
		Path  map[string]string `json:"path,omitempty"`
		Query map[string]any    `json:"query,omitempty"`
		Body  any               `json:"body,omitempty"`
	}{call.Path, call.Query, body})
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// What is refused is an *Error whose message is the problem's detail.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := connect(t, every(t, func(string, admin.Call) (admin.Answer, error) {
		return admin.Answer{}, &admin.Problem{Status: 404, Code: "unknown-run", Detail: "there is no run a"}
	}))
	_, err := c.Run(t.Context(), "a")
	var refused *client.Error
	if !errors.As(err, &refused) || err.Error() != "there is no run a" || refused.Status != 404 || refused.Code != "unknown-run" {
		t.Errorf("%#v", err)
	}
	if err := c.Export(t.Context(), io.Discard, "a", "jsonl"); err == nil || err.Error() != "there is no run a" {
		t.Errorf("%v", err)
	}
	for _, run := range []string{"", "A b", "..", "a/b", "a?b", "a%2Fb"} {
		if err := c.Remove(t.Context(), run); !errors.As(err, &refused) || refused.Status != 400 && refused.Status != 404 || refused.Code == "unknown-run" {
			t.Errorf("run %q: %v", run, err)
		}
	}
	_, err = c.Make(t.Context(), client.NewRun{Names: []string{"ok", "Not Ok"}})
	if !errors.As(err, &refused) || len(refused.Violations) != 1 || refused.Violations[0].Pointer != "/names/1" || refused.Violations[0].In != "body" {
		t.Errorf("%#v", err)
	}
}

// What is no control plane, or not one that lets us in, is told as that.
func TestNoControlPlane(t *testing.T) {
	t.Parallel()
	answer := func(status int, kind, body string, headers ...string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			for _, header := range headers {
				name, value, _ := strings.Cut(header, ": ")
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
	}
	for name, c := range map[string]struct {
		h    http.Handler
		says []string
	}{
		"a page":            {answer(200, "text/html", "<html>"), []string{"not what the contract says", "http://127.0.0.1:"}},
		"a list":            {answer(200, "application/json", "[]"), []string{"not what the contract says"}},
		"two answers":       {answer(200, "application/json", "{}{}"), []string{"not what the contract says"}},
		"another's problem": {answer(502, "text/html", "<h1>bad gateway"), []string{"502 Bad Gateway", "<h1>bad gateway", "--gateway"}},
		"JSON of no shape":  {answer(404, "application/json", "{}"), []string{"404 Not Found", "--gateway"}},
		"a long page":       {answer(404, "text/html", strings.Repeat("é", 5000)), []string{"404 Not Found"}},
		"a redirection":     {answer(302, "text/html", "", "Location: http://127.0.0.1:1/"), []string{"302 Found"}},
		"part of an answer": {answer(200, "application/json", "{", "Content-Length: 100"), []string{"broke off"}},
	} {
		_, err := to(t, c.h, nil).Gateway(t.Context())
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
		if len(err.Error()) > 800 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
	c := to(t, answer(200, "text/plain", "{", "Content-Length: 100"), nil)
	if err := c.Export(t.Context(), io.Discard, "a", "jsonl"); err == nil {
		t.Error("a part of a record passes as the whole")
	}
	gone, err := client.New(client.Options{URL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Gateway(t.Context()); err == nil || !strings.Contains(err.Error(), "no gateway answers at http://127.0.0.1:1") || !strings.Contains(err.Error(), "parity serve") {
		t.Errorf("nothing listens: %v", err)
	}
	for _, err := range gone.Events(t.Context(), "a", 1) { // at once, and not after many attempts
		if err == nil || !strings.HasPrefix(err.Error(), "no gateway answers") {
			t.Errorf("nothing listens: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gone.Gateway(ctx); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "gateway") {
		t.Errorf("a caller who has left: %v", err)
	}
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	h, err := admin.New(admin.Options{Address: "127.0.0.1:0", Token: token, Operations: every(t, nil)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = to(t, h, func(o *client.Options) { o.Token = "guess" }).Gateway(t.Context())
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != 401 || refused.Code != "unauthorised" {
		t.Errorf("%v", err)
	}
}

// A control URL is taken as it is printed, and nothing tells the token in it.
func TestControlURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ url, token, wantURL, wantToken string }{
		{"http://127.0.0.1:8081", "", "http://127.0.0.1:8081", ""},
		{"http://127.0.0.1:8081/", "t", "http://127.0.0.1:8081", "t"},
		{"https://parity.internal", "t", "https://parity.internal", "t"},
		{"http://:s3cret@127.0.0.1:8081", "", "http://127.0.0.1:8081", "s3cret"},
		{"http://:s3%2Fcret@[::1]:8081/", "", "http://[::1]:8081", "s3/cret"},
		{"http://:s3cret@h:1", "other", "http://h:1", "other"},
	} {
		k, err := client.New(client.Options{URL: c.url, Token: c.token})
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if k.URL() != c.wantURL || k.Token() != c.wantToken {
			t.Errorf("%s: %s %s", c.url, k.URL(), k.Token())
		}
	}
	for _, url := range []string{
		"", "127.0.0.1:8081", "localhost", "http://", "http://:8081", "ftp://:s3cret@h:1", "http://h:1/v1", "http://h:1?token=x", "http://h:1#x",
		"http://s3cret@h:1", "http://u:s3cret@h:1", "http://:s3cret@h:port", "http://:s3cret@h:1/%zz", "http://:s3 cret@h:1", "s3cret@h:1", "http://:s3cret@@h:1/x",
	} {
		_, err := client.New(client.Options{URL: url})
		if err == nil || strings.Contains(err.Error(), "s3") {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, secret := range []string{"a b", "a\n", "ä", "a\x7f"} {
		if _, err := client.New(client.Options{URL: "http://h:1", Token: secret}); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("token %q: %v", secret, err)
		}
	}
}
