package sdktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What each SDK has to find, in the words of @slack/web-api.
const (
	slackWork = `{
		"me": ["rehearsal_bot", "Parity Rehearsal", true], "team": "parity-rehearsal", "topic": "Ship it", "name": "launched",
		"text": "Hi <@U0PERSON002> &amp; all", "block": "*Hi*", "thread": ["Hi <@U0PERSON002> &amp; all", "second"], "replies": 1,
		"reactions": [{"name": "tada", "users": ["U0PARITYBOT"], "count": 1}], "link": true, "ephemeral": true, "waiting": ["later"], "post_at": true,
		"history": 5, "direct": "D", "members": 3, "mine": 3, "found": "Mei Manager", "count": 3, "joined": true, "open": ["general", "side"], "searched": 0
	}`
	slackUpload = `{"title": "Notes", "size": 8, "type": "text", "channels": ["C0GENERAL01"], "shared": true, "text": "the notes"}`
	slackPages  = `{"pages": 3, "seen": 12, "last": "page-10"}`
	slackErrors = `{
		"absent": {"class": "slack_webapi_platform_error", "error": "channel_not_found"},
		"missing": {"class": "slack_webapi_platform_error", "error": "invalid_arguments", "messages": ["[ERROR] missing required field: channel"]},
		"blocks": {"class": "slack_webapi_platform_error", "error": "invalid_blocks", "messages": ["[ERROR] unsupported type: nope [json-pointer:/blocks/0/type]"]},
		"taken": {"class": "slack_webapi_platform_error", "error": "name_taken"},
		"bot": {"class": "slack_webapi_platform_error", "error": "not_allowed_token_type"},
		"method": {"class": "slack_webapi_platform_error", "error": "unknown_method"},
		"bad": {"class": "slack_webapi_platform_error", "error": "invalid_auth"},
		"none": {"class": "slack_webapi_platform_error", "error": "not_authed"}
	}`
	slackTrouble = `{
		"limited": {"class": "none"}, "broken": {"class": "none"}, "refused": {"class": "slack_webapi_platform_error", "error": "fatal_error"},
		"eager": {"class": "slack_webapi_rate_limited_error", "after": 1}
	}`
	slackFaults = `faults:
  eager: {call: slack POST /api/pins.list, inject: rate-limit, with: {retry_after: 1s}, trigger: {nth: 1, tries: 1}}
  limit: {call: slack POST /api/users.list, inject: rate-limit, with: {retry_after: 1s}, trigger: {nth: 1, tries: 1}}
  broken: {call: slack POST /api/team.info, inject: error, with: {status: 500}, trigger: {nth: 1, tries: 1}}
  refused: {call: slack POST /api/emoji.list, inject: error, with: {status: 409}, trigger: {nth: 1, tries: 1}}
`
	slackLost = `faults:
  lost: {call: slack POST /api/chat.postMessage, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1, tries: 1}}
`
)

func slackProgram(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/@slack/web-api"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/slack.mjs"}, work...), nil
}

func slackGo(_ *testing.T, work []string) (args, env []string) {
	return []string{os.Args[0]}, []string{"SDKTEST_WORK=slack " + work[0]}
}

// slackWays are the ways in of both SDKs.
func slackWays() []way {
	var all []way
	for sdk, p := range map[string]program{"node": slackProgram, "go": slackGo} {
		through := map[string]string{"node": "sni", "go": "connect"}[sdk]
		all = append(all, way{sdk: sdk, name: "run", through: through, begin: underRun(p)},
			way{sdk: sdk, name: "base", through: "base", begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
				g := serve(t, flags...)
				args, env := p(t, work)
				return start(t, append(env, "SLACK_BASE="+g.base+"/slack"), args...), g
			}})
	}
	return all
}

func eachSlack(t *testing.T, work, faults string, judge func(t *testing.T, w way, found map[string]any, r told)) {
	t.Helper()
	for _, w := range slackWays() {
		t.Run(w.sdk+"/"+w.name, func(t *testing.T) {
			t.Parallel()
			profile := filepath.Join(t.TempDir(), "slack.yaml")
			if err := os.WriteFile(profile, []byte("profile: slack-sdk\nworld: empty\nservices: {slack: {}}\n"+faults), 0o600); err != nil {
				t.Fatal(err)
			}
			c, g := w.begin(t, []string{work}, []string{"--profile", profile})
			var out, errs bytes.Buffer
			c.Stdout, c.Stderr = &out, &errs
			var exit *exec.ExitError
			if err := c.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: a verdict failed
				t.Fatalf("%v: %v\n%s%s", c.Args, err, out.String(), errs.String())
			}
			var found map[string]any
			if err := json.Unmarshal(out.Bytes(), &found); err != nil {
				t.Fatalf("%v in %q\n%s", err, out.String(), errs.String())
			}
			g.stop()
			for _, through := range g.through(t) {
				if through != w.through {
					t.Errorf("a call came in by %s, not by %s", through, w.through)
				}
			}
			judge(t, w, found, g.report(t))
		})
	}
}

func TestSlackWork(t *testing.T) {
	t.Parallel()
	eachSlack(t, "work", "", func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, slackWork)
		if _, committed := r.exchanges("slack POST /api/chat.postMessage"); !r.Valid || committed != 2 {
			t.Errorf("the report tells of %d messages, not of 2: %+v", committed, r)
		}
	})
}

func TestSlackUploads(t *testing.T) {
	t.Parallel()
	eachSlack(t, "upload", "", func(t *testing.T, _ way, found map[string]any, _ told) { same(t, found, slackUpload) })
}

func TestSlackPages(t *testing.T) {
	t.Parallel()
	eachSlack(t, "page", "", func(t *testing.T, _ way, found map[string]any, _ told) { same(t, found, slackPages) })
}

func TestSlackErrors(t *testing.T) {
	t.Parallel()
	eachSlack(t, "fail", "", func(t *testing.T, w way, found map[string]any, _ told) {
		want := slackErrors
		if w.sdk == "go" {
			want = slackGoErrors
		}
		same(t, found, want)
	})
}

func TestSlackTrouble(t *testing.T) {
	t.Parallel()
	eachSlack(t, "trouble", slackFaults, func(t *testing.T, w way, found map[string]any, _ told) {
		want := slackTrouble
		if w.sdk == "go" {
			want = slackGoTrouble
		}
		same(t, found, want)
	})
}

// There is no key that would tell a second message from the first: the SDK that
// tries again posts it twice, the one that does not tells its agent.
func TestSlackLostReply(t *testing.T) {
	t.Parallel()
	eachSlack(t, "lose", slackLost, func(t *testing.T, w way, found map[string]any, _ told) {
		want := `{"class": "none", "posted": 2}`
		if w.sdk == "go" {
			want = `{"class": "*url.Error", "posted": 1}`
		}
		same(t, found, want)
	})
}
