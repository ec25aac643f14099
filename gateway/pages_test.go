package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// notes is a service that a contract alone describes, whose list has pages.
const notes = `
openapi: 3.0.3
info: {title: Notes, version: '1'}
servers: [{url: 'https://notes.example'}]
security: [{token: []}]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - {name: limit, in: query, schema: {type: integer, default: 20, maximum: 100}}
        - {name: cursor, in: query, schema: {type: string}}
      responses:
        '200':
          description: a page
          content: {application/json: {schema: {type: object, required: [items], properties: {
            items: {type: array, items: {$ref: '#/components/schemas/Note'}}, next_cursor: {type: string, nullable: true}, total: {type: integer}}}}}
    post:
      operationId: createNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getNote
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}}
    patch:
      operationId: updateNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'200': {description: changed, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
    delete:
      operationId: deleteNote
      responses: {'204': {description: gone}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas: {Note: {type: object, properties: {id: {type: string, readOnly: true}, text: {type: string}}}}
`

// A list is one that a service has, and how its clients go through it: next
// gives the call for the page after one, or none.
type list struct {
	name, call, services string
	first                ask
	header               []string
	items                string // dotted path
	id                   string
	next                 onward
}

// onward gives the call for the page after one, or none.
type onward func(was ask, last string, reply *http.Response, body map[string]any) (ask, bool)

// byQuery goes on by a parameter of the query.
func byQuery(cursor, from, more string) onward {
	return func(was ask, last string, _ *http.Response, body map[string]any) (ask, bool) {
		value := last
		if from != "" {
			value = at(body, from)
		}
		if more != "" && at(body, more) != "true" || value == "" || value == "<nil>" {
			return ask{}, false
		}
		u, _ := url.Parse(was.target)
		q := u.Query()
		q.Set(cursor, value)
		u.RawQuery = q.Encode()
		return ask{was.method, u.String(), was.body}, true
	}
}

// byURL follows an address in the reply.
func byURL(from, more string) onward {
	return func(was ask, _ string, _ *http.Response, body map[string]any) (ask, bool) {
		next := at(body, from)
		return ask{was.method, next, ""}, strings.HasPrefix(next, "http") && (more == "" || at(body, more) == "true")
	}
}

// byBody goes on by a field of the body.
func byBody(cursor, from string) onward {
	return func(was ask, _ string, _ *http.Response, body map[string]any) (ask, bool) {
		value := at(body, from)
		var sent map[string]any
		_ = json.Unmarshal([]byte(was.body), &sent) // it is ours
		sent[cursor] = value
		text, _ := json.Marshal(sent)
		return ask{was.method, was.target, string(text)}, value != "" && value != "<nil>"
	}
}

// byLinks follows the header Link.
func byLinks(was ask, _ string, reply *http.Response, _ map[string]any) (ask, bool) {
	for link := range strings.SplitSeq(reply.Header.Get("Link"), ", ") {
		if address, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
			return ask{was.method, strings.TrimPrefix(address, "<"), ""}, true
		}
	}
	return ask{}, false
}

func pagedLists() []list {
	return []list{
		{
			"stripe", "stripe.GetCustomers", "stripe: {fixtures: [billing-messy]}",
			ask{"GET", "https://api.stripe.com/v1/customers?limit=5", ""},
			[]string{"Authorization", stripeKey},
			"data", "id", byQuery("starting_after", "", "has_more"),
		},
		{
			"github", "github GET *}/issues", "github: {fixtures: [github-messy]}",
			ask{"GET", "https://api.github.com/repos/Acme/shop/issues?state=all&per_page=5", ""},
			[]string{"Authorization", developer},
			"", "number", byLinks,
		},
		{
			"slack", "slack GET /api/conversations.list", "slack: {fixtures: [slack-messy]}",
			ask{"GET", "https://slack.com/api/conversations.list?limit=4", ""},
			[]string{"Authorization", bot},
			"channels", "id", byQuery("cursor", "response_metadata.next_cursor", ""),
		},
		{
			"slack-post", "slack POST /api/conversations.list", "slack: {fixtures: [slack-messy]}",
			ask{"POST", "https://slack.com/api/conversations.list", `{"limit":4}`},
			[]string{"Authorization", bot},
			"channels", "id", byBody("cursor", "response_metadata.next_cursor"),
		},
		{
			"sendgrid", "sendgrid GET /v3/templates", "sendgrid: {fixtures: [sendgrid-messy]}",
			ask{"GET", "https://api.sendgrid.com/v3/templates?generations=dynamic&page_size=3", ""},
			[]string{"Authorization", mailKey},
			"result", "id", byURL("_metadata.next", ""),
		},
		{
			"googlecalendar", "googlecalendar GET /calendar/v3/calendars/{calendarId}/events", "googlecalendar: {fixtures: [googlecalendar-messy]}",
			ask{"GET", "https://www.googleapis.com/calendar/v3/calendars/primary/events?maxResults=4", ""},
			[]string{"Authorization", mine},
			"items", "id", byQuery("pageToken", "nextPageToken", ""),
		},
		{
			"hubspot", "hubspot GET /crm/v3/objects/{objectType}", "hubspot: {fixtures: [hubspot-messy]}",
			ask{"GET", "https://api.hubapi.com/crm/v3/objects/contacts?limit=4", ""},
			[]string{"Authorization", "Bearer pat-na1-week"},
			"results", "id", byQuery("after", "paging.next.after", ""),
		},
		{
			"hubspot-search", "hubspot POST /crm/v3/objects/{objectType}/search", "hubspot: {fixtures: [hubspot-messy]}",
			ask{"POST", "https://api.hubapi.com/crm/v3/objects/contacts/search", `{"limit":4}`},
			[]string{"Authorization", "Bearer pat-na1-week"},
			"results", "id", byBody("after", "paging.next.after"),
		},
		{
			"zendesk", "zendesk GET /api/v2/tickets", "zendesk: {fixtures: [zendesk-messy]}",
			ask{"GET", "https://acme.zendesk.com/api/v2/tickets?page[size]=4", ""},
			[]string{"Authorization", zendeskKey},
			"tickets", "id", byURL("links.next", "meta.has_more"),
		},
		{
			"zendesk-numbered", "zendesk GET /api/v2/tickets", "zendesk: {fixtures: [zendesk-messy]}",
			ask{"GET", "https://acme.zendesk.com/api/v2/tickets?per_page=4", ""},
			[]string{"Authorization", zendeskKey},
			"tickets", "id", byURL("next_page", ""),
		},
		{
			"notion", "notion POST /v1/search", "notion: {fixtures: [notion-messy]}",
			ask{"POST", "https://api.notion.com/v1/search", `{"page_size":4}`},
			[]string{"Authorization", "Bearer ntn_week", "Notion-Version", "2025-09-03"},
			"results", "id", byBody("start_cursor", "next_cursor"),
		},
		{"notes", "notes.listNotes", "notes: {contract: notes.yaml}", ask{"GET", "https://notes.example/notes?limit=4", ""}, nil, "items", "id", byQuery("cursor", "next_cursor", "")},
	}
}

