package zendesk_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestUsers(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := r.Must(201, r.JSON("POST", "/api/v2/users.json", object{"user": object{"name": "Ada", "email": "ADA@example.com", "tags": []string{"x"}}}))
	faketest.Want(t, g, object{"user.email": "ada@example.com", "user.role": "end-user", "user.active": true, "user.locale": "en-US", "user.user_fields": object{}})
	ada := g.Text("user.id")
	faketest.Want(t, r.Must(422, r.JSON("POST", "/api/v2/users", object{"user": object{"name": "A", "email": "ada@example.com"}})), object{
		"error": "RecordInvalid", "details.email.0.description": "Email: ada@example.com is already being used by another user", "details.email.0.error": "DuplicateValue",
	})
	r.Must(422, r.JSON("POST", "/api/v2/users", object{"user": object{"name": "A", "email": "not an address"}}))
	r.Must(422, r.JSON("POST", "/api/v2/users", object{"user": object{"email": "b@example.com"}}))
	r.Must(422, r.JSON("POST", "/api/v2/users", object{"user": object{"name": "A", "role": "king"}}))
	faketest.Want(t, r.Must(200, r.JSON("POST", "/api/v2/users/create_or_update", object{"user": object{"name": "Ada L.", "email": "ada@example.com"}})), object{"user.id": json.Number(ada), "user.name": "Ada L."})
	r.Must(201, r.JSON("POST", "/api/v2/users/create_or_update", object{"user": object{"name": "Bob", "email": "bob@example.com", "external_id": 77}}))
	faketest.Want(t, get(r, "/api/v2/users/search?external_id=77"), object{"count": 1, "users.0.external_id": "77"})
	faketest.Want(t, get(r, "/api/v2/users?role=end-user"), object{"count": 2})
	faketest.Want(t, get(r, "/api/v2/users/me"), object{"user.name": "Account Owner", "user.role": "admin"})
	faketest.Want(t, get(r, "/api/v2/users/show_many?ids="+ada+",1"), object{"count": 1})
	faketest.Want(t, get(r, "/api/v2/users/"+ada+"/identities"), object{"identities.0.value": "ada@example.com", "identities.0.primary": true})
	r.Wait(2 * time.Minute)
	faketest.Want(t, get(r, "/api/v2/users/search?query=ada"), object{"count": 1})

	number := ticket(r, object{"requester_id": ada})
	r.Must(422, r.Send("DELETE", "/api/v2/users/"+ada, ""))
	r.Must(200, put(r, number, object{"status": "solved"}))
	faketest.Want(t, r.Must(200, r.Send("DELETE", "/api/v2/users/"+ada, "")), object{"user.active": false})
	faketest.Want(t, get(r, "/api/v2/users/"+ada), object{"user.active": false})
	r.Must(201, r.JSON("POST", "/api/v2/users", object{"user": object{"name": "New Ada", "email": "ada@example.com"}}))
	faketest.Want(t, r.Must(400, r.Send("GET", "/api/v2/users/abc", "")), object{"error.message": "You passed an invalid value for the id attribute. Invalid parameter: id must be an integer from api/v2/users/show"})
}

