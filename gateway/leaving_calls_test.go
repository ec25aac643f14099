package gateway_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parity/gateway/client"
)

// trap is a service of one's own with whatever a write may pass for a read by.
const trap = `
openapi: 3.0.3
info: {title: Trap, version: '1'}
servers: [{url: 'https://trap.example/v1'}]
security: [{key: []}, {}]
paths:
  /tickets:
    get: {operationId: list, parameters: [{name: q, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer}}], responses: {'200': {description: All, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Ticket'}}}}}}}}}
    post: {operationId: open, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}, responses: {'201': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}}}
  /tickets/flush: {get: {operationId: flush, x-parity-class: admin, responses: {'200': {description: Done}}}}
  /tickets/search: {post: {operationId: search, x-parity-class: read, responses: {'200': {description: Some}}}}
  /tickets/find: {post: {operationId: find, x-parity-effect: read, responses: {'200': {description: Some}}}}
  /tickets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}}}
    patch: {operationId: edit, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}, responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}}}
    put: {operationId: put, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}, responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}}}
    delete: {operationId: close, responses: {'204': {description: None}}}
  /tickets/{id}/ring: {get: {operationId: ring, x-parity-class: irreversible, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: Done}}}}
  /tickets/{id}/notes/{note}: {get: {operationId: note, parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: note, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One}}}}
  /export/all: {get: {operationId: exportAll, x-parity-class: irreversible, responses: {'200': {description: Done}}}}
  /export/{name}: {get: {operationId: export, parameters: [{name: name, in: path, required: true, schema: {type: string}}], responses: {'200': {description: One}}}}
  /graphql: {post: {operationId: graph, x-parity-class: read, responses: {'200': {description: Any}}}}
  /batch: {post: {operationId: batch, x-parity-class: read, responses: {'200': {description: Any}}}}
  /keys: {post: {operationId: mint, x-parity-class: admin, responses: {'200': {description: Any}}}}
components:
  securitySchemes: {key: {type: http, scheme: bearer}}
  schemas:
    Ticket: {type: object, properties: {id: {type: string, readOnly: true}, title: {type: string}, status: {type: string}}}
`

// A wired is a call as it is put on the wire.
type wired struct {
	service, method, path, query, body string
	header                             []string // whole lines
	chunked, proxied                   bool
	plain                              bool // it is in no disguise, and no batch
}

func (w wired) String() string {
	return fmt.Sprintf("%s %s %s?%s %v chunked=%v proxied=%v %q", w.service, w.method, w.path, w.query, w.header, w.chunked, w.proxied, w.body)
}

const (
	jsonLine = "Content-Type: application/json"
	formLine = "Content-Type: application/x-www-form-urlencoded"
)

// honest are calls as a client makes them; ID stands for a record's id.
func honest() []wired {
	mixed := "Content-Type: multipart/mixed; boundary=b"
	part := func(line string) string {
		return "--b\r\nContent-Type: application/http\r\n\r\n" + line + " HTTP/1.1\r\n\r\n\r\n--b--\r\n"
	}
	return []wired{
		{service: "trap", method: "GET", path: "/v1/tickets", query: "limit=3"},
		{service: "trap", method: "GET", path: "/v1/tickets/ID"},
		{service: "trap", method: "HEAD", path: "/v1/tickets/ID"},
		{service: "trap", method: "GET", path: "/v1/tickets/ID/notes/ID"},
		{service: "trap", method: "GET", path: "/v1/export/ID"},
		{service: "trap", method: "GET", path: "/v1/tickets/ID/ring"},
		{service: "trap", method: "GET", path: "/v1/tickets/flush"},
		{service: "trap", method: "GET", path: "/v1/export/all"},
		{service: "trap", method: "POST", path: "/v1/tickets/search", header: []string{jsonLine}, body: `{"q":"ID"}`},
		{service: "trap", method: "POST", path: "/v1/tickets/find", header: []string{jsonLine}, body: `{"q":"ID"}`},
		{service: "trap", method: "POST", path: "/v1/tickets", header: []string{jsonLine}, body: `{"title":"ID"}`},
		{service: "trap", method: "PATCH", path: "/v1/tickets/ID", header: []string{jsonLine}, body: `{"status":"closed"}`},
		{service: "trap", method: "PUT", path: "/v1/tickets/ID", header: []string{jsonLine}, body: `{"title":"a"}`},
		{service: "trap", method: "DELETE", path: "/v1/tickets/ID"},
		{service: "trap", method: "POST", path: "/v1/keys", header: []string{jsonLine}, body: `{}`},
		{service: "trap", method: "POST", path: "/v1/graphql", header: []string{jsonLine}, body: `{"query":"{tickets{id}}"}`},
		{service: "trap", method: "POST", path: "/v1/graphql", header: []string{jsonLine}, body: `{"query":"mutation{close(id:1)}"}`},
		{service: "trap", method: "POST", path: "/v1/batch", header: []string{jsonLine}, body: `{"requests":[{"method":"GET","url":"/v1/tickets/ID"}]}`},
		{service: "trap", method: "POST", path: "/v1/batch", header: []string{jsonLine}, body: `{"requests":[{"method":"GET","url":"/v1/tickets"},{"method":"DELETE","url":"/v1/tickets/ID"}]}`},
		{service: "trap", method: "POST", path: "/v1/batch", header: []string{mixed}, body: part("DELETE /v1/tickets/ID")},
		{service: "stripe", method: "GET", path: "/v1/charges/ID"},
		{service: "stripe", method: "GET", path: "/v1/customers", query: "limit=2"},
		{service: "stripe", method: "POST", path: "/v1/refunds", header: []string{formLine}, body: "charge=ID"},
		{service: "stripe", method: "POST", path: "/v1/customers", header: []string{formLine}, body: "email=a@b.example"},
		{service: "stripe", method: "POST", path: "/v1/customers/ID", header: []string{formLine}, body: "description=ID"},
		{service: "stripe", method: "DELETE", path: "/v1/customers/ID"},
		{service: "googlecalendar", method: "GET", path: "/calendar/v3/calendars/ID/events"},
		{service: "googlecalendar", method: "POST", path: "/calendar/v3/calendars/ID/events", header: []string{jsonLine}, body: `{"summary":"a","start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}}`},
		{service: "googlecalendar", method: "DELETE", path: "/calendar/v3/calendars/ID/events/ID"},
		{service: "googlecalendar", method: "POST", path: "/batch/calendar/v3", header: []string{mixed}, body: part("DELETE /calendar/v3/calendars/ID/events/ID")},
		{service: "googlecalendar", method: "POST", path: "/batch/calendar/v3", header: []string{mixed}, body: part("GET /calendar/v3/calendars/ID/events")},
	}
}

