package exchange

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"parity/faults/trail"
	"parity/gateway/ingress"
)

// foreign refuses a request to the data port itself that a page may have had a
// browser send without anybody meaning to call a service: one of another site,
// or one whose name was pointed at this machine (DNS rebinding). Such a page
// knows no run's token; what shows one in the request itself is let through, and
// so is what comes by a proxy, which a page cannot choose.
func (x *Exchange) foreign(c Claim) bool {
	if x.origin.Way != ingress.Direct || c.Shown {
		return false
	}
	shows := func() string {
		return "name the run with its token: http://" + x.line.runs.Address(x.r.Context()) + "/run/RUN:TOKEN/SERVICE, as `parity env` and `parity runs new` print it"
	}
	host := x.origin.Authority.Host
	if host == "" {
		host = x.r.Host // what cannot be read as a name is none of ours
	}
	switch {
	case crossSite(x.r):
		x.refuse(trail.Denied, http.StatusForbidden, "foreign-page", "A page of another site has sent this, which might have meant no call. If it is the agent's own, "+shows()+".")
	case c.Local && !x.line.called(host):
		if _, ok := x.rev.At(host); ok {
			return false
		}
		x.refuse(trail.Denied, http.StatusForbidden, "foreign-host", host+" is no name of this gateway, and a page whose name was pointed at this machine could have sent this. "+
			"Call it by 127.0.0.1 or localhost; or start it with --control-host "+host+"; or "+shows()+".")
	default:
		return false
	}
	x.entry.Host, x.entry.Path = host, x.path
	return true
}

// crossSite tells whether a browser says that a page of another origin has it
// send this. What a person has followed a link to is what they meant: a page of
// an agent's own may lead to where a service has people sign in.
func crossSite(r *http.Request) bool {
	if followed := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-User") == "?1" && r.Header.Get("Sec-Fetch-Dest") == "document"; followed &&
		(r.Method == http.MethodGet || r.Method == http.MethodHead) {
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return true
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return true
}

// called tells whether the gateway may be called by a host's name: by a loopback
// one, by one that was given, and by what is below these; or by any address,
// since no page can be at an address of somebody else's.
func (l *Line) called(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return true
	}
	for _, name := range append([]string{"localhost"}, l.hosts...) {
		if strings.EqualFold(host, name) || strings.HasSuffix(strings.ToLower(host), "."+strings.ToLower(name)) {
			return true
		}
	}
	return false
}
