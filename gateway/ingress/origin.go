package ingress

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
)

// A Way is how a request reached the data port.
type Way string

// The ways in. Base URLs and services named by Host come as Direct: which of
// them it is, the path and the Host say, and they are the handler's to read.
const (
	Direct  Way = "direct"  // a request to the data port itself
	Proxy   Way = "proxy"   // absolute-form, to a forward proxy
	Connect Way = "connect" // inside an intercepted CONNECT
	SNI     Way = "sni"     // TLS without a proxy, service by server name
	Address Way = "address" // to whatever address it is at, in a containment: see ServeAddress
)

// An Origin says where a request came from and whom its client meant.
type Origin struct {
	Way Way
	// Authority is whom the client meant. For Direct it is what Host says, or
	// zero where Host is missing or is not a valid host.
	Authority Authority
	// RunName and RunToken are what the client said of its run: by proxy
	// credentials, by RunHeader, by a PROXY header, or by the port that it came
	// in at. Nobody has checked them.
	RunName, RunToken string
	// Proven tells that the token has to fit wherever the client is: it came as
	// credentials do, and not by RunHeader alone.
	Proven bool
	// Secure tells that the client spoke TLS to what it takes for the service.
	Secure bool
	// Remote is the client's address, host:port.
	Remote string
	// Connection numbers the TCP connection, from 1, within one Server.
	Connection uint64
}

// An exchange is what ingress keeps about one request, and the context that its
// handler finds it in. Only the goroutine that serves the request touches it.
type exchange struct {
	context.Context //nolint:containedctx // it is one

	origin Origin
	body   *timedBody // nil where none was handed on
	abort  bool       // cut the stream when the handler returns (HTTP/2)
	client *client    // nil where nothing is counted
	held   int64      // bytes of its client's that are this request's

	conn    *conn
	seat    chan struct{} // its connection's, on HTTP/2
	counted *atomic.Int64 // of its client's, that it is one of
	busy    bool          // it is a call too many
}

type exchangeKey struct{}

// Value gives x itself, or what the context around it has.
func (x *exchange) Value(key any) any {
	if key == (exchangeKey{}) {
		return x
	}
	return x.Context.Value(key)
}

type connKey struct{}

// FromContext gives the origin of the request whose context this is; ok is
// false for a request that did not come in through a Server.
func FromContext(ctx context.Context) (origin Origin, ok bool) {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x.origin, true
	}
	return Origin{}, false
}

// NewContext gives a context that carries origin, for tests of handlers.
func NewContext(ctx context.Context, origin Origin) context.Context {
	return &exchange{Context: ctx, origin: origin}
}

// Credentials are what a client said of its run. Name and Token may come from
// RunHeader too.
type Credentials struct {
	Name, Token string
	// Sent tells that there was a Proxy-Authorization, or that the connection
	// itself named the run; Malformed, that the former was not Basic credentials
	// (RFC 7617).
	Sent, Malformed bool
}

func credentials(h http.Header) Credentials {
	values := h["Proxy-Authorization"]
	if len(values) == 0 {
		return Credentials{}
	}
	bad := Credentials{Sent: true, Malformed: true}
	scheme, encoded, ok := strings.Cut(values[0], " ")
	if len(values) > 1 || !ok || !strings.EqualFold(scheme, "basic") {
		return bad
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return bad
	}
	name, token, ok := strings.Cut(string(decoded), ":")
	if !ok {
		return bad
	}
	return Credentials{Name: name, Token: token, Sent: true}
}

// RunHeader names the run that a request belongs to, as ID or ID:TOKEN. It is
// taken off before a handler sees the request.
const RunHeader = "Parity-Run"

var (
	errTwoRuns = errors.New("this request names two runs, or one twice: its run is named by " + RunHeader +
		", by Proxy-Authorization, by the connection's PROXY header, or by the port; say it in one way")
	errNoName = errors.New(RunHeader + " names no run: write it " + RunHeader + ": RUN or " + RunHeader + ": RUN:TOKEN, or leave it out")
)

// claimed reads which run a request names: by the credentials that it was given,
// by those that its connection carries, and by RunHeader. The error is for the
// client.
func claimed(given, carried Credentials, h http.Header) (Credentials, error) {
	c := given
	switch {
	case !given.Sent:
		c = carried
	case !same(given.Name, carried.Name):
		return c, errTwoRuns
	}
	values := h[RunHeader]
	if len(values) == 0 {
		return c, nil
	}
	delete(h, RunHeader)
	name, token, _ := strings.Cut(strings.TrimSpace(values[0]), ":")
	switch {
	case len(values) > 1 || !same(name, c.Name):
		return c, errTwoRuns
	case name == "":
		return c, errNoName
	}
	c.Name = name
	if token != "" {
		c.Token = token
	}
	return c, nil
}

// same tells that two names do not contradict one another.
func same(a, b string) bool { return a == "" || b == "" || strings.EqualFold(a, b) }
