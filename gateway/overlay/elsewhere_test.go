package overlay_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// later lets the time go by that what a service does on its own takes.
func (l *line) later() {
	l.t.Helper()
	for _, r := range []*faketest.Rig{l.real, l.direct, l.run} {
		if err := r.Advance(10 * time.Minute); err != nil {
			l.t.Fatal(err)
		}
	}
}

// A write shows in whatever else it moves: searches, counts, sums, what is expanded.
func TestAWriteShowsInAllThatFollowsFromIt(t *testing.T) {
	t.Parallel()
	const hello, contacts = "/repos/octocat/hello-world", "/crm/v3/objects/contacts"
	header := map[string][]string{}
	for _, r := range rows() {
		header[r.service] = r.header
	}
	for _, scene := range []struct {
		service string
		seed    []string
		calls   []string // @N is what the N-th of seed has at the id of its kind; "-": time goes by
		at      []string // what of each reply is compared, with slashes; "": all
	}{
		{
			"hubspot",
			[]string{
				"POST " + contacts + ` {"properties":{"firstname":"a","email":"a@x.example"}}`, "POST " + contacts + ` {"properties":{"firstname":"b","email":"b@x.example"}}`,
			},
			[]string{
				"-", "PATCH " + contacts + `/@0 {"properties":{"firstname":"zed"}}`, "POST " + contacts + ` {"properties":{"firstname":"zed","email":"z@x.example"}}`, "-",
				"POST " + contacts + `/search {"filterGroups":[{"filters":[{"propertyName":"firstname","operator":"EQ","value":"zed"}]}]}`, "DELETE " + contacts + "/@1", "-",
				"POST " + contacts + `/search {"limit":10}`,
			},
			[]string{"", "id", "id", "", "", "none", "", ""},
		},
		{
			"github",
			[]string{"POST " + hello + `/issues {"title":"one"}`, "POST " + hello + `/issues {"title":"two"}`},
			[]string{
				"POST " + hello + `/issues/1/comments {"body":"hello"}`, "GET " + hello + "/issues/1/comments", "GET " + hello + "/issues",
				"POST " + hello + `/issues/1/labels {"labels":["bug"]}`, "GET " + hello + "/issues?labels=bug",
				"PUT " + hello + `/contents/a.txt {"message":"x","content":"aGVsbG8="}`, "GET " + hello + "/contents/a.txt", "GET " + hello + "/contents/", "GET " + hello + "/commits", "-",
				"GET /search/issues?q=repo:octocat/hello-world+label:bug",
			},
			[]string{"id", "", "", "none", "", "content/sha", "", "", "", "", ""},
		},
		{
			"stripe",
			[]string{
				"POST /v1/customers name=a",
				"POST /v1/payment_intents amount=500&currency=usd&confirm=true&payment_method=pm_card_visa&automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=never",
				"GET /v1/charges?limit=1",
			},
			[]string{
				"POST /v1/refunds charge=@2&amount=200", "GET /v1/charges/@2", "GET /v1/refunds?charge=@2", "GET /v1/payment_intents/@1?expand[]=latest_charge",
				"POST /v1/refunds payment_intent=@1&amount=100", "GET /v1/charges/@2", "GET /v1/balance",
			},
			[]string{"id", "amount_refunded", "data", "latest_charge/amount_refunded", "id", "amount_refunded", "pending"},
		},
		{
			"zendesk",
			[]string{`POST /api/v2/tickets {"ticket":{"subject":"a","comment":{"body":"x"}}}`, `POST /api/v2/tickets {"ticket":{"subject":"b","comment":{"body":"x"}}}`},
			[]string{
				`PUT /api/v2/tickets/1 {"ticket":{"comment":{"body":"answer"},"status":"solved"}}`, "GET /api/v2/tickets/1/comments", "GET /api/v2/tickets/1", "-",
				"GET /api/v2/search?query=type:ticket+status:solved",
			},
			[]string{"none", "count", "", "", "count"},
		},
	} {
		t.Run(scene.service, func(t *testing.T) {
			t.Parallel()
			l := newLine(t, shipped(scene.service)(t), "", header[scene.service]...)
			var made []string
			for _, call := range scene.seed {
				l.tick()
				method, target, body := parted(call, made)
				g := of(l.ask(l.real, method, target, body))
				id := g.named("id")
				if list, ok := g.at("data").([]any); ok && len(list) > 0 {
					id = got{value: list[0]}.named("id")
				}
				made = append(made, id)
			}
			l.direct.World = l.real.World
			for i, call := range scene.calls {
				if call == "-" {
					l.later()
					continue
				}
				method, target, body := parted(call, made)
				l.same(method, target, body, strings.Split(scene.at[i], "/")...)
			}
		})
	}
}