func TestOrganizationsAndJobs(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := r.Must(201, r.JSON("POST", "/api/v2/organizations.json", object{"organization": object{"name": "Acme", "external_id": "e1"}}))
	acme := g.Text("organization.id")
	if at := g.Header.Get("Location"); at != "https://acme.zendesk.com/api/v2/organizations/"+acme+".json" {
		t.Errorf("Location is %q", at)
	}
	r.Must(422, r.JSON("POST", "/api/v2/organizations", object{"organization": object{"name": "Acme"}}))
	r.Must(422, r.JSON("POST", "/api/v2/organizations", object{"organization": object{}}))
	faketest.Want(t, get(r, "/api/v2/organizations/search?external_id=e1"), object{"count": 1, "next_page": nil})
	faketest.Want(t, get(r, "/api/v2/organizations/autocomplete.json?name=Ac"), object{"count": 0})

	g = r.Must(200, r.JSON("POST", "/api/v2/organizations/create_many.json", object{"organizations": []object{{"name": "One"}, {"name": "Acme"}, {"name": "Two"}}}))
	faketest.Want(t, g, object{"job_status.status": "queued", "job_status.total": nil, "job_status.progress": nil, "job_status.results": nil})
	job := "/api/v2/job_statuses/" + g.Text("job_status.id") + ".json"
	r.Wait(1500 * time.Millisecond)
	faketest.Want(t, get(r, job), object{"job_status.status": "working", "job_status.total": 3})
	r.Wait(2 * time.Second)
	g = get(r, job)
	faketest.Want(t, g, object{
		"job_status.status": "completed", "job_status.progress": 3, "job_status.results.0.status": "Created", "job_status.results.1.success": false,
		"job_status.results.1.details": "Name: has already been taken", "job_status.message": "Completed at 2026-03-01 12:00:03 +0000",
	})
	one := g.Text("job_status.results.0.id")
	faketest.Want(t, get(r, "/api/v2/organizations/"+one), object{"organization.name": "One", "organization.url": "https://acme.zendesk.com/api/v2/organizations/" + one + ".json"})
	r.Must(200, r.JSON("PUT", "/api/v2/organizations/update_many", object{"organizations": []object{{"id": acme, "notes": "n1"}, {"id": 1, "notes": "n2"}}}))
	r.Must(200, r.Send("DELETE", "/api/v2/organizations/destroy_many.json?ids="+one, ""))
	r.Wait(5 * time.Second)
	faketest.Want(t, get(r, "/api/v2/organizations/"+acme), object{"organization.notes": "n1"})
	r.Must(404, r.Send("GET", "/api/v2/organizations/"+one, ""))
	r.Must(204, r.Send("DELETE", "/api/v2/organizations/"+acme+".json", ""))
	faketest.Want(t, r.Must(404, r.Send("DELETE", "/api/v2/organizations/"+acme+".json", "")), object{"error": "RecordNotFound", "description": "Not found"})
	r.Must(404, r.Send("GET", "/api/v2/job_statuses/nope", ""))
}

func TestManyTickets(t *testing.T) {
	t.Parallel()
	r := rig(t)
	done := func(g faketest.Got) faketest.Got {
		r.Wait(5 * time.Second)
		return get(r, "/api/v2/job_statuses/"+g.Text("job_status.id"))
	}
	g := done(r.Must(200, r.JSON("POST", "/api/v2/tickets/create_many", object{"tickets": []object{{"subject": "a", "comment": object{"body": "b"}}, {"subject": "nothing said"}}})))
	faketest.Want(t, g, object{"job_status.results.0.id": 1, "job_status.results.0.success": true, "job_status.results.1.success": false})
	ticket(r, object{"tags": []string{"x"}})
	g = done(r.Must(200, r.JSON("PUT", "/api/v2/tickets/update_many.json?ids=1,2,99", object{"ticket": object{"status": "pending", "additional_tags": []string{"y"}}})))
	faketest.Want(t, g, object{"job_status.results.1.status": "Updated", "job_status.results.2.error": "TicketNotFound"})
	faketest.Want(t, get(r, "/api/v2/tickets/show_many?ids=2,1"), object{"tickets.0.id": 1, "tickets.1.tags": []string{"x", "y"}, "tickets.0.status": "pending", "count": 2})

	g = r.Must(202, r.JSON("POST", "/api/v2/tickets.json?async=true", object{"ticket": object{"subject": "later", "comment": "x"}}))
	faketest.Want(t, g, object{"ticket.id": 3})
	r.Must(404, r.Send("GET", "/api/v2/tickets/3", ""))
	faketest.Want(t, done(g), object{"job_status.results.0.id": 3})

	ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	g = r.Must(200, r.JSON("POST", "/api/v2/tickets/1/merge", object{"ids": []int{2, 4}, "target_comment": "Taking these in", "source_comment": "Closing in favor of 1"}))
	faketest.Want(t, done(g), object{"job_status.status": "completed", "job_status.results.1.success": true})
	faketest.Want(t, get(r, "/api/v2/tickets/4"), object{"ticket.status": "closed", "ticket.tags": []string{"closed_by_merge"}})
	faketest.Want(t, get(r, "/api/v2/tickets/1/comments?sort_order=desc"), object{"comments.0.plain_body": "Taking these in", "comments.0.public": false})
	r.Must(422, r.JSON("POST", "/api/v2/tickets/1/merge", object{"ids": []int{2}}))
	many := make([]object, 101)
	for i := range many {
		many[i] = object{"comment": "x"}
	}
	r.Must(400, r.JSON("POST", "/api/v2/tickets/create_many", object{"tickets": many}))
}

