package sdktest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What node-zendesk has to find.
const (
	zendeskWork = `{
		"tickets": {"id": 1, "status": "pending", "changed": "pending", "said": [true, false], "audits": 2, "tags": ["a", "b"], "listed": 2, "many": 2, "requested": 1,
			"gone": {"message": "Request processing failed: Zendesk Error (404): Item not found"}},
		"people": {"me": "admin", "again": {"message": "Request processing failed: Zendesk Error (422): Unprocessable Entity"}, "renamed": "Bobby", "found": 1,
			"job": "completed", "shown": ["One", "Two"], "left": 2, "groups": ["Support"]},
		"rules": {"views": 6, "unsolved": true, "macros": 3, "applied": "low", "fields": 7},
		"search": {"found": 1, "counted": 1, "exported": true, "ends": true},
		"files": {"size": 5, "attached": ["a.txt"]},
		"center": {"title": "How refunds work", "listed": 1, "found": 1},
		"hooks": {"status": "active", "signed": "SHA256", "listed": 1},
		"errors": {
			"absent": {"message": "Request processing failed: Zendesk Error (404): Item not found"},
			"blank": {"message": "Request processing failed: Zendesk Error (422): Unprocessable Entity"},
			"id": {"message": "Request processing failed: Zendesk Error (400): Bad Request - Invalid attribute: You passed an invalid value for the id attribute. Invalid parameter: id must be an integer from api/v2/tickets/show"},
			"token": {"message": "Request processing failed: Zendesk Error (401): Not Authorized"}
		}
	}`
	// The SDK makes one attempt at everything. A 429 that says when to come back
	// is, in a list, no error to its caller: what was limited is just not there.
	zendeskFaults = `{"faults": {
		"limited": {"message": "none"},
		"broken": {"message": "Request processing failed: Zendesk Error (500): Internal Server Error - Internal Server Error: An unexpected error occurred. Please try again later."},
		"conflict": {"message": "Request processing failed: Zendesk Error (409): Conflict"},
		"lost": {"message": "Request processing failed: request to URL failed, reason: read ECONNRESET"}, "made": 1
	}}`
	zendeskRules = `  limited: {call: zendesk GET /api/v2/groups, inject: rate-limit, with: {retry_after: 1s}, trigger: {nth: 1}}
  broken: {call: zendesk GET /api/v2/users/me, inject: error, with: {status: 500}, trigger: {nth: 1}}
  conflict: {call: "zendesk PUT /api/v2/tickets/{ticket_id}", inject: error, with: {status: 409}, trigger: {nth: 1}}
  lost: {call: zendesk POST /api/v2/organizations, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}
`
)

func zendeskProgram(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/node-zendesk"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/zendesk.mjs"}, work...), nil
}

func zendeskWays() []way {
	return []way{
		{sdk: "zendesk", name: "run", through: "sni", begin: underRun(zendeskProgram)},
		{sdk: "zendesk", name: "base", through: "base", begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
			g := serve(t, flags...)
			args, env := zendeskProgram(t, work)
			return start(t, append(env, "ZENDESK_BASE="+g.base+"/zendesk"), args...), g
		}},
	}
}

func zendeskFound(t *testing.T, work []string, rules, want string) {
	t.Helper()
	if rules != "" {
		rules = "faults:\n" + rules
	}
	name := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(name, []byte("profile: sdk\nworld: empty\nservices: {zendesk: {}}\nclock: {mode: live, speed: 60}\n"+rules), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, w := range zendeskWays() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			c, g := w.begin(t, work, []string{"--profile", name})
			found := printed(t, c)
			g.stop()
			for _, through := range g.through(t) {
				if through != w.through {
					t.Errorf("a call came in by %s, not by %s", through, w.through)
				}
			}
			same(t, found, want)
			if r := g.report(t); !r.Valid {
				t.Errorf("the run is not valid: %+v", r)
			}
		})
	}
}

func TestZendeskClientDoesItsWork(t *testing.T) {
	t.Parallel()
	zendeskFound(t, nil, "", zendeskWork)
}

func TestZendeskClientUnderFaults(t *testing.T) {
	t.Parallel()
	zendeskFound(t, []string{"faults"}, zendeskRules, zendeskFaults)
}
