package ingress_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// A distrust is what Options.Untrusted was told.
type distrust struct {
	approach ingress.Approach
	err      error
}

func told(to chan<- distrust) func(*ingress.Options) {
	return func(o *ingress.Options) {
		o.Untrusted = func(a ingress.Approach, err error) { to <- distrust{a, err} }
	}
}

// heard waits for what a hook is told.
func heard[T any](t *testing.T, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(60 * time.Second):
		t.Fatal("it was not told")
	}
	return got
}

// strangers are programs that do not know the CA. Each is given the gateway's
// address, and host api.stripe.com, by server name and through the proxy.
func strangers() map[string]func(addr string) []*exec.Cmd {
	return map[string]func(addr string) []*exec.Cmd{
		"curl": func(addr string) []*exec.Cmd {
			return []*exec.Cmd{
				exec.Command("curl", "-sS", "--connect-to", "::"+addr, "https://api.stripe.com/"),
				exec.Command("curl", "-sS", "--proxy", "http://"+addr, "https://api.stripe.com/"),
			}
		},
		"python3": func(addr string) []*exec.Cmd {
			const script = `import socket, ssl, sys
s = socket.create_connection(sys.argv[1].rsplit(':', 1))
if sys.argv[2] == 'proxy':
    s.sendall(b'CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n')
    s.recv(1000)
ssl.create_default_context().wrap_socket(s, server_hostname='api.stripe.com')`
			return []*exec.Cmd{
				exec.Command("python3", "-c", script, addr, "direct"),
				exec.Command("python3", "-c", script, addr, "proxy"),
			}
		},
		"node": func(addr string) []*exec.Cmd {
			const script = `const [host, port] = process.argv[1].split(':'), servername = 'api.stripe.com', net = require('net'), tls = require('tls');
const fails = (socket) => socket.on('error', () => process.exit(1));
if (process.argv[2] === 'direct') fails(tls.connect({ host, port, servername }));
else { const socket = net.connect(port, host, () => socket.write('CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n'));
  socket.once('data', () => fails(tls.connect({ socket, servername }))); }`
			return []*exec.Cmd{
				exec.Command("node", "-e", script, addr, "direct"),
				exec.Command("node", "-e", script, addr, "proxy"),
			}
		},
	}
}

// An agent that does not trust the CA once left no trace: curl and Python least
// of all, whose alert Go takes for a forged record.
func TestAgentThatDoesNotTrustTheCALeavesATrace(t *testing.T) {
	t.Parallel()
	for name, commands := range strangers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(name); err != nil {
				t.Skipf("%s is not installed: how it shows distrust is not tested", name)
			}
			tell := make(chan distrust, 8)
			p := open(t, setup{change: told(tell)})
			for i, command := range commands(p.addr) {
				way := []ingress.Way{ingress.SNI, ingress.Connect}[i]
				command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")} // no proxies, no roots
				if out, err := command.CombinedOutput(); err == nil {
					t.Errorf("%s: it trusted the CA: %s", way, out)
				}
				got := heard(t, tell)
				if got.approach.Way != way || got.approach.Authority.String() != "api.stripe.com:443" {
					t.Errorf("%s: %+v", way, got.approach)
				}
				if !strings.Contains(got.err.Error(), "certificate") {
					t.Errorf("%s: %v", way, got.err)
				}
			}
			if len(tell) > 0 {
				t.Errorf("told %d times too often", len(tell))
			}
		})
	}
}

