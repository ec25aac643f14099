package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parity/specs"
)

const token = "s3cret-of-the-operator"

// every is all operations of the contract, each of which says which it is.
func every(t interface{ Fatal(...any) }) map[string]Operation {
	contract, err := specs.Builtin("parity")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Operation{}
	for _, op := range contract.Operations {
		all[op.ID] = func(_ context.Context, call Call) (Answer, error) {
			return Answer{JSON: map[string]any{"did": op.ID, "path": call.Path, "query": call.Query, "body": call.Body}}, nil
		}
	}
	return all
}

func handler(t *testing.T, o Options) http.Handler {
	t.Helper()
	if o.Metrics == nil {
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("parity_runs_live 1\n")) })
	}
	if o.Operations == nil {
		o.Operations = every(t)
	}
	if o.Console == nil {
		o.Console = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("page")) })
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// headers are given as "Name: value".
func ask(h http.Handler, method, path, host string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host = host
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Add(name, value)
	}
	local := &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 9000}
	r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestWhoIsLetIn asks for the run and the metrics, on loopback and beyond it,
// with every sort of header a probe, a tool or a hostile page can send.
func TestWhoIsLetIn(t *testing.T) {
	t.Parallel()
	const bearer = "Authorization: Bearer " + token
	const own = "127.0.0.1:9000"
	plain := handler(t, Options{Address: own, Token: token, Hosts: []string{"parity.internal", "fd00::7"}})
	exposed := handler(t, Options{Address: "0.0.0.0:9000", Token: token, Hosts: []string{"parity.internal", "fd00::7"}})
	for _, c := range []struct {
		name, method, path, host string
		headers                  []string
		plain, exposed           int
	}{
		{"health", "GET", "/healthz", own, nil, 200, 200},
		{"health by HEAD", "HEAD", "/healthz", own, nil, 200, 200},
		{"health of a rebound name", "GET", "/healthz", "evil.example", nil, 403, 403},
		{"health from another page", "GET", "/healthz", own, []string{"Origin: https://evil.example"}, 403, 403},
		{"probe by address", "GET", "/readyz", "10.1.2.3:9000", nil, 503, 503},
		{"metrics", "GET", "/metrics", own, nil, 200, 401},
		{"metrics with token", "GET", "/metrics", own, []string{bearer}, 200, 200},
		{"metrics by POST", "POST", "/metrics", own, []string{bearer}, 405, 405},
		{"metrics of a rebound name", "GET", "/metrics", "evil.example:9000", []string{bearer}, 403, 403},
		{"run", "GET", "/v1/runs", own, nil, 401, 401},
		{"run with token", "GET", "/v1/runs", own, []string{bearer}, 200, 200},
		{"scheme in lower case", "GET", "/v1/runs", own, []string{"Authorization: bearer " + token}, 200, 200},
		{"wrong token", "GET", "/v1/runs", own, []string{"Authorization: Bearer nope"}, 401, 401},
		{"token and more", "GET", "/v1/runs", own, []string{bearer + "x"}, 401, 401},
		{"part of the token", "GET", "/v1/runs", own, []string{"Authorization: Bearer s3cret"}, 401, 401},
		{"empty token", "GET", "/v1/runs", own, []string{"Authorization: Bearer "}, 401, 401},
		{"another scheme", "GET", "/v1/runs", own, []string{"Authorization: Basic " + token}, 401, 401},
		{"two tokens", "GET", "/v1/runs", own, []string{bearer, bearer}, 401, 401},
		{"token in the query", "GET", "/v1/runs?token=" + token, own, nil, 401, 401},
		{"localhost", "GET", "/v1/runs", "localhost:1", []string{bearer}, 200, 200},
		{"LOCALHOST. without port", "GET", "/v1/runs", "LOCALHOST.", []string{bearer}, 200, 200},
		{"IPv6 loopback", "GET", "/v1/runs", "[::1]:9000", []string{bearer}, 200, 200},
		{"mapped loopback", "GET", "/v1/runs", "[::ffff:127.0.0.1]:9000", []string{bearer}, 200, 200},
		{"configured name", "GET", "/v1/runs", "Parity.Internal:9000", []string{bearer}, 200, 200},
		{"configured address", "GET", "/v1/runs", "[fd00::7]:9000", []string{bearer}, 200, 200},
		{"its own address", "GET", "/v1/runs", "10.1.2.3:9000", []string{bearer}, 200, 200},
		{"another address", "GET", "/v1/runs", "10.1.2.4:9000", []string{bearer}, 403, 403},
		{"no host", "GET", "/v1/runs", "", []string{bearer}, 403, 403},
		{"name that begins as ours", "GET", "/v1/runs", "localhost.evil.example", []string{bearer}, 403, 403},
		{"name that ends as ours", "GET", "/v1/runs", "evil-parity.internal", []string{bearer}, 403, 403},
		{"decimal loopback", "GET", "/v1/runs", "2130706433", []string{bearer}, 403, 403},
		{"host with user", "GET", "/v1/runs", "localhost@evil.example", []string{bearer}, 403, 403},
		{"port that is none", "GET", "/v1/runs", "localhost:80a", []string{bearer}, 403, 403},
		{"own origin", "GET", "/v1/runs", own, []string{bearer, "Origin: http://" + own}, 200, 200},
		{"other origin", "GET", "/v1/runs", own, []string{bearer, "Origin: https://evil.example"}, 403, 403},
		{"other port's origin", "GET", "/v1/runs", own, []string{bearer, "Origin: http://127.0.0.1:3000"}, 403, 403},
		{"null origin", "GET", "/v1/runs", own, []string{bearer, "Origin: null"}, 403, 403},
		{"second origin", "GET", "/v1/runs", own, []string{bearer, "Origin: http://" + own, "Origin: http://evil.example"}, 403, 403},
		{"cross-site POST", "POST", "/v1/runs", own, []string{bearer, "Sec-Fetch-Site: cross-site"}, 403, 403},
		{"same-site POST", "POST", "/v1/runs", own, []string{bearer, "Sec-Fetch-Site: same-site"}, 403, 403},
		{"POST from another page without token", "POST", "/v1/runs", own, []string{"Origin: https://evil.example"}, 403, 403},
		{"POST", "POST", "/v1/runs", own, []string{bearer}, 200, 200},
		{"PUT", "PUT", "/v1/runs", own, []string{bearer}, 405, 405},
		{"POST without token", "POST", "/v1/runs", own, nil, 401, 401},
		{"DELETE", "DELETE", "/v1/runs/a", own, []string{bearer}, 200, 200},
		{"DELETE without token", "DELETE", "/v1/runs/a", own, nil, 401, 401},
		{"cross-site DELETE", "DELETE", "/v1/runs/a", own, []string{bearer, "Sec-Fetch-Site: cross-site"}, 403, 403},
		{"DELETE from another page", "DELETE", "/v1/runs/a", own, []string{bearer, "Origin: https://evil.example"}, 403, 403},
		{"DELETE of a rebound name", "DELETE", "/v1/runs/a", "evil.example", []string{bearer, "Origin: http://evil.example"}, 403, 403},
		{"preflight of another page", "OPTIONS", "/v1/runs", own, []string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, 403, 403},
		{"OPTIONS", "OPTIONS", "/v1/runs", own, []string{bearer}, 405, 405},
		{"method told by a header", "GET", "/v1/runs/a", own, []string{bearer, "X-HTTP-Method-Override: DELETE"}, 200, 200},
		{"run by HEAD", "HEAD", "/v1/runs/a", own, []string{bearer}, 200, 200},
		{"run by HEAD without token", "HEAD", "/v1/runs/a", own, nil, 401, 401},
		{"live events without token", "GET", "/v1/runs/a/events?live=true", own, nil, 401, 401},
		{"two slashes", "GET", "//v1/runs", own, []string{bearer}, 404, 404},
		{"two slashes inside", "DELETE", "/v1//runs/a", own, []string{bearer}, 404, 404},
		{"dots", "DELETE", "/v1/runs/../gateway", own, []string{bearer}, 404, 404},
		{"dots before the metrics", "GET", "/v1/../metrics", own, nil, 401, 401},
		{"slash at the end", "GET", "/v1/runs/", own, []string{bearer}, 404, 404},
		{"slash in a name", "GET", "/v1/runs/a%2Fb", own, []string{bearer}, 400, 400},
		{"the path that was", "GET", "/v1/run", own, []string{bearer}, 404, 404},
		{"health and more", "GET", "/healthz/", own, nil, 404, 404},
		{"health by POST", "POST", "/healthz", own, nil, 405, 405},
		{"unknown path without token", "GET", "/v1/secrets", own, nil, 401, 401},
		{"unknown path", "GET", "/v1/secrets", own, []string{bearer}, 404, 404},
		{"root", "GET", "/", own, nil, 404, 404},
		{"console", "GET", "/console/", own, nil, 200, 200},
		{"console by POST", "POST", "/console/", own, nil, 405, 405},
		{"console of a rebound name", "GET", "/console/", "evil.example:9000", nil, 403, 403},
		{"console without a slash", "GET", "/console", own, nil, 404, 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for where, want := range map[string]int{"loopback": c.plain, "exposed": c.exposed} {
				h := plain
				if where == "exposed" {
					h = exposed
				}
				w := ask(h, c.method, c.path, c.host, c.headers...)
				if w.Code != want {
					t.Errorf("%s: %d, want %d: %s", where, w.Code, want, w.Body)
				}
				checkSecured(t, w)
			}
		})
	}
}

