package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parity/faults/trail"
	"parity/gateway/client"
)

const calendarProfile = `
profile: meetings
seed: 7
services: {googlecalendar: {}}
clock: {mode: stepped, start: 2026-03-02T09:00:00Z, step: 1s}
`

// endpoint is an agent's own, which answers as it is told.
type endpoint struct {
	*httptest.Server
	mu    sync.Mutex
	got   []string
	runs  map[string]bool
	says  []int // statuses, in order; then 200
	saw   func(r *http.Request, body []byte)
	shown func(r *http.Request) string
}

func newEndpoint(t *testing.T, says ...int) *endpoint {
	t.Helper()
	e := &endpoint{says: says, runs: map[string]bool{}, shown: func(r *http.Request) string {
		return r.Header.Get("X-Goog-Resource-State") + " " + r.Header.Get("X-Goog-Message-Number")
	}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.saw != nil {
			e.saw(r, body)
		}
		e.got = append(e.got, e.shown(r))
		e.runs[r.Header.Get("Parity-Run")] = true
		if len(e.says) > 0 {
			w.WriteHeader(e.says[0])
			e.says = e.says[1:]
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) seen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.got, ", ")
}

// meet makes a meeting, and watch has an endpoint told of those.
func meet(t *testing.T, c *http.Client, at string) {
	t.Helper()
	must(t, c, "POST", at+"/calendar/v3/calendars/primary/events",
		`{"summary": "Standup", "start": {"dateTime": "2026-03-03T10:00:00Z"}, "end": {"dateTime": "2026-03-03T10:30:00Z"}}`, "Content-Type", "application/json", "Authorization", "Bearer ya29.tester")
}

func watch(t *testing.T, c *http.Client, at, address string) {
	t.Helper()
	must(t, c, "POST", at+"/calendar/v3/calendars/primary/events/watch",
		fmt.Sprintf(`{"id": "channel", "type": "web_hook", "address": %q}`, address), "Content-Type", "application/json", "Authorization", "Bearer ya29.tester")
}

func (h *harness) advance(run, by string) {
	h.t.Helper()
	if _, err := h.control().MoveClock(h.t.Context(), run, client.Move{Advance: by}); err != nil {
		h.t.Fatal(err)
	}
}

// Each attempt is an event of its own, made when it is due on the run's clock:
// a clock that was moved comes back when they were made. The record replays.
func TestWebhooksAreDeliveredOnTheRunsClock(t *testing.T) {
	t.Parallel()
	h := open(t, calendarProfile, shared)
	e := newEndpoint(t, 200, 503, 503)
	run := h.make(client.NewRun{Names: []string{"hooked"}})[0]
	at, c := run.URLs.Base+"/googlecalendar", h.single()
	watch(t, c, at, e.URL)
	h.advance("hooked", "2s")
	if got, want := e.seen(), "sync 1"; got != want {
		t.Errorf("first: %s, want %s", got, want)
	}
	meet(t, c, at)
	h.advance("hooked", "2s")
	if got, want := e.seen(), "sync 1, exists 2"; got != want {
		t.Errorf("after a change: %s, want %s", got, want)
	}
	h.advance("hooked", "1h")
	if got, want := e.seen(), "sync 1, exists 2, exists 2"; got != want {
		t.Errorf("a retry, which failed too: %s, want %s", got, want)
	}
	h.advance("hooked", "1h")
	if got, want := e.seen(), "sync 1, exists 2, exists 2, exists 2"; got != want {
		t.Errorf("the last retry: %s, want %s", got, want)
	}
	h.advance("hooked", "24h")
	if len(e.runs) != 1 || !e.runs["hooked"] {
		t.Errorf("the requests name the runs %v", e.runs)
	}
	var attempts []string
	for _, event := range h.eventsOf("hooked") {
		if d := event.Delivery; d != nil {
			attempts = append(attempts, fmt.Sprintf("%s %d: %d", d.ID, d.Attempt, d.Status))
		}
	}
	want := "channel/1 1: 200, channel/2 1: 503, channel/2 2: 503, channel/2 3: 200"
	if got := strings.Join(attempts, ", "); got != want {
		t.Errorf("recorded: %s\nwant      %s", got, want)
	}
	h.close()
	var out strings.Builder
	if code, err := replayRun(t.Context(), &out, h.root, "hooked", ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v\n%s", code, err, out.String())
	}
}