func TestGoClientThatDoesNotTrustTheCALeavesATrace(t *testing.T) {
	t.Parallel()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		tell := make(chan distrust, 8)
		p := open(t, setup{change: told(tell)})
		for _, proxy := range []*url.URL{nil, {Scheme: "http", Host: p.addr, User: url.UserPassword("run1", "secret")}} {
			tr := &http.Transport{TLSClientConfig: &tls.Config{MaxVersion: version, RootCAs: nil}}
			if proxy == nil {
				dialled(p, tr)
			} else {
				tr.Proxy = http.ProxyURL(proxy)
			}
			if resp, err := (&http.Client{Transport: tr}).Get("https://api.stripe.com/"); err == nil {
				_ = resp.Body.Close()
				t.Error("it trusted the CA")
			}
			got := heard(t, tell)
			if proxy != nil && got.approach.Credentials.Name != "run1" {
				t.Errorf("%+v", got.approach)
			}
			if text := got.err.Error(); text != "remote error: tls: bad certificate" && text != "remote error: tls: unknown certificate authority" {
				t.Errorf("%q", text)
			}
		}
	}
}

// What ends a handshake for another reason says nothing about trust.
func TestHandshakesThatSayNothingAboutTrust(t *testing.T) {
	t.Parallel()
	tell := make(chan distrust, 8)
	p := open(t, setup{change: func(o *ingress.Options) {
		told(tell)(o)
		o.HeaderTime = 50 * time.Millisecond
	}})
	trusting := &tls.Config{ServerName: "api.stripe.com", RootCAs: p.roots()}
	with := func(change func(*tls.Config)) *tls.Config {
		c := trusting.Clone()
		change(c)
		return c
	}
	proxied := func() net.Conn {
		c := p.raw()
		_, _ = io.WriteString(c, "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n")
		_, _ = io.ReadFull(c, make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n")))
		return c
	}
	refused := errors.New("enough")
	for name, do := range map[string]func(c net.Conn){
		"trusted": func(c net.Conn) { _ = tls.Client(c, trusting).Handshake() },
		"an old version": func(c net.Conn) {
			_ = tls.Client(c, with(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS11 })).Handshake()
		},
		"no common protocol": func(c net.Conn) {
			_ = tls.Client(c, with(func(c *tls.Config) { c.NextProtos = []string{"ftp"} })).Handshake()
		},
		"half a hello, and gone": func(c net.Conn) { _, _ = io.WriteString(c, "\x16\x03\x01\x02\x00\x01") },
		"half a hello":           func(c net.Conn) { _, _ = io.WriteString(c, "\x16\x03\x01\x02\x00\x01"); _, _ = io.Copy(io.Discard, c) },
		"an alert about something else": func(c net.Conn) {
			hello(c)
			_, _ = io.WriteString(c, "\x15\x03\x03\x00\x02\x02\x50") // internal_error
			_, _ = io.Copy(io.Discard, c)
		},
		"no answer to the certificate": func(c net.Conn) { hello(c); _, _ = io.Copy(io.Discard, c) },
		"a host that is refused": func(c net.Conn) {
			_ = tls.Client(c, &tls.Config{ServerName: "evil.example", VerifyConnection: func(tls.ConnectionState) error { return refused }}).Handshake()
		},
	} {
		for _, connect := range []func() net.Conn{p.raw, proxied} {
			c := connect()
			do(c)
			_ = c.Close()
			for p.Connections() > 0 { // then it has been told, if at all
				runtime.Gosched()
			}
		}
		select {
		case got := <-tell:
			if name == "a host that is refused" && got.approach.Way == ingress.Connect {
				continue // there it is the host of the CONNECT that is not trusted
			}
			t.Errorf("%s: told %s, %v", name, got.approach.Way, got.err)
		default:
		}
	}
}

// hello sends the hello that Go's client sends, and reads the answer's head.
func hello(c net.Conn) {
	near, far := net.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	go func() { _ = tls.Client(near, &tls.Config{ServerName: "api.stripe.com"}).HandshakeContext(ctx) }()
	head := make([]byte, 5)
	_, _ = io.ReadFull(far, head)
	rest := make([]byte, int(head[3])<<8|int(head[4]))
	_, _ = io.ReadFull(far, rest)
	stop()
	_ = near.Close()
	_ = far.Close()
	_, _ = fmt.Fprintf(c, "%s%s", head, rest)
	_, _ = io.ReadFull(c, head)
}
