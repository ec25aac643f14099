package ingress_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"parity/gateway/ingress"
)

// An opening is what Options.Opened was told.
type opening struct {
	approach ingress.Approach
	err      error
}

func openings(to chan<- opening) func(*ingress.Options) {
	return func(o *ingress.Options) {
		o.Opened = func(a ingress.Approach, err error) { to <- opening{a, err} }
	}
}

// A host that cannot be reached was once said to have been passed unread: the
// decision was all that anybody was told of.
func TestHostThatCannotBeReachedDoesNotCountAsPassed(t *testing.T) {
	t.Parallel()
	for name, say := range map[ingress.Way]func(p *port){
		ingress.Connect: func(p *port) { p.say(toTunnel) },
		ingress.Proxy: func(p *port) {
			c, _ := p.client(ways()[0])
			if resp, err := c.Get("http://tunnel.example/"); err == nil {
				_ = resp.Body.Close()
			}
		},
		ingress.SNI: func(p *port) {
			p.behind(ingress.Announce("run1", "secret"))
			_ = tls.Client(p.raw(), &tls.Config{ServerName: "tunnel.example", RootCAs: p.roots()}).Handshake()
		},
		ingress.Direct: func(p *port) {
			p.behind(ingress.Announce("run1", "secret"))
			c, _ := p.client(ways()[7])
			if resp, err := c.Get("http://tunnel.example/"); err == nil {
				_ = resp.Body.Close()
			}
		},
	} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			tell := make(chan opening, 8)
			var p *port
			p = open(t, setup{handler: func(w http.ResponseWriter, r *http.Request) {
				origin, _ := ingress.FromContext(r.Context())
				p.Forward(w, r, origin, nil)
			}, change: openings(tell)})
			say(p)
			got := heard(t, tell)
			if got.err == nil || got.approach.Way != name || got.approach.Authority.Host != "tunnel.example" || got.approach.Credentials.Name != "run1" {
				t.Errorf("told %+v", got)
			}
			if p.onlyPassage().Err == nil || len(tell) > 0 {
				t.Errorf("told %d times too often", len(tell))
			}
		})
	}
}

// It is told before a byte has passed, and once.
func TestTunnelIsToldWhenItOpens(t *testing.T) {
	t.Parallel()
	tell := make(chan opening, 8)
	addr, ends := far(t)
	p := open(t, setup{out: addr, change: openings(tell)})
	client := p.tunnel("")
	end := <-ends
	got := heard(t, tell)
	if got.err != nil || got.approach.Way != ingress.Connect || got.approach.Credentials.Token != "secret" {
		t.Errorf("told %+v", got)
	}
	_ = client.Close()
	_ = end.Close()
	if p.onlyPassage(); len(tell) > 0 {
		t.Errorf("told %d times too often", len(tell))
	}
}

// A forwarded answer may last for hours; that it passes is told when it begins.
func TestForwardedRequestIsToldWhenItsAnswerBegins(t *testing.T) {
	t.Parallel()
	tell, hold := make(chan opening, 8), make(chan struct{})
	out := standIn(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	p := open(t, setup{out: out, change: openings(tell)})
	c, _ := p.client(ways()[0])
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://tunnel.example/", nil)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		if resp, err := c.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	}()
	if got := heard(t, tell); got.err != nil || got.approach.Way != ingress.Proxy {
		t.Errorf("told %+v", got)
	}
	close(hold)
	<-asked
	if p.onlyPassage(); len(tell) > 0 {
		t.Errorf("told %d times too often", len(tell))
	}
}

// A client that closes its sending side while the way out is being dialled once
// got a 502: the dial ended with its request.
func TestHalfClosedClientGetsItsTunnel(t *testing.T) {
	t.Parallel()
	out := standIn(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "from afar") })
	halfClose := make(chan func(), 1)
	p := open(t, setup{out: out, change: func(o *ingress.Options) {
		o.Decide = func(ctx context.Context, _ ingress.Approach) ingress.Verdict {
			(<-halfClose)()
			<-ctx.Done() // net/http has noticed
			return ingress.Verdict{Action: ingress.Tunnel}
		}
		o.Dialer = obedient{o.Dialer}
	}})
	c := p.raw()
	halfClose <- func() { _ = c.(*net.TCPConn).CloseWrite() }
	_, _ = io.WriteString(c, toTunnel+"GET / HTTP/1.1\r\nHost: tunnel.example\r\nConnection: close\r\n\r\n")
	got, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n") || !strings.HasSuffix(string(got), "from afar") {
		t.Errorf("%q, %v", got, err)
	}
}

// An obedient dialer does not dial for somebody who has left.
type obedient struct{ ingress.Dialer }

func (d obedient) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.Dialer.DialContext(ctx, network, address)
}

// A shutdown ends a dial all the same.
func TestAloneDialEndsWithShutdown(t *testing.T) {
	dialling := make(chan struct{})
	p := open(t, setup{change: func(o *ingress.Options) { o.Dialer = patient(dialling) }})
	c := p.raw()
	_, _ = io.WriteString(c, toTunnel)
	<-dialling
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, c); isTimeout(err) {
		t.Error("the client was never let go")
	}
}

// patient waits until it is told to stop.
type patient chan struct{}

func (p patient) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	close(p)
	<-ctx.Done()
	return nil, ctx.Err()
}