func TestViewsAndMacros(t *testing.T) {
	t.Parallel()
	r := rig(t)
	mine := ticket(r, object{"assignee_id": 360000000001, "priority": "low", "tags": []string{"vip"}})
	other := ticket(r, object{"status": "pending"})
	ticket(r, object{"status": "solved"})
	for view, want := range map[string]string{"360000000500": mine, "360000000501": other, "360000000502": mine + " " + other, "360000000504": other, "360000000505": "3"} {
		if got := strings.Join(get(r, "/api/v2/views/"+view+"/tickets.json?sort_by=id").IDs("tickets"), " "); got != want {
			t.Errorf("view %s shows %q, want %q", view, got, want)
		}
	}
	g := r.Must(201, r.JSON("POST", "/api/v2/views", object{"view": object{"title": "VIPs", "all": []object{{"field": "status", "operator": "less_than", "value": "solved"}, {"field": "current_tags", "operator": "includes", "value": "vip"}}, "output": object{"columns": []string{"subject", "status"}}}}))
	view := g.Text("view.id")
	faketest.Want(t, get(r, "/api/v2/views/"+view+"/count"), object{"view_count.value": 1, "view_count.fresh": true})
	faketest.Want(t, get(r, "/api/v2/views/"+view+"/execute"), object{"rows.0.ticket.id": 1, "rows.0.subject": "Printer offline", "columns.1.title": "Status", "count": 1})
	g = r.Must(201, r.JSON("POST", "/api/v2/macros", object{"macro": object{"title": "Close", "actions": []object{{"field": "status", "value": "solved"}, {"field": "comment_value", "value": "Bye"}, {"field": "current_tags", "value": "done"}, {"field": "assignee_id", "value": "current_user"}}}}))
	macro := g.Text("macro.id")
	faketest.Want(t, get(r, "/api/v2/macros/"+macro+"/apply"), object{"result.ticket.status": "solved", "result.ticket.comment.body": "Bye", "result.ticket.comment.public": true})
	faketest.Want(t, get(r, "/api/v2/tickets/"+mine+"/macros/"+macro+"/apply.json"), object{"result.ticket.id": 1, "result.ticket.tags": []string{"done", "vip"}, "result.ticket.assignee_id": 360000000001})
	faketest.Want(t, get(r, "/api/v2/tickets/"+mine), object{"ticket.status": "open"}) // nothing was changed
	r.Must(422, r.JSON("POST", "/api/v2/macros", object{"macro": object{"title": " "}}))
	r.Must(204, r.Send("DELETE", "/api/v2/macros/"+macro, ""))
}

func TestUploads(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := r.Must(201, r.Send("POST", "/api/v2/uploads.json?filename=crash.log", "boom\x00\xff", "Content-Type", "application/binary"))
	faketest.Want(t, g, object{"upload.attachment.file_name": "crash.log", "upload.attachment.size": 6, "upload.attachments.0.content_type": "application/binary"})
	token := g.Text("upload.token")
	number := ticket(r, object{"comment": object{"body": "See there", "uploads": []string{token}}})
	file := get(r, "/api/v2/tickets/"+number+"/comments").Text("comments.0.attachments.0.content_url")
	if got := get(r, strings.TrimPrefix(file, r.Base)); got.Raw != "boom\x00\xff" {
		t.Errorf("the file is %q", got.Raw)
	}
	r.Must(422, put(r, number, object{"comment": object{"body": "again", "uploads": []string{token}}}))
	late := r.Must(201, r.Send("POST", "/api/v2/uploads?filename=a.txt", "x", "Content-Type", "text/plain")).Text("upload.token")
	r.Wait(2 * time.Hour)
	r.Must(422, put(r, number, object{"comment": object{"body": "late", "uploads": []string{late}}}))
	r.Must(400, r.Send("POST", "/api/v2/uploads", "x", "Content-Type", "text/plain"))
	r.Must(204, r.Send("DELETE", "/api/v2/uploads/"+late, ""))
}

