package ingress_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A stream is what a client sends on one connection.
type stream struct {
	name, text string
	served     int32
	status     string // of the last answer
}

func streams() []stream {
	const inner = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	return []stream{
		{"fine", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 1, "200"},
		{"fine, chunked", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nTrailer: x\r\n\r\n", 1, "200"},
		{"fine, two", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: x\r\n\r\n", 2, "200"},
		{"fine, a head in a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\na b\n c\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", 2, "200"},
		{"cl and te", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner, 0, "400"},
		{"te and cl", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + inner, 0, "400"},
		{"two cl", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 35\r\n\r\n" + inner, 0, "400"},
		{"two equal cl", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 0, "400"},
		{"cl list", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0, 35\r\n\r\n" + inner, 0, "400"},
		{"cl with a sign", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +0\r\n\r\n" + inner, 0, "400"},
		{"two te", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + inner, 0, "400"},
		{"te list", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + inner, 0, "400"},
		{"te with a tab", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n" + inner, 0, "400"},
		{"te with a space", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + inner, 0, "400"},
		{"te in 1.0", "POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + inner, 0, "400"},
		{"two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 0, "400"},
		{"folded", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 0, "400"},
		{"folded te", "POST / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tTransfer-Encoding: chunked\r\n\r\n" + inner, 0, "400"},
		{"bare lf", "GET / HTTP/1.1\nHost: x\n\n" + inner, 0, "400"},
		{"bare lf in a header", "GET / HTTP/1.1\r\nHost: x\r\nA: b\nTransfer-Encoding: chunked\r\n\r\n", 0, "400"},
		{"bare cr", "GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n", 0, "400"},
		{"empty line first", "GET / HTTP/1.1\r\nHost: x\r\n\r\n\r\n" + inner, 1, "400"},
		{"chunk too long", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n" + inner, 1, "400"},
		{"chunk size in disguise", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n" + inner, 1, "400"},
		{"chunk with a bare lf", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;\nxx\r\nhello\r\n0\r\n\r\n" + inner, 1, "400"},
		{"te in a trailer", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n" + inner, 1, "400"},
		{"a preface later on", "GET / HTTP/1.1\r\nHost: x\r\n\r\nPRI * HTTP/2.0\r\nHost: x\r\nHost: y\r\n\r\n" + inner, 1, "400"},
		{"connect with a body", "CONNECT api.stripe.com:80 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n" + inner, 0, "400"},
	}
}

// One request in is at most one request out, and what could be read in two
// ways is none.
func TestSmuggling(t *testing.T) {
	t.Parallel()
	for _, c := range streams() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, inTunnel := range []bool{false, true} {
				var served atomic.Int32
				p := open(t, setup{handler: func(w http.ResponseWriter, r *http.Request) {
					served.Add(1)
					if r.URL.Path == "/smuggled" {
						t.Error("smuggled")
					}
					echo(w, r)
				}})
				text, before := c.text, ""
				if inTunnel {
					before = "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n"
					before = strings.ReplaceAll(before, "x:80", "x.service.example:80")
					text = strings.ReplaceAll(text, "Host: x\r\n", "Host: x.service.example\r\n")
				}
				got := strings.TrimPrefix(p.say(before+text), "HTTP/1.1 200 Connection established\r\n\r\n")
				if n := served.Load(); n != c.served {
					t.Errorf("in a tunnel %v: %d requests were served: %q", inTunnel, n, got)
				}
				last := got[max(0, strings.LastIndex(got, "HTTP/1.1 ")):]
				if !strings.HasPrefix(last, "HTTP/1.1 "+c.status) {
					t.Errorf("in a tunnel %v: answered %q", inTunnel, got)
				}
			}
		})
	}
}

func TestARefusalSaysWhy(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	got := p.say("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
	if !strings.Contains(got, "Content-Length comes with Transfer-Encoding") || !strings.Contains(got, "Connection: close\r\n") {
		t.Errorf("%q", got)
	}
}

func TestUpgradeIsNotScreened(t *testing.T) {
	t.Parallel()
	p := open(t, setup{handler: func(w http.ResponseWriter, _ *http.Request) {
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
		line, _ := rw.ReadString('!')
		_, _ = io.WriteString(c, line)
	}})
	c := p.raw()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "\n\n\r bare \n!")
	rest, _ := io.ReadAll(c)
	if !strings.HasSuffix(string(rest), "\n\n\r bare \n!") {
		t.Errorf("%q", rest)
	}
}