// What may not be reached is not, and the record says what would allow it.
func TestWebhooksDoNotLeaveUnlessTheyMay(t *testing.T) {
	t.Parallel()
	h := open(t, calendarProfile, shared)
	for name, c := range map[string]struct{ address, want string }{
		"abroad": {"https://hooks.example.com/a", "--allow hooks.example.com"},
		"itself": {"http://" + h.Addr() + "/googlecalendar/x", "this gateway itself"},
		"absent": {"http://127.0.0.1:1/", "refused"},
	} {
		run := h.make(client.NewRun{Names: []string{name}})[0]
		watch(t, h.single(), run.URLs.Base+"/googlecalendar", c.address)
		h.advance(name, "2s")
		said := ""
		for _, event := range h.eventsOf(name) {
			if event.Kind == trail.Delivered {
				said += event.Delivery.Error
			}
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q in it", name, said, c.want)
		}
	}
}

// A run that is set back forgets what it was to deliver.
func TestWebhooksOfARunThatIsSetBackAreForgotten(t *testing.T) {
	t.Parallel()
	h := open(t, calendarProfile, shared)
	e := newEndpoint(t, 503)
	run := h.make(client.NewRun{Names: []string{"back"}})[0]
	watch(t, h.single(), run.URLs.Base+"/googlecalendar", e.URL)
	h.advance("back", "2s")
	if _, err := h.control().Reset(t.Context(), "back"); err != nil {
		t.Fatal(err)
	}
	h.advance("back", "24h")
	if got := e.seen(); got != "sync 1" {
		t.Errorf("the endpoint was told %s", got)
	}
}

// On a live clock nobody has to move it.
func TestWebhooksComeByThemselvesOnALiveClock(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(calendarProfile, "{mode: stepped, start: 2026-03-02T09:00:00Z, step: 1s}", "{speed: 60}", 1), shared)
	e := newEndpoint(t, 503)
	run := h.make(client.NewRun{Names: []string{"live"}})[0]
	watch(t, h.single(), run.URLs.Base+"/googlecalendar", e.URL)
	waitFor(t, "a retry", func() bool { return e.seen() == "sync 1, sync 1" })
}

// Nor does anybody have to call again for a service to do later what it tells
// of then: a mail arrives, and its events are gathered, by themselves.
func TestServicesThatSendWebhooksActOnALiveClock(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: mails\nseed: 7\nservices: {sendgrid: {fixtures: [sendgrid-messy]}}\nclock: {speed: 60}\n", shared)
	e := newEndpoint(t)
	e.shown = func(*http.Request) string { return "events" }
	e.saw = func(_ *http.Request, body []byte) {
		if !strings.Contains(string(body), `"event":"delivered"`) {
			t.Errorf("told %s", body)
		}
	}
	run := h.make(client.NewRun{Names: []string{"mails"}})[0]
	at, c := run.URLs.Base+"/sendgrid", h.single()
	header := []string{"Content-Type", "application/json", "Authorization", "Bearer SG.a.b"}
	must(t, c, "PATCH", at+"/v3/user/webhooks/event/settings", fmt.Sprintf(`{"enabled": true, "delivered": true, "url": %q}`, e.URL), header...)
	mail := `{"personalizations": [{"to": [{"email": "ada@example.net"}]}], "from": {"email": "noreply@example.com"}, "subject": "s", "content": [{"type": "text/plain", "value": "x"}]}`
	request, err := http.NewRequest("POST", at+"/v3/mail/send", strings.NewReader(mail))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	reply, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Body.Close(); reply.StatusCode != http.StatusAccepted {
		t.Fatal(reply.Status)
	}
	waitFor(t, "the events", func() bool { return e.seen() == "events" })
	h.close()
	var out strings.Builder
	if code, err := replayRun(t.Context(), &out, h.root, "mails", ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v\n%s", code, err, out.String())
	}
}

// What waited when the gateway ended goes out when the run goes on.
func TestWebhooksOutliveTheGateway(t *testing.T) {
	t.Parallel()
	h := open(t, calendarProfile, shared)
	e := newEndpoint(t, 503)
	run := h.make(client.NewRun{Names: []string{"kept"}})[0]
	watch(t, h.single(), run.URLs.Base+"/googlecalendar", e.URL)
	h.advance("kept", "2s")
	h.close()
	again := h.reopen()
	again.advance("kept", "1h")
	if got := e.seen(); got != "sync 1, sync 1" {
		t.Errorf("the endpoint was told %s", got)
	}
}
