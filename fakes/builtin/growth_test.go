package builtin_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/faketest"
)

// A write is a call that is made again and again.
type write struct {
	service, header string
	setup           []string // calls; the id of the last is %[1]s below
	id              string   // where that is in its reply
	write           string   // %[2]d is which write it is
}

func writes() []write {
	return []write{
		{"stripe", "Bearer sk_test_1", []string{"POST /v1/customers email=a@b.example"}, "id", "POST /v1/customers/%[1]s description=%06[2]d"},
		{"stripe", "Bearer sk_test_1", nil, "", "POST /v1/customers email=a%06[2]d@b.example"},
		{"stripe", "Bearer sk_test_1", nil, "", "POST /v1/payment_intents amount=1000&currency=eur&payment_method=pm_card_visa&confirm=true&return_url=https%%3A%%2F%%2Fa.example"},
		{"hubspot", "Bearer pat-na1-1", []string{`POST /crm/v3/objects/contacts {"properties": {"email": "a@b.example"}}`}, "id", `PATCH /crm/v3/objects/contacts/%[1]s {"properties": {"firstname": "%06[2]d"}}`},
		{"hubspot", "Bearer pat-na1-1", nil, "", `POST /crm/v3/objects/contacts {"properties": {"email": "a%06[2]d@b.example"}}`},
		{"zendesk", "Basic b3duZXJAZXhhbXBsZS5jb20vdG9rZW46YWJjMTIz", []string{`POST /api/v2/tickets {"ticket": {"subject": "a", "comment": {"body": "a"}}}`}, "ticket.id", `PUT /api/v2/tickets/%[1]s {"ticket": {"subject": "%06[2]d"}}`},
		{"zendesk", "Basic b3duZXJAZXhhbXBsZS5jb20vdG9rZW46YWJjMTIz", []string{`POST /api/v2/tickets {"ticket": {"subject": "a", "comment": {"body": "a"}}}`}, "ticket.id", `PUT /api/v2/tickets/%[1]s {"ticket": {"comment": {"body": "%06[2]d"}}}`},
		{"zendesk", "Basic b3duZXJAZXhhbXBsZS5jb20vdG9rZW46YWJjMTIz", nil, "", `POST /api/v2/tickets {"ticket": {"subject": "%06[2]d", "comment": {"body": "a"}}}`},
		{"github", "token ghp_1", []string{`POST /user/repos {"name": "web"}`, `POST /repos/octocat/web/issues {"title": "a"}`}, "number", `PATCH /repos/octocat/web/issues/%[1]s {"title": "%06[2]d"}`},
		{"github", "token ghp_1", []string{`POST /user/repos {"name": "web"}`, `POST /repos/octocat/web/issues {"title": "a"}`}, "number", `POST /repos/octocat/web/issues/%[1]s/comments {"body": "%06[2]d"}`},
		{"github", "token ghp_1", []string{`POST /user/repos {"name": "web"}`}, "", `POST /repos/octocat/web/issues {"title": "%06[2]d"}`},
		{"notion", "Bearer secret_1", []string{`POST /v1/pages {"parent": {"page_id": "2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73"}, "properties": {"title": [{"text": {"content": "a"}}]}}`}, "id", `PATCH /v1/pages/%[1]s {"properties": {"title": [{"text": {"content": "%06[2]d"}}]}}`},
		{"notion", "Bearer secret_1", nil, "", `PATCH /v1/blocks/2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73/children {"children": [{"type": "paragraph", "paragraph": {"rich_text": [{"type": "text", "text": {"content": "%06[2]d"}}]}}]}`},
		{"slack", "Bearer xoxb-1", []string{"POST /api/chat.postMessage channel=C0GENERAL01&text=a"}, "ts", "POST /api/chat.update channel=C0GENERAL01&ts=%[1]s&text=%06[2]d"},
		{"slack", "Bearer xoxb-1", nil, "", "POST /api/chat.postMessage channel=C0GENERAL01&text=%06[2]d"},
		{"slack", "Bearer xoxb-1", []string{"POST /api/chat.postMessage channel=C0GENERAL01&text=a"}, "ts", "POST /api/chat.postMessage channel=C0GENERAL01&thread_ts=%[1]s&text=%06[2]d"},
		{"sendgrid", "Bearer SG.1.1", nil, "", `PUT /v3/marketing/contacts {"contacts": [{"email": "a@b.example", "first_name": "%06[2]d"}]}`},
		{"sendgrid", "Bearer SG.1.1", []string{`POST /v3/whitelabel/domains {"domain": "example.com"}`, "POST /v3/whitelabel/domains/%[1]s/validate"}, "id", `POST /v3/mail/send {"personalizations": [{"to": [{"email": "a@b.example"}]}], "from": {"email": "no@example.com"}, "subject": "%06[2]d", "content": [{"type": "text/plain", "value": "a"}]}`},
		{"googlecalendar", "Bearer ya29.1", []string{`POST /calendar/v3/calendars/primary/events {"start": {"dateTime": "2026-03-02T12:00:00Z"}, "end": {"dateTime": "2026-03-02T13:00:00Z"}}`}, "id", `PATCH /calendar/v3/calendars/primary/events/%[1]s {"summary": "%06[2]d"}`},
		{"googlecalendar", "Bearer ya29.1", nil, "", `POST /calendar/v3/calendars/primary/events {"summary": "%06[2]d", "start": {"dateTime": "2026-03-02T12:00:00Z"}, "end": {"dateTime": "2026-03-02T13:00:00Z"}}`},
	}
}

