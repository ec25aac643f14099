package sendgrid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/faketest"
)

func TestBouncePages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var fixture strings.Builder
	fixture.WriteString("sendgrid.bounces:\n")
	for i := range 7 {
		fmt.Fprintf(&fixture, "  - {id: b%d@example.net, email: B%d@example.net, created: 2026-01-0%d, reason: 550 no, status: 5.1.1}\n", i, i, i+1)
	}
	r.Fill(fixture.String())
	g := r.Must(200, r.Send("GET", "/v3/suppression/bounces?limit=3&offset=3", ""))
	if diff := cmp.Diff([]string{"B3@example.net", "B2@example.net", "B1@example.net"}, g.Texts("", "email")); diff != "" {
		t.Error(diff)
	}
	link := g.Header.Get("Link")
	for _, rel := range []string{`offset=6>; rel="next"; title="3"`, `offset=0>; rel="prev"`, `rel="last"; title="3"`, `rel="first"; title="1"`} {
		if !strings.Contains(link, rel) {
			t.Errorf("no %s in %s", rel, link)
		}
	}
	day := 24 * 60 * 60
	first := int(g.At("2.created").(float64))
	if g := r.Must(200, r.Send("GET", fmt.Sprintf("/v3/suppression/bounces?start_time=%d&end_time=%d", first, first+2*day), "")); g.Len("") != 3 {
		t.Errorf("%s", g.Raw)
	}
	r.Must(400, r.Send("GET", "/v3/suppression/bounces?limit=many", ""))
	r.Must(400, r.JSON("DELETE", "/v3/suppression/bounces", m{}))
	r.Must(400, r.JSON("DELETE", "/v3/suppression/bounces", m{"delete_all": true, "emails": []any{"b0@example.net"}}))
	r.Must(204, r.JSON("DELETE", "/v3/suppression/bounces", m{"emails": []any{"b0@EXAMPLE.net", "b0@example.net", "absent@example.net"}}))
	if g := r.Must(200, r.Send("GET", "/v3/suppression/bounces", "")); g.Len("") != 6 {
		t.Errorf("%s", g.Raw)
	}
	r.Must(204, r.Send("DELETE", "/v3/suppression/bounces/b1%40example.net?email_address=b1%40example.net", ""))
	r.Must(404, r.Send("DELETE", "/v3/suppression/bounces/b1@example.net", ""))
	r.Must(204, r.JSON("DELETE", "/v3/suppression/bounces", m{"delete_all": true}))
	if g := r.Must(200, r.Send("GET", "/v3/suppression/bounces", "")); g.Raw != "[]" {
		t.Errorf("%s", g.Raw)
	}
}

func TestGlobalUnsubscribes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	faketest.Want(t, r.Must(201, r.JSON("POST", "/v3/asm/suppressions/global", m{"recipient_emails": []any{"Ada@example.net"}})), m{"recipient_emails": []any{"Ada@example.net"}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/asm/suppressions/global/ada@example.net", "")), m{"recipient_email": "Ada@example.net"})
	if g := r.Must(200, r.Send("GET", "/v3/asm/suppressions/global/other@example.net", "")); g.Raw != "{}" {
		t.Errorf("%s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/suppression/unsubscribes", "")), m{"0.email": "Ada@example.net"})
	r.Must(204, r.Send("DELETE", "/v3/asm/suppressions/global/ada@example.net", ""))
	if g := r.Must(200, r.Send("GET", "/v3/suppression/unsubscribes", "")); g.Raw != "[]" {
		t.Errorf("%s", g.Raw)
	}
	r.Must(400, r.JSON("POST", "/v3/asm/suppressions/global", m{"recipient_emails": []any{"nonsense"}}))
	r.Must(400, r.JSON("POST", "/v3/asm/suppressions/global", m{}))
}

func TestGroups(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "News", "description": "Weekly"}))
	faketest.Want(t, made, m{"name": "News", "description": "Weekly", "is_default": false})
	path := "/v3/asm/groups/" + made.Text("id")
	r.Must(400, r.JSON("POST", "/v3/asm/groups", m{"name": "News", "description": "Twice"}))
	r.Must(400, r.JSON("POST", "/v3/asm/groups", m{"name": strings.Repeat("n", 31), "description": "Long"}))
	r.Must(400, r.JSON("POST", "/v3/asm/groups", m{"name": "Bare"}))
	r.Must(201, r.JSON("POST", path+"/suppressions", m{"recipient_emails": []any{"ada@example.net", "bob@example.net"}}))
	faketest.Want(t, r.Must(200, r.Send("GET", path, "")), m{"unsubscribes": 2, "last_email_sent_at": nil})
	if g := r.Must(200, r.Send("GET", path+"/suppressions", "")); g.Len("") != 2 {
		t.Errorf("%s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.JSON("POST", path+"/suppressions/search", m{"recipient_emails": []any{"bob@example.net", "eve@example.net"}})), m{"": []any{"bob@example.net"}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/asm/suppressions/ada@example.net", "")), m{"suppressions.0.suppressed": true, "suppressions.0.name": "News"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/asm/suppressions", "")), m{"0.group_name": "News"})
	r.Must(204, r.Send("DELETE", path+"/suppressions/ada@example.net", ""))
	faketest.Want(t, r.Must(201, r.JSON("PATCH", path, m{"description": "Daily"})), m{"name": "News", "description": "Daily", "unsubscribes": 1})
	if g := r.Must(200, r.Send("GET", "/v3/asm/groups?id="+made.Text("id"), "")); g.Len("") != 1 {
		t.Errorf("%s", g.Raw)
	}
	r.Must(204, r.Send("DELETE", path, ""))
	r.Must(404, r.Send("GET", path, ""))
	r.Must(404, r.JSON("POST", path+"/suppressions", m{"recipient_emails": []any{"ada@example.net"}}))
}
