package overlay_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"parity/fakes/builtin"
)

// A row is one service: what the real one has, and what an agent does.
type row struct {
	service string
	header  []string
	seed    []string // calls of the real service, "METHOD /path body"; @N is the id that the N-th of them gave
	id      string   // where a reply has the id of what was made, with slashes
	list    string
	items   string // where a list has its items, with slashes
	change  string // of @0, after
	remove  string // of @1
	create  string
	more    []string // lists and searches after these
}

const root = "2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73"

func rows() []row {
	cal := "/calendar/v3/calendars/primary/events"
	meeting := func(name string, hour int) string {
		return fmt.Sprintf(`{"summary":%q,"start":{"dateTime":"2026-03-02T%02d:00:00Z"},"end":{"dateTime":"2026-03-02T%02d:30:00Z"}}`, name, hour, hour)
	}
	hub := func(name string) string {
		return `{"properties":{"firstname":"` + name + `","email":"` + name + `@x.example"}}`
	}
	return []row{
		{
			service: "stripe", header: []string{"Authorization", "Bearer sk_test_1234"}, id: "id", items: "data",
			seed: []string{"POST /v1/customers name=a", "POST /v1/customers name=b", "POST /v1/customers name=c", "POST /v1/customers name=d"},
			list: "GET /v1/customers?limit=10", change: "POST /v1/customers/@0 description=x", remove: "DELETE /v1/customers/@1", create: "POST /v1/customers name=e",
			more: []string{"GET /v1/customers/@0", "GET /v1/customers/@1"},
		},
		{
			service: "github", header: []string{"Authorization", "token ghp_rehearsal", "User-Agent", "rehearsal"}, id: "number", items: "",
			seed: []string{
				`POST /repos/octocat/hello-world/labels {"name":"a"}`, `POST /repos/octocat/hello-world/labels {"name":"b"}`,
				`POST /repos/octocat/hello-world/issues {"title":"One"}`, `POST /repos/octocat/hello-world/issues {"title":"Two"}`, `POST /repos/octocat/hello-world/issues {"title":"Three"}`,
			},
			list: "GET /repos/octocat/hello-world/issues", change: `PATCH /repos/octocat/hello-world/issues/@2 {"title":"Changed","labels":["a"]}`,
			remove: `PATCH /repos/octocat/hello-world/issues/@3 {"state":"closed"}`, create: `POST /repos/octocat/hello-world/issues {"title":"New"}`,
			more: []string{"GET /repos/octocat/hello-world/issues/@2", "GET /repos/octocat/hello-world/issues?state=all", "GET /repos/octocat/hello-world/issues?labels=a", "GET /repos/octocat/hello-world"},
		},
		{
			service: "slack", header: []string{"Authorization", "Bearer xoxb-1-rehearsal"}, id: "ts", items: "messages",
			seed: []string{"POST /api/conversations.join channel=C0GENERAL01", "POST /api/chat.postMessage channel=C0GENERAL01&text=a", "POST /api/chat.postMessage channel=C0GENERAL01&text=b", "POST /api/chat.postMessage channel=C0GENERAL01&text=c"},
			list: "GET /api/conversations.history?channel=C0GENERAL01", change: "POST /api/chat.update channel=C0GENERAL01&ts=@1&text=changed",
			remove: "POST /api/chat.delete channel=C0GENERAL01&ts=@2", create: "POST /api/chat.postMessage channel=C0GENERAL01&text=e",
		},
		{
			service: "sendgrid", header: []string{"Authorization", "Bearer SG.key.secret"}, id: "id", items: "result",
			seed: []string{`POST /v3/marketing/lists {"name":"a"}`, `POST /v3/marketing/lists {"name":"b"}`, `POST /v3/marketing/lists {"name":"c"}`},
			list: "GET /v3/marketing/lists?page_size=100", change: `PATCH /v3/marketing/lists/@0 {"name":"changed"}`, remove: "DELETE /v3/marketing/lists/@1", create: `POST /v3/marketing/lists {"name":"e"}`,
			more: []string{"GET /v3/marketing/lists/@0", "GET /v3/marketing/lists/@1"},
		},
		{
			service: "googlecalendar", header: []string{"Authorization", "Bearer ya29.rehearsal"}, id: "id", items: "items",
			seed: []string{"POST " + cal + " " + meeting("a", 8), "POST " + cal + " " + meeting("b", 9), "POST " + cal + " " + meeting("c", 10)},
			list: "GET " + cal, change: "PATCH " + cal + `/@0 {"summary":"changed"}`, remove: "DELETE " + cal + "/@1", create: "POST " + cal + " " + meeting("e", 11),
			more: []string{"GET " + cal + "/@0", "GET " + cal + "?q=changed", "GET " + cal + "?timeMin=2026-03-02T10:45:00Z"},
		},
		{
			service: "hubspot", header: []string{"Authorization", "Bearer pat-na1-00000000-0000-4000-8000-000000000001"}, id: "id", items: "results",
			seed: []string{"POST /crm/v3/objects/contacts " + hub("a"), "POST /crm/v3/objects/contacts " + hub("b"), "POST /crm/v3/objects/contacts " + hub("c")},
			list: "GET /crm/v3/objects/contacts", change: `PATCH /crm/v3/objects/contacts/@0 {"properties":{"firstname":"changed"}}`,
			remove: "DELETE /crm/v3/objects/contacts/@1", create: "POST /crm/v3/objects/contacts " + hub("e"),
			more: []string{"GET /crm/v3/objects/contacts/@0", "GET /crm/v3/objects/contacts/@1"},
		},
		{
			service: "zendesk", header: []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("owner@example.com/token:abc123"))}, id: "ticket/id", items: "tickets",
			seed: []string{`POST /api/v2/tickets {"ticket":{"subject":"a","comment":{"body":"a"}}}`, `POST /api/v2/tickets {"ticket":{"subject":"b","comment":{"body":"b"}}}`, `POST /api/v2/tickets {"ticket":{"subject":"c","comment":{"body":"c"}}}`},
			list: "GET /api/v2/tickets", change: `PUT /api/v2/tickets/@0 {"ticket":{"priority":"urgent"}}`, remove: "DELETE /api/v2/tickets/@1",
			create: `POST /api/v2/tickets {"ticket":{"subject":"e","comment":{"body":"e"}}}`,
			more:   []string{"GET /api/v2/tickets/@0", "GET /api/v2/tickets/@1"},
		},
		{
			service: "notion", header: []string{"Authorization", "Bearer ntn_rehearsal", "Notion-Version", "2025-09-03"}, id: "results/0/id", items: "results",
			seed: []string{
				`PATCH /v1/blocks/` + root + `/children {"children":[{"paragraph":{"rich_text":[{"text":{"content":"a"}}]}}]}`,
				`PATCH /v1/blocks/` + root + `/children {"children":[{"paragraph":{"rich_text":[{"text":{"content":"b"}}]}}]}`,
				`PATCH /v1/blocks/` + root + `/children {"children":[{"paragraph":{"rich_text":[{"text":{"content":"c"}}]}}]}`,
			},
			list: "GET /v1/blocks/" + root + "/children", change: `PATCH /v1/blocks/@0 {"paragraph":{"rich_text":[{"text":{"content":"changed"}}]}}`,
			remove: "DELETE /v1/blocks/@1", create: `PATCH /v1/blocks/` + root + `/children {"children":[{"paragraph":{"rich_text":[{"text":{"content":"e"}}]}}]}`,
			more: []string{"GET /v1/blocks/@0", "GET /v1/blocks/@1"},
		},
	}
}

