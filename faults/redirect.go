package faults

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Moved is what the name of the other host begins with, where a redirect is not
// told one: a service that answers for a name answers for that as well. It is a
// sibling of the service's own: to subdomains some clients take credentials
// along, as they may.
const Moved = "moved-"

// redirect sends the client to another host.
//
//	request ─▶ 307, Location: https://moved-api.example.com/…
//	                   └─▶ with its credentials?
func redirect() *Fault {
	return &Fault{
		Name:     "redirect",
		Phase:    Before,
		Decides:  true,
		Lasts:    true,
		Summary:  "A 301 or 302, which turns a POST into a GET, or a 307 or 308, to another host; nothing has happened.",
		Reaction: "Credentials do not follow to another host, and a write that was turned into a read is not taken for done.",
		Judging:  Judging{Class: Redirected, Outlasts: true},
		Forms:    []Form{{Rank: 250, With: map[string]any{"status": int64(307)}, Fits: fitsAll}},
		Example: `moved-for-good:
  call: stripe POST /v1/refunds
  inject: redirect
  with: {status: 301}
  trigger: {nth: 1}`,
		Params: []Param{
			{Name: "status", Kind: Choice, Choices: []string{"301", "302", "307", "308"}, Default: "307", Doc: "HTTP status", Example: "301"},
			{Name: "to", Kind: Text, Doc: "the other host, or an address that path and query are put behind; without it moved- before the service's own name, for which the service answers too " +
				"(on this machine: localhost for 127.0.0.1, and the other way round)", Example: "https://eu.api.example.com"},
		},
		build: func(a Args) (Injection, error) {
			status, _ := strconv.Atoi(a.text("status")) // one of its choices
			r := moved{status: status}
			if !a.has("to") {
				return r, nil
			}
			to := a.text("to")
			if !strings.Contains(to, "://") {
				to = "//" + to
			}
			at, err := url.Parse(to)
			if err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" || at.Scheme != "" && at.Scheme != "http" && at.Scheme != "https" {
				return nil, &ArgError{Key: "to", Message: fmt.Sprintf("%q is neither a host nor an address such as https://eu.api.example.com", a.text("to"))}
			}
			r.to = at
			return r, nil
		},
	}
}

type moved struct {
	status int
	to     *url.URL
}

// Open lets the client be that came to where it was sent.
func (r moved) Open(m CallContext) Gate {
	to := r.target(m)
	switch {
	case to == nil:
		return Gate{Why: "where the client reached the service is not known"}
	case to.Hostname() == m.Call.Host, r.to == nil && strings.HasPrefix(m.Call.Host, Moved):
		return Gate{Why: "the client came to where it is sent"}
	}
	return Gate{Open: true}
}

// Limit is none: no calls are counted.
func (r moved) Limit() int { return 0 }

func (r moved) Apply(p *Plan, m CallContext) Mark {
	location := strings.TrimSuffix(r.target(m).String(), "/") + m.Call.Target
	p.Skip = true
	p.Page = statusPage(r.status)
	p.Page.Header = map[string]string{"Location": location}
	return Mark{}
}

// target is what the path is put behind.
func (r moved) target(m CallContext) *url.URL {
	base, err := url.Parse(m.Call.Base)
	if err != nil || base.Host == "" {
		return nil
	}
	if r.to != nil {
		to := *r.to
		if to.Scheme == "" {
			to.Scheme = base.Scheme
		}
		return &to
	}
	host, port := base.Hostname(), base.Port()
	switch ip := net.ParseIP(host); {
	case host == "localhost":
		host = "127.0.0.1"
	case ip != nil && ip.IsLoopback():
		host = "localhost"
	default:
		host = Moved + strings.TrimPrefix(host, Moved)
	}
	if port != "" {
		host = net.JoinHostPort(host, port)
	}
	base.Host = host
	return base
}

var _ Gatekeeper = moved{}