func TestHelpCenter(t *testing.T) {
	t.Parallel()
	r := rig(t)
	category := r.Must(201, r.JSON("POST", "/api/v2/help_center/categories", object{"category": object{"name": "Basics"}})).Text("category.id")
	section := r.Must(201, r.JSON("POST", "/api/v2/help_center/categories/"+category+"/sections", object{"section": object{"name": "Refunds"}})).Text("section.id")
	g := r.Must(201, r.JSON("POST", "/api/v2/help_center/en-us/sections/"+section+"/articles.json", object{"article": object{"title": "How refunds work", "body": "<p>Refunds take five days.</p>", "label_names": []string{"money"}}}))
	faketest.Want(t, g, object{"article.name": "How refunds work", "article.locale": "en-us", "article.draft": false, "article.outdated": false})
	article := g.Text("article.id")
	r.Must(201, r.JSON("POST", "/api/v2/help_center/sections/"+section+"/articles", object{"article": object{"title": "Refund draft", "body": "secret", "draft": true}}))
	faketest.Want(t, get(r, "/api/v2/help_center/articles/search.json?query=refunds"), object{"count": 0})
	r.Wait(2 * time.Minute)
	faketest.Want(t, get(r, "/api/v2/help_center/articles/search.json?query=refunds"), object{"count": 1, "results.0.result_type": "article", "results.0.snippet": "<em>Refunds</em> take five days.", "page": 1, "per_page": 25, "page_count": 1})
	faketest.Want(t, get(r, "/api/v2/help_center/articles/search?label_names=money&section="+section), object{"count": 1})
	faketest.Want(t, get(r, "/api/v2/help_center/articles/search?query=refunds&locale=de"), object{"count": 0})
	faketest.Want(t, get(r, "/api/v2/help_center/en-us/articles?include=sections"), object{"count": 2, "sections.0.name": "Refunds", "page_count": 1})
	faketest.Want(t, get(r, "/api/v2/help_center/articles/"+article), object{"article.title": "How refunds work"})
	r.Must(404, r.Send("GET", "/api/v2/help_center/de/articles/"+article, ""))
	r.Must(204, r.Send("DELETE", "/api/v2/help_center/articles/"+article, ""))
	r.Must(404, r.Send("GET", "/api/v2/help_center/articles/"+article, ""))
	r.Must(400, r.Send("GET", "/api/v2/help_center/articles/search", ""))
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	r := rig(t)
	hook := object{"name": "Mine", "endpoint": "https://agent.example/hook", "http_method": "POST", "request_format": "json", "status": "active", "subscriptions": []string{"zen:event-type:ticket.status_changed", "zen:event-type:ticket.comment_added"}}
	g := r.Must(201, r.JSON("POST", "/api/v2/webhooks", object{"webhook": hook}))
	at, secret := "/api/v2/webhooks/"+g.Text("webhook.id"), g.Text("webhook.signing_secret.secret")
	if got := get(r, at+"/signing_secret").Text("signing_secret.secret"); got != secret || secret == "" {
		t.Errorf("the secret is %q, then %q", secret, got)
	}
	if got := get(r, at); got.At("webhook.signing_secret") != nil {
		t.Errorf("a read shows the secret: %s", got.Raw)
	}
	number := ticket(r, nil)
	r.Attempt(200) // the first comment
	r.Must(200, put(r, number, object{"status": "pending"}))
	d, header := r.Attempt(0)
	var event object
	if err := json.Unmarshal(d.Body, &event); err != nil {
		t.Fatal(err)
	}
	faketest.Want(t, faketest.Got{Body: event}, object{"type": "zen:event-type:ticket.status_changed", "subject": "zen:ticket:1", "detail.id": "1", "detail.status": "PENDING", "event.previous": "NEW", "event.current": "PENDING"})
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(header.Get("X-Zendesk-Webhook-Signature-Timestamp") + string(d.Body)))
	if want := base64.StdEncoding.EncodeToString(mac.Sum(nil)); header.Get("X-Zendesk-Webhook-Signature") != want {
		t.Errorf("the signature is %q, want %q", header.Get("X-Zendesk-Webhook-Signature"), want)
	}
	for attempt := 2; attempt <= 6; attempt++ { // no answer: five more
		if d, _ := r.Attempt(0); d.Attempt != attempt {
			t.Errorf("attempt %d is told as %d", attempt, d.Attempt)
		}
	}
	if left := r.Deliveries(); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
	r.Must(204, r.JSON("PATCH", at, object{"webhook": object{"status": "inactive"}}))
	r.Must(200, put(r, number, object{"status": "open"}))
	if left := r.Deliveries(); len(left) != 0 {
		t.Errorf("an inactive webhook is called: %+v", left)
	}
	faketest.Want(t, get(r, "/api/v2/webhooks"), object{"webhooks.0.status": "inactive", "meta.has_more": false})
	r.Must(400, r.JSON("POST", "/api/v2/webhooks", object{"webhook": object{"name": "x"}}))
	r.Must(204, r.Send("DELETE", at, ""))
	r.Must(404, r.Send("GET", at, ""))
}
