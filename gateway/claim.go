package gateway

import (
	"errors"
	"net"
	"net/http"
	"strings"

	"parity/faults/trail"
	"parity/gateway/ingress"
)

var errTwoRuns = errors.New("two runs are named")

// claim reads which run a request says that it is for: by proxy credentials,
// header or connection, which ingress has read; else, at the data port itself,
// by the beginning of the path (/run/RUN:TOKEN/stripe/v1/…) or by a label of
// Host (stripe.RUN.localhost).
func (x *exchange) claim() (claim, error) {
	c := claim{name: x.origin.RunName, token: x.origin.RunToken, proven: x.origin.Proven, local: local(x.r.RemoteAddr)}
	c.shown = c.token != "" && !c.proven // else the connection may have it, by its port
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
	if c.name != "" && !strings.EqualFold(c.name, name) {
		return c, errTwoRuns
	}
	if token != "" || c.name == "" {
		c.token, c.shown = token, token != ""
	}
	c.name = name
	return c, nil
}

// inPath takes the run off the path.
func (x *exchange) inPath() (name, token string) {
	rest, ok := strings.CutPrefix(x.path, "/run/")
	if !ok {
		return "", ""
	}
	named, rest, _ := strings.Cut(rest, "/")
	name, token, _ = strings.Cut(strings.ReplaceAll(named, "%3A", ":"), ":")
	x.prefix, x.path = "/run/"+named, "/"+rest
	return name, token
}

// inHost reads SERVICE.RUN.rest or SERVICE.RUN.TOKEN.rest, where there is such
// a run: other names mean what they always do.
func (x *exchange) inHost() (name, token string) {
	host := x.origin.Authority.Host
	labels := strings.Split(host, ".")
	if len(labels) < 3 || net.ParseIP(host) != nil || !x.g.knows(labels[1]) {
		return "", ""
	}
	if len(labels) > 3 {
		token = labels[2]
	}
	return labels[1], token
}

// unclaimed tells a client why it got no run.
func (x *exchange) unclaimed(err error, c claim) {
	status, code := http.StatusProxyAuthRequired, "unknown-run"
	if x.origin.Way == ingress.Direct {
		status = http.StatusUnauthorized
	}
	switch {
	case errors.Is(err, errTwoRuns):
		x.refuse(trail.Denied, http.StatusBadRequest, code, "The credentials name run "+c.name+", and the URL another: say one of them.")
		return
	case !errors.Is(err, errNoRun) && !errors.Is(err, errUnnamed):
		status, code = http.StatusServiceUnavailable, "broken-run"
	}
	x.refuse(trail.Denied, status, code, unfound(err, c, x.g.address(x.r.Context())))
}
