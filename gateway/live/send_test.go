package live

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// desk is a service that has everything that may be taken for a read.
const desk = `
openapi: 3.0.3
info: {title: Desk, version: '1'}
servers: [{url: 'https://desk.example/v1'}]
security: [{key: []}]
paths:
  /tickets:
    get: {operationId: list, parameters: [{name: X-Desk-Version, in: header, schema: {type: string}}, {name: token, in: query, schema: {type: string, format: password}}, {name: q, in: query, schema: {type: string}}], responses: {}}
    post: {operationId: open, responses: {}}
  /tickets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {}}
    patch: {operationId: edit, responses: {}}
    delete: {operationId: close, responses: {}}
  /tickets/flush: {get: {operationId: flush, x-parity-class: admin, responses: {}}}
  /tickets/search: {post: {operationId: search, x-parity-class: read, responses: {}}}
  /tickets/find: {post: {operationId: find, x-parity-effect: read, responses: {}}}
  /tickets/{id}/ring: {get: {operationId: ring, x-parity-class: irreversible, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {}}}
  /access_tokens: {post: {operationId: mint, x-parity-class: read, responses: {}}}
  /batch: {post: {operationId: batch, x-parity-class: read, responses: {}}}
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
`

const canary = "rk_live_51canaryCANARYcanary0042"

// A real is a service behind TLS, and what it has seen.
type real struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
	body []string
}

func (r *real) all() []*http.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seen)
}

func behind(t testing.TB, answer http.HandlerFunc) *real {
	t.Helper()
	r := &real{}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		data, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.seen, r.body = append(r.seen, q), append(r.body, string(data))
		r.mu.Unlock()
		answer(w, q)
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *real) host() string { return strings.TrimPrefix(r.URL, "https://") }

func service(t testing.TB, document string, r *real) *Service {
	t.Helper()
	contract, _, err := specs.Load(fstest.MapFS{"desk.yaml": {Data: []byte(document)}}, "desk.yaml", "desk")
	if err != nil {
		t.Fatal(err)
	}
	key, err := NewSecret(canary)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	return &Service{Name: "desk", Contract: contract, Hosts: []string{r.host()}, Listed: true, Key: key, Timeout: 2 * time.Second, MaxReply: 1 << 20, Roots: roots}
}

func sender(t testing.TB) *Sender {
	t.Helper()
	d, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return NewSender(d, clock.System{})
}

func call(to *Service, method, path, body string, header ...string) Call {
	c := Call{To: to, Run: "r-1", Base: "http://127.0.0.1:4500/desk", Count: &Count{}}
	c.Method, c.Path, c.Body, c.Header = method, path, []byte(body), http.Header{}
	c.Path, c.Query, _ = strings.Cut(path, "?")
	for i := 0; i+1 < len(header); i += 2 {
		c.Header.Set(header[i], header[i+1])
	}
	if body != "" && c.Header.Get("Content-Type") == "" {
		c.Header.Set("Content-Type", "application/json")
	}
	return c
}

