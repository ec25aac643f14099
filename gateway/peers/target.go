package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const (
	stripeHost = "api.stripe.com"
	bearer     = "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc"
)

// A way is how calls reach a server.
type way string

const (
	direct      way = "base URL"
	plain       way = "proxy"
	intercepted way = "intercepted"
)

// A target is where calls go, and how they get there.
type target struct {
	addr   string // of the server, or of the proxy
	way    way
	prefix string         // of the path of a base URL
	roots  *x509.CertPool // who is believed of what is intercepted
}

// A call is one request, without where it goes.
type call struct {
	method, path, body string
}

// kind is the content type of the body.
func (c call) kind() string {
	if strings.HasPrefix(c.body, "{") {
		return "application/json"
	}
	return "application/x-www-form-urlencoded"
}

// A request is a call to a target: as net/http is told, and as it is written.
type request struct {
	call
	url      string
	rendered []byte
}

func (t target) request(c call) request {
	switch t.way {
	case plain:
		return request{c, "http://" + stripeHost + c.path, c.render("http://"+stripeHost, stripeHost)}
	case intercepted:
		return request{c, "https://" + stripeHost + c.path, c.render("", stripeHost)}
	default:
		return request{c, "http://" + t.addr + t.prefix + c.path, c.render(t.prefix, t.addr)}
	}
}

func (c call) render(origin, host string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: peers\r\nAuthorization: %s\r\n", c.method, origin, c.path, host, bearer)
	if c.body != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\nContent-Length: %d\r\n", c.kind(), len(c.body))
	}
	b.WriteString("\r\n")
	b.WriteString(c.body)
	return b.Bytes()
}

// fresh is the request for net/http, which wants a new one each time.
func (r request) fresh(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	out, err := http.NewRequestWithContext(ctx, r.method, r.url, body)
	if err != nil {
		return nil, err
	}
	out.Header["User-Agent"] = []string{"peers"}
	out.Header["Authorization"] = []string{bearer}
	// Said to be safe to send again, and not on the wire: a server may close a
	// connection that is idle while others have their turn.
	out.Header["Idempotency-Key"] = []string{}
	if r.body != "" {
		out.Header["Content-Type"] = []string{r.kind()}
	}
	return out, nil
}