// parted splits "METHOD /path body" and puts in what was made: @0, @1.
func parted(call string, made []string) (method, target, body string) {
	for i, id := range made {
		call = strings.ReplaceAll(call, fmt.Sprint("@", i), id)
	}
	method, rest, _ := strings.Cut(call, " ")
	target, body, _ = strings.Cut(rest, " ")
	return method, target, body
}

// A run reads its own writes in each service that ships.
func TestEachServiceShowsWhatTheRunHasWritten(t *testing.T) {
	t.Parallel()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows() {
		t.Run(r.service, func(t *testing.T) {
			t.Parallel()
			service, _ := catalogue.Service(r.service)
			l := newLine(t, service, "", r.header...)
			var made []string
			filled := func(call string) (method, target, body string) { return parted(call, made) }
			for _, call := range r.seed {
				l.tick()
				method, target, body := filled(call)
				g := of(l.ask(l.real, method, target, body))
				if g.Status/100 != 2 {
					t.Fatalf("%s: %d %s", call, g.Status, g.Body)
				}
				id := g.at(strings.Split(r.id, "/")...)
				if n, ok := id.(float64); ok {
					id = int64(n)
				}
				made = append(made, fmt.Sprint(id))
			}
			l.direct.World = l.real.World
			items := strings.Split(r.items, "/")
			shows := func(call string, path ...string) {
				method, target, body := filled(call)
				l.same(method, target, body, path...)
			}
			shows(r.list)
			if l.laid.Overlaid {
				t.Errorf("an untouched list is overlaid")
			}
			shows(r.change, "ok") // what a write shows besides is the fake's own
			shows(r.remove, "ok")
			shows(r.create, strings.Split(r.id, "/")...)
			shows(r.list, items...)
			if !l.laid.Overlaid {
				t.Errorf("the list is not overlaid: %s", l.laid.Reply.Body)
			}
			for _, call := range r.more {
				if strings.Contains(call, "?") {
					shows(call, items...)
				} else {
					shows(call)
				}
			}
		})
	}
}