func checkSecured(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Content-Security-Policy": "frame-ancestors 'none'", "Access-Control-Allow-Origin": "",
	} {
		if got := w.Header().Get(name); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s is %q", name, got)
		}
	}
	if w.Code >= 400 && w.Code != http.StatusServiceUnavailable {
		var told struct {
			Status       int
			Code, Detail string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || told.Detail == "" || told.Code == "" || told.Status != w.Code {
			t.Errorf("%d does not say what to do: %q", w.Code, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), token) {
		t.Errorf("the token is told: %s", w.Body)
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	ready := false
	h := handler(t, Options{Address: "127.0.0.1:0", Ready: func() bool { return ready }})
	if w := ask(h, "GET", "/readyz", "localhost"); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("before: %d", w.Code)
	}
	ready = true
	if w := ask(h, "GET", "/readyz", "localhost"); w.Code != 200 {
		t.Errorf("after: %d", w.Code)
	}
}

func TestWithoutTokenNobodyIsLetIn(t *testing.T) {
	t.Parallel()
	h := handler(t, Options{Address: "127.0.0.1:0"})
	for _, header := range []string{"X-Nothing: 1", "Authorization: Bearer ", "Authorization: Bearer x"} {
		if w := ask(h, "GET", "/v1/runs", "localhost", header); w.Code != 403 {
			t.Errorf("%s: %d", header, w.Code)
		}
	}
}

func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"127.0.0.1:0": true, "127.9.9.9:1": true, "localhost:80": true, "LocalHost:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "10.0.0.1:80": false, "example.com:80": false, "localhost.example.com:80": false,
	} {
		err := CheckAddress(address, "")
		if (err == nil) != ok || err != nil && (!errors.Is(err, ErrExposed) || !strings.Contains(err.Error(), "PARITY_CONTROL_TOKEN")) {
			t.Errorf("%s without token: %v", address, err)
		}
		if err := CheckAddress(address, token); err != nil {
			t.Errorf("%s with token: %v", address, err)
		}
		for _, weak := range []string{"x", "fifteen-letters", "aaaaaaaaaaaaaaaaaaaaaaaa", "ababcababcababcababc"} {
			if err := CheckAddress(address, weak); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "can be guessed") {
				t.Errorf("%s with the token %s: %v", address, weak, err)
			}
		}
		if _, err := New(Options{Address: address, Operations: every(t)}); (err == nil) != ok {
			t.Errorf("%s: New says %v", address, err)
		}
	}
	for _, address := range []string{"", "127.0.0.1", "::1", "a:b:c"} {
		if err := CheckAddress(address, token); err == nil || !strings.Contains(err.Error(), "HOST:PORT") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, host := range []string{"", "*", "*.example.com", "a:80", "http://a", "a b"} {
		if _, err := New(Options{Address: "127.0.0.1:0", Operations: every(t), Hosts: []string{host}}); err == nil {
			t.Errorf("host %q was taken", host)
		}
	}
}
