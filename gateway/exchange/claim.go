package exchange

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"parity/faults/trail"
	"parity/gateway/ingress"
)

var errTwoRuns = errors.New("two runs are named")

// claim reads which run a request says that it is for: by proxy credentials,
// header or connection, which ingress has read; else, at the data port itself,
// by the beginning of the path (/run/RUN:TOKEN/stripe/v1/…) or by a label of
// Host (stripe.RUN.localhost).
func (x *Exchange) claim() (Claim, error) {
	c := Claim{Name: x.origin.RunName, Token: x.origin.RunToken, Proven: x.origin.Proven, Local: Local(x.r.RemoteAddr)}
	c.Shown = c.Token != "" && !c.Proven // else the connection may have it, by its port
	if x.origin.Way != ingress.Direct {
		return c, nil
	}
	name, token := x.inPath()
	if name == "" {
		name, token = x.inHost()
	}
	if name == "" {
		return c, nil
	}
	if c.Name != "" && !strings.EqualFold(c.Name, name) {
		return c, errTwoRuns
	}
	if token != "" || c.Name == "" {
		c.Token, c.Shown = token, token != ""
	}
	c.Name = name
	return c, nil
}

// inPath takes the run off the path.
func (a *arrived) inPath() (name, token string) {
	rest, ok := strings.CutPrefix(a.path, "/run/")
	if !ok {
		return "", ""
	}
	named, rest, _ := strings.Cut(rest, "/")
	name, token, _ = strings.Cut(strings.ReplaceAll(named, "%3A", ":"), ":")
	a.prefix, a.path = "/run/"+named, "/"+rest
	return name, token
}

// inHost reads SERVICE.RUN.rest or SERVICE.RUN.TOKEN.rest, where there is such
// a run: other names mean what they always do.
func (x *Exchange) inHost() (name, token string) {
	host := x.origin.Authority.Host
	_, rest, _ := strings.Cut(host, ".")
	name, rest, deeper := strings.Cut(rest, ".")
	if !deeper || !x.line.runs.Knows(name) || net.ParseIP(host) != nil {
		return "", ""
	}
	if before, _, more := strings.Cut(rest, "."); more {
		token = before
	}
	return name, token
}

// unclaimed tells a client why it got no run.
func (x *Exchange) unclaimed(err error, c Claim) {
	status, code := http.StatusProxyAuthRequired, "unknown-run"
	if x.origin.Way == ingress.Direct {
		status = http.StatusUnauthorized
	}
	switch {
	case errors.Is(err, errTwoRuns):
		x.refuse(trail.Denied, http.StatusBadRequest, code, "The credentials name run "+c.Name+", and the URL another: say one of them.")
		return
	case !errors.Is(err, ErrNoRun) && !errors.Is(err, ErrUnnamed):
		status, code = http.StatusServiceUnavailable, "broken-run"
	}
	x.refuse(trail.Denied, status, code, Unfound(err, c, x.line.runs.Address(x.r.Context())))
}

// Claim is how a client names the run that it belongs to.
type Claim struct {
	Name, Token string
	Proven      bool // the token has to fit, wherever the client is
	Local       bool // the client is on this machine
	Shown       bool // the token is in the request itself
}

// Why there is no run for a client.
var (
	ErrUnnamed = errors.New("no run is named")
	ErrNoRun   = errors.New("no such run")
)

// Unfound words why a client got no run, for whom it reached at address.
func Unfound(err error, c Claim, address string) string {
	switch {
	case errors.Is(err, ErrUnnamed):
		return fmt.Sprintf("Say which run this is for: use http://RUN:TOKEN@%s as the proxy, or http://%s/run/RUN:TOKEN/SERVICE as the base URL; `parity runs new` makes a run and prints both.", address, address)
	case errors.Is(err, ErrNoRun):
		return fmt.Sprintf("There is no run %s with that token here: the proxy is http://RUN:TOKEN@%s, as `parity env` and `parity runs new` print it.", c.Name, address)
	}
	return fmt.Sprintf("Run %s cannot go on: %v", c.Name, err)
}

// Local tells whether an address is one of this machine's own.
func Local(remote string) bool {
	at, err := netip.ParseAddrPort(remote)
	return err == nil && at.Addr().Unmap().IsLoopback()
}
