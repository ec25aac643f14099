package sdktest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func sendgridNode(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/@sendgrid/mail"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/sendgrid.mjs"}, work...), nil
}

func sendgridGo(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	return []string{os.Args[0]}, []string{"SDKTEST_WORK=sendgrid " + work[0]}
}

// sendgridWays are the ways in of an SDK of SendGrid's.
func sendgridWays(p program, run string) []way {
	return []way{
		{sdk: "sendgrid", name: "run", through: run, begin: underRun(p)},
		{sdk: "sendgrid", name: "base", through: "base", begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
			g := serve(t, flags...)
			args, env := p(t, work)
			return start(t, append(env, "SENDGRID_BASE="+g.base+"/sendgrid"), args...), g
		}},
	}
}

func eachSendgrid(t *testing.T, ways []way, work, faults string, judge func(t *testing.T, found map[string]any, r told)) {
	t.Helper()
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			profile := filepath.Join(t.TempDir(), "sendgrid.yaml")
			text := "profile: sendgrid-sdk\nworld: empty\nservices: {sendgrid: {fixtures: [sendgrid-messy]}}\n" + faults
			if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c, g := w.begin(t, []string{work}, []string{"--profile", profile})
			found := printedAnyway(t, c)
			g.stop()
			for _, through := range g.through(t) {
				if through != w.through {
					t.Errorf("a call came in by %s, not by %s", through, w.through)
				}
			}
			judge(t, found, g.report(t))
		})
	}
}

var (
	sendgridNodeWays = sendgridWays(sendgridNode, "connect") // axios heeds the proxy
	sendgridGoWays   = sendgridWays(sendgridGo, "connect")
)

func TestSendgridListed(t *testing.T) {
	t.Parallel()
	eachSendgrid(t, sendgridNodeWays, "all", "", func(t *testing.T, found map[string]any, _ told) {
		same(t, found, `{
			"send": [202, "", 22], "batch": true, "hold": 201, "change": 204, "held": ["cancel"], "all_held": 2, "release": 204,
			"bounces": ["full@example.net", "taro.yamada@example.jp"], "bounce": "5.2.2", "bounce_gone": 204, "bounces_gone": 204,
			"bounces_left": 0, "blocks_left": 1, "spam_reports_left": 2, "invalid_emails_left": 1, "unsubscribes_left": 4,
			"leave": ["bob@example.net"], "left": {"recipient_email": "bob@example.net"}, "back": 204, "groups": 5, "leave_group": 201,
			"version": 1, "rename": "Named", "template": "Hi {{name}}", "templates": 2, "templated": 202,
			"messages": ["full@example.net"], "message": ["processed", "bounced"], "sender": false, "senders": 5,
			"upsert": 202, "search": 2, "scopes": true, "limit": ["600", "598"]
		}`)
	})
}

func TestSendgridMultiple(t *testing.T) {
	t.Parallel()
	eachSendgrid(t, sendgridNodeWays, "multiple", "", func(t *testing.T, found map[string]any, r told) {
		same(t, found, `{"status": 202}`)
	})
}

func TestSendgridPages(t *testing.T) {
	t.Parallel()
	eachSendgrid(t, sendgridNodeWays, "page", "", func(t *testing.T, found map[string]any, r told) {
		same(t, found, `{"seen": 4, "once": 4}`)
		if pages, _ := r.exchanges("sendgrid GET /v3/templates"); pages != 2 {
			t.Errorf("4 templates came in %d pages; want 2 of 2", pages)
		}
	})
}

