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

// What each client has to find, in the words of @googleapis/calendar.
const (
	calendarLife = `{
		"calendar": ["calendar#calendar", "The team", "Europe/Vienna", 204], "entry": ["owner", "#ff7537", 2],
		"made": ["calendar#event", "confirmed", "2026-03-23T09:00:00+01:00", "needsAction", "Google Meet"],
		"patched": ["Graz", 0], "updated": "Weekly sync", "read": true,
		"instances": ["2026-03-23T09:00:00+01:00", "2026-03-30T09:00:00+02:00", "2026-04-06T09:00:00+02:00"],
		"listed": ["2026-03-30T07:00:00Z", "2026-04-06T07:00:00Z"], "zone": "UTC", "imported": "x@example.org", "quick": "Lunch", "moved": ["cancelled", "The team"],
		"busy": [1, "notFound"], "stopped": 204, "rule": ["user:ada@example.org", 2], "settings": true, "colors": 11, "deleted": 204
	}`
	calendarPages = `{"seen": 21, "pages": 3, "changed": ["cancelled"], "same": true}`
)

func calendarProgram(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/@googleapis/calendar"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/googlecalendar.mjs"}, work...), nil
}

func calendarGo(_ *testing.T, work []string) (args, env []string) {
	return []string{os.Args[0]}, []string{"SDKTEST_WORK=googlecalendar " + work[0]}
}

// calendarWays are the ways in of both clients.
func calendarWays() []way {
	var all []way
	for sdk, p := range map[string]program{"node": calendarProgram, "go": calendarGo} {
		at := "base"
		if sdk == "node" {
			at = "host" // of a rootUrl it takes the host and drops the path
		}
		all = append(all, way{sdk: sdk, name: "run", through: "connect", begin: underRun(p)},
			way{sdk: sdk, name: "base", through: at, begin: func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
				g := serve(t, flags...)
				args, env := p(t, work)
				return start(t, append(env, "GOOGLECALENDAR_BASE="+g.base+"/googlecalendar"), args...), g
			}})
	}
	return all
}

func eachCalendar(t *testing.T, work, faults string, judge func(t *testing.T, w way, found map[string]any, r told)) {
	t.Helper()
	for _, w := range calendarWays() {
		t.Run(w.sdk+"/"+w.name, func(t *testing.T) {
			t.Parallel()
			if work == "sign" && w.name == "base" {
				return // the clients ask the one host for tokens, whatever their root is
			}
			profile := filepath.Join(t.TempDir(), "googlecalendar.yaml")
			if err := os.WriteFile(profile, []byte("profile: googlecalendar-sdk\nworld: empty\nservices: {googlecalendar: {}}\n"+faults), 0o600); err != nil {
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

func TestGooglecalendarLife(t *testing.T) {
	t.Parallel()
	eachCalendar(t, "life", "", func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, calendarLife)
		if !r.Valid {
			t.Errorf("the run is not valid: %+v", r)
		}
	})
}

func TestGooglecalendarPages(t *testing.T) {
	t.Parallel()
	eachCalendar(t, "page", "", func(t *testing.T, _ way, found map[string]any, _ told) { same(t, found, calendarPages) })
}

func TestGooglecalendarErrors(t *testing.T) {
	t.Parallel()
	want := map[string][]any{ // status, reason, message
		"absent": {404.0, "notFound", "Not Found"}, "taken": {409.0, "duplicate", "The requested identifier already exists."},
		"gone": {410.0, "deleted", "Resource has been deleted"}, "stale": {412.0, "conditionNotMet", "Precondition Failed"},
		"empty": {400.0, "required", "Missing end time."}, "order": {400.0, "badRequest", "The requested ordering is not available for the particular query."},
		"token":      {400.0, "invalid", "Invalid sync token value."},
		"credential": {401.0, "authError", "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."},
	}
	eachCalendar(t, "fail", "", func(t *testing.T, w way, found map[string]any, _ told) {
		class := map[string]string{"node": "GaxiosError", "go": "googleapi.Error"}[w.sdk]
		for name, say := range want {
			told, _ := found[name].(map[string]any)
			if told["class"] != class || told["status"] != say[0] || told["reason"] != say[1] || told["message"] != say[2] {
				t.Errorf("%s: %s, want %s %v", name, text(told), class, say)
			}
		}
	})
}

func TestGooglecalendarSignsIn(t *testing.T) {
	t.Parallel()
	eachCalendar(t, "sign", "", func(t *testing.T, _ way, found map[string]any, r told) {
		if malformed, _ := found["malformed"].(map[string]any); found["robot"] != "calendar#events" || found["refreshed"] != "calendar#events" || malformed["reason"] != "invalid_grant" {
			t.Errorf("signed in as %s", text(found))
		}
		if called, _ := r.exchanges("googlecalendar POST /token"); called != 3 {
			t.Errorf("%d calls for tokens, want 3", called)
		}
	})
}

// Node's client makes four attempts at what only reads, Go's one; neither
// repeats a POST.
func TestGooglecalendarTrouble(t *testing.T) {
	t.Parallel()
	const faults = `faults:
  full: {call: "googlecalendar GET /calendar/v3/calendars/{calendarId}/events", inject: error, with: {status: 429}}
  down: {call: googlecalendar GET /calendar/v3/users/me/calendarList, inject: error, with: {status: 500}}
  clash: {call: googlecalendar POST /calendar/v3/calendars, inject: error, with: {status: 409}}
`
	tries := map[string][3]int{"node": {4, 4, 1}, "go": {1, 1, 1}}
	eachCalendar(t, "trouble", faults, func(t *testing.T, w way, found map[string]any, r told) {
		for i, say := range []struct {
			name, operation, reason string
			status                  float64
		}{
			{"limited", "googlecalendar GET /calendar/v3/calendars/{calendarId}/events", "rateLimitExceeded", 429},
			{"broken", "googlecalendar GET /calendar/v3/users/me/calendarList", "backendError", 500},
			{"conflict", "googlecalendar POST /calendar/v3/calendars", "duplicate", 409},
		} {
			told, _ := found[say.name].(map[string]any)
			if told["status"] != say.status || told["reason"] != say.reason {
				t.Errorf("%s: %s", say.name, text(told))
			}
			if called, _ := r.exchanges(say.operation); called != tries[w.sdk][i] {
				t.Errorf("%s: %d attempts, want %d", say.name, called, tries[w.sdk][i])
			}
		}
	})
}

// Neither client repeats a POST; with an id of one's own, doing so is safe.
func TestGooglecalendarLosesAReply(t *testing.T) {
	t.Parallel()
	const faults = `faults:
  lose: {call: "googlecalendar POST /calendar/v3/calendars/{calendarId}/events", inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1, tries: 1}}
`
	eachCalendar(t, "lose", faults, func(t *testing.T, w way, found map[string]any, r told) {
		if found["lost"] == "none" || found["status"] != 409.0 || found["reason"] != "duplicate" || found["events"] != 1.0 {
			t.Errorf("%s", text(found))
		}
		if called, committed := r.exchanges("googlecalendar POST /calendar/v3/calendars/{calendarId}/events"); called != 2 || committed != 1 {
			t.Errorf("%d calls made %d events", called, committed)
		}
	})
}
