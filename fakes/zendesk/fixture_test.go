package zendesk_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// The messy account loads, and shows what a person would find there.
func TestMessyAccount(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../fixture/library/zendesk/zendesk-messy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := rig(t)
	r.Now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r.Fill(string(content))
	faketest.Want(t, get(r, "/api/v2/tickets/101"), object{"ticket.status": "closed", "ticket.requester_id": 8101, "ticket.created_at": "2017-02-03T09:12:00Z", "ticket.updated_at": "2017-02-20T16:40:00Z"})
	g := get(r, "/api/v2/tickets/101/comments")
	if got := g.Texts("comments", "public"); !slices.Equal(got, []string{"true", "false", "true", "false"}) {
		t.Errorf("comments: %s", g.Raw)
	}
	faketest.Want(t, get(r, "/api/v2/tickets/104"), object{"ticket.has_incidents": true, "ticket.custom_fields.0.value": "product_printer", "ticket.tags": []string{"product_printer"}})
	faketest.Want(t, get(r, "/api/v2/search?query=ada+type:user"), object{"count": 3})
	faketest.Want(t, get(r, "/api/v2/help_center/articles/search?query=refunds"), object{"count": 3, "results.0.outdated": false})
	faketest.Want(t, get(r, "/api/v2/help_center/articles/5001"), object{"article.outdated": true, "article.label_names": []string{"refund", "money"}})
	faketest.Want(t, get(r, "/api/v2/users/show_many?ids=8101"), object{"users.0.name": "Ada Lovelace"})
	// What is out of date says so, and what has moved leads on.
	for path, at := range map[string]struct {
		status int
		to     string
	}{
		"/hc/en-us/articles/5001-Refunds":             {200, ""},
		"/hc/en-us/articles/5001":                     {301, "https://acme.zendesk.com/hc/en-us/articles/5001-Refunds"},
		"/hc/en-us/articles/5002-Refunds-old":         {301, "https://acme.zendesk.com/hc/en-us/articles/5002-How-refunds-work"},
		"/hc/en-us/articles/4711-Refunds-by-cheque":   {301, "/hc/en-us/articles/5002-How-refunds-work"},
		"/hc/en-us/articles/5004-Returning-a-scanner": {302, "/hc/en-us/articles/5002-How-refunds-work"},
		"/hc/en-us/articles/4712-Return-by-post":      {301, "/hc/en-us/articles/5004-Returning-a-scanner"},
		"/hc/de/articles/5001-Refunds":                {404, ""},
		"/hc/en-us/articles/9":                        {404, ""},
	} {
		g := r.Send("GET", path, "")
		if to := g.Header.Get("Location"); g.Status != at.status || !strings.HasSuffix(to, at.to) || (to == "") != (at.to == "") {
			t.Errorf("%s: %d %q", path, g.Status, to)
		}
	}
	// What people sent is with what they wrote, or is not.
	faketest.Want(t, get(r, "/api/v2/tickets/119/comments"), object{"comments.0.attachments": []any{}, "comments.1.attachments.1.size": 0, "comments.1.attachments.2.file_name": "請求書.xls"})
	if sent := r.Outbox(); len(sent) != 0 {
		t.Errorf("a fixture sent %d mails", len(sent))
	}
	// Its rules are carried out, on what comes now.
	faketest.Want(t, get(r, "/api/v2/triggers/search?query=refunds"), object{"count": 1})
	urgent := r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"subject": "Again", "priority": "urgent", "comment": object{"body": "Refund, please"}}})).Text("ticket.id")
	faketest.Want(t, get(r, "/api/v2/tickets/"+urgent+"?include=slas"), object{"ticket.tags": []string{"refund_request"}, "ticket.slas.policy_metrics.0.metric": "requester_wait_time", "ticket.slas.policy_metrics.0.hours": 8})
	// The next ticket goes on counting.
	if n := ticket(r, nil); n != "121" {
		t.Errorf("the next ticket is %s", n)
	}
}
