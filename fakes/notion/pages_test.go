package notion_test

import (
	"strings"
	"testing"

	"parity/fakes/faketest"
)

type m = map[string]any

func rich(text string) []any { return []any{m{"text": m{"content": text}}} }

func paragraph(text string) m { return m{"paragraph": m{"rich_text": rich(text)}} }

// page makes a page under the root page.
func page(r *faketest.Rig, title string, children ...any) string {
	r.T.Helper()
	body := m{"parent": m{"page_id": rootPage}, "properties": m{"title": m{"title": rich(title)}}}
	if len(children) > 0 {
		body["children"] = children
	}
	return r.Must(200, r.JSON("POST", "/v1/pages", body)).Text("id")
}

func refused(t *testing.T, g faketest.Got, status int, code, message string) {
	t.Helper()
	if g.Status != status || g.Text("code") != code || g.Text("message") != message {
		t.Errorf("%d %s %q, want %d %s %q", g.Status, g.Text("code"), g.Text("message"), status, code, message)
	}
	faketest.Want(t, g, m{"object": "error", "status": status})
	if len(g.Text("request_id")) != 36 {
		t.Errorf("request_id %q", g.Text("request_id"))
	}
}

func TestPageLives(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/v1/pages", m{
		"parent": m{"page_id": strings.ReplaceAll(rootPage, "-", "")}, "icon": m{"emoji": "🎈"},
		"properties": m{"title": rich("Plan, 2026: Q3")}, "children": []any{paragraph("one"), m{"bulleted_list_item": m{"rich_text": rich("two"), "children": []any{paragraph("inner")}}}},
	}))
	id := made.Text("id")
	faketest.Want(t, made, m{
		"object": "page", "in_trash": false, "archived": false, "is_archived": false, "is_locked": false, "cover": nil, "public_url": nil,
		"icon": m{"type": "emoji", "emoji": "🎈"}, "parent": m{"type": "page_id", "page_id": rootPage}, "created_time": "2026-03-01T12:00:00.000Z",
		"properties.title.title.0.plain_text": "Plan, 2026: Q3", "properties.title.id": "title",
		"url": "https://app.notion.com/p/Plan-2026-Q3-" + strings.ReplaceAll(id, "-", ""),
	})
	children := r.Must(200, r.Send("GET", "/v1/blocks/"+id+"/children", ""))
	faketest.Want(t, children, m{"type": "block", "block": m{}, "has_more": false, "next_cursor": nil, "results.0.type": "paragraph", "results.0.has_children": false, "results.1.has_children": true, "results.0.paragraph.color": "default"})
	inner := r.Must(200, r.Send("GET", "/v1/blocks/"+children.Text("results.1.id")+"/children", ""))
	faketest.Want(t, inner, m{"results.0.parent": m{"type": "block_id", "block_id": children.Text("results.1.id")}})

	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"properties": m{"title": m{"title": rich("Renamed")}}, "icon": nil}))
	got := r.Must(200, r.Send("GET", "/v1/pages/"+id, ""))
	faketest.Want(t, got, m{"properties.title.title.0.text": m{"content": "Renamed", "link": nil}, "icon": nil})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v1/blocks/"+id, "")), m{"type": "child_page", "child_page": m{"title": "Renamed"}, "has_children": true})

	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"in_trash": true}))
	refused(t, r.JSON("PATCH", "/v1/pages/"+id, m{"icon": nil}), 400, "validation_error", "Can't edit block that is archived. You must unarchive the block before editing.")
	refused(t, r.JSON("PATCH", "/v1/blocks/"+children.Text("results.0.id"), paragraph("x")), 400, "validation_error", "Can't edit block on block with an archived ancestor. You must unarchive the ancestor before editing block.")
	refused(t, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{paragraph("x")}}), 400, "validation_error", "Can't edit block that is archived. You must unarchive the block before editing.")
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"archived": false}))
	faketest.Want(t, r.JSON("PATCH", "/v1/pages/"+id, m{"icon": nil}), m{"in_trash": false})
}

func TestPageMoves(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := page(r, "a"), page(r, "b")
	faketest.Want(t, r.Must(200, r.JSON("POST", "/v1/pages/"+a+"/move", m{"parent": m{"page_id": b}})), m{"parent.page_id": b})
	if g := r.JSON("POST", "/v1/pages/"+b+"/move", m{"parent": m{"page_id": a}}); g.Status != 400 {
		t.Errorf("into its own descendant: %s", g.Raw)
	}
	if got := r.Send("GET", "/v1/blocks/"+b+"/children", "").Texts("results", "id"); len(got) != 1 || got[0] != a {
		t.Errorf("b holds %v", got)
	}
	source := tasks(r)
	faketest.Want(t, r.Must(200, r.JSON("POST", "/v1/pages/"+a+"/move", m{"parent": m{"data_source_id": source}})), m{"parent.data_source_id": source, "properties.Name.title.0.plain_text": "a", "properties.Done.checkbox": false})
}

