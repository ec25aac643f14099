package notion_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

func TestBlocksOfEveryType(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "p")
	text := m{"rich_text": rich("x")}
	for _, b := range []m{
		{"paragraph": text},
		{"heading_1": text},
		{"heading_2": text},
		{"heading_3": text},
		{"bulleted_list_item": text},
		{"numbered_list_item": text},
		{"quote": text},
		{"to_do": m{"rich_text": rich("x"), "checked": true}},
		{"toggle": text},
		{"callout": text},
		{"code": m{"rich_text": rich("x"), "language": "go"}},
		{"equation": m{"expression": "e=mc^2"}},
		{"divider": m{}},
		{"breadcrumb": m{}},
		{"table_of_contents": m{}},
		{"bookmark": m{"url": "https://x.example"}},
		{"embed": m{"url": "https://x.example"}},
		{"image": m{"external": m{"url": "https://x.example/i.png"}}},
		{"file": m{"external": m{"url": "https://x.example/a.zip"}}},
		{"pdf": m{"external": m{"url": "https://x.example/i.pdf"}}},
		{"link_to_page": m{"page_id": rootPage}},
		{"synced_block": m{"synced_from": nil}},
		{"table": m{"table_width": 1, "children": []any{m{"table_row": m{"cells": []any{rich("c")}}}}}},
		{"column_list": m{"children": []any{m{"column": m{"children": []any{paragraph("l")}}}, m{"column": m{"children": []any{paragraph("r")}}}}}},
	} {
		for kind := range b {
			t.Run(kind, func(t *testing.T) {
				made := r.Must(200, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{b}}))
				faketest.Want(t, made, m{"results.0.type": kind, "results.0.object": "block", "results.0.parent.page_id": id})
				got := r.Must(200, r.Send("GET", "/v1/blocks/"+made.Text("results.0.id"), ""))
				faketest.Want(t, got, m{"type": kind})
				r.Must(200, r.Send("DELETE", "/v1/blocks/"+made.Text("results.0.id"), ""))
			})
		}
	}
	g := r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{m{"type": "paragraph"}}})
	if g.Status != 400 || !strings.Contains(g.Text("message"), "body.children[0].paragraph should be defined, instead was `undefined`") {
		t.Error(g.Raw)
	}
}

func TestAppendGoesWhereItIsAsked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "p", paragraph("1"), paragraph("3"))
	texts := func() string {
		return strings.Join(r.Send("GET", "/v1/blocks/"+id+"/children", "").Texts("results", "paragraph.rich_text.0.plain_text"), "")
	}
	one := r.Send("GET", "/v1/blocks/"+id+"/children", "").Text("results.0.id")
	r.Must(200, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{paragraph("2")}, "after": one}))
	r.Must(200, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{paragraph("4")}}))
	newest := []string{"Notion-Version", "2026-03-11"}
	r.Must(200, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{paragraph("0")}, "position": m{"type": "start"}}, newest...))
	if got := texts(); got != "01234" {
		t.Errorf("in order %q", got)
	}
	refused(t, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{paragraph("x")}, "after": one}, newest...), 400, "validation_error", "body failed validation: body.after should be not present, instead was `\""+one+"\"`.")
	first := r.Send("GET", "/v1/blocks/"+id+"/children?page_size=2", "")
	next := r.Send("GET", "/v1/blocks/"+id+"/children?page_size=2&start_cursor="+first.Text("next_cursor"), "")
	if first.Len("results") != 2 || next.Text("results.0.paragraph.rich_text.0.plain_text") != "2" {
		t.Error(next.Raw)
	}
	r.Must(200, r.JSON("PATCH", "/v1/blocks/"+one, m{"paragraph": m{"rich_text": []any{m{"text": m{"content": "one", "link": m{"url": "https://x.example"}}, "annotations": m{"bold": true}}}}}))
	faketest.Want(t, r.Send("GET", "/v1/blocks/"+one, ""), m{"paragraph.rich_text.0.href": "https://x.example", "paragraph.rich_text.0.annotations.bold": true, "paragraph.rich_text.0.annotations.color": "default"})
	r.Must(200, r.Send("DELETE", "/v1/blocks/"+one, ""))
	refused(t, r.Send("DELETE", "/v1/blocks/"+one, ""), 400, "validation_error", "Can't edit block that is archived. You must unarchive the block before editing.")
	if got := texts(); got != "0234" {
		t.Errorf("after a deletion %q", got)
	}
	old := r.Must(200, r.JSON("PATCH", "/v1/blocks/"+id+"/children", m{"children": []any{m{"paragraph": m{"text": rich("5")}}}}, "Notion-Version", "2021-05-13"))
	faketest.Want(t, old, m{"object": "block", "type": "child_page", "id": id})
	faketest.Want(t, r.Send("GET", "/v1/blocks/"+id+"/children", "", "Notion-Version", "2021-08-16"), m{"results.4.paragraph.text.0.plain_text": "5", "results.4.paragraph.rich_text": nil})
}

