package ingress_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// tooLarge answers as the gateway does, having read as much as it takes.
func tooLarge(read int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.CopyN(io.Discard, r.Body, read)
		http.Error(w, "the limit is 10 MiB", http.StatusRequestEntityTooLarge)
	}
}

// on opens a connection on one of the ways of HTTP/1.1, for requests to host.
func (p *port) on(w way) (c net.Conn, target, host string) {
	p.t.Helper()
	c, target, host = p.raw(), "/", "api.stripe.com"
	scheme, _, _ := strings.Cut(w.base, ":")
	switch {
	case strings.HasPrefix(w.seen, "connect"):
		number := map[string]string{"http": "80", "https": "443"}[scheme]
		_, _ = fmt.Fprintf(c, "CONNECT %s:%s HTTP/1.1\r\nHost: %[1]s:%[2]s\r\n\r\n", host, number)
		if _, err := io.ReadFull(c, make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))); err != nil {
			p.t.Fatal(err)
		}
	case strings.HasPrefix(w.seen, "proxy"):
		target = w.base + "/"
		_, host, _ = strings.Cut(w.base, "://")
	}
	if w.secure {
		name := host
		if w.base == "" {
			name = "localhost"
		}
		c = tls.Client(c, &tls.Config{ServerName: name, RootCAs: p.roots(), NextProtos: []string{"http/1.1"}})
	}
	return c, target, host
}

// A client that sent a body over the limit in full before it read once got a
// reset, and its user an error without the reason.
func TestClientThatSendsAllBeforeItReadsGetsItsAnswer(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	for _, c := range []struct {
		name, framing string
		handler       http.HandlerFunc
		body          []byte
		end           string
	}{
		{"announced", fmt.Sprintf("Content-Length: %d\r\n", len(body)), tooLarge(0), body, ""},
		{"read up to the limit", fmt.Sprintf("Content-Length: %d\r\n", len(body)), tooLarge(10<<20 + 1), body, ""},
		{"chunked", "Transfer-Encoding: chunked\r\n", tooLarge(10<<20 + 1), body, "\r\n0\r\n\r\n"},
		{"the connection ends with it", "Connection: close\r\nContent-Length: 200000\r\n", tooLarge(0), body[:200000], ""},
	} {
		for _, w := range ways() {
			if w.major != 1 || c.name != "announced" && w.name != "base" && w.name != "connect, h1" {
				continue
			}
			t.Run(c.name+", "+w.name, func(t *testing.T) {
				t.Parallel()
				p := open(t, setup{handler: c.handler})
				wire, target, host := p.on(w)
				fmt.Fprintf(wire, "POST %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", target, host, c.framing)
				if strings.HasPrefix(c.framing, "Transfer") {
					fmt.Fprintf(wire, "%x\r\n", len(c.body))
				}
				if _, err := wire.Write(append(bytes.Clone(c.body), c.end...)); err != nil {
					t.Fatalf("while sending: %v", err)
				}
				resp, err := http.ReadResponse(bufio.NewReader(wire), nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(resp.Body)
				if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge || string(got) != "the limit is 10 MiB\n" {
					t.Errorf("%s: %q, %v", resp.Status, got, err)
				}
			})
		}
	}
}

func TestRefusedHostIsReadOnForToo(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	c := p.raw()
	body := make([]byte, 20<<20)
	fmt.Fprintf(c, "POST http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nContent-Length: %d\r\n\r\n", len(body))
	if _, err := c.Write(body); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 403 ") {
		t.Errorf("%q, %v", got, err)
	}
}

// The answer does not wait for what is read on.
func TestAnswerComesBeforeTheRestOfTheBody(t *testing.T) {
	t.Parallel()
	p := open(t, setup{handler: tooLarge(0)})
	for _, more := range []string{"Content-Length: 20000000\r\n", "Expect: 100-continue\r\nContent-Length: 20000000\r\n", "Expect: 100-continue\r\nContent-Length: 5\r\n"} {
		c := p.raw()
		fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\n%s\r\n", more)
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %v, %v", more, resp, err)
		}
	}
}

// Whoever never stops sending, or never goes on, is let go.
func TestReadingOnHasAnEnd(t *testing.T) {
	t.Parallel()
	p := open(t, setup{handler: tooLarge(0), change: func(o *ingress.Options) { o.BodyTime = time.Hour }})
	endless, stuck := p.raw(), p.raw()
	for _, c := range []net.Conn{endless, stuck} {
		_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000000\r\n\r\n")
	}
	part := make([]byte, 1<<20)
	for {
		if _, err := endless.Write(part); isTimeout(err) {
			t.Fatal("it never ended")
		} else if err != nil {
			break
		}
	}
	if got, err := io.ReadAll(stuck); isTimeout(err) || !strings.HasPrefix(string(got), "HTTP/1.1 413 ") {
		t.Errorf("%q, %v", got, err)
	}
}

// A connection whose body was read on to its end goes on.
func TestConnectionGoesOnBehindABodyThatNobodyRead(t *testing.T) {
	t.Parallel()
	p := open(t, setup{handler: tooLarge(0)})
	const request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
	if got := p.say(request + request); strings.Count(got, "HTTP/1.1 413 ") != 2 {
		t.Errorf("%q", got)
	}
}

// A connection that was taken over is no longer read from here.
func TestTakenConnectionIsNotReadOn(t *testing.T) {
	t.Parallel()
	taken := make(chan *bufio.ReadWriter, 1)
	var wire net.Conn
	var logged bytes.Buffer
	errorsOnly := func(o *ingress.Options) {
		o.Log = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelError}))
	}
	p := open(t, setup{change: errorsOnly, handler: func(w http.ResponseWriter, _ *http.Request) {
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
		}
		wire = c
		taken <- rw
	}})
	c := p.raw()
	_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
	rw := heard(t, taken)
	_ = p.Shutdown(t.Context()) // waits for the handler to have returned
	_, _ = io.WriteString(c, "hello")
	got := make([]byte, 5)
	if _, err := io.ReadFull(rw, got); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if logged.Len() > 0 {
		t.Errorf("logged %s", &logged)
	}
	_ = wire.Close()
}
