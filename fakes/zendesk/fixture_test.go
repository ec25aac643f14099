package zendesk_test

import (
	"os"
	"slices"
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
	if sent := r.Outbox(); len(sent) != 0 {
		t.Errorf("a fixture sent %d mails", len(sent))
	}
	// The next ticket goes on counting.
	if n := ticket(r, nil); n != "113" {
		t.Errorf("the next ticket is %s", n)
	}
}
