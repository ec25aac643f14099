package sdktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func hubspotProgram(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/@hubspot/api-client"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/hubspot.mjs"}, work...), nil
}

// hubspotWays are the ways in of HubSpot's SDK.
func hubspotWays() []way {
	return []way{
		{sdk: "hubspot", name: "run", through: "sni", begin: underRun(hubspotProgram)},
		{sdk: "hubspot", name: "base", through: "base", begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
			g := serve(t, flags...)
			args, env := hubspotProgram(t, work)
			return start(t, append(env, "HUBSPOT_BASE="+g.base+"/hubspot"), args...), g
		}},
	}
}

func eachHubspot(t *testing.T, work, faults string, judge func(t *testing.T, found map[string]any, r told)) {
	t.Helper()
	for _, w := range hubspotWays() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			profile := filepath.Join(t.TempDir(), "hubspot.yaml")
			text := "profile: hubspot-sdk\nworld: empty\nservices: {hubspot: {}}\n" + faults
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

// printedAnyway runs a program and gives the JSON that it printed. Under
// `parity run` a verdict that failed is exit status 1: what the SDK does about
// trouble is not always what an agent should.
func printedAnyway(t *testing.T, c *exec.Cmd) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := c.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v: %v\n%s%s", c.Args, err, out.String(), errs.String())
	}
	var found map[string]any
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatalf("%v in %q\n%s", err, out.String(), errs.String())
	}
	return found
}

func TestHubspotRecords(t *testing.T) {
	t.Parallel()
	eachHubspot(t, "records", "", func(t *testing.T, found map[string]any, _ told) {
		var want []string
		for _, kind := range []string{"contacts", "companies", "deals", "tickets", "notes", "tasks"} {
			want = append(want, fmt.Sprintf(`%q: {"made": true, "read": true, "changed": true, "page": true, "batch": "COMPLETE",
				"missing": [1, "OBJECT_NOT_FOUND", 1], "altered": true, "upserted": false, "gone": 404, "searched": 0, "archived": true}`, kind))
		}
		same(t, found, "{"+strings.Join(want, ",")+"}")
	})
}

func TestHubspotAssociations(t *testing.T) {
	t.Parallel()
	eachHubspot(t, "graph", "", func(t *testing.T, found map[string]any, _ told) {
		same(t, found, `{"both": [279, 280], "set": ["Pays"], "listed": [null, "Primary", "Pays"], "made": "COMPLETE", "read": 2,
			"old": ["deal_to_contact", "deal_to_contact"], "shown": 3, "merged": ["A", "B"], "purged": 404}`)
	})
}

func TestHubspotAround(t *testing.T) {
	t.Parallel()
	eachHubspot(t, "around", "", func(t *testing.T, found map[string]any, _ told) {
		same(t, found, `{"properties": true, "made": false, "read": "Tier", "stages": 7, "owners": 0, "token": ["bearer", 1800], "renewed": "none", "usage": true}`)
	})
}

func TestHubspotPages(t *testing.T) {
	t.Parallel()
	eachHubspot(t, "page", "", func(t *testing.T, found map[string]any, r told) {
		same(t, found, `{"seen": 21, "all": true}`)
		if pages, _ := r.exchanges("hubspot GET /crm/v3/objects/{objectType}"); pages != 3 {
			t.Errorf("21 companies came in %d pages; want 3 of 10", pages)
		}
	})
}

func TestHubspotErrors(t *testing.T) {
	t.Parallel()
	eachHubspot(t, "fail", "", func(t *testing.T, found map[string]any, _ told) {
		same(t, found, `{
			"taken": {"class": "ApiException", "code": 409, "category": "CONFLICT", "message": "Contact already exists. Existing ID: N"},
			"invalid": {"class": "ApiException", "code": 400, "category": "VALIDATION_ERROR", "message": "Property values were not valid: [{\"isValid"},
			"absent": {"class": "ApiException", "code": 404, "message": "resource not found"},
			"type": {"class": "ApiException", "code": 400, "message": "Unable to infer object type from: widgets"},
			"bad_token": {"class": "ApiException", "code": 401, "category": "INVALID_AUTHENTICATION",
				"message": "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview"}
		}`)
	})
}

// The SDK retries nothing unless it is told to; then a 500, and a 429 by its
// policy. A reply that was lost is never sent for again, and what it was about
// is there: sent again by hand, it is there twice.
func TestHubspotTrouble(t *testing.T) {
	t.Parallel()
	const rule = "faults:\n  trouble: {call: 'hubspot POST /crm/v3/objects/{objectType}', inject: %s, because: a test}\n"
	for name, test := range map[string]struct{ inject, want string }{
		"500":  {"error, with: {status: 500}, trigger: {max: 1, tries: 2}", `{"first": {"class": "ApiException", "code": 500}, "again": "none", "there": 1}`},
		"429":  {"rate-limit, trigger: {max: 1}", `{"first": {"class": "ApiException", "code": 429, "policy": "TEN_SECONDLY_ROLLING"}, "again": "none", "there": 1}`},
		"409":  {"error, with: {status: 409}, trigger: {max: 1, tries: 2}", `{"first": {"class": "ApiException", "code": 409}, "again": "ApiException", "there": 0}`},
		"lost": {"ambiguous-success, with: {reply: reset}, trigger: {max: 1}", `{"first": {"class": "FetchError", "code": "ECONNRESET"}, "again": "none", "there": 2}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachHubspot(t, "trouble", fmt.Sprintf(rule, test.inject), func(t *testing.T, found map[string]any, _ told) {
				same(t, found, test.want)
			})
		})
	}
}
