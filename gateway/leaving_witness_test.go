package gateway_test

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A witness is a real service behind TLS that writes down every request that
// comes, and answers whatever it is asked.
type witness struct {
	host, roots string

	mu   sync.Mutex
	came []arrival
	id   string // of each record that it tells of
}

// An arrival is one request as it came.
type arrival struct {
	method, target, body string
	header               http.Header
}

func (a arrival) String() string { return a.method + " " + a.target + " " + a.body }

func witnessed(t *testing.T) *witness {
	t.Helper()
	made := httptest.NewUnstartedServer(nil) // for its certificate
	made.StartTLS()
	config := made.TLS.Clone()
	w := &witness{roots: filepath.Join(t.TempDir(), "roots.pem"), id: "t1"}
	if err := os.WriteFile(w.roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	made.Close()
	config.NextProtos = []string{"http/1.1"}
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	w.host = l.Addr().String()
	var conns sync.WaitGroup
	t.Cleanup(conns.Wait)
	t.Cleanup(func() { _ = l.Close() })
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { w.serve(c) })
		}
	})
	return w
}

// serve reads requests without the leniency, and the strictness, of a server: the
// method and the target are those on the wire.
func (w *witness) serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		q, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		data, err := io.ReadAll(q.Body)
		w.mu.Lock()
		w.came = append(w.came, arrival{q.Method, q.RequestURI, string(data), q.Header})
		id := w.id
		w.mu.Unlock()
		if err != nil {
			return
		}
		text := fmt.Sprintf(`{"id":%q,"object":"charge","customer":%q,"title":"real","amount":100,"currency":"usd","data":[{"id":%q,"title":"real"}],"items":[]}`, id, id, id)
		head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(text)) + "\r\n\r\n"
		if q.Method == http.MethodHead {
			text = ""
		}
		if _, err := io.WriteString(c, head+text); err != nil {
			return
		}
	}
}

// takes gives what came since it was asked before, and what its records are called
// from now on.
func (w *witness) takes(id string) []arrival {
	w.mu.Lock()
	defer w.mu.Unlock()
	came := w.came
	w.came, w.id = nil, id
	return came
}

// verbs are the methods that change something.
func verbs() []string { return []string{"POST", "PUT", "PATCH", "DELETE", "MERGE"} }

// acts tells why a request may be a write to a service that is as lenient as any:
// one that heeds overrides wherever they stand, and undoes whatever a path is
// written in. "": it is a read for all of them.
func (a arrival) acts() string {
	target, query, _ := strings.Cut(a.target, "?")
	method := strings.ToUpper(a.method)
	for name, values := range a.header {
		if n := strings.ToLower(name); strings.Contains(n, "method") || n == "x-original-url" || n == "x-rewrite-url" {
			return "the header " + name + ": " + strings.Join(values, ", ")
		}
	}
	for _, text := range []string{query, a.body} {
		if found := asksForMethod().FindString(plainly(text)); found != "" {
			return "it says " + found
		}
	}
	for _, at := range readings(target) {
		if plain, err := url.PathUnescape(at); err == nil && plain != at {
			continue // of which it is not yet known what it is
		}
		if why := truth(method, at, query+" "+a.body); why != "" {
			return why + " as " + method + " " + at
		}
	}
	return ""
}

var asksForMethod = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[?&;{,"\s])(?:_?\$?(?:x-)?(?:http-?)?_?method(?:-override)?|\$httpheaders)(?:\[\])?"?\s*[=:]\s*"?\s*(?:POST|PUT|PATCH|DELETE|MERGE|x-http)`)
})

// plainly undoes percent-encoding twice, as far as it can be.
func plainly(text string) string {
	for range 2 {
		if undone, err := url.QueryUnescape(text); err == nil {
			text = undone
		}
	}
	return text
}

// readings are what servers may take a path for.
func readings(target string) []string {
	all := []string{target}
	for i := 0; i < len(all) && len(all) < 64; i++ {
		at := all[i]
		undone, err := url.PathUnescape(at)
		if err != nil {
			undone = at
		}
		segments := strings.Split(at, "/")
		for n, s := range segments {
			segments[n], _, _ = strings.Cut(s, ";")
		}
		bare, _, _ := strings.Cut(at, "\x00")
		bare, _, _ = strings.Cut(bare, "#")
		bare, _, _ = strings.Cut(bare, "?")
		for _, other := range []string{
			undone, path.Clean("/" + at), strings.ReplaceAll(at, `\`, "/"), strings.Join(segments, "/"), strings.TrimRight(at, "/. \t"),
			strings.ToLower(at), strings.TrimSuffix(at, ".json"), bare,
		} {
			if !slices.Contains(all, other) {
				all = append(all, other)
			}
		}
	}
	return all
}

// truth tells what a method at a path does to the services of the test: "": nothing.
func truth(method, at, said string) string {
	switch method {
	case http.MethodGet, http.MethodHead:
		if regexp.MustCompile(`^/(v1/)?(tickets/[^/]+/ring|export/all|tickets/flush)$`).MatchString(at) {
			return "a GET that acts"
		}
		return ""
	case http.MethodPost:
		if regexp.MustCompile(`^/v1/tickets/search$`).MatchString(at) {
			return ""
		}
		if at == "/v1/batch" || strings.HasPrefix(at, "/batch") {
			if slices.ContainsFunc(verbs(), func(v string) bool { return strings.Contains(strings.ToUpper(plainly(said)), v) }) {
				return "a batch with a write"
			}
			return ""
		}
		if at == "/v1/graphql" {
			if strings.Contains(plainly(said), "mutation") {
				return "a mutation"
			}
			return ""
		}
	}
	return "a write"
}
