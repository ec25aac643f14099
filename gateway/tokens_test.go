package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
	"parity/specs"
)

// Every operation of the control plane, asked about one run with the token of
// nobody, of that run, of another one and of the operator: an agent posts the
// outcome of its own run, reads its approvals and drafts, and does nothing else.
func TestAnAgentMovedItsOwnClockAndRemovedAnotherRun(t *testing.T) {
	t.Parallel()
	const operator = "the-operators-own-secret"
	h := open(t, quiet, func(s *gateway.Settings) { s.Token, s.Memory = operator, true })
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: operator})
	if err != nil {
		t.Fatal(err)
	}
	made, err := k.Make(t.Context(), client.NewRun{Names: []string{"own", "other", "ended"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.End(t.Context(), "ended", nil); err != nil {
		t.Fatal(err)
	}
	contract, err := specs.Builtin("parity")
	if err != nil {
		t.Fatal(err)
	}
	type asked struct{ id, method, path string }
	all := []asked{{"no operation", "GET", "/v1/secrets"}, {"no method", "PUT", "/v1/runs/own/outcome"}, {"no run", "POST", "/v1/runs/nobody/outcome"}}
	for _, op := range contract.Operations {
		all = append(all, asked{op.ID, op.Method, strings.NewReplacer("{run}", "own", "{rule}", "r", "{id}", "apr_1").Replace(op.Path)})
	}
	for _, c := range []struct {
		who, token string
		outcome    int // of posting one
		list, one  int // of reading approvals and drafts
		other      int // 0: whatever comes of it, it is let in
	}{
		{"nobody", "", 401, 401, 401, 401},
		{"a stranger", "Bearer " + strings.Repeat("a", 24), 401, 401, 401, 401},
		{"a run that has ended", "Bearer " + made[2].Token, 401, 401, 401, 401},
		{"the run", "Bearer " + made[0].Token, 204, 200, 404, 403},
		{"another run", "Bearer " + made[1].Token, 403, 403, 403, 403},
		{"the operator", "Bearer " + operator, 204, 200, 404, 0},
	} {
		for _, a := range all {
			want := c.other
			switch a.id {
			case "claimOutcome":
				want = c.outcome
			case "listRunApprovals", "listDrafts":
				want = c.list
			case "getApproval", "getDraft":
				want = c.one
			case "openConsole": // anybody may, with a code
				want = http.StatusBadRequest
			}
			if c.who == "the operator" && (a.id == "removeRun" || a.id == "endRun") {
				continue // the others would ask of nothing
			}
			body := `{"status":"stopped"}`
			if a.method == http.MethodGet {
				body = ""
			}
			r, err := http.NewRequestWithContext(t.Context(), a.method, "http://"+h.Control()+a.path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			if c.token != "" {
				r.Header.Set("Authorization", c.token)
			}
			reply, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			said, _ := io.ReadAll(reply.Body)
			reply.Body.Close()
			if let := reply.StatusCode != 401 && reply.StatusCode != 403; want == 0 && !let || want != 0 && reply.StatusCode != want {
				t.Errorf("%s of %s: %d, want %d: %s", a.id, c.who, reply.StatusCode, want, said)
			}
			if reply.StatusCode == 403 && !strings.Contains(string(said), "PARITY_CONTROL_TOKEN") {
				t.Errorf("%s of %s does not say what it takes: %s", a.id, c.who, said)
			}
			if reply.StatusCode == 204 && len(said) > 0 {
				t.Errorf("%s of %s tells of the run: %s", a.id, c.who, said)
			}
		}
	}
}

// A run that sleeps since a restart knows its token too.
func TestAnAgentPostsItsOutcomeAfterARestart(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	made := h.make(client.NewRun{Names: []string{"own"}})
	h.close()
	next := h.reopen()
	k, err := client.New(client.Options{URL: "http://" + next.Control(), Token: made[0].Token})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Run(t.Context(), "own"); err == nil || !strings.Contains(err.Error(), "PARITY_CONTROL_TOKEN") {
		t.Errorf("it reads its run: %v", err)
	}
	if err := k.Claim(t.Context(), "own", client.Outcome{Status: "stopped"}); err != nil {
		t.Error(err)
	}
}