func TestComments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "p")
	made := r.Must(200, r.JSON("POST", "/v1/comments", m{"parent": m{"page_id": id}, "rich_text": rich("hello")}))
	faketest.Want(t, made, m{"object": "comment", "parent": m{"type": "page_id", "page_id": id}, "display_name": m{"type": "integration", "resolved_name": "Rehearsal bot"}})
	r.Must(200, r.JSON("POST", "/v1/comments", m{"discussion_id": made.Text("discussion_id"), "rich_text": rich("again")}))
	listed := r.Must(200, r.Send("GET", "/v1/comments?block_id="+id, ""))
	if got := listed.Texts("results", "rich_text.0.plain_text"); strings.Join(got, ",") != "hello,again" || listed.Text("results.1.discussion_id") != made.Text("discussion_id") {
		t.Error(listed.Raw)
	}
	if sent := r.Outbox(); len(sent) != 2 || sent[0].Summary != "hello" {
		t.Errorf("%+v", sent)
	}
	r.Must(200, r.JSON("PATCH", "/v1/comments/"+made.Text("id"), m{"rich_text": rich("changed")}))
	faketest.Want(t, r.Send("GET", "/v1/comments/"+made.Text("id"), ""), m{"rich_text.0.plain_text": "changed"})
	r.Must(200, r.Send("DELETE", "/v1/comments/"+made.Text("id"), ""))
	if g := r.Send("GET", "/v1/comments/"+made.Text("id"), ""); g.Status != 404 {
		t.Error(g.Raw)
	}
}

func TestSearchLags(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "Refund policy")
	search := func(body m) int { return r.Must(200, r.JSON("POST", "/v1/search", body)).Len("results") }
	if search(m{"query": "refund"}) != 0 {
		t.Error("found at once")
	}
	r.Wait(6e9)
	if search(m{"query": "refund POLICY"}) != 1 || search(m{"query": "policies"}) != 0 || search(m{"filter": m{"property": "object", "value": "data_source"}}) != 0 {
		t.Error("not found")
	}
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"in_trash": true}))
	r.Wait(6e9)
	if search(m{"query": "refund"}) != 0 {
		t.Error("found in the trash")
	}
	refused(t, r.JSON("POST", "/v1/search", m{"filter": m{"property": "object", "value": "database"}}), 400, "validation_error", "body failed validation: body.filter.value should be `\"page\"` or `\"data_source\"`, instead was `\"database\"`.")
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"page_id": rootPage}, "properties": m{"title": rich("md")}, "markdown": "# Title\n- one\n\t- **inner**\n```go\nx := 1\n```\ntext [link](https://x.example)\na \\* b\n"}))
	id := made.Text("id")
	got := r.Must(200, r.Send("GET", "/v1/pages/"+id+"/markdown", ""))
	const want = "# Title\n- one\n\t- **inner**\n```go\nx := 1\n```\ntext [link](https://x.example)\na \\* b\n"
	faketest.Want(t, got, m{"object": "page_markdown", "id": id, "markdown": want, "truncated": false, "unknown_block_ids": []any{}})
	before := r.Send("GET", "/v1/blocks/"+id+"/children", "").IDs("results")
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id+"/markdown", m{"type": "insert_content", "insert_content": m{"content": "> end"}}))
	changed := r.Must(200, r.JSON("PATCH", "/v1/pages/"+id+"/markdown", m{"type": "update_content", "update_content": m{"content_updates": []any{m{"old_str": "text [", "new_str": "words ["}}}}))
	if !strings.HasSuffix(changed.Text("markdown"), "words [link](https://x.example)\na \\* b\n> end\n") {
		t.Error(changed.Raw)
	}
	if after := r.Send("GET", "/v1/blocks/"+id+"/children", "").IDs("results"); after[0] != before[0] || after[2] != before[2] {
		t.Errorf("untouched blocks were made anew: %v %v", before, after)
	}
	if g := r.JSON("PATCH", "/v1/pages/"+id+"/markdown", m{"type": "update_content", "update_content": m{"content_updates": []any{m{"old_str": "nowhere", "new_str": ""}}}}); g.Status != 400 {
		t.Error(g.Raw)
	}
}