// A write costs what it changes, not what was written before it: one record that
// was updated in a loop had all its past written again with each update, where
// a service's search lags behind.
func TestTheLastOfManyWritesWritesWhatTheFirstDid(t *testing.T) {
	t.Parallel()
	for _, one := range writes() {
		t.Run(one.service+" "+one.write, func(t *testing.T) {
			t.Parallel()
			size := one.begin(t, time.Millisecond)
			const early, late = 22, 45 // what has a bound of its own, such as a history of 20, is full by then; and no limit is met yet
			var first, last int
			for n := range late {
				if last = size(n); n == early {
					first = last
				}
			}
			if last > first+first/4 {
				t.Errorf("write %d wrote %d bytes, write %d %d", early, first, late, last)
			}
		})
	}
}

// Each commit of a file looked through all commits before it: the thousandth took
// ten times as long as the hundredth. It runs by itself, since it counts what is
// allocated.
func TestTheLastOfManyWritesTakesWhatTheFirstDid(t *testing.T) {
	file := write{
		"github", "token ghp_1",
		[]string{`POST /user/repos {"name": "web", "auto_init": true}`, `PUT /repos/octocat/web/contents/a.txt {"message": "a", "content": "YQ=="}`},
		"content.sha", `PUT /repos/octocat/web/contents/a.txt {"message": "%06[2]d", "content": "YQ==", "sha": "%[1]s"}`,
	}
	for _, one := range append(writes(), file) {
		t.Run(one.service+" "+one.write, func(t *testing.T) {
			put := one.begin(t, 20*time.Second) // no limit is met
			const early, late, part = 40, 400, 20
			took := func(from int) uint64 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for n := range part {
					put(from + n)
				}
				runtime.ReadMemStats(&after)
				return after.Mallocs - before.Mallocs
			}
			n := 0
			for ; n < early; n++ {
				put(n)
			}
			first := took(n)
			for n += part; n < late; n++ {
				put(n)
			}
			if last := took(n); last > first+first/4 {
				t.Errorf("writes %d on took %d allocations, writes %d on %d", early, first, late, last)
			}
		})
	}
}

// begin makes what comes before, and gives what makes a write, some time after
// the one before, and tells how many bytes it wrote.
func (one write) begin(t *testing.T, after time.Duration) func(n int) int {
	t.Helper()
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	service, _ := all.Service(one.service)
	r := faketest.New(t, service)
	r.Header.Set("Authorization", one.header)
	r.Header.Set("User-Agent", "rehearsal")
	r.Header.Set("Notion-Version", "2025-09-03")
	id := ""
	for _, call := range one.setup {
		reply, _ := sent(t, r, strings.ReplaceAll(call, "%[1]s", id))
		id = textAt(reply, one.id)
	}
	return func(n int) int {
		r.Wait(after)
		_, bytes := sent(t, r, fmt.Sprintf(one.write+"%[3]s", id, n, ""))
		return bytes
	}
}

// sent makes a call, METHOD TARGET BODY, and gives its reply and how many bytes
// it wrote.
func sent(t *testing.T, r *faketest.Rig, line string) (reply any, written int) {
	t.Helper()
	method, rest, _ := strings.Cut(line, " ")
	target, body, _ := strings.Cut(rest, " ")
	kind := "application/x-www-form-urlencoded"
	if strings.HasPrefix(body, "{") {
		kind = "application/json"
	}
	call, trouble := r.Call(method, target, body, r.Headers([]string{"Content-Type", kind}))
	if trouble != nil {
		t.Fatalf("%s: %+v", line, *trouble)
	}
	answer := r.Service.Fake.Answer(call)
	if answer.Status >= 300 || strings.Contains(string(answer.Body), `"ok":false`) {
		t.Fatalf("%s: %d %s", line, answer.Status, answer.Body)
	}
	for _, change := range call.Tx.Changes() {
		written += len(change.Before) + len(change.After)
	}
	r.World = call.Tx.Commit()
	if err := json.Unmarshal(answer.Body, &reply); err != nil && len(answer.Body) > 0 {
		t.Fatal(err)
	}
	return reply, written
}

func textAt(reply any, path string) string {
	for part := range strings.SplitSeq(path, ".") {
		m, _ := reply.(map[string]any)
		reply = m[part]
	}
	if n, ok := reply.(float64); ok {
		return fmt.Sprintf("%.0f", n)
	}
	s, _ := reply.(string)
	return s
}