func TestSendgridErrors(t *testing.T) {
	t.Parallel()
	eachSendgrid(t, sendgridNodeWays, "fail", "", func(t *testing.T, found map[string]any, _ told) {
		same(t, found, `{
			"address": {"class": "ResponseError", "code": 400, "message": "Bad Request", "errors": [{"field": "personalizations.0.to.0.email", "message": "Does not contain a valid address.",
				"help": "http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html#message.personalizations.to"}]},
			"sender": {"class": "ResponseError", "code": 403, "message": "Forbidden", "errors": [{"field": "from", "help": null,
				"message": "The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved. Visit https://sendgrid.com/docs/for-developers/sending-email/sender-identity/ to see the Sender Identity requirements"}]},
			"absent": {"class": "ResponseError", "code": 404, "message": "Not Found"},
			"path": {"class": "ResponseError", "code": 404, "message": "Not Found", "errors": [{"field": null, "message": "resource not found"}]},
			"scope": {"class": "ResponseError", "code": 403, "message": "Forbidden", "errors": [{"field": null, "help": null, "message": "access forbidden"}]},
			"revoked": {"class": "ResponseError", "code": 401, "message": "Unauthorized", "errors": [{"field": null, "help": null, "message": "The provided authorization grant is invalid, expired, or revoked"}]},
			"key": {"class": "ResponseError", "code": 401, "message": "Unauthorized", "errors": [{"field": null, "help": null, "message": "The provided authorization grant is invalid, expired, or revoked"}]}
		}`)
	})
}

const sendgridRule = "faults:\n  trouble: {call: sendgrid POST /v3/mail/send, inject: %s, because: a test}\n"

// The SDKs send once, whatever happens. A mail whose reply was lost went out:
// sent again, it goes out twice.
var sendgridTrouble = map[string]struct {
	inject, node, golang string
	sent                 int
}{
	"500":  {"error, with: {status: 500}, trigger: {max: 1}", `{"first": {"class": "ResponseError", "code": 500, "message": "Internal Server Error", "errors": [{"field": null, "help": null, "message": "internal server error"}]}, "again": "none"}`, `500, "again": 202`, 1},
	"429":  {"rate-limit, trigger: {max: 1}", `{"first": {"class": "ResponseError", "code": 429, "message": "Too Many Requests", "errors": [{"field": null, "help": null, "message": "too many requests"}]}, "again": "ResponseError"}`, `429, "again": 429`, 0}, // sent again at once,
	"409":  {"error, with: {status: 409}, trigger: {max: 1}", `{"first": {"class": "ResponseError", "code": 409, "message": "Conflict", "errors": [{"field": null, "help": null, "message": "conflict"}]}, "again": "none"}`, `409, "again": 202`, 1},
	"lost": {"ambiguous-success, with: {reply: reset}, trigger: {max: 1}", `{"first": {"class": "AxiosError", "code": "ECONNRESET", "message": "MESSAGE"}, "again": "none"}`, `"none", "again": 202`, 2},
}

func TestSendgridTrouble(t *testing.T) {
	t.Parallel()
	for name, test := range sendgridTrouble {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachSendgrid(t, sendgridNodeWays, "trouble", fmt.Sprintf(sendgridRule, test.inject), func(t *testing.T, found map[string]any, r told) {
				if first, ok := found["first"].(map[string]any); ok && name == "lost" {
					first["message"] = "MESSAGE" // of the socket
				}
				same(t, found, test.node)
				if _, committed := r.exchanges("sendgrid POST /v3/mail/send"); committed != test.sent {
					t.Errorf("%d mails went out, want %d", committed, test.sent)
				}
			})
		})
	}
}

func TestSendgridGo(t *testing.T) {
	t.Parallel()
	eachSendgrid(t, sendgridGoWays, "all", "", func(t *testing.T, found map[string]any, _ told) {
		same(t, found, `{"send": [202, "", 22], "batch": 201, "bounces": 200, "group": 201, "template": 201, "upsert": 202, "scopes": 200, "forget": 204,
			"no_path": 404, "bad_mail": 400, "templates": 200}`)
	})
}

func TestSendgridGoTrouble(t *testing.T) {
	t.Parallel()
	for name, test := range sendgridTrouble {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachSendgrid(t, sendgridGoWays, "trouble", fmt.Sprintf(sendgridRule, test.inject), func(t *testing.T, found map[string]any, r told) {
				same(t, found, `{"first": `+test.golang+`, "retried": 200, "quick": true}`)
				if _, committed := r.exchanges("sendgrid POST /v3/mail/send"); committed != test.sent {
					t.Errorf("%d mails went out, want %d", committed, test.sent)
				}
			})
		})
	}
}