// pager goes through lists.
type pager struct {
	*bench
	list
}

// open opens a gateway with rules about the list, in braces.
func (l list) open(t *testing.T, rules ...string) *pager {
	t.Helper()
	var b strings.Builder
	for i, rule := range rules {
		fmt.Fprintf(&b, "  it%d: {call: %q, %s}\n", i, l.call, rule)
	}
	h := open(t, "profile: pages\nseed: 7\nservices: {"+l.services+"}\nclock: {mode: stepped, start: 2026-03-02T09:00:00Z, step: 10s}\n"+
		"faults:\n"+b.String(), beside(t, "notes.yaml", notes))
	r := &pager{&bench{h, h.proxied(false)}, l}
	if l.name == "notes" {
		for i := range 9 {
			r.does(ask{"POST", "https://notes.example/notes", fmt.Sprintf(`{"text":"note %d"}`, i)})
		}
	}
	return r
}

// page reads one page: its ids, and the call for the next.
func (r *pager) page(a ask) (ids []string, next ask, more bool) {
	r.t.Helper()
	reply, text := r.does(a, append([]string{"User-Agent", "pages/1"}, r.header...)...)
	var body any
	if err := json.Unmarshal([]byte(text), &body); err != nil || reply.StatusCode != http.StatusOK {
		r.t.Fatalf("%s: %d %s", a.target, reply.StatusCode, text)
	}
	items, _ := body.([]any)
	object, _ := body.(map[string]any)
	if r.items != "" {
		items, _ = object[r.items].([]any)
	}
	last := ""
	for _, item := range items {
		last = at(item, r.id)
		ids = append(ids, last)
	}
	next, more = r.next(a, last, reply, object)
	return ids, next, more
}

// all goes on to the end.
func (r *pager) all() (pages [][]string) {
	r.t.Helper()
	a, more := r.first, true
	for n := 0; more; n++ {
		var ids []string
		ids, a, more = r.page(a)
		if pages = append(pages, ids); n == 40 {
			r.t.Fatalf("it goes round in circles: %v", pages)
		}
	}
	return pages
}

// fired lists what the faults that fired did.
func (r *pager) fired() []string {
	r.t.Helper()
	var fired []string
	for _, x := range exchanges(r.harness) {
		for _, s := range x.Strikes {
			if s.Fired {
				fired = append(fired, fmt.Sprintf("%s %v", s.Did, s.Left))
			}
		}
	}
	return fired
}

// A page that is shorter than asked for, and says so, loses nothing: whoever
// follows it as the service's clients do gets each item once. One that says
// that it is the last is the end.
func TestPartialPagesOfEachService(t *testing.T) {
	t.Parallel()
	for _, l := range pagedLists() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := l.open(t, "inject: partial-page, with: {drop: 50%, marker: hidden}, trigger: {nth: 1}", "inject: partial-page, with: {drop: 50%}, trigger: {nth: 2}")
			hidden, kept, whole := r.all(), r.all(), r.all()
			if len(whole) < 2 || len(whole[0]) < 3 {
				t.Fatalf("the list is too short: %v", whole)
			}
			half := len(whole[0]) / 2
			if len(hidden) != 1 || !slices.Equal(hidden[0], whole[0][:half]) {
				t.Errorf("hidden: it shows %v, the whole being %v", hidden, whole)
			}
			if len(kept[0]) != half || !slices.Equal(slices.Concat(kept...), slices.Concat(whole...)) {
				t.Errorf("kept: following it gave %v, not %v", kept, whole)
			}
			left := whole[0][half:]
			did := fmt.Sprintf("left out %d of %d items", len(left), len(whole[0]))
			want := []string{did + ", and says that there are no more", did + "; the next page begins with them"}
			fired := r.fired()
			if len(fired) != len(want) {
				t.Fatalf("recorded: %v", fired)
			}
			for i, got := range fired {
				if l.id == "id" {
					want[i] += fmt.Sprint(" ", left)
				}
				if !strings.HasPrefix(got, want[i]) {
					t.Errorf("recorded: %s; want %s", got, want[i])
				}
			}
		})
	}
}
