package ingress_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http/httpproxy"

	"parity/gateway/ingress"
	"parity/gateway/live"
)

// upstream dials through a proxy that is known once everything is up.
type upstream struct {
	dialer atomic.Pointer[live.Dialer]
	dials  atomic.Int64
}

func (u *upstream) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	u.dials.Add(1)
	return u.dialer.Load().DialContext(ctx, network, address)
}

func (u *upstream) leadsTo(t *testing.T, from, to *port) {
	t.Helper()
	d, err := live.New(live.Options{Proxy: &httpproxy.Config{HTTPProxy: "http://" + to.addr, HTTPSProxy: "http://" + to.addr}, Via: from.Via})
	if err != nil {
		t.Fatal(err)
	}
	u.dialer.Store(d)
}

// Gateways whose upstream proxies lead round in a circle say so, once round: one
// that is its own, two, and three.
func TestALoopOfProxiesEndsAfterOneRound(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3} {
		ups, ports := make([]*upstream, n), make([]*port, n)
		for i := range n {
			ups[i] = &upstream{}
			ports[i] = open(t, setup{change: func(o *ingress.Options) { o.Dialer = ups[i] }})
		}
		for i := range n {
			ups[i].leadsTo(t, ports[i], ports[(i+1)%n])
		}
		for what, request := range map[string]string{
			"CONNECT": "CONNECT tunnel.example:443 HTTP/1.1\r\nHost: tunnel.example:443\r\n\r\n",
			"GET":     "GET http://tunnel.example/ HTTP/1.1\r\nHost: tunnel.example\r\nConnection: close\r\n\r\n",
		} {
			for _, up := range ups {
				up.dials.Store(0)
			}
			c := ports[0].raw()
			_, _ = io.WriteString(c, request)
			all, err := io.ReadAll(c)
			answer := string(all)
			if err != nil || !strings.HasPrefix(answer, "HTTP/1.1 502 ") || n < 3 && !strings.Contains(answer, "508 ") { // beyond that it is clipped
				t.Errorf("%d gateways, %s: %q", n, what, answer)
			}
			for i, up := range ups {
				if dials := up.dials.Load(); dials != 1 {
					t.Errorf("%d gateways, %s: number %d dialled %d times, want once", n, what, i, dials)
				}
			}
		}
	}
}
