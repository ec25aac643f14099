package policy

import (
	"maps"
	"slices"
	"strings"
)

// An Owner says whose a host is that nothing may reach by accident.
type Owner struct {
	Service string // that ships; "": the host is of the list PaymentAPIs
	Host    string // as the service or the list has it
}

// String words it to stand after a host: "is …".
func (o Owner) String() string {
	if o.Service == "" {
		return "is of the list " + PaymentAPIs + ": what is sent there may move money"
	}
	return "is where " + o.Service + " is, which Parity plays"
}

// A guard knows the hosts that no pattern for many opens, nor the mode Tool: those
// of services that there are fakes of, whether a profile binds them or not, and
// those of PaymentAPIs.
type guard struct {
	exact map[string]Owner
	globs []Owner
}

// newGuard makes a guard of the hosts of services, by their names, as
// fakes.Service has them.
func newGuard(services map[string][]string) *guard {
	g := &guard{exact: map[string]Owner{}}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		for _, host := range services[name] {
			g.add(Owner{Service: name, Host: normal(host)})
		}
	}
	for _, host := range PaymentHosts() {
		g.add(Owner{Host: host})
	}
	return g
}

func (g *guard) add(o Owner) {
	if strings.Contains(o.Host, "*") {
		g.globs = append(g.globs, o)
		return
	}
	if _, there := g.exact[o.Host]; !there {
		g.exact[o.Host] = o
	}
}

// of tells whose a host is, as normal gives it.
func (g *guard) of(host string) (Owner, bool) {
	if g == nil {
		return Owner{}, false
	}
	if o, ok := g.exact[host]; ok {
		return o, true
	}
	for _, o := range g.globs {
		if glob(o.Host, host) {
			return o, true
		}
	}
	return Owner{}, false
}

// under tells of a pattern whether a guarded host matches it, and whose the first
// of them is: of services before those of the list, in order.
func (g *guard) under(pattern string) (Owner, bool) {
	if !strings.Contains(pattern, "*") {
		return g.of(pattern)
	}
	for _, host := range slices.Sorted(maps.Keys(g.exact)) {
		if o := g.exact[host]; glob(pattern, host) {
			return o, true
		}
	}
	for _, o := range g.globs {
		if glob(pattern, strings.ReplaceAll(o.Host, "*", "x")) || glob(o.Host, strings.ReplaceAll(pattern, "*", "x")) {
			return o, true
		}
	}
	return Owner{}, false
}

// Guarded tells of each pattern of policy.egress.tunnel that names, or matches, a
// host that nothing may reach by accident, whose that is.
func Guarded(services map[string][]string, patterns ...string) map[string]Owner {
	g, found := newGuard(services), map[string]Owner{}
	for _, p := range patterns {
		if r, err := parse(p); err == nil {
			if o, ok := g.under(r.host); ok {
				found[p] = o
			}
		}
	}
	return found
}

// local are the last labels of names that are of no public network.
func local(host string) bool {
	for _, last := range []string{".localhost", ".localdomain", ".local", ".internal", ".intranet", ".lan", ".home", ".corp", ".private", ".home.arpa"} {
		if strings.HasSuffix(host, last) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}