func fine(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"id":"t1"}`)
}

// Invariant 2: a read is a GET or HEAD of class read, or what the contract itself
// declares read. What is inferred never leaves, nor what carries more than it seems.
func TestOnlyReadsLeaveWithoutAPass(t *testing.T) {
	t.Parallel()
	r := behind(t, fine)
	to, out := service(t, desk, r), sender(t)
	for _, c := range []struct {
		call   Call
		leaves bool
	}{
		{call(to, "GET", "/v1/tickets?q=printer", ""), true},
		{call(to, "HEAD", "/v1/tickets/t1", ""), true},
		{call(to, "POST", "/v1/tickets/search", `{"q":"printer"}`), true},
		{call(to, "POST", "/v1/tickets/find", `{"q":"printer"}`), false}, // inferred of its effect
		{call(to, "POST", "/v1/tickets", `{}`), false},
		{call(to, "PATCH", "/v1/tickets/t1", `{}`), false},
		{call(to, "DELETE", "/v1/tickets/t1", ""), false},
		{call(to, "GET", "/v1/tickets/t1/ring", ""), false}, // a GET that acts
		{call(to, "GET", "/v1/tickets", `{"q":1}`), false},
		{call(to, "GET", "/v1/tickets?_method=DELETE", ""), false},
		{call(to, "GET", "/v1/tickets/t1", "", "X-Http-Method-Override", "DELETE"), false},
		{call(to, "POST", "/v1/tickets/search", `{"_method":"DELETE"}`), false},
		{call(to, "POST", "/v1/batch", `{"requests":[{"method":"DELETE","url":"/v1/tickets/t1"}]}`), false},
		{call(to, "POST", "/v1/access_tokens", `{}`), false}, // what it gives would be the agent's
		{call(to, "GET", "/v1/nowhere", ""), false},
		{call(to, "GET", "/v1/tickets/..", ""), false},
		{call(to, "GET", "/v1/tickets/%2e%2e%2fsearch", ""), false},
		{call(to, "OPTIONS", "/v1/tickets", ""), false},
		{call(to, "GET", "/v1/tickets/a%2Fb", ""), true},
		{call(to, "GET", "/v1/tickets/t1%2Fring", ""), false}, // what a server may take it for acts
		{call(to, "GET", "/v1/tickets/t1%252FRing", ""), false},
		{call(to, "HEAD", "/v1/tickets/t1%5Cring;a=b", ""), false},
		{call(to, "GET", "/v1/tickets/flush", ""), false},
		{call(to, "GET", "/v1/tickets/FLUSH", ""), false},
		{call(to, "GET", "/v1/tickets/flush.json", ""), false},
		{call(to, "HEAD", "/v1/t%69ckets/FLUSH", ""), false},
		{call(to, "POST", "/v1/batch", `{"requests":[{"method":"GET","url":"/v1/tickets/t1%2Fring"}]}`), false},
		{call(to, "POST", "/v1/batch", `{"requests":[{"method":"GET","url":"/v1/tickets/t1"}]}`), true},
		{call(to, "GET", "/v1/tickets?$httpMethod=DELETE", ""), false},
		{call(to, "GET", "/v1/tickets?%24httpHeaders=X-Http-Method-Override:%20DELETE", ""), false},
		{call(to, "GET", "/v1/tickets?_HttpMethod=PATCH", ""), false},
		{call(to, "GET", "/v1/tickets?method=delete", ""), false},
		{call(to, "GET", "/v1/tickets?method=card", ""), true},
		{call(to, "POST", "/v1/tickets/search", "_method=DELETE", "Content-Type", "text/plain"), false},
		{call(to, "POST", "/v1/tickets/search", `{"payment_method":"card"}`), true},
	} {
		before := len(r.all())
		_, seen, trouble := out.Send(t.Context(), c.call)
		left := len(r.all()) - before
		if (left == 1) != c.leaves || left > 1 || (trouble == nil) != c.leaves || (seen.Number == 1) != c.leaves {
			t.Errorf("%s %s %s: left %d times as number %d, %v", c.call.Method, c.call.Path, c.call.Body, left, seen.Number, trouble)
		}
	}
}

// What policy takes a call for can only raise it: a GET that the profile knows to
// act stays.
func TestPolicyRaisesAClass(t *testing.T) {
	t.Parallel()
	r := behind(t, fine)
	c := call(service(t, desk, r), "GET", "/v1/tickets", "")
	c.Class = class.Irreversible
	if _, _, trouble := sender(t).Send(t.Context(), c); trouble == nil || len(r.all()) > 0 {
		t.Errorf("left: %v", trouble)
	}
}

// Invariant 1: a write leaves only with a pass that policy minted for this run,
// operation and bytes, in mode live and not rehearsed, and once. Whatever else is
// tried, the real service sees none.
func TestWritesLeaveOnlyWithTheirPass(t *testing.T) {
	t.Parallel()
	r := behind(t, fine)
	to, out := service(t, desk, r), sender(t)
	rapid.Check(t, func(t *rapid.T) {
		c := call(to, rapid.SampledFrom([]string{"GET", "POST", "PATCH", "DELETE"}).Draw(t, "method"),
			rapid.SampledFrom([]string{"/v1/tickets", "/v1/tickets/t1", "/v1/tickets/search", "/v1/tickets/find", "/v1/tickets/t1/ring"}).Draw(t, "path"),
			rapid.SampledFrom([]string{"", `{}`, `{"a":1}`}).Draw(t, "body"))
		c.Class = rapid.SampledFrom(append(class.All(), "")).Draw(t, "class")
		l := policy.Leave{
			Run:       rapid.SampledFrom([]string{"r-1", "r-1", "r-2"}).Draw(t, "run"),
			Operation: rapid.SampledFrom([]string{"desk POST /v1/tickets", "desk PATCH /v1/tickets/{id}", "desk DELETE /v1/tickets/{id}"}).Draw(t, "operation"),
			Target:    rapid.SampledFrom([]string{c.Path, "/v1/tickets/t2"}).Draw(t, "target"),
			Body:      []byte(rapid.SampledFrom([]string{string(c.Body), `{"a":2}`}).Draw(t, "bytes")),
			Mode:      rapid.SampledFrom([]policy.Mode{policy.Live, policy.Live, policy.Live, policy.Shadow, policy.LiveRead, policy.Fake, policy.Recorded}).Draw(t, "mode"),
			Stage:     rapid.IntRange(0, 5).Draw(t, "stage"),
			Class:     c.Class,
			Approval:  rapid.SampledFrom([]string{"apr_1", ""}).Draw(t, "approval"),
			By:        rapid.SampledFrom([]string{trail.ByPerson, trail.ByPerson, trail.ByClaimed, trail.ByRehearsed}).Draw(t, "by"),
			Gate:      rapid.SampledFrom([]*policy.Gate{nil, {Name: "shut"}, {Name: "open", Live: true}}).Draw(t, "gate"),
			Rehearsed: rapid.Bool().Draw(t, "rehearsed"),
		}
		pass, err := policy.Mint(l)
		person, opens := l.Approval != "" && l.By == trail.ByPerson, l.Approval == "" && l.Gate != nil && l.Gate.Live && l.Stage >= 4 && c.Class.Within(class.Reversible)
		if minted := err == nil; minted != (l.Mode == policy.Live && l.Stage >= 3 && !l.Rehearsed && (person || opens)) {
			t.Fatalf("minted %v of %+v: %v", minted, l, err)
		}
		c.Pass, c.Count = pass, &Count{}
		judged := to.judge(c.Request)
		allowed := judged.reads || pass != nil && l.Run == c.Run && judged.op != nil && l.Operation == judged.op.Name() && l.Target == c.Path && string(l.Body) == string(c.Body) &&
			(person || judged.class.Within(c.Class))
		for try := range 2 {
			before := len(r.all())
			_, _, _ = out.Send(context.Background(), c)
			left := len(r.all()) - before
			want := 0
			if judged.reads || allowed && try == 0 {
				want = 1
			}
			if left != want {
				t.Fatalf("try %d: %s %s left %d times, want %d, with %+v", try, c.Method, c.Path, left, want, l)
			}
		}
	})
}

// Invariant 4: one in, at most one out, also where net/http would send again: a
// write with an idempotency key, and a read on a connection that the service ends
// at that moment.
func TestNothingIsSentTwice(t *testing.T) {
	t.Parallel()
	var cut func(n int) bool
	n := 0
	r := behind(t, func(w http.ResponseWriter, q *http.Request) {
		n++
		if cut(n) {
			if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_ = c.Close()
			}
			return
		}
		fine(w, q)
	})
	to, out := service(t, desk, r), sender(t)
	cut = func(n int) bool { return n == 2 }
	for i, want := range []string{"", CodeUnreachable, ""} {
		_, _, trouble := out.Send(t.Context(), call(to, "GET", "/v1/tickets", ""))
		if code(trouble) != want || len(r.all()) != i+1 {
			t.Errorf("read %d: %v, and the service saw %d", i+1, trouble, len(r.all()))
		}
	}
	cut = func(int) bool { return true }
	for i := range 2 {
		c := call(to, "POST", "/v1/tickets", `{}`, "Idempotency-Key", "k-1")
		c.Pass, _ = policy.Mint(policy.Leave{Run: c.Run, Operation: "desk POST /v1/tickets", Target: c.Path, Body: c.Body, Mode: policy.Live, Stage: 3, Approval: fmt.Sprint("apr_", i), By: trail.ByPerson})
		_, _, trouble := out.Send(t.Context(), c)
		if code(trouble) != CodeUnreachable || !trouble.Sent || len(r.all()) != 4+i {
			t.Errorf("write %d: %v, and the service saw %d", i+1, trouble, len(r.all()))
		}
	}
}

func code(t *Trouble) string {
	if t == nil {
		return ""
	}
	return t.Code
}

// Invariant 5: what shows who the agent is stays, what the contract declares goes,
// the real key is put in where the contract says.
func TestWhatLeavesOfARequest(t *testing.T) {
	t.Parallel()
	r := behind(t, fine)
	c := call(service(t, desk, r), "GET", "/v1/tickets?q=a&token=agents-own&q=b", "",
		"Authorization", "Bearer agents-own", "Cookie", "session=agents-own", "Forwarded", "for=agents-own", "X-Forwarded-For", "agents-own", "Via", "1.1 agents-own",
		"Parity-Approval", "agents-own", "X-Agent-Id", "agents-own", "X-Api-Key", "agents-own", "Proxy-Authorization", "agents-own", "Idempotency-Key", "agents-own",
		"X-Desk-Version", "2026-01", "Accept", "application/json", "If-None-Match", `"e1"`)
	if _, _, trouble := sender(t).Send(t.Context(), c); trouble != nil {
		t.Fatal(trouble)
	}
	q := r.all()[0]
	shown := fmt.Sprint(q.Header, q.URL, q.Host)
	if strings.Contains(shown, "agents-own") {
		t.Errorf("the agent's own left: %s", shown)
	}
	if q.Header.Get("Authorization") != "Bearer "+canary || q.Header.Get("X-Desk-Version") != "2026-01" || q.Header.Get("If-None-Match") != `"e1"` || q.URL.RawQuery != "q=a&q=b" {
		t.Errorf("left as %s", shown)
	}
}

func TestTheKeyGoesWhereTheContractSays(t *testing.T) {
	t.Parallel()
	for scheme, want := range map[string]string{
		"{type: http, scheme: bearer}":                   "Bearer " + canary,
		"{type: oauth2, flows: {}}":                      "Bearer " + canary,
		"{type: http, scheme: basic}":                    "Basic " + base64.StdEncoding.EncodeToString([]byte(canary+":")),
		"{type: apiKey, in: header, name: X-Desk-Key}":   canary,
		"{type: apiKey, in: query, name: desk_key}":      canary,
		"{type: openIdConnect, openIdConnectUrl: 'x:/'}": "Bearer " + canary,
	} {
		r := behind(t, fine)
		to := service(t, strings.Replace(desk, "{type: http, scheme: bearer}", scheme, 1), r)
		if _, _, trouble := sender(t).Send(t.Context(), call(to, "GET", "/v1/tickets?desk_key=mine&q=1", "", "X-Desk-Key", "mine")); trouble != nil {
			t.Fatal(trouble)
		}
		q := r.all()[0]
		all := append(append(q.Header["Authorization"], q.Header["X-Desk-Key"]...), q.URL.Query()["desk_key"]...)
		if !slices.Contains(all, want) || slices.Contains(all, "mine") && !strings.Contains(scheme, "bearer") && strings.Contains(scheme, "apiKey, in: query") {
			t.Errorf("%s: %v", scheme, all)
		}
	}
}

// Invariant 5: the key comes back nowhere, however the service writes it, and
// prints and marshals as nothing.
func TestTheKeyComesBackNowhere(t *testing.T) {
	t.Parallel()
	basic := base64.StdEncoding.EncodeToString([]byte(canary + ":"))
	r := behind(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("X-Echo", q.Header.Get("Authorization"))
		w.Header().Set("X-"+canary, "1")
		w.Header().Set("Date", canary)
		w.Header().Set("Set-Cookie", "key="+canary)
		w.Header().Set("Location", "/v1/tickets/"+canary)
		_, _ = io.WriteString(w, `{"you":"`+canary+`","basic":"`+basic+`","url":"https://x/?k=`+canary+`"}`)
	})
	to := service(t, desk, r)
	reply, seen, trouble := sender(t).Send(t.Context(), call(to, "GET", "/v1/tickets", ""))
	if trouble != nil {
		t.Fatal(trouble)
	}
	shown := fmt.Sprintf("%v %s %+v %#v %v %+v %#v %s", reply.Header, reply.Body, seen, seen, to, to, to, to.Key)
	if strings.Contains(shown, "canary") || strings.Contains(shown, basic) {
		t.Errorf("shown: %s", shown)
	}
	if _, err := json.Marshal(to.Key); err == nil {
		t.Error("a credential was marshalled")
	}
	to.Hosts = []string{"127.0.0.1:1"}
	if _, _, trouble = sender(t).Send(t.Context(), call(to, "GET", "/v1/tickets", "")); strings.Contains(fmt.Sprint(trouble), "canary") {
		t.Errorf("an error has it: %v", trouble)
	}
}

func TestWhereCredentialsAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if s, err := FromFile(write("good", canary+"\n", 0o600)); err != nil || s.text() != canary {
		t.Errorf("a good file: %v", err)
	}
	for name, path := range map[string]string{
		"read by its group": write("group", canary, 0o640), "read by all": write("all", canary, 0o604),
		"two lines": write("lines", canary+"\n"+canary, 0o600), "empty": write("empty", "", 0o600), "none": filepath.Join(dir, "none"), "a folder": dir,
	} {
		if s, err := FromFile(path); err == nil || s.Set() || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := FromVariable("DESK_KEY", func(string) string { return "" }); !errors.Is(err, ErrUnset) || !strings.Contains(err.Error(), "DESK_KEY") {
		t.Errorf("a variable that is not set: %v", err)
	}
	for _, c := range []struct {
		key, account string
		fits         bool
	}{
		{"sk_test_4eC39HqLyjWDarjtT1zdp7dc", "test", true},
		{"sk_test_4eC39HqLyjWDarjtT1zdp7dc", "live", false},
		{"sk_live_4eC39HqLyjWDarjtT1zdp7dc", "live", true},
		{"sk_live_4eC39HqLyjWDarjtT1zdp7dc", "test", false},
		{"sk_live_short", "test", false},
		{"sk_live_4eC39aTest1234567Testdp7", "test", false}, // as random ones may have
		{"rk_test_4eC39HqLyjWDarjtT1zdp7dc", "live", false},
		{"live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM", "test", false},
		{"test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM", "live", false},
		{"access-sandbox-7c69d345-fda0-4e2f", "live", false},
		{"access-production-7c69d345-fda0-4e2f", "test", false},
		{"sk_live_test4eC39HqLyjWDarjtT1zd", "live", true},
		{"0123456789abcdef", "live", true},
		{"0123456789abcdef", "test", true},
		{"sk_test_4eC39HqLyjWDarjtT1zdp7dc", "", true},
	} {
		s, err := NewSecret(c.key)
		if err != nil || (s.Of(c.account) == nil) != c.fits {
			t.Errorf("%s as %s: %v %v", c.key, c.account, err, s.Of(c.account))
		}
	}
}

// Invariants 6 and 7: whatever the service does, the client has an answer, once,
// within bounds, and nobody is led elsewhere.
func TestUpstreamTrouble(t *testing.T) {
	t.Parallel()
	elsewhere := behind(t, fine)
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		change func(*Service)
		want   string
	}{
		"500":                {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }},
		"slow":               {answer: func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }, change: func(s *Service) { s.Timeout = 30 * time.Millisecond }, want: CodeTimeout},
		"to metadata":        {answer: redirect("http://169.254.169.254/latest/meta-data"), want: CodeRedirect},
		"to another host":    {answer: redirect(elsewhere.URL + "/v1/tickets"), want: CodeRedirect},
		"to plain http":      {answer: func(w http.ResponseWriter, q *http.Request) { redirect("http://"+q.Host+"/v1/tickets")(w, q) }, want: CodeRedirect},
		"to itself":          {answer: redirect("/v1/tickets?page=2")},
		"large":              {answer: large(1<<20 + 1), want: CodeTooLarge},
		"as large as may be": {answer: large(1 << 20)},
		"a bomb":             {answer: bomb(20 << 20), want: CodeTooLarge},
		"a stream": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
		}, want: CodeTooLarge},
		"cut": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
		}, want: CodeUnreachable},
		"not trusted":    {answer: fine, change: func(s *Service) { s.Roots = x509.NewCertPool() }, want: CodeUnreachable},
		"another's name": {answer: fine, change: func(s *Service) { s.Hosts = []string{strings.Replace(s.Hosts[0], "127.0.0.1", "localhost", 1)} }, want: CodeUnreachable},
		"nobody listens": {answer: fine, change: func(s *Service) { s.Hosts = []string{"127.0.0.1:1"} }, want: CodeUnreachable},
		"a private host": {answer: fine, change: func(s *Service) { s.Listed = false }, want: CodeUnreachable},
		"encoded oddly":  {answer: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "br") }, want: CodeTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := behind(t, c.answer)
			to := service(t, desk, r)
			if c.change != nil {
				c.change(to)
			}
			reply, _, trouble := sender(t).Send(t.Context(), call(to, "GET", "/v1/tickets", ""))
			if code(trouble) != c.want || len(r.all()) > 1 {
				t.Errorf("%v, and the service saw %d", trouble, len(r.all()))
			}
			if trouble != nil && (trouble.Status != 502 && trouble.Status != 504 || trouble.Message == "" || trouble.Why == "") {
				t.Errorf("worded as %+v", trouble)
			}
			if name == "to itself" && reply.Header.Get("Location") != "http://127.0.0.1:4500/desk/v1/tickets?page=2" {
				t.Errorf("leads to %s", reply.Header.Get("Location"))
			}
		})
	}
	if len(elsewhere.all()) > 0 {
		t.Error("another host was called")
	}
}

// Invariant 6: where a call goes is said by the profile, never by the client.
func TestHostsAreTheProfiles(t *testing.T) {
	t.Parallel()
	r, other := behind(t, fine), behind(t, fine)
	c := call(service(t, desk, r), "GET", "/v1/tickets", "", "Host", other.host())
	c.Host = other.host()
	if _, seen, trouble := sender(t).Send(t.Context(), c); trouble != nil || seen.Host != r.host() || len(other.all()) > 0 {
		t.Errorf("went to %s: %v", seen.Host, trouble)
	}
	c.Host = "evil.example@" + other.host()
	if _, _, trouble := sender(t).Send(t.Context(), c); trouble != nil || len(other.all()) > 0 || len(r.all()) != 2 {
		t.Errorf("went elsewhere: %v", trouble)
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) { http.Redirect(w, q, to, http.StatusFound) }
}

func large(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, n)) }
}

func bomb(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(make([]byte, n))
		_ = z.Close()
	}
}

// A connection that is refused by its certificate carries nothing: a service that
// only listens saw no request, and no key.
func TestNothingIsSaidBeforeTheCertificateIsGood(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	heard := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		buf := make([]byte, 4096)
		n, _ := c.Read(buf)
		_ = c.Close()
		heard <- string(buf[:n])
	}()
	r := behind(t, fine)
	to := service(t, desk, r)
	to.Hosts = []string{l.Addr().String()}
	if _, _, trouble := sender(t).Send(t.Context(), call(to, "GET", "/v1/tickets", "")); code(trouble) != CodeUnreachable || trouble.Sent {
		t.Errorf("%+v", trouble)
	}
	if said := <-heard; strings.Contains(said, "tickets") || strings.Contains(said, "canary") {
		t.Errorf("said %q", said)
	}
}
