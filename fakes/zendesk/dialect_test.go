package zendesk_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestWhoCalls(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for _, bad := range []string{"", "Basic nonsense", "Basic " + "b25seWFuYW1l", "Bearer x", "Token abc", basic("nobody")} {
		faketest.Want(t, r.Must(401, r.Send("GET", "/api/v2/users/me.json", "", "Authorization", bad)), object{"error": "Couldn't authenticate you"})
	}
	grace := user(r, "Grace", "grace@example.com", "agent")
	faketest.Want(t, r.Must(200, r.Send("GET", "/api/v2/users/me", "", "Authorization", basic("Grace@example.com"))), object{"user.name": "Grace"})
	number := ticket(r, nil)
	g := r.Must(200, r.JSON("PUT", "/api/v2/tickets/"+number, object{"ticket": object{"status": "solved"}}, "Authorization", basic("grace@example.com")))
	if g.Text("ticket.assignee_id") != grace || g.Text("audit.author_id") != grace {
		t.Errorf("who solves it has it: %s", g.Raw)
	}
	r.Must(403, r.JSON("POST", "/api/v2/triggers", object{"trigger": object{"title": "x"}}, "Authorization", basic("grace@example.com")))
	r.Fill(`
zendesk.users:
  - {name: Linus, email: linus@example.com, role: agent}
zendesk.tokens:
  - {id: oauth_revoked, revoked: true}
  - {id: oauth_old_one, expires: "2020-01-01T00:00:00Z"}
  - {id: oauth_readonly, scopes: [read], subject: linus@example.com}
  - {id: oauth_tickets, scopes: ["tickets:read", "tickets:write"]}
`)
	r.Must(401, r.Send("GET", "/api/v2/users/me", "", "Authorization", "Bearer oauth_revoked"))
	r.Must(401, r.Send("GET", "/api/v2/users/me", "", "Authorization", "Bearer oauth_old_one"))
	faketest.Want(t, r.Must(200, r.Send("GET", "/api/v2/users/me", "", "Authorization", "Bearer oauth_readonly")), object{"user.name": "Linus"})
	r.Must(403, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"comment": "x"}}, "Authorization", "Bearer oauth_readonly"))
	r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"comment": "x"}}, "Authorization", "Bearer oauth_tickets"))
	r.Must(403, r.Send("GET", "/api/v2/users/me", "", "Authorization", "Bearer oauth_tickets"))
	r.Must(200, r.Send("GET", "/api/v2/users/me", "", "Authorization", "Bearer any_other_token"))
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for _, test := range []struct {
		method, target, body string
		status               int
		field                string
		says                 string
	}{
		{"GET", "/api/v2/tickets/abc", "", 400, "error.message", "You passed an invalid value for the id attribute. Invalid parameter: id must be an integer from api/v2/tickets/show"},
		{"GET", "/api/v2/tickets/99", "", 404, "error", "RecordNotFound"},
		{"GET", "/api/v2/nothing.json", "", 404, "error", "InvalidEndpoint"},
		{"PATCH", "/api/v2/tickets/1", "{}", 404, "error", "InvalidEndpoint"},
		{"POST", "/api/v2/tickets", "{", 422, "message", "Server could not parse JSON"},
		{"POST", "/api/v2/tickets", `{"ticket": "x"}`, 400, "error.message", "You passed an invalid value for the ticket attribute. Invalid parameter: ticket must be a hash from api/v2/tickets/create"},
		{"POST", "/api/v2/tickets", `[1]`, 400, "error.title", "Invalid attribute"},
		{"POST", "/api/v2/tickets", ``, 400, "error.message", "Required parameter missing: ticket"},
		{"POST", "/api/v2/tickets", `{}`, 422, "error", "RecordInvalid"},
		{"POST", "/api/v2/tickets", `{"ticket": {"comment": {"Body": "case counts"}}}`, 422, "error", "RecordInvalid"},
		{"POST", "/api/v2/tickets", `{"ticket": {"comment": "x", "subject": 5}}`, 400, "error.title", "Invalid attribute"},
		{"PUT", "/api/v2/tickets/abc/tags", `{"tags": ["x"]}`, 400, "error.title", "Invalid attribute"},
		{"GET", "/api/v2/help_center/articles/abc", "", 404, "error", "RecordNotFound"},
	} {
		g := r.Send(test.method, test.target, test.body, "Content-Type", "application/json")
		if g.Status != test.status || g.Text(test.field) != test.says {
			t.Errorf("%s %s %s: %d %s", test.method, test.target, test.body, g.Status, g.Raw)
		}
	}
	r.Must(415, r.Send("POST", "/api/v2/tickets", "ticket[subject]=x", "Content-Type", "application/x-www-form-urlencoded"))
	// What is not known is ignored.
	r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"comment": "x", "colour": "red"}, "more": 1}))
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := get(r, "/api/v2/groups")
	for name, want := range map[string]string{"X-Rate-Limit": "700", "X-Rate-Limit-Remaining": "699", "Ratelimit-Limit": "700", "Ratelimit-Remaining": "699", "Ratelimit-Reset": "60", "X-Zendesk-Api-Version": "v2"} {
		if got := g.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for range 699 {
		r.Send("GET", "/api/v2/groups", "")
	}
	g = r.Must(429, r.Send("GET", "/api/v2/groups", ""))
	faketest.Want(t, g, object{"error": "APIRateLimitExceeded", "description": "Number of allowed API requests per minute exceeded"})
	if after := g.Header.Get("Retry-After"); after != "60" {
		t.Errorf("Retry-After is %q", after)
	}
	r.Wait(time.Minute)
	get(r, "/api/v2/groups")
}

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	r := rig(t)
	post := func(subject, key string) faketest.Got {
		return r.JSON("POST", "/api/v2/tickets.json", object{"ticket": object{"subject": subject, "comment": "x"}}, "Idempotency-Key", key)
	}
	first := r.Must(201, post("a", "k1"))
	again := r.Must(201, post("a", "k1"))
	if first.Header.Get("X-Idempotency-Lookup") != "miss" || again.Header.Get("X-Idempotency-Lookup") != "hit" || again.Raw != first.Raw || again.Header.Get("Location") == "" {
		t.Errorf("lookups: %v, %v", first.Header, again.Header)
	}
	if !again.Reply.Replayed {
		t.Error("the second is not told as a replay")
	}
	faketest.Want(t, r.Must(400, post("b", "k1")), object{"error": "IdempotentRequestError"})
	r.Must(400, post("a", strings.Repeat("k", 256)))
	faketest.Want(t, get(r, "/api/v2/tickets"), object{"count": 1})
	r.Must(422, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{}}, "Idempotency-Key", "k2"))
	r.Must(201, post("a", "k2")) // a refusal leaves the key free
	r.Wait(2*time.Hour + time.Second)
	faketest.Want(t, r.Must(201, post("b", "k1")), object{"ticket.id": 3})
	if g := get(r, "/api/v2/tickets/1"); g.Header.Get("Etag") == "" || r.Send("GET", "/api/v2/tickets/1", "", "If-None-Match", g.Header.Get("Etag")).Status != 304 {
		t.Error("an unchanged ticket is sent again")
	}
}
