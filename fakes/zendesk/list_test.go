package zendesk_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestPagesByNumber(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for range 5 {
		ticket(r, nil)
	}
	g := get(r, "/api/v2/tickets.json?per_page=2")
	faketest.Want(t, g, object{"count": 5, "previous_page": nil, "next_page": "https://acme.zendesk.com/api/v2/tickets.json?page=2&per_page=2"})
	var seen []string
	for next := "/api/v2/tickets.json?per_page=2"; next != ""; {
		g := get(r, next)
		seen = append(seen, g.IDs("tickets")...)
		next = strings.TrimPrefix(g.Text("next_page"), r.Base)
	}
	if want := []string{"1", "2", "3", "4", "5"}; !slices.Equal(seen, want) {
		t.Errorf("pages show %v", seen)
	}
	faketest.Want(t, get(r, "/api/v2/tickets?page=3&per_page=2"), object{"next_page": nil, "previous_page": "https://acme.zendesk.com/api/v2/tickets.json?page=2&per_page=2"})
	faketest.Want(t, r.Must(400, r.Send("GET", "/api/v2/tickets?page=two", "")), object{"error.title": "Invalid attribute", "error.message": "You passed an invalid value for the page attribute. Invalid parameter: page must be an integer from api/v2/tickets/index"})
	r.Must(400, r.Send("GET", "/api/v2/tickets?page=200&per_page=100", ""))
}

func TestPagesByCursor(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for range 5 {
		ticket(r, nil)
	}
	for _, sort := range []string{"", "&sort=-id", "&sort=-updated_at"} {
		var seen []string
		pages, back := 0, ""
		for next := "/api/v2/tickets.json?page%5Bsize%5D=2" + sort; next != ""; pages++ {
			g := get(r, next)
			seen = append(seen, g.IDs("tickets")...)
			next = strings.TrimPrefix(g.Text("links.next"), r.Base)
			if pages == 1 {
				back = strings.TrimPrefix(g.Text("links.prev"), r.Base)
			}
			if g.At("meta.has_more") != (pages < 2) {
				t.Errorf("page %d: has_more is %v", pages, g.At("meta.has_more"))
			}
		}
		if len(seen) != 5 || pages != 4 { // recorded: the last page has a next, which is empty
			t.Errorf("%s: %d pages show %v", sort, pages, seen)
		}
		if got := get(r, back).IDs("tickets"); !slices.Equal(got, seen[:2]) {
			t.Errorf("%s: back shows %v, want %v", sort, got, seen[:2])
		}
	}
	for _, bad := range []string{"page[size]=0", "page[size]=101", "page[size]=x", "page[after]=nonsense", "page[after]=" + url.QueryEscape("eyJvIjoiaWQifQ==")} {
		if g := r.Must(400, r.Send("GET", "/api/v2/tickets?"+bad, "")); g.Text("errors.0.code") != "InvalidPaginationParameter" {
			t.Errorf("%s: %s", bad, g.Raw)
		}
	}
	faketest.Want(t, get(r, "/api/v2/users?page[size]=100"), object{"meta.has_more": false, "users.0.name": "Account Owner"})
}

func TestSideloads(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}, "group_id": 360000000101})
	g := get(r, "/api/v2/tickets?include=users,groups,organizations")
	faketest.Want(t, g, object{"users.0.name": "Ada", "users.1.name": "Account Owner", "groups.0.name": "Support", "organizations": []any{}})
	faketest.Want(t, get(r, "/api/v2/tickets/"+number+".json?include=users"), object{"users.0.email": "ada@example.com"})
	faketest.Want(t, get(r, "/api/v2/search?query=printer&include=tickets(users)"), object{"count": 0})
}

// finds is what searches find in three tickets and some people.
func finds(grace string) map[string]string {
	return map[string]string{
		"type:ticket":               "3 2 1",
		"printer":                   "1",
		"refund":                    "2",
		"type:ticket status<solved": "2 1",
		"type:ticket status:pending status:solved": "3 2",
		"type:ticket status>=pending":              "3 2",
		"type:ticket -status:solved":               "2 1",
		"type:ticket tags:vip":                     "3 1",
		"type:ticket tags:billing tags:vip":        "3 1",
		"type:ticket -tags:vip":                    "2",
		"type:ticket tags:none":                    "2",
		"priority>normal":                          "1",
		"priority:none":                            "3 2",
		"type:ticket requester:ada@example.com":    "1",
		`type:ticket requester:"Ada Lovelace"`:     "1",
		"type:ticket requester:me":                 "3 2",
		"type:ticket assignee:none":                "1",
		"assignee:grace":                           "2",
		"type:ticket ticket_type:question":         "2",
		"type:ticket created>2026-02-28":           "3 2 1",
		"type:ticket created<2026-03-01":           "",
		"type:ticket created:2026-03-01":           "3 2 1",
		"type:ticket created>4hours":               "3 2 1",
		"type:ticket created<4hours":               "",
		"type:ticket order_by:created sort:asc":    "1 2 3",
		"type:ticket external_id:x-9":              "3",
		"type:ticket subject:invoice":              "2",
		`type:ticket "Invoice is"`:                 "2",
		`type:ticket "is Invoice"`:                 "",
		"type:ticket commenter:grace@example.com":  "",
		"type:user role:agent":                     grace,
		"type:user hop*":                           grace,
		"grace@example.com":                        grace,
		"type:organization name:nobody":            "",
	}
}

