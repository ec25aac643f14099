package gateway_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// What a page of any site had a browser of this machine send was a call like any
// other, and so was what a page sent whose name was pointed at this machine.
func TestPagesOfOtherSitesCalledServices(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Hosts = []string{"parity.internal"} })
	run := h.make(client.NewRun{Names: []string{"own"}, Port: true})[0]
	const plain, origin, site = "/stripe/v1/customers", "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"
	here := h.Addr()
	shown := "/run/own:" + run.Token + plain
	for _, c := range []struct {
		name, at, method, path, host string
		headers                      []string
		status                       int
	}{
		{"a program", here, "POST", plain, here, nil, 200},
		{"a form", here, "POST", plain, here, []string{origin, site}, 403},
		{"a form of an old browser", here, "POST", plain, here, []string{origin}, 403},
		{"a form in a sandbox", here, "POST", plain, here, []string{"Origin: null"}, 403},
		{"a page at another port", here, "POST", plain, here, []string{"Origin: http://127.0.0.1:3000", "Sec-Fetch-Site: same-site"}, 403},
		{"an image", here, "GET", plain, here, []string{site, "Sec-Fetch-Mode: no-cors"}, 403},
		{"a frame", here, "GET", plain, here, []string{site, "Sec-Fetch-Mode: navigate"}, 403},
		{"a preflight", here, "OPTIONS", plain, here, []string{origin, "Access-Control-Request-Method: POST"}, 403},
		{"a form that a person sent", here, "POST", plain, here, []string{origin, site, "Sec-Fetch-Mode: navigate", "Sec-Fetch-User: ?1"}, 403},
		{"a link that a person followed", here, "GET", plain, here, []string{site, "Sec-Fetch-Mode: navigate", "Sec-Fetch-User: ?1", "Sec-Fetch-Dest: document"}, 200},
		{"a frame that a person followed a link in", here, "GET", plain, here, []string{site, "Sec-Fetch-Mode: navigate", "Sec-Fetch-User: ?1", "Sec-Fetch-Dest: iframe"}, 403},
		{"an address that a person wrote", here, "GET", plain, here, []string{"Sec-Fetch-Site: none"}, 200},
		{"a page of this port", here, "POST", plain, here, []string{"Origin: http://" + here, "Sec-Fetch-Site: same-origin"}, 200},
		{"an agent's own page", here, "POST", shown, here, []string{"Origin: http://localhost:3000", site}, 200},
		{"a page that guesses", here, "POST", "/run/own:guess" + plain, here, []string{origin, site}, 401},
		{"a page that knows a run's name", here, "POST", "/run/own" + plain, here, []string{origin, site}, 403},
		{"a page at the port of a run", run.URLs.Port, "POST", plain, run.URLs.Port, []string{origin, site}, 403},
		{"a rebound page", here, "POST", plain, "evil.example:7070", []string{"Origin: http://evil.example:7070", "Sec-Fetch-Site: same-origin"}, 403},
		{"a rebound page of an old browser", here, "POST", plain, "evil.example", nil, 403},
		{"a rebound page that begins as a service", here, "POST", "/v1/customers", "stripe.evil.example", nil, 403},
		{"a rebound page that names a run", here, "POST", "/v1/customers", "stripe.own.evil", nil, 403},
		{"a rebound page at the port of a run", run.URLs.Port, "POST", plain, "evil.example", nil, 403},
		{"a rebound page of a name that is none", here, "POST", plain, "-a.evil.example", nil, 403},
		{"a rebound page of a name with a comma", here, "POST", plain, "a,b.evil.example", nil, 403},
		{"a rebound page of a name with no label", here, "POST", plain, "a..evil.example", nil, 403},
		{"a rebound page of a number", here, "POST", plain, "evil.123", nil, 403},
		{"a name that ends as ours", here, "POST", plain, "evil-parity.internal", nil, 403},
		{"localhost", here, "POST", plain, "LocalHost:1", nil, 200},
		{"a service of localhost", here, "POST", "/v1/customers", "stripe.own.localhost", nil, 200},
		{"a service's own host", here, "POST", "/v1/customers", "api.stripe.com", nil, 200},
		{"a name that was given", here, "POST", plain, "parity.internal:7070", nil, 200},
		{"a service of a name that was given", here, "POST", "/v1/customers", "stripe.parity.internal", nil, 200},
		{"another name, with the token", here, "POST", shown, "gateway", nil, 200},
		{"an address", here, "POST", plain, "[::1]:7070", nil, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, said := raw(t, c.at, c.method, c.path, c.host, c.headers)
			if status != c.status {
				t.Errorf("%d, want %d: %s", status, c.status, said)
			}
			if status == 403 && !strings.Contains(said, "/run/RUN:TOKEN/") {
				t.Errorf("it does not say what to do: %s", said)
			}
		})
	}
	for _, event := range h.eventsOf("own") {
		if x := event.Exchange; x != nil && x.Status == 403 && (x.Outcome != trail.Denied || x.Service != "") {
			t.Errorf("%+v", x)
		}
	}
	var told strings.Builder
	if code, err := replayRun(t.Context(), &told, h.root, "own", ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v\n%s", code, err, told.String())
	}
}

// raw makes one request with just these headers.
func raw(t *testing.T, at, method, path, host string, headers []string) (status int, said string) {
	t.Helper()
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := ""
	if method == "POST" {
		body = "name=Ada"
	}
	headers = append([]string{
		"Host: " + host, "Connection: close", "Authorization: Bearer sk_test_x",
		"Content-Type: application/x-www-form-urlencoded", fmt.Sprint("Content-Length: ", len(body)),
	}, headers...)
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\n%s\r\n\r\n%s", method, path, strings.Join(headers, "\r\n"), body)
	reply, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text := new(strings.Builder)
	_, _ = bufio.NewReader(reply.Body).WriteTo(text)
	return reply.StatusCode, text.String()
}