func TestUploadsAndTokens(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/v1/file_uploads", m{"filename": "a.txt", "content_type": "text/plain"}))
	faketest.Want(t, made, m{"object": "file_upload", "status": "pending", "content_length": nil, "created_by.type": "bot", "upload_url": r.Base + "/v1/file_uploads/" + made.Text("id") + "/send"})
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n"
	sent := r.Must(200, r.Send("POST", "/v1/file_uploads/"+made.Text("id")+"/send", body, "Content-Type", "multipart/form-data; boundary=b"))
	faketest.Want(t, sent, m{"status": "uploaded", "content_length": 5, "upload_url": nil})
	id := page(r, "p", m{"file": m{"file_upload": m{"id": made.Text("id")}, "name": "a.txt"}})
	faketest.Want(t, r.Send("GET", "/v1/blocks/"+id+"/children", ""), m{"results.0.file.type": "file", "results.0.file.name": "a.txt"})
	late := r.Must(200, r.JSON("POST", "/v1/file_uploads", m{"mode": "multi_part", "number_of_parts": 2, "filename": "b.zip"}))
	if g := r.JSON("POST", "/v1/file_uploads/"+late.Text("id")+"/complete", m{}); g.Status != 400 {
		t.Error(g.Raw)
	}
	r.Wait(2 * 3600e9)
	faketest.Want(t, r.Send("GET", "/v1/file_uploads/"+late.Text("id"), ""), m{"status": "expired"})

	basic := []string{"Authorization", "Basic aWQ6c2VjcmV0"}
	token := r.Must(200, r.JSON("POST", "/v1/oauth/token", m{"grant_type": "authorization_code", "code": "c1"}, basic...))
	faketest.Want(t, token, m{"token_type": "bearer", "workspace_name": "Rehearsal", "owner.user.type": "person"})
	faketest.Want(t, r.JSON("POST", "/v1/oauth/token", m{"grant_type": "authorization_code", "code": "c1"}, basic...), m{"error": "invalid_grant", "status": 400})
	bearer := []string{"Authorization", "Bearer " + token.Text("access_token")}
	r.Must(200, r.Send("GET", "/v1/users/me", "", bearer...))
	faketest.Want(t, r.JSON("POST", "/v1/oauth/introspect", m{"token": token.Text("access_token")}, basic...), m{"active": true})
	r.Must(200, r.JSON("POST", "/v1/oauth/revoke", m{"token": token.Text("access_token")}, basic...))
	faketest.Want(t, r.JSON("POST", "/v1/oauth/introspect", m{"token": token.Text("access_token")}, basic...), m{"active": false})
	refused(t, r.Send("GET", "/v1/users/me", "", bearer...), 401, "unauthorized", "API token is invalid.")
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`notion.webhook_endpoints: [{id: hook1, url: "https://agent.example/hook", secret: secret_x, events: [page.created, comment.created]}]`)
	id := page(r, "p")
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"icon": m{"emoji": "🎈"}})) // not asked for
	if n := len(r.Deliveries()); n != 1 {
		t.Fatalf("%d deliveries", n)
	}
	d, header := r.Attempt(500)
	mac := hmac.New(sha256.New, []byte("secret_x"))
	mac.Write(d.Body)
	if got := header.Get("X-Notion-Signature"); got != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
		t.Errorf("signature %q", got)
	}
	var event map[string]any
	if err := json.Unmarshal(d.Body, &event); err != nil {
		t.Fatal(err)
	}
	faketest.Want(t, faketest.Got{Body: event}, m{"type": "page.created", "entity": m{"id": id, "type": "page"}, "attempt_number": 1, "data.parent": m{"id": rootPage, "type": "page"}})
	again, _ := r.Attempt(200)
	if again.Attempt != 2 || !strings.Contains(string(again.Body), `"attempt_number":2`) || len(r.Deliveries()) != 0 {
		t.Errorf("%+v", again)
	}
}