func TestSearchLagsAndUnderstands(t *testing.T) {
	t.Parallel()
	r := rig(t)
	grace := user(r, "Grace Hopper", "grace@example.com", "agent")
	ticket(r, object{"priority": "high", "tags": []string{"vip", "billing"}, "requester": object{"name": "Ada Lovelace", "email": "ada@example.com"}})
	ticket(r, object{"subject": "Invoice is wrong", "comment": object{"body": "Refund please"}, "status": "pending", "assignee_id": grace, "type": "question"})
	ticket(r, object{"subject": "Login", "status": "solved", "tags": []string{"vip"}, "external_id": "X-9"})
	faketest.Want(t, get(r, "/api/v2/search.json?query=type:ticket"), object{"count": 0, "facets": nil})
	r.Wait(61 * time.Second)
	for asked, want := range finds(grace) {
		g := get(r, "/api/v2/search.json?query="+url.QueryEscape(asked))
		got := strings.Join(g.IDs("results"), " ")
		if order := strings.Contains(asked, "order_by"); !order {
			ids := g.IDs("results")
			wanted := strings.Fields(want)
			slices.Sort(ids)
			slices.Sort(wanted)
			got, want = strings.Join(ids, " "), strings.Join(wanted, " ")
		}
		if got != want {
			t.Errorf("%s finds %q, want %q", asked, got, want)
		}
		if n := get(r, "/api/v2/search/count.json?query="+url.QueryEscape(asked)).At("count"); n != float64(len(g.IDs("results"))) {
			t.Errorf("%s counts %v", asked, n)
		}
	}
	// The index shows what was, for a while.
	r.Must(200, put(r, "1", object{"status": "solved"}))
	faketest.Want(t, get(r, "/api/v2/search?query=printer"), object{"results.0.status": "new", "results.0.result_type": "ticket"})
	r.Wait(61 * time.Second)
	faketest.Want(t, get(r, "/api/v2/search?query=printer"), object{"results.0.status": "solved"})
	faketest.Want(t, r.Must(400, r.Send("GET", "/api/v2/search?query=x&page[size]=2", "")), object{"error.message": "You passed an invalid value for the page attribute. Invalid parameter: page must be an integer from api/v2/search/index"})
	faketest.Want(t, r.Must(422, r.Send("GET", "/api/v2/search?query=x&page=11", "")), object{"error": "invalid", "description": "Invalid search: Requested response size was greater than Search Response Limits"})
	r.Must(400, r.Send("GET", "/api/v2/search", ""))
}

func TestSearchExports(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for range 5 {
		ticket(r, nil)
	}
	r.Wait(2 * time.Minute)
	var seen []string
	for next := "/api/v2/search/export?query=printer&filter%5Btype%5D=ticket&page%5Bsize%5D=2"; next != ""; {
		g := get(r, next)
		seen = append(seen, g.IDs("results")...)
		next = ""
		if g.At("meta.has_more") == true {
			next = strings.TrimPrefix(g.Text("links.next"), r.Base)
		}
	}
	if len(seen) != 5 {
		t.Errorf("the export has %v", seen)
	}
	r.Must(400, r.Send("GET", "/api/v2/search/export?query=printer", ""))
}

func TestIncrementalExports(t *testing.T) {
	t.Parallel()
	r := rig(t)
	start := r.Now.Add(-time.Hour).Unix()
	for range 3 {
		ticket(r, nil)
		r.Wait(time.Second)
	}
	at := fmt.Sprintf("/api/v2/incremental/tickets/cursor.json?start_time=%d", start)
	faketest.Want(t, get(r, at), object{"tickets": []any{}, "end_of_stream": true}) // the last minute is left out
	r.Wait(2 * time.Minute)
	g := get(r, at+"&per_page=2")
	faketest.Want(t, g, object{"end_of_stream": false})
	next := strings.TrimPrefix(g.Text("after_url"), r.Base)
	g = get(r, next)
	faketest.Want(t, g, object{"end_of_stream": true})
	if got := g.IDs("tickets"); len(got) != 1 || got[0] != "3" {
		t.Errorf("the second page has %v", got)
	}
	cursor := g.Text("after_cursor")
	r.Must(200, put(r, "1", object{"priority": "low"}))
	r.Must(204, r.Send("DELETE", "/api/v2/tickets/2", ""))
	r.Wait(2 * time.Minute)
	g = get(r, "/api/v2/incremental/tickets/cursor?cursor="+url.QueryEscape(cursor))
	if got := g.Texts("tickets", "status"); !slices.Equal(got, []string{"new", "deleted"}) {
		t.Errorf("what changed since: %s", g.Raw)
	}
	faketest.Want(t, get(r, "/api/v2/incremental/tickets?start_time="+fmt.Sprint(start)), object{"count": 3, "end_of_stream": true})
	faketest.Want(t, r.Must(400, r.Send("GET", fmt.Sprintf("/api/v2/incremental/tickets/cursor?start_time=%d", r.Now.Unix()), "")), object{"error": "StartTimeTooRecent"})
	r.Must(400, r.Send("GET", "/api/v2/incremental/tickets/cursor?cursor=nonsense", ""))
	r.Wait(time.Minute)
	for i := range 11 {
		g := r.Send("GET", at, "")
		if want := 200 + 229*(i/10); g.Status != want {
			t.Errorf("export %d: %d", i+1, g.Status)
		} else if want == 429 && g.Header.Get("Retry-After") == "" {
			t.Error("429 without Retry-After")
		}
	}
	faketest.Want(t, get(r, "/api/v2/tickets/1"), object{"ticket.id": 1}) // others go on
}
