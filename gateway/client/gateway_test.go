package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway"
	"parity/gateway/client"
	"parity/specs"
)

// judge is a transport that holds what goes over it against the contract.
type judge struct {
	t        *testing.T
	contract *specs.Contract
	mu       sync.Mutex
	seen     map[string]bool
}

func (j *judge) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	op := j.contract.Match(r.Method, r.URL.EscapedPath()).Operation
	if op == nil {
		j.t.Errorf("%s %s is no operation", r.Method, r.URL.Path)
		return reply, nil
	}
	j.mu.Lock()
	j.seen[op.ID] = true
	j.mu.Unlock()
	if strings.HasPrefix(reply.Header.Get("Content-Type"), "text/event-stream") {
		return reply, nil // it has no end yet
	}
	body, err := io.ReadAll(reply.Body)
	reply.Body.Close()
	reply.Body = io.NopCloser(bytes.NewReader(body))
	for _, v := range op.CheckReply(reply.StatusCode, reply.Header.Get("Content-Type"), body) {
		j.t.Errorf("%s %s: %d: %s %s: %s: %.300s", r.Method, r.URL, reply.StatusCode, v.In, v.Pointer, v.Message, body)
	}
	return reply, err
}

// The gateway itself, asked everything there is to ask: each answer is what the
// contract says.
func TestTheGatewayKeepsItsContract(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(profile, []byte("profile: quiet\nseed: 7\nservices:\n  stripe: {}\nclock: {mode: stepped}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := gateway.Open(t.Context(), gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: profile, Shared: true, Token: token,
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := server.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	contract, err := specs.Builtin("parity")
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{t: t, contract: contract, seen: map[string]bool{}}
	k, err := client.New(client.Options{URL: "http://" + server.Control(), Token: token, HTTP: &http.Client{Transport: j}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	refused := func(status int, _ any, err error) {
		t.Helper()
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != status {
			t.Errorf("%v, want a refusal with %d", err, status)
		}
	}
	must(k.Gateway(ctx))
	made, err := k.Make(ctx, client.NewRun{Names: []string{"trunk", "other"}, Seed: "18446744073709551615", TTL: "1h", Idle: "20m"})
	if err != nil || len(made) != 2 || made[0].Seed != "18446744073709551615" || made[0].Idle != "20m0s" {
		t.Fatalf("%+v, %v", made, err)
	}
	reply, err := http.PostForm(made[0].URLs.Base+"/stripe/v1/customers", map[string][]string{"name": {"Ada"}})
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusOK && reply.StatusCode != http.StatusUnauthorized {
		t.Errorf("a call: %d", reply.StatusCode)
	}
	must(k.Run(ctx, "trunk"))
	must(k.Runs(ctx, "all"))
	must(k.TakeSnapshot(ctx, "trunk", "here"))
	must(k.Snapshots(ctx, "trunk"))
	must(k.Clock(ctx, "trunk"))
	for _, m := range []client.Move{{Freeze: true}, {Advance: "2h"}, {Set: "2026-03-02T13:00:00Z"}, {Speed: 60}, {Step: "1s"}} {
		must(k.MoveClock(ctx, "trunk", m))
	}
	must(k.RollBack(ctx, "trunk", "here"))
	must(k.Arm(ctx, "trunk", client.NewArmed{Call: []string{"stripe GET /v1/charges"}, Inject: "ambiguous-success", TTL: "10m", With: map[string]any{"reply": "reset"}}))
	must(k.Armed(ctx, "trunk"))
	must(nil, k.Disarm(ctx, "trunk", "injected-1"))
	must(k.DisarmAll(ctx))
	must(k.ProfileLog(ctx, ""))
	must(k.Fork(ctx, "trunk", client.Fork{At: 1, Names: []string{"branch"}}))
	must(k.Reset(ctx, "trunk"))
	for _, format := range []string{"jsonl", "har"} {
		must(nil, k.Export(ctx, io.Discard, "trunk", format))
	}
	for _, format := range []string{"text", "json"} {
		must(nil, k.Report(ctx, io.Discard, "trunk", format))
	}
	must(nil, k.Lines(ctx, io.Discard, "trunk", 1, 2))
	must(nil, k.State(ctx, io.Discard, "trunk", 1))
	must(k.Hash(ctx, "trunk", 1))
	must(k.Diff(ctx, "trunk", 1, "other", 0))
	must(nil, k.Claim(ctx, "trunk", client.Outcome{Status: "stopped", Claims: []client.Statement{{Text: "made a customer"}}}))
	must(k.End(ctx, "branch", &client.End{Command: []string{"agent"}, Exit: 1}))
	must(nil, k.Report(ctx, io.Discard, "branch", "json"))
	must(k.Approvals(ctx, "", client.Pending))
	code, err := k.ConsoleCode(ctx, "ada")
	must(nil, err)
	must(k.OpenConsole(ctx, code.Code))
	refused(403, nil, second(k.OpenConsole(ctx, code.Code)))
	must(k.Approvals(ctx, "branch", ""))
	must(k.Drafts(ctx, "trunk"))
	must(k.Permissions(ctx, "trunk"))
	must(k.Credentials(ctx, "trunk", true))
	link := plink(t, made[1].URLs.Base)
	if waits, err := k.Waits(ctx, "other"); err != nil || len(waits) == 0 || waits[0].ID != link || len(waits[0].Acts) != 2 {
		t.Errorf("waits: %+v, %v", waits, err)
	}
	acted, err := k.Act(ctx, "other", client.NewAct{ID: link, Act: "complete", By: "ada", With: map[string]any{"card": "visa"}})
	if err != nil || acted.Event == 0 || acted.Did == "" || acted.By.Kind != client.ByClaimed {
		t.Errorf("acted: %+v, %v", acted, err)
	}
	refused(409, nil, second(k.Act(ctx, "other", client.NewAct{ID: "cs_nobody", Act: "complete", By: "ada"})))
	refused(422, nil, second(k.Act(ctx, "other", client.NewAct{ID: link, Act: "press", By: "ada"})))
	refused(422, nil, second(k.Act(ctx, "other", client.NewAct{ID: link, Act: "complete", By: "ada", With: map[string]any{"colour": "red"}})))
	refused(422, nil, second(k.Act(ctx, "other", client.NewAct{ID: link, Act: "complete"})))
	must(nil, k.Remove(ctx, "branch"))

	refused(404, nil, second(k.Approvals(ctx, "nobody", "")))
	refused(404, nil, second(k.Approval(ctx, "trunk", "apr_1")))
	refused(404, nil, second(k.Decide(ctx, "trunk", "apr_1", client.Decision{Decision: "approve", By: "ada"})))
	refused(404, nil, second(k.Draft(ctx, "trunk", "drf_1")))
	refused(404, nil, second(k.Permissions(ctx, "nobody")))
	refused(422, nil, second(k.ApproveRule(ctx, "trunk", client.NewRuleApproval{Rule: "none", By: "ada"})))
	refused(422, nil, second(k.Override(ctx, "trunk", client.NewOverride{Gate: "refunds", By: "ada", Because: "fire"})))
	refused(404, nil, second(k.ChangeCredentials(ctx, "trunk", "nobody", "revoke", client.CredentialChange{})))
	refused(404, nil, k.Remove(ctx, "branch"))
	refused(422, nil, second(k.Arm(ctx, "trunk", client.NewArmed{Call: []string{"stripe GET /v1/charges"}, Inject: "timout"})))
	refused(404, nil, k.Disarm(ctx, "trunk", "injected-1"))
	refused(404, nil, second(k.ProfileLog(ctx, "nobody.yaml")))
	refused(422, nil, second(k.RollBackProfile(ctx, "", "")))
	refused(404, nil, second(k.Run(ctx, "nobody")))
	refused(409, nil, second(k.Make(ctx, client.NewRun{Names: []string{"trunk"}})))
	refused(422, nil, second(k.Make(ctx, client.NewRun{TTL: "a day"})))
	refused(422, nil, second(k.Make(ctx, client.NewRun{TTL: "-1h"})))
	refused(404, nil, second(k.RollBack(ctx, "trunk", "nowhere")))
	refused(422, nil, second(k.MoveClock(ctx, "trunk", client.Move{Advance: "soon"})))
	refused(400, nil, second(k.MoveClock(ctx, "trunk", client.Move{Advance: "1h", Freeze: true})))

	follow(t, k, "other")
	for _, op := range contract.Operations {
		if !j.seen[op.ID] {
			t.Errorf("%s was not asked", op.ID)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// follow has a run's events come, from its first to its end.
func follow(t *testing.T, k *client.Client, run string) {
	t.Helper()
	var kinds []string
	for e, err := range k.Events(t.Context(), run, 1) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq != uint64(len(kinds))+1 {
			t.Errorf("event %d after %v", e.Seq, kinds)
		}
		kinds = append(kinds, e.Kind)
		switch e.Kind {
		case "started":
			if err := k.Claim(t.Context(), run, client.Outcome{Status: "success"}); err != nil {
				t.Fatal(err)
			}
		case "claim":
			if _, err := k.End(t.Context(), run, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(kinds, []string{"started", "exchange", "act", "claim"}) {
		t.Errorf("events %v", kinds)
	}
}

// plink makes a payment link in a run, which waits for whoever opens it.
func plink(t *testing.T, base string) (id string) {
	t.Helper()
	sent, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/stripe/v1/payment_links", strings.NewReader(
		"line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=900&line_items[0][price_data][product_data][name]=Beans&line_items[0][quantity]=1"))
	if err != nil {
		t.Fatal(err)
	}
	sent.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	sent.Header.Set("Authorization", "Bearer sk_test_1")
	reply, err := http.DefaultClient.Do(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var made struct{ ID string }
	if err := json.NewDecoder(reply.Body).Decode(&made); err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", reply.StatusCode, err)
	}
	return made.ID
}