func TestValidationSpeaksNotion(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "p")
	long := strings.Repeat("x", 2001)
	many := make([]any, 101)
	for i := range many {
		many[i] = paragraph("x")
	}
	for name, c := range map[string]struct {
		method, target string
		body           any
		message        string
	}{
		"no parent":    {"POST", "/v1/pages", m{"properties": m{}}, "body failed validation: body.parent should be defined, instead was `undefined`."},
		"bad parent":   {"POST", "/v1/pages", m{"parent": m{"page_id": "abc"}}, "body failed validation: body.parent.page_id should be a valid uuid, instead was `\"abc\"`."},
		"bad path":     {"GET", "/v1/pages/abc", nil, "path failed validation: path.page_id should be a valid uuid, instead was `\"abc\"`."},
		"too long":     {"PATCH", "/v1/blocks/" + id + "/children", m{"children": []any{paragraph(long)}}, "body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`."},
		"too many":     {"PATCH", "/v1/blocks/" + id + "/children", m{"children": many}, "body failed validation: body.children.length should be ≤ `100`, instead was `101`."},
		"no children":  {"PATCH", "/v1/blocks/" + id + "/children", m{}, "body failed validation: body.children should be defined, instead was `undefined`."},
		"text child":   {"PATCH", "/v1/blocks/" + id + "/children", m{"children": []any{"hi"}}, "body failed validation: body.children[0] should be an object, instead was `\"hi\"`."},
		"unknown new":  {"POST", "/v1/pages", m{"parent": m{"page_id": id}, "colour": "red"}, "body failed validation: body.colour should be not present, instead was `\"red\"`."},
		"unknown":      {"PATCH", "/v1/pages/" + id, m{"colour": "red"}, "body failed validation: body.colour should be not present, instead was `\"red\"`."},
		"page size":    {"POST", "/v1/search", m{"page_size": 101}, "body failed validation: body.page_size should be ≤ `100` or `undefined`, instead was `101`."},
		"query size":   {"GET", "/v1/users?page_size=x", nil, "query failed validation: query.page_size should be a number or `undefined`, instead was `\"x\"`."},
		"cursor":       {"GET", "/v1/blocks/" + id + "/children?start_cursor=" + rootPage, nil, "The start_cursor provided is invalid: " + rootPage},
		"bad cursor":   {"GET", "/v1/blocks/" + id + "/children?start_cursor=bogus", nil, "query failed validation: query.start_cursor should be a valid uuid or `undefined`, instead was `\"bogus\"`."},
		"stray query":  {"GET", "/v1/pages/" + id + "?v=0", nil, "query failed validation: query.v should be not present, instead was `\"0\"`."},
		"users cursor": {"GET", "/v1/users?start_cursor=bogus", nil, "The start_cursor provided is invalid: bogus"},
		"direction":    {"POST", "/v1/search", m{"sort": m{"timestamp": "last_edited_time", "direction": "up"}}, "body failed validation: body.sort.direction should be `\"ascending\"`, `\"descending\"`, or `undefined`, instead was `\"up\"`."},
		"timestamp":    {"POST", "/v1/search", m{"sort": m{"timestamp": "created_time", "direction": "ascending"}}, "body.sort.timestamp should be \"last_edited_time\" when sorting by timestamp."},
		"block type":   {"PATCH", "/v1/blocks/" + id, paragraph("x"), "Expected block type child_page in request body"},
		"null cursor":  {"POST", "/v1/search", m{"start_cursor": 7}, "body failed validation: body.start_cursor should be a string or `undefined`, instead was `7`."},
		"no property":  {"PATCH", "/v1/pages/" + id, m{"properties": m{"Nope": m{"number": 1}}}, "Nope is not a property that exists."},
		"no block_id":  {"GET", "/v1/comments", nil, "query failed validation: query.block_id should be defined, instead was `undefined`."},
		"no icon kind": {"PATCH", "/v1/pages/" + id, m{"cover": m{}}, "body failed validation. Fix one:\nbody.cover.external should be defined, instead was `undefined`.\nbody.cover.file_upload should be defined, instead was `undefined`."},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, r.JSON(c.method, c.target, c.body), 400, "validation_error", c.message)
		})
	}
	deep := m{"bulleted_list_item": m{"rich_text": rich("1"), "children": []any{m{"bulleted_list_item": m{"rich_text": rich("2"), "children": []any{m{"bulleted_list_item": m{"rich_text": rich("3"), "children": []any{paragraph("4")}}}}}}}}}
	g := r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{deep}})
	refused(t, g, 400, "validation_error", "body failed validation: body.children[0].bulleted_list_item.children[0].bulleted_list_item.children[0].bulleted_list_item.children should be not present, instead was `[{\"paragraph\":{\"rich_text\":[{\"text\":{\"content\":\"4\"}}]}}...`.")
}

