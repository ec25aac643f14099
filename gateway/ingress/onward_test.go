package ingress_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Headers that were named in Connection, which are for one connection alone,
// once went on to the real host, and came back from it.
func TestForwardedHeadersForOneConnectionAreDropped(t *testing.T) {
	t.Parallel()
	seen := make(chan http.Header, 1)
	out := standIn(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: X-Back\r\nConnection: x-other\r\nX-Back: 1\r\nX-Other: 1\r\nKeep-Alive: timeout=5\r\nX-Kept: 1\r\nContent-Length: 0\r\n\r\n")
	})
	p := open(t, setup{out: out})
	c := p.raw()
	_, _ = io.WriteString(c, "GET http://tunnel.example/ HTTP/1.1\r\nHost: tunnel.example\r\nConnection: close, X-Hop\r\nConnection: x-other\r\n"+
		"X-Hop: 1\r\nX-Other: 1\r\nKeep-Alive: timeout=5\r\nTE: trailers, deflate\r\nUpgrade: h2c\r\nX-Kept: 1\r\n\r\n")
	reply, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	for side, h := range map[string]http.Header{"the real host": <-seen, "the client": reply.Header} {
		for _, name := range []string{"Keep-Alive", "X-Hop", "X-Back", "X-Other", "Upgrade"} {
			if h[name] != nil {
				t.Errorf("%s got %s: %v", side, name, h[name])
			}
		}
		if h.Get("Connection") != "" && h.Get("Connection") != "close" { // its own, and no other
			t.Errorf("%s got Connection: %v", side, h["Connection"])
		}
		if h.Get("X-Kept") == "" || h["Te"] != nil && h.Get("Te") != "trailers" {
			t.Errorf("%s got %v", side, h)
		}
	}
}

// A WebSocket goes through a forwarded request, with what its handshake needs, and
// its connection is closed when it has ended: it once stayed open, and counted,
// for ever.
func TestForwardedWebSocketIsCarried(t *testing.T) {
	t.Parallel()
	out := standIn(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Connection") != "Upgrade" || r.Header.Get("Upgrade") != "websocket" || r.Header.Get("X-Hop") != "" {
			t.Errorf("the real host got %v", r.Header)
		}
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade, X-Hop\r\nX-Hop: 1\r\nUpgrade: websocket\r\n\r\n")
		_, _ = io.CopyN(c, rw, 5)
	})
	p := open(t, setup{out: out})
	c := p.raw()
	_, _ = io.WriteString(c, "GET http://tunnel.example/ HTTP/1.1\r\nHost: tunnel.example\r\nConnection: upgrade, X-Hop\r\nX-Hop: 1\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(c)
	reply, err := http.ReadResponse(in, nil)
	if err != nil || reply.StatusCode != http.StatusSwitchingProtocols || reply.Header.Get("X-Hop") != "" || !strings.EqualFold(reply.Header.Get("Upgrade"), "websocket") {
		t.Fatal(reply, err)
	}
	_, _ = io.WriteString(c, "hello")
	if got, err := io.ReadAll(in); err != nil || string(got) != "hello" { // and it ends when the real host has ended it
		t.Errorf("%q %v", got, err)
	}
}
