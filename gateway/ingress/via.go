package ingress

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
)

// looped is what a request is told that has come round.
const looped = "this request has come through this gateway before: the proxy that the gateway itself uses (HTTP_PROXY, HTTPS_PROXY) leads back to it"

// newPseudonym is the name under which one server stands in Via (RFC 9110,
// section 7.6.3).
func newPseudonym() string { return "parity-" + rand.Text() }

// Via is the header Via for what is sent out on behalf of a request whose
// context this is: the gateways that it came through, this one last. One whose
// Via names this gateway already is answered 508.
func (s *Server) Via(ctx context.Context) string {
	own := "1.1 " + s.pseudonym
	if t, ok := ctx.Value(hopKey{}).(*attempt); ok && t.through != "" {
		return t.through + ", " + own
	}
	return own
}

func through(h http.Header) string { return strings.Join(h["Via"], ", ") }
