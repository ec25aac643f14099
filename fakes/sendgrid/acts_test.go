package sendgrid_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/faketest"
)

// readers is an account whose mails are read, as a fixture says of addresses.
const readers = `
sendgrid.domains: [{domain: example.com, valid: true}]
sendgrid.mailboxes:
  - {id: keen@example.net, opens: 2, clicks: 1}
  - {id: "@club.example", opens: 1, unsubscribe: group}
  - {id: weary@example.net, unsubscribe: global}
  - {id: full@example.net, outcome: bounce, opens: 3}
`

const page = `<p>Hi</p><a class="b" href="https://shop.example/a">A</a> <a href='https://shop.example/b'>B</a>`

func paged(mail m) m {
	return with(mail, m{"content": []any{m{"type": "text/html", "value": page}}, "categories": []any{"news"}})
}

// seen lists what the webhook was told of each address.
func seen(r *rigOf) map[string][]string {
	r.T.Helper()
	all := map[string][]string{}
	for len(r.Deliveries()) > 0 {
		d, _ := r.Attempt(200)
		for _, e := range told(r.T.(*testing.T), d) {
			email := e["email"].(string)
			all[email] = append(all[email], e["event"].(string))
		}
	}
	return all
}

func hookActs(r *rigOf) {
	r.T.Helper()
	all := m{"enabled": true, "url": "https://agent.example/events"}
	for _, flag := range []string{"delivered", "bounce", "open", "click", "unsubscribe", "group_unsubscribe"} {
		all[flag] = true
	}
	r.Must(200, r.JSON("PATCH", "/v3/user/webhooks/event/settings", all))
}

// People open, click and leave, as a fixture says.
func TestActs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(readers)
	hookActs(r)
	group := r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "News", "description": "Weekly"})).At("id")
	r.Must(202, send(r, paged(with(mailTo("keen@example.net", "one@club.example", "weary@example.net", "full@example.net", "other@example.net"), m{"asm": m{"group_id": group}}))))
	r.Wait(3 * time.Hour)
	want := map[string][]string{
		"keen@example.net": {"delivered", "open", "click", "open"}, "one@club.example": {"delivered", "open", "group_unsubscribe"},
		"weary@example.net": {"delivered", "unsubscribe"}, "full@example.net": {"bounce"}, "other@example.net": {"delivered"},
	}
	if diff := cmp.Diff(want, seen(r)); diff != "" {
		t.Error(diff)
	}
	g := r.Must(200, r.Send("GET", "/v3/messages?limit=10&query="+escape(`to_email="keen@example.net"`), ""))
	faketest.Want(t, g, m{"messages.0.opens_count": 2, "messages.0.clicks_count": 1, "messages.0.status": "delivered"})
	metrics := "0.stats.0.metrics."
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/stats?start_date=2026-03-01", "")), m{
		metrics + "opens": 3, metrics + "unique_opens": 2, metrics + "clicks": 1, metrics + "unique_clicks": 1, metrics + "unsubscribes": 2, metrics + "delivered": 4,
	})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/categories/stats?start_date=2026-03-01&categories=news", "")), m{
		"0.stats.0.name": "news", "0.stats.0.type": "category", metrics + "opens": 3, metrics + "delivered": 4,
	})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/categories/stats/sums?start_date=2026-03-01", "")), m{"stats.0.name": "news", "stats.0.metrics.clicks": 1})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/categories", "")), m{"0.category": "news"})
	r.Must(400, r.Send("GET", "/v3/categories/stats?start_date=2026-03-01", ""))
	// Who left gets nothing more.
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/asm/suppressions/global/weary@example.net", "")), m{"recipient_email": "weary@example.net"})
	r.Must(202, send(r, with(mailTo("weary@example.net", "one@club.example"), m{"asm": m{"group_id": group}})))
	if sent := r.Outbox(); len(sent) != 1 {
		t.Errorf("%d mails went out", len(sent))
	}
}

// What is not tracked is not seen to happen, though people can still leave.
func TestActsThatAreNotTracked(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*rigOf) m{
		"the mail says so": func(*rigOf) m {
			return m{"tracking_settings": m{"open_tracking": m{"enable": false}, "click_tracking": m{"enable": false}}}
		},
		"the account says so": func(r *rigOf) m {
			r.Must(200, r.JSON("PATCH", "/v3/tracking_settings/open", m{"enabled": false}))
			r.Must(200, r.JSON("PATCH", "/v3/tracking_settings/click", m{"enabled": false}))
			return nil
		},
		"no page": func(*rigOf) m { return m{"content": []any{m{"type": "text/plain", "value": "https://shop.example"}}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.Fill(readers)
			hookActs(r)
			r.Must(202, send(r, with(paged(mailTo("keen@example.net", "weary@example.net")), change(r))))
			r.Wait(3 * time.Hour)
			if diff := cmp.Diff(map[string][]string{"keen@example.net": {"delivered"}, "weary@example.net": {"delivered", "unsubscribe"}}, seen(r)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
