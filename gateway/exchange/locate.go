package exchange

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
func (x *Exchange) locate() {
	host := x.origin.Authority.Host
	if s, ok := x.rev.At(host); ok {
		x.found(s, x.scheme()+"://"+x.r.Host)
		return
	}
	if x.origin.Way != ingress.Direct {
		return
	}
	x.entry.Way = "base"
	if label, rest, _ := strings.Cut(host, "."); rest != "" && x.rev.Bound[label] && x.prefix == "" && net.ParseIP(host) == nil {
		s, _ := x.rev.Catalogue.Service(label)
		x.entry.Way = "host"
		x.found(s, x.scheme()+"://"+x.r.Host)
		return
	}
	name, rest, deeper := strings.Cut(strings.TrimPrefix(x.path, "/"), "/")
	if x.rev.Bound[name] {
		s, _ := x.rev.Catalogue.Service(name)
		if x.path = x.path[len(x.path)-len(rest)-1:]; !deeper {
			x.path = "/"
		}
		x.found(s, x.scheme()+"://"+x.r.Host+x.prefix+"/"+name)
		return
	}
	if x.path == "/" && len(x.rev.Bound) > 1 {
		return // it is the front page's, though a service has an operation there
	}
	if s, ok := x.onlyOne(); ok {
		x.entry.Way = "host"
		x.found(s, x.scheme()+"://"+x.r.Host+x.prefix)
	}
}

// At finds the bound service that answers for a host: by its name, or by where
// a redirect says that it has moved to.
func (r *Revision) At(host string) (fakes.Service, bool) {
	s, ok := r.Catalogue.ByHost(host)
	if !ok || !r.Bound[s.Name] {
		s, ok = r.Catalogue.ByHost(strings.TrimPrefix(host, faults.Moved))
	}
	return s, ok && r.Bound[s.Name]
}

// onlyOne finds the one bound service that has an operation at the path.
func (x *Exchange) onlyOne() (found fakes.Service, ok bool) {
	for name := range x.rev.Bound {
		s, _ := x.rev.Catalogue.Service(name)
		if x.rev.Profile.Stands(name) {
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
func (a *arrived) asked() *specs.Call {
	return &specs.Call{Method: a.r.Method, Path: a.path, Query: a.r.URL.RawQuery, Header: a.r.Header, Body: a.body}
}

func (x *Exchange) found(s fakes.Service, base string) {
	x.service, x.base = s, base
	x.entry.Service = s.Name
}

func (a *arrived) scheme() string {
	if a.origin.Secure {
		return "https"
	}
	return "http"
}
