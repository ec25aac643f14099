package ingress

import (
	"context"
	"errors"
	"net/http"
	"sync"
)

// A Break is how an intercepted connection is kept from coming about. Without
// TLS each of them is a reset.
type Break int

// The breaks.
const (
	Unbroken       Break = iota
	BreakReset           // RST in the place of any answer: to a CONNECT, or to a client's hello
	BreakHandshake       // FIN in the place of an answer to the client's hello
	BreakName            // a certificate for another host; the connection goes on if the client takes it
)

// anotherHost is whom the certificate of a BreakName is for. Nobody has that
// name (RFC 2606).
const anotherHost = "another-host.invalid"

// errBroken ends a handshake as the verdict says, without a word.
var errBroken = errors.New("the connection is refused")

// breakage is what becomes of a connection inside of a CONNECT, or of one that
// asked for a service by its server name.
func (c *conn) breakage() Break {
	switch {
	case c.via != nil && c.via.verdict.Action == Intercept:
		return c.via.verdict.Break
	case c.named != nil && c.named.verdict.Action == Intercept:
		return c.named.verdict.Break
	}
	return Unbroken
}

// broken ends a handshake that is to be cut, and gives another certificate's
// name where that is what is wrong.
func (c *conn) broken() error {
	switch c.breakage() {
	case BreakReset, BreakHandshake:
		c.mute = true // tls would send an alert
		return errBroken
	case BreakName:
		c.leaf = anotherHost
	}
	return nil
}

// sever closes a connection as its verdict says.
func (c *conn) sever() {
	if c.breakage() == BreakHandshake {
		cut(c)
		return
	}
	reset(c)
}

// met is what a connection has met, each thing once.
type met struct {
	mu    sync.Mutex
	names map[[2]string]bool
}

// First tells whether a run's service is asked about for the first time on the
// connection that a request came on: so that a Handler can tell what is new to
// it.
func First(ctx context.Context, run, service string) bool {
	name := [2]string{run, service}
	c, ok := ctx.Value(connKey{}).(*conn)
	if !ok || c == nil {
		return true
	}
	c.met.mu.Lock()
	defer c.met.mu.Unlock()
	if c.met.names[name] {
		return false
	}
	if c.met.names == nil {
		c.met.names = map[[2]string]bool{}
	}
	c.met.names[name] = true
	return true
}

// Sever resets the connection that a request came on, with everything else on
// it, in the place of any answer. On HTTP/2 too the client gets a RST.
func Sever(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 {
		Reset(w, r)
		return
	}
	if c, ok := r.Context().Value(connKey{}).(*conn); ok && c != nil {
		reset(c)
	}
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		x.abort = true
	}
}
