package notion_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestWorkThatMayBeDoneLaterIsATask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	asked := r.Must(202, r.JSON("POST", "/v1/pages", m{"parent": m{"page_id": rootPage}, "markdown": "# Report\nAll is well.", "allow_async": true}))
	faketest.Want(t, asked, m{"object": "async_task", "status": "queued", "poll_after_seconds": 2, "operation": m{"surface": "rest", "name": "POST /v1/pages"}, "status_url": r.Base + "/v1/async_tasks/" + asked.Text("id")})
	before := r.Must(200, r.Send("GET", "/v1/blocks/"+rootPage+"/children", "")).Len("results")
	r.Wait(3 * time.Second)
	done := r.Must(200, r.Send("GET", "/v1/async_tasks/"+asked.Text("id"), ""))
	faketest.Want(t, done, m{"status": "succeeded", "result.object": "page", "poll_after_seconds": nil, "error": nil})
	id := done.Text("result.id")
	if n := r.Must(200, r.Send("GET", "/v1/blocks/"+rootPage+"/children", "")).Len("results"); n != before+1 {
		t.Errorf("%d children, %d before the work was done", n, before)
	}
	edit := m{"type": "insert_content", "insert_content": m{"content": "More."}, "allow_async": true}
	more := r.Must(202, r.JSON("PATCH", "/v1/pages/"+id+"/markdown", edit))
	late := r.Must(202, r.JSON("PATCH", "/v1/pages/"+id+"/markdown", edit))
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"in_trash": true}))
	r.Wait(3 * time.Second)
	for _, task := range []string{more.Text("id"), late.Text("id")} {
		faketest.Want(t, r.Must(200, r.Send("GET", "/v1/async_tasks/"+task, "")), m{"status": "failed", "error.object": "error", "error.status": 400, "result": nil})
	}
	r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"page_id": rootPage}, "children": []any{paragraph("x")}, "allow_async": true}))
	r.Must(400, r.JSON("POST", "/v1/pages", m{"parent": m{"page_id": rootPage}, "markdown": 7, "allow_async": true}))
	faketest.Want(t, r.JSON("POST", "/v1/pages", m{"parent": m{"page_id": rootPage}, "markdown": "x", "allow_async": "yes"}), m{"message": "body failed validation: body.allow_async should be a boolean, instead was `\"yes\"`."})
	faketest.Want(t, r.Must(404, r.Send("GET", "/v1/async_tasks/task_none", "")), m{"code": "object_not_found"})
}

func TestUploadedFilesAreReadBackForAnHour(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	upload := func(more m, parts ...string) string {
		made := r.Must(200, r.JSON("POST", "/v1/file_uploads", more)).Text("id")
		for i, part := range parts {
			body := "--b\r\nContent-Disposition: form-data; name=\"part_number\"\r\n\r\n" + string(rune('1'+i)) + "\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" + part + "\r\n--b--\r\n"
			r.Must(200, r.Send("POST", "/v1/file_uploads/"+made+"/send", body, "Content-Type", "multipart/form-data; boundary=b"))
		}
		if more["mode"] != nil {
			r.Must(200, r.JSON("POST", "/v1/file_uploads/"+made+"/complete", m{}))
		}
		return made
	}
	block := func(upload string) faketest.Got {
		id := page(r, "p", m{"file": m{"file_upload": m{"id": upload}}})
		return r.Must(200, r.Send("GET", "/v1/blocks/"+id+"/children", ""))
	}
	pathOf := func(address string) string {
		return strings.TrimPrefix(address, "https://prod-files-secure.s3.us-west-2.amazonaws.com")
	}
	path := func(g faketest.Got) string { return pathOf(g.Text("results.0.file.file.url")) }
	for want, id := range map[string]string{
		"hello": upload(m{"filename": "a b.txt", "content_type": "text/plain"}, "hello"), "hello, world": upload(m{"filename": "c.txt", "mode": "multi_part", "number_of_parts": 2}, "hello, ", "world"),
		strings.Repeat("\x00", 3): upload(m{"filename": "d.bin"}, "\xff\x00\xfe"),
	} {
		if g := r.Must(200, r.Send("GET", path(block(id)), "", "Authorization", "", "Notion-Version", "")); g.Raw != want {
			t.Errorf("read back %q, want %q", g.Raw, want)
		}
	}
	shown := block(upload(m{"filename": "a.txt"}, "x"))
	r.Must(403, r.Send("GET", strings.Replace(path(shown), "Signature=", "Signature=0", 1), ""))
	r.Wait(61 * time.Minute)
	if g := r.Must(403, r.Send("GET", path(shown), "")); !strings.Contains(g.Raw, "Request has expired") {
		t.Error(g.Raw)
	}
	fresh := r.Must(200, r.Send("GET", "/v1/blocks/"+shown.Text("results.0.id"), ""))
	r.Must(200, r.Send("GET", pathOf(fresh.Text("file.file.url")), ""))
}

func TestADatabaseWithoutATitleIsCalledUntitled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(200, r.JSON("POST", "/v1/databases", m{"parent": m{"type": "page_id", "page_id": rootPage}}))
	faketest.Want(t, made, m{"title": []any{}, "data_sources.0.name": "Untitled"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v1/blocks/"+made.Text("id"), "")), m{"child_database": m{"title": "Untitled"}})
}