// records are ids, of which some are to pass for paths.
func records() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"t1", "t1", "t1", "cus_1", "ch_1", "primary", "a%2Fb", "t1%2Fring", "t1%2fRING", "t1%252Fring", "t1%5Cring", "..%2Ftickets%2Fflush", "%2e%2e", "..", "flush", "FLUSH", "flush;a=b", "flush%3Ba",
		"all%00", "all%2F", "ALL", "all;x", "all.json", "all%20", "all%3Fa", "all%23a", "t1/ring", "t1//ring", "./t1/ring", "x/../flush", "ring", "t1%2Fnotes%2F1", "%74icket", "a b", "ä", "t1?_method=DELETE",
	})
}

// disguises change what a call looks like.
func disguises() map[string]func(*rapid.T, *wired) {
	pick := func(t *rapid.T, of ...string) string { return rapid.SampledFrom(of).Draw(t, "pick") }
	add := func(q *string, more string) { *q = strings.TrimPrefix(*q+"&"+more, "&") }
	return map[string]func(*rapid.T, *wired){
		"none": func(*rapid.T, *wired) {},
		"override header": func(t *rapid.T, w *wired) {
			w.header = append(w.header, pick(t, "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "x-http-method-override", "X-Original-Method", "X_HTTP_METHOD_OVERRIDE")+": "+pick(t, "DELETE", "delete", "POST", "GET, DELETE"))
		},
		"another URL": func(t *rapid.T, w *wired) {
			w.header = append(w.header, pick(t, "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Host", "X-Forwarded-Prefix", "Forwarded")+": "+pick(t, "/v1/tickets/t1/ring", "/v1/tickets/flush"))
		},
		"override query": func(t *rapid.T, w *wired) {
			add(&w.query, pick(t, "_method", "%5fmethod", "_method[]", "_METHOD", "method", "_HttpMethod", "$httpMethod", "x-http-method-override", "http_method", "httpMethod")+"="+pick(t, "DELETE", "delete", "%44ELETE", "PATCH"))
		},
		"headers in the query": func(_ *rapid.T, w *wired) { add(&w.query, "$httpHeaders=X-HTTP-Method-Override%3A%20DELETE") },
		"override body": func(t *rapid.T, w *wired) {
			switch pick(t, "form", "JSON", "twice", "parts", "plain", "marked") {
			case "form":
				w.header, w.body = append(w.header, formLine), "_method=DELETE&a=b"
			case "JSON":
				w.header, w.body = append(w.header, jsonLine), `{"_method":"DELETE"}`
			case "twice":
				w.header, w.body = append(w.header, jsonLine), `{"_method":"POST","_method":"DELETE"}`
			case "parts":
				w.header, w.body = append(w.header, "Content-Type: multipart/form-data; boundary=x"), "--x\r\nContent-Disposition: form-data; name=\"_method\"\r\n\r\nDELETE\r\n--x--\r\n"
			case "plain":
				w.header, w.body = append(w.header, "Content-Type: text/plain"), "_method=DELETE"
			case "marked":
				w.header, w.body = append(w.header, jsonLine), "\ufeff"+`{"_method":"DELETE"}`
			}
		},
		"a body":  func(t *rapid.T, w *wired) { w.body = pick(t, `{"a":1}`, "a=b", " ", "\x00") },
		"chunked": func(_ *rapid.T, w *wired) { w.chunked = true },
		"another method": func(t *rapid.T, w *wired) {
			w.method = pick(t, "get", "delete", "Post", "TRACE", "OPTIONS", "PROPFIND", "MERGE", "QUERY", "PURGE", "LINK")
		},
		"no method's own":    func(t *rapid.T, w *wired) { w.method = pick(t, "GET", "HEAD", "POST", "DELETE") },
		"a slash at the end": func(t *rapid.T, w *wired) { w.path += pick(t, "/", "//", "/.", "%2F", "?") },
		"slashes":            func(_ *rapid.T, w *wired) { w.path = strings.Replace(w.path, "/tickets", "//tickets", 1) },
		"dots": func(t *rapid.T, w *wired) {
			w.path = pick(t, "/v1/..", "/v1/%2e%2e", "/x/..", "/.", "/v1/tickets/..") + w.path
		},
		"upper case":     func(_ *rapid.T, w *wired) { w.path = strings.ToUpper(w.path) },
		"encoded":        func(_ *rapid.T, w *wired) { w.path = strings.Replace(w.path, "i", "%69", 1) },
		"a key twice":    func(_ *rapid.T, w *wired) { add(&w.query, "limit=1&limit=2&q=a&q[]=b&q=_method") },
		"an inner query": func(_ *rapid.T, w *wired) { add(&w.query, "query=mutation{close}") },
		"the real host": func(_ *rapid.T, w *wired) {
			w.header = append(w.header, "X-Forwarded-Host: other.example", "X-Host: other.example")
		},
		"cookies": func(_ *rapid.T, w *wired) { w.header = append(w.header, "Cookie: sid=agents", "X-Vault-Token: agents") },
		"another kind": func(t *rapid.T, w *wired) {
			w.header = append(w.header, pick(t, "Content-Type: text/plain", "Content-Type: application/xml", "Content-Type: ", jsonLine, formLine))
		},
		"an upgrade":      func(_ *rapid.T, w *wired) { w.header = append(w.header, "Upgrade: websocket", "Connection: Upgrade") },
		"another's query": func(_ *rapid.T, w *wired) { w.query = "a=%&b;c=d&%zz" },
	}
}

// drawCall draws a call and what it is disguised as.
func drawCall(t *rapid.T) wired {
	w := rapid.SampledFrom(honest()).Draw(t, "call")
	w.header = append([]string{}, w.header...)
	for strings.Contains(w.path, "ID") {
		w.path = strings.Replace(w.path, "ID", records().Draw(t, "id"), 1)
	}
	for strings.Contains(w.body, "ID") {
		w.body = strings.Replace(w.body, "ID", records().Draw(t, "inner id"), 1)
	}
	all := disguises()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	n := rapid.IntRange(0, 2).Draw(t, "disguises")
	w.plain = n == 0 && !strings.Contains(w.path, "batch")
	for range n {
		all[rapid.SampledFrom(names).Draw(t, "disguise")](t, &w)
	}
	w.proxied = rapid.Bool().Draw(t, "proxied")
	return w
}

// puts sends a call byte by byte as it is, and gives the status, 0 for none, and
// what is said of an approval.
func (w wired) puts(t *testing.T, addr string, run client.Run) (status int, approval string) {
	t.Helper()
	c, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second)) //nolint:forbidigo // a real socket
	target, host := "/"+w.service+w.path, addr
	if w.proxied {
		host = map[string]string{"trap": "trap.example", "stripe": "api.stripe.com", "googlecalendar": "www.googleapis.com"}[w.service]
		target = "http://" + host + w.path
	}
	if w.query != "" {
		target += "?" + w.query
	}
	lines := append([]string{w.method + " " + target + " HTTP/1.1", "Host: " + host, "Connection: close", "Authorization: Bearer sk_test_agentsOwn0000000"}, w.header...)
	if w.proxied {
		lines = append(lines, "Proxy-Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte(run.ID+":"+run.Token)))
	} else {
		lines = append(lines, "Parity-Run: "+run.ID+":"+run.Token)
	}
	body := w.body
	switch {
	case w.chunked:
		lines = append(lines, "Transfer-Encoding: chunked")
		if body != "" {
			body = fmt.Sprintf("1\r\n%s\r\n%x;x=y\r\n%s\r\n0\r\n\r\n", body[:1], len(body)-1, body[1:])
			if len(w.body) == 1 {
				body = "1\r\n" + w.body + "\r\n0\r\n\r\n"
			}
		} else {
			body = "0\r\n\r\n"
		}
	case body != "":
		lines = append(lines, fmt.Sprintf("Content-Length: %d", len(body)))
	}
	_, _ = io.WriteString(c, strings.Join(lines, "\r\n")+"\r\n\r\n"+body)
	reply, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: strings.ToUpper(w.method)})
	if err != nil {
		return 0, ""
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
	return reply.StatusCode, reply.Header.Get("Parity-Approval")
}
