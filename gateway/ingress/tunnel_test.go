package ingress_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parity/gateway/ingress"
)

const toTunnel = "CONNECT tunnel.example:9000 HTTP/1.1\r\nHost: tunnel.example:9000\r\nProxy-Authorization: Basic cnVuMTpzZWNyZXQ=\r\n\r\n"

// far is the other end of one tunnel.
func far(t *testing.T) (addr string, conn <-chan net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	ch := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_ = c.SetDeadline(time.Now().Add(ample))
		ch <- c
	}()
	return l.Addr().String(), ch
}

func (p *port) tunnel(early string) net.Conn {
	p.t.Helper()
	c := p.raw()
	_, _ = io.WriteString(c, toTunnel+early)
	status := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
	if _, err := io.ReadFull(c, status); err != nil || !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		p.t.Fatalf("%q, %v", status, err)
	}
	return c
}

func (p *port) onlyPassage() ingress.Passage {
	p.t.Helper()
	for {
		p.mu.Lock()
		if len(p.passed) > 0 {
			defer p.mu.Unlock()
			if len(p.passed) > 1 {
				p.t.Fatalf("%d passages", len(p.passed))
			}
			return p.passed[0]
		}
		p.mu.Unlock()
	}
}

func TestTunnelIsByteExact(t *testing.T) {
	t.Parallel()
	addr, ends := far(t)
	p := open(t, setup{out: addr})
	const early = "\x16\x03\x01 in one packet with its CONNECT \x00\r\n\n"
	client := p.tunnel(early)
	end := <-ends
	defer end.Close()

	up, down := make([]byte, 3<<20), make([]byte, 5<<20)
	_, _ = rand.Read(up)
	_, _ = rand.Read(down)
	var all sync.WaitGroup
	all.Go(func() { _, _ = client.Write(up); _ = client.(*net.TCPConn).CloseWrite() })
	all.Go(func() {
		got, err := io.ReadAll(end) // and then the half that is still open is used
		if want := append([]byte(early), up...); err != nil || sha256.Sum256(got) != sha256.Sum256(want) {
			t.Errorf("%d bytes went up of %d, %v", len(got), len(want), err)
		}
		_, _ = end.Write(down)
		_ = end.Close()
	})
	got, err := io.ReadAll(client)
	if err != nil || !bytes.Equal(got, down) {
		t.Errorf("%d bytes came down of %d, %v", len(got), len(down), err)
	}
	all.Wait()
	passage := p.onlyPassage()
	if passage.Out != int64(len(early)+len(up)) || passage.In != int64(len(down)) || passage.Err != nil ||
		passage.Authority.String() != "tunnel.example:9000" || passage.Way != ingress.Connect {
		t.Errorf("%+v", passage)
	}
}

func TestTunnelPassesAResetOn(t *testing.T) {
	t.Parallel()
	addr, ends := far(t)
	p := open(t, setup{out: addr})
	client := p.tunnel("")
	end := (<-ends).(*net.TCPConn)
	_ = end.SetLinger(0)
	_ = end.Close()
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("ended with %v", err)
	}
}

// What a client without a proxy says in TLS to an allowed host reaches it as it
// was said: the certificate is that host's own.
func TestTunnelByServerName(t *testing.T) {
	t.Parallel()
	real := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "real %s", r.Proto)
	}))
	real.EnableHTTP2 = true
	real.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	real.StartTLS()
	t.Cleanup(real.Close)
	p := open(t, setup{out: real.Listener.Addr().String()})
	for _, protocol := range []string{"h2", "http/1.1"} {
		c := tls.Client(p.raw(), &tls.Config{ServerName: "tunnel.example", InsecureSkipVerify: true, NextProtos: []string{protocol}})
		if err := c.Handshake(); err != nil {
			t.Fatal(err)
		}
		if got := c.ConnectionState(); !got.PeerCertificates[0].Equal(real.Certificate()) || got.NegotiatedProtocol != protocol {
			t.Errorf("%s: not the real host", protocol)
		}
		_ = c.Close()
	}
}

func TestServerNameThatCannotBeReached(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	if err := tls.Client(p.raw(), &tls.Config{ServerName: "tunnel.example", RootCAs: p.roots()}).Handshake(); err == nil {
		t.Error("shaken hands with")
	}
	if p.onlyPassage().Err == nil {
		t.Error("it is not said that the host could not be reached")
	}
}

func TestForwardedRequest(t *testing.T) {
	t.Parallel()
	out := standIn(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Encoding", "gzip") // not touched
		fmt.Fprintf(w, "%s %s %s %s [%s]", r.Method, r.Host, r.URL, body, r.Header.Get("Proxy-Authorization"))
	})
	p := open(t, setup{out: out})
	c, _ := p.client(ways()[0])
	resp, err := c.Post("http://tunnel.example/a%2Fb?c", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, _ := io.ReadAll(resp.Body)
	if want := "POST tunnel.example:80 /a%2Fb?c hello []"; strings.Replace(string(got), "tunnel.example ", "tunnel.example:80 ", 1) != want {
		t.Errorf("%q", got)
	}
	if passage := p.onlyPassage(); passage.Out != 5 || passage.In != int64(len(got)) || passage.Way != ingress.Proxy {
		t.Errorf("%+v", passage)
	}
}

// A connection that was opened for one client is no way out for another, whose
// verdict has a way out of its own.
func TestForwardedByTheWayOutOfItsOwnVerdict(t *testing.T) {
	t.Parallel()
	out := standIn(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	let := true
	p := open(t, setup{change: func(o *ingress.Options) {
		o.Dialer = leadsTo("127.0.0.1:1")
		o.Decide = func(context.Context, ingress.Approach) ingress.Verdict {
			v := ingress.Verdict{Action: ingress.Tunnel}
			if let {
				v.Dialer = leadsTo(out)
			}
			return v
		}
	}})
	c, _ := p.client(ways()[0])
	for _, want := range []int{http.StatusTeapot, http.StatusBadGateway} {
		resp, err := c.Get("http://tunnel.example/")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%d, want %d", resp.StatusCode, want)
		}
		let = false
	}
}

func TestForwardedFromDirect(t *testing.T) {
	t.Parallel()
	out := standIn(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "real ", r.URL) })
	var p *port
	p = open(t, setup{out: out, handler: func(w http.ResponseWriter, r *http.Request) {
		origin, _ := ingress.FromContext(r.Context())
		p.Forward(w, r, origin, nil)
	}})
	c, _ := p.client(ways()[7])
	resp, err := c.Get("http://tunnel.example/x")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got, _ := io.ReadAll(resp.Body); string(got) != "real /x" {
		t.Errorf("%q", got)
	}
}

func TestAloneTunnelsEndWithShutdown(t *testing.T) {
	addr, ends := far(t)
	p := open(t, setup{out: addr})
	client := p.tunnel("hello")
	end := <-ends
	defer end.Close()
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for _, c := range []net.Conn{client, end} {
		if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("ended with %v", err)
		}
	}
}
