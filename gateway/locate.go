package gateway

import (
	"net"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/gateway/ingress"
	"parity/specs"
)

// locate finds the service that a request is for: by the host that its client
// meant; else, at the data port itself, by the first label of Host
// (stripe.localhost), by the first segment of the path (/stripe/v1/…), or by
// being the only bound service whose contract has that path.
func (x *exchange) locate() {
	host := x.origin.Authority.Host
	if s, ok := x.rev.at(host); ok {
		x.found(s, x.scheme()+"://"+x.r.Host)
		return
	}
	if x.origin.Way != ingress.Direct {
		return
	}
	x.entry.Way = "base"
	if label, rest, _ := strings.Cut(host, "."); rest != "" && net.ParseIP(host) == nil && x.rev.bound[label] && x.prefix == "" {
		s, _ := x.rev.catalogue.Service(label)
		x.entry.Way = "host"
		x.found(s, x.scheme()+"://"+x.r.Host)
		return
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(x.path, "/"), "/")
	if x.rev.bound[name] {
		s, _ := x.rev.catalogue.Service(name)
		x.path = "/" + rest
		x.found(s, x.scheme()+"://"+x.r.Host+x.prefix+"/"+name)
		return
	}
	if x.path == "/" && len(x.rev.bound) > 1 {
		return // it is the front page's, though a service has an operation there
	}
	if s, ok := x.onlyOne(); ok {
		x.entry.Way = "host"
		x.found(s, x.scheme()+"://"+x.r.Host+x.prefix)
	}
}

// at finds the bound service that answers for a host: by its name, or by where
// a redirect says that it has moved to.
func (r *revision) at(host string) (fakes.Service, bool) {
	s, ok := r.catalogue.ByHost(host)
	if !ok || !r.bound[s.Name] {
		s, ok = r.catalogue.ByHost(strings.TrimPrefix(host, faults.Moved))
	}
	return s, ok && r.bound[s.Name]
}

// onlyOne finds the one bound service that has an operation at the path.
func (x *exchange) onlyOne() (found fakes.Service, ok bool) {
	for name := range x.rev.bound {
		s, _ := x.rev.catalogue.Service(name)
		if x.rev.profile.Stands(name) {
			continue // the other one is asked first
		}
		m := s.Contract.MatchCall(x.asked())
		if m.Operation == nil && len(m.Allowed) == 0 {
			continue
		}
		if ok {
			return fakes.Service{}, false
		}
		found, ok = s, true
	}
	return found, ok
}

// asked is the request as far as it takes to find its operation.
func (x *exchange) asked() *specs.Call {
	return &specs.Call{Method: x.r.Method, Path: x.path, Query: x.r.URL.RawQuery, Header: x.r.Header, Body: x.body}
}

func (x *exchange) found(s fakes.Service, base string) {
	x.service, x.served, x.base = s, true, base
	x.entry.Service = s.Name
}

func (x *exchange) scheme() string {
	if x.origin.Secure {
		return "https"
	}
	return "http"
}