func TestErrorsOfTheEnvelope(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refused(t, r.Send("GET", "/v1/nothing", ""), 400, "invalid_request_url", "Invalid request URL.")
	refused(t, r.Send("PUT", "/v1/users", ""), 400, "invalid_request_url", "Invalid request URL.")
	refused(t, r.Send("POST", "/v1/search", "{", "Content-Type", "application/json"), 400, "invalid_json", "Error parsing JSON body.")
	refused(t, r.Send("GET", "/v1/users", "", "Notion-Version", ""), 400, "missing_version", "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.")
	if g := r.Send("GET", "/v1/users", "", "Notion-Version", "2020-01-01"); g.Status != 400 || !strings.Contains(g.Text("message"), "Fix one") {
		t.Errorf("%s", g.Raw)
	}
	refused(t, r.Send("GET", "/v1/users", "", "Authorization", ""), 401, "unauthorized", "API token is invalid.")
	refused(t, r.Send("GET", "/v1/users", "", "Authorization", "Bearer sk_1"), 401, "unauthorized", "API token is invalid.")
	g := r.Send("GET", "/v1/pages/00000000-0000-0000-0000-000000000000", "")
	refused(t, g, 404, "object_not_found", "Could not find page with ID: 00000000-0000-0000-0000-000000000000. Make sure the relevant pages and databases are shared with your integration \"Rehearsal bot\".")
	if g.At("additional_data.integration_id") == nil {
		t.Error(g.Raw)
	}
	ok := r.Must(200, r.Send("GET", "/v1/users/me", ""))
	if ok.Header.Get("X-Notion-Request-Id") != ok.Text("request_id") || ok.Header.Get("Etag") == "" {
		t.Errorf("%v", ok.Header)
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 180 {
		r.Must(200, r.Send("GET", "/v1/users/me", ""))
	}
	g := r.Send("GET", "/v1/users/me", "")
	if g.Status != 429 || g.Text("code") != "rate_limited" || g.Header.Get("Retry-After") != "60" {
		t.Errorf("%d %s %v", g.Status, g.Raw, g.Header)
	}
	r.Must(200, r.Send("GET", "/v1/users/me", "", "Authorization", "Bearer ntn_another"))
	r.Wait(60e9)
	r.Must(200, r.Send("GET", "/v1/users/me", ""))
}

func TestTokensAndSharing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
notion.tokens:
  - {id: ntn_reader, scopes: [read_content]}
  - {id: ntn_gone, revoked: true}
notion.pages:
  - {id: a0000000-0000-8000-8000-000000000001, parent: {page_id: 2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73}, shared: false, properties: {title: [{text: {content: Salaries}}]}, children: [{paragraph: {rich_text: [{text: {content: secret}}]}}]}
  - {id: a0000000-0000-8000-8000-000000000002, parent: {page_id: a0000000-0000-8000-8000-000000000001}, properties: {title: [{text: {content: Mine}}]}}
`)
	reader := []string{"Authorization", "Bearer ntn_reader"}
	r.Must(200, r.Send("GET", "/v1/pages/"+rootPage, "", reader...))
	refused(t, r.JSON("PATCH", "/v1/pages/"+rootPage, m{}, reader...), 403, "restricted_resource", "Insufficient permissions for this endpoint.")
	refused(t, r.Send("GET", "/v1/users", "", reader...), 403, "restricted_resource", "Insufficient permissions for this endpoint.")
	refused(t, r.Send("GET", "/v1/users", "", "Authorization", "Bearer ntn_gone"), 401, "unauthorized", "API token is invalid.")
	for _, id := range []string{"a0000000-0000-8000-8000-000000000001", "a0000000-0000-8000-8000-000000000002"} {
		if g := r.Send("GET", "/v1/pages/"+id, ""); g.Status != 404 {
			t.Errorf("%s: %s", id, g.Raw)
		}
	}
	r.Wait(10e9)
	if got := r.JSON("POST", "/v1/search", m{}).Texts("results", "id"); len(got) != 1 {
		t.Errorf("search shows %v", got)
	}
}
