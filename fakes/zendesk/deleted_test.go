package zendesk_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

// binned is an account with tickets, of which some are deleted; left are those
// that a list shows.
func binned(t *testing.T, tickets int, deleted ...int) (r *faketest.Rig, left []string) {
	r = rig(t)
	for i := range tickets {
		id := ticket(r, nil)
		if slices.Contains(deleted, i+1) {
			r.Must(204, r.Send("DELETE", "/api/v2/tickets/"+id, ""))
			continue
		}
		left = append(left, id)
	}
	return r, left
}

func TestListsPassOverDeletedTickets(t *testing.T) {
	t.Parallel()
	r, left := binned(t, 12, 1, 4, 5, 12)
	first := get(r, "/api/v2/tickets?per_page=3")
	faketest.Want(t, first, object{"count": len(left)})
	second := get(r, "/api/v2/tickets?per_page=3&page=2")
	third := get(r, "/api/v2/tickets?per_page=3&page=3")
	if got := slices.Concat(first.IDs("tickets"), second.IDs("tickets"), third.IDs("tickets")); !slices.Equal(got, left) {
		t.Errorf("by number: %v, want %v", got, left)
	}
	faketest.Want(t, third, object{"next_page": nil})
	down := get(r, "/api/v2/tickets?sort_by=id&sort_order=desc").IDs("tickets")
	if slices.Reverse(down); !slices.Equal(down, left) {
		t.Errorf("sorted: %v, want %v", down, left)
	}
	page := get(r, "/api/v2/tickets?page%5Bsize%5D=3")
	var turned []string
	for range 5 {
		turned = append(turned, page.IDs("tickets")...)
		if page.At("meta.has_more") != true {
			break
		}
		page = get(r, strings.TrimPrefix(page.Text("links.next"), r.Base))
	}
	if !slices.Equal(turned, left) {
		t.Errorf("by cursor: %v, want %v", turned, left)
	}
	before := func() []string {
		return get(r, "/api/v2/tickets?page%5Bsize%5D=3&page%5Bbefore%5D="+url.QueryEscape(page.Text("meta.before_cursor"))).IDs("tickets")
	}
	at := slices.Index(left, page.IDs("tickets")[0])
	if got := before(); !slices.Equal(got, left[at-3:at]) {
		t.Errorf("before the last page: %v, want %v", got, left[at-3:at])
	}
	r.Must(204, r.Send("DELETE", "/api/v2/tickets/"+left[at], "")) // where the cursor stands
	left = slices.Delete(left, at, at+1)
	if got := before(); !slices.Equal(got, left[len(left)-3:]) {
		t.Errorf("before what is gone: %v, want %v", got, left[len(left)-3:])
	}
}

// One deleted ticket had each list look at all tickets.
func TestADeletedTicketDoesNotMakeEachListReadAll(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"page%5Bsize%5D=5", "per_page=5"} {
		few, _ := binned(t, 20, 3)
		many, _ := binned(t, 80, 3)
		if a, b := few.Steps("GET", "/api/v2/tickets?"+query, ""), many.Steps("GET", "/api/v2/tickets?"+query, ""); a != b {
			t.Errorf("%s: %d steps among 20 tickets, %d among 80", query, a, b)
		}
	}
}
