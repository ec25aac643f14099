package live

import "testing"

// A client that came by a base URL does not leave by a link that it follows; one that
// came by the service's own name gets the bytes that came.
func TestLinksLeadWhereTheClientCameFrom(t *testing.T) {
	t.Parallel()
	to := service(t, desk, behind(t, nil))
	to.Hosts = []string{"desk.example", "eu.desk.example:8443"}
	const base, proxied = "http://127.0.0.1:4500/desk", "https://desk.example"
	for _, c := range []struct{ name, body, want string }{
		{"a whole text", `{"next":"https://desk.example/v1/tickets?after=2"}`, `{"next":"http://127.0.0.1:4500/desk/v1/tickets?after=2"}`},
		{"another of its hosts, its port, plain HTTP", `["https://eu.desk.example:8443/v1/x","http://desk.example/v1/x","https://DESK.example:443/v1/x"]`, `["http://127.0.0.1:4500/desk/v1/x","http://127.0.0.1:4500/desk/v1/x","http://127.0.0.1:4500/desk/v1/x"]`},
		{"escaped as some do", `{"next":"https:\/\/desk.example\/v1\/tickets?a=1\u0026b=2"}`, `{"next":"http:\/\/127.0.0.1:4500\/desk\/v1\/tickets?a=1\u0026b=2"}`},
		{"a template", `{"u":"https://desk.example/v1/tickets{/id}"}`, `{"u":"http://127.0.0.1:4500/desk/v1/tickets{/id}"}`},
		{"in a list, deep, beside others", ` { "_links" : {"self":[{"href":"https://desk.example/v1/a","x":1.50}]},  "t":"\"" }`, ` { "_links" : {"self":[{"href":"http://127.0.0.1:4500/desk/v1/a","x":1.50}]},  "t":"\"" }`},
		{"within a text", `{"t":"see https://desk.example/v1/tickets"}`, ""},
		{"a text that goes on", `{"t":"https://desk.example/v1/tickets is it"}`, ""},
		{"a page for people", `{"html_url":"https://desk.example/agent/tickets/1"}`, ""},
		{"another host", `{"a":"https://desk.example.net/v1/x","b":"https://x.desk.example/v1/x","c":"https://desk.example:444/v1/x"}`, ""},
		{"a name", `{"https://desk.example/v1/tickets":1}`, ""},
		{"somebody's password", `{"a":"https://me:secret@desk.example/v1/x"}`, ""},
		{"no JSON", `<a href="https://desk.example/v1/tickets">`, ""},
		{"cut off", `{"next":"https://desk.example/v1/tickets`, ""},
	} {
		want := c.want
		if want == "" {
			want = c.body
		}
		if got := string(to.Home(base, []byte(c.body))); got != want {
			t.Errorf("%s: %s becomes %s, want %s", c.name, c.body, got, want)
		}
		if got := string(to.Home(proxied, []byte(c.body))); got != c.body {
			t.Errorf("%s, by the service's name: %s becomes %s", c.name, c.body, got)
		}
	}
	if got := to.Abroad(base, "", "self=http%3A%2F%2F127.0.0.1%3A4500%2Fdesk%2Fv1%2Fa&q=a+b"); got != "self=https%3A%2F%2Fdesk.example%2Fv1%2Fa&q=a+b" {
		t.Errorf("a link in the query leaves as %s", got)
	}
	if got := to.led(proxied, `<https://eu.desk.example:8443/v1/a>; rel="next"`); got != `<https://eu.desk.example:8443/v1/a>; rel="next"` {
		t.Errorf("by the service's name: Link becomes %s", got)
	}
}

func FuzzHome(f *testing.F) {
	to := service(f, desk, behind(f, nil))
	to.Hosts = []string{"desk.example"}
	f.Add([]byte(`{"a":["https://desk.example/v1/x","\\"]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		once := to.Home("http://127.0.0.1:1/desk", body)
		if twice := to.Home("http://127.0.0.1:1/desk", once); string(twice) != string(once) {
			t.Errorf("%q, then %q", once, twice)
		}
	})
}
