package sdktest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What the official client of Notion has to find.
const (
	notionWork = `{
		"people": {"me": "bot", "all": ["person", "bot"], "one": "robin@example.com", "emojis": 0},
		"pages": {"icon": "🎈", "title": "Plan B", "moved": true, "trashed": true},
		"blocks": {"read": "B", "walked": ["a", "B", "c"]},
		"markdown": {"is": "one\n- two\n"},
		"data": {"points": [0, 2, 4], "schema": ["Done", "Kind", "Name", "Points"], "second": "data_source", "title": "All tasks", "sources": 2, "templates": 0},
		"views": {"name": "Most", "listed": 2, "total": 2, "rest": 1},
		"talk": {"listed": ["changed", "again"], "read": "changed", "found": [true]},
		"files": {"pending": "pending", "sent": "uploaded", "length": 5, "listed": 1},
		"tokens": {"me": "bot", "live": true, "after": {"class": "APIResponseError", "code": "unauthorized", "status": 401}},
		"errors": {
			"bad": {"class": "APIResponseError", "code": "validation_error", "status": 400},
			"absent": {"class": "APIResponseError", "code": "object_not_found", "status": 404},
			"token": {"class": "APIResponseError", "code": "unauthorized", "status": 401},
			"version": {"class": "APIResponseError", "code": "validation_error", "status": 400}
		}
	}`
	// A limit is waited for; reads that fail are repeated, writes are not; the
	// reply to a write that went through and was lost is an error to the agent.
	notionFaults = `{"faults": {
		"limited": {"class": "none"}, "read": {"class": "none"},
		"conflict": {"class": "APIResponseError", "code": "conflict_error", "status": 409},
		"write": {"class": "APIResponseError", "code": "internal_server_error", "status": 500},
		"lost": {"class": "TypeError"}, "made": 1
	}}`
	notionRules = `  limited: {call: notion GET /v1/users, inject: rate-limit, with: {retry_after: 1s}, trigger: {nth: 1}}
  read: {call: "notion GET /v1/pages/{page_id}", inject: error, with: {status: 500}, trigger: {nth: 1}}
  conflict: {call: "notion PATCH /v1/pages/{page_id}", inject: error, with: {status: 409}, trigger: {nth: 1}}
  write: {call: "notion PATCH /v1/blocks/{block_id}/children", inject: error, with: {status: 500}, trigger: {nth: 1}}
  lost: {call: notion POST /v1/databases, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}
`
)

func notionProgram(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/@notionhq/client"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/notion.mjs"}, work...), nil
}

func notionWays() []way {
	return []way{
		{sdk: "notion", name: "run", through: "sni", begin: underRun(notionProgram)},
		{sdk: "notion", name: "base", through: "base", begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
			g := serve(t, flags...)
			args, env := notionProgram(t, work)
			return start(t, append(env, "NOTION_BASE="+g.base+"/notion"), args...), g
		}},
	}
}

// notionProfile binds Notion, and has rules.
func notionProfile(t *testing.T, rules string) []string {
	t.Helper()
	if rules != "" {
		rules = "faults:\n" + rules
	}
	name := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(name, []byte("profile: sdk\nworld: empty\nservices: {notion: {}}\n"+rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--profile", name}
}

func notionFound(t *testing.T, work []string, rules, want string) {
	t.Helper()
	for _, w := range notionWays() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			c, g := w.begin(t, work, notionProfile(t, rules))
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

func TestNotionClientDoesItsWork(t *testing.T) {
	t.Parallel()
	notionFound(t, nil, "", notionWork)
}

func TestNotionClientUnderFaults(t *testing.T) {
	t.Parallel()
	notionFound(t, []string{"faults"}, notionRules, notionFaults)
}
