package profiles

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/specs"
)

// mostDiagnostics bounds what is told of one contract: a profile is not the
// place to mend it.
const mostDiagnostics = 5

// services gives the names of the services that are played, and makes the
// catalogue that is in force with them.
func (b *binder) services() []string {
	b.bound, b.failed, b.matched, b.catalogue, b.sources = map[string]bool{}, map[string]bool{}, map[string]bool{}, b.o.Catalogue, Sources{}
	table := b.tree.get("services")
	if !table.ok() || len(table.fields) == 0 {
		if b.errors > 0 {
			return nil // which may well be why
		}
		b.warn(table.where(b.tree.place), "add services: {stripe: {}}, or extends: [baseline]", "no service is bound: every call is refused")
		return nil
	}
	var names []string
	var played []binding
	for _, f := range table.fields {
		service, ok := b.service(f)
		if !ok {
			b.failed[f.name] = true
			continue
		}
		names = append(names, f.name)
		b.bound[f.name] = true
		played = append(played, binding{f, service})
		if service.Contract != nil {
			b.ops = append(b.ops, service.Contract.Operations...)
		}
	}
	slices.Sort(names)
	b.gather(played)
	b.changeEffects(played)
	return names
}

// binding is a service as a profile plays it.
type binding struct {
	field
	service fakes.Service
}

// service finds or makes the service of one entry.
func (b *binder) service(f field) (fakes.Service, bool) {
	contract, behaviour := f.item.get("contract"), f.item.get("behaviour")
	shipped, ok := b.o.Catalogue.Service(f.name)
	switch {
	case ok && contract != nil:
		b.wrong(contract.place, "leave the contract out, or give the service another name, such as my-"+f.name,
			"%s is built in, and its contract comes with it", f.name)
		return fakes.Service{}, false
	case behaviour != nil && contract == nil:
		b.wrong(behaviour.place, "a behaviour file goes with a contract of one's own", "%s has a behaviour file and no contract", f.name)
		return fakes.Service{}, false
	case ok:
		return shipped, true
	case contract == nil:
		hint := "one of your own has a contract: " + f.name + ": {contract: " + f.name + ".yaml}"
		if word, near := nearest(f.name, b.o.Catalogue.Names()); near {
			hint = "did you mean " + word
		}
		b.wrong(f.place, hint, "there is no built-in service %s", shorten(f.name))
		return fakes.Service{}, false
	}
	m := b.made[f.name]
	if m == nil {
		return fakes.Service{}, false // and it was said why
	}
	return b.own(f, contract, m)
}

// own gives a service of the profile's own.
func (b *binder) own(f field, contract *item, m *made) (fakes.Service, bool) {
	if m.unusable != nil {
		b.useless(f, contract, m)
		return fakes.Service{}, false
	}
	for i, d := range m.diagnostics {
		if i == mostDiagnostics {
			b.warn(contract.place, "", "%sand %d faults more", about(contract), len(m.diagnostics)-i)
			break
		}
		b.diagnosed(f.name, contract, d)
	}
	fatal := false
	for _, p := range m.problems {
		fatal = fatal || p.Fatal
		b.add(rulesPlace(m, p.Line, p.Column), !p.Fatal, p.Message, p.Hint)
	}
	if m.failed != nil {
		if !fatal {
			b.wrong(contract.place, "", "service %s: %v", f.name, m.failed)
		}
		return fakes.Service{}, false
	}
	if fatal {
		return fakes.Service{}, false
	}
	b.sources[f.name] = m.source
	return m.service, true
}

// gather makes the catalogue: what is played, on the hosts that are said, and
// all that ships besides, on the hosts that are left.
func (b *binder) gather(played []binding) {
	taken, changed := map[string]string{}, false
	var all []fakes.Service
	for _, p := range b.firstServed(played) {
		hosts, said := b.hosts(p)
		_, ships := b.o.Catalogue.Service(p.name)
		changed = changed || said || !ships
		p.service.Hosts = b.free(p, hosts, said, taken)
		all = append(all, p.service)
	}
	if !changed {
		return
	}
	for _, s := range b.o.Catalogue.Services() {
		if b.bound[s.Name] {
			continue
		}
		s.Hosts = slices.DeleteFunc(slices.Clone(s.Hosts), func(host string) bool { return taken[host] != "" })
		all = append(all, s)
	}
	made, err := fakes.NewCatalogue(all...)
	if err == nil {
		_, err = made.World()
	}
	if err != nil {
		b.wrong(b.tree.get("services").place, "", "services: %v", err)
		return
	}
	b.catalogue = made
}

// beside takes note of the service that a service of the profile's own stands in
// for.
func (b *binder) beside(p *Profile, f field) {
	it := f.item.get("beside")
	if !it.ok() {
		return
	}
	other := it.str()
	switch _, ships := b.o.Catalogue.Service(other); {
	case f.item.get("hosts").ok():
		b.wrong(f.item.get("hosts").place, "leave hosts out, or beside", "%s answers on the hosts of %s, and has none of its own", f.name, shorten(other))
	case !ships || !b.bound[other]:
		b.wrong(it.place, "bind it too: "+other+": {}", "%s is no built-in service that this profile binds", shorten(other))
	case p.Beside[other] != "":
		b.wrong(it.place, "one service is enough beside another", "%s has %s beside it already", other, p.Beside[other])
	default:
		p.Beside[other] = f.name
	}
}

// firstServed puts services into the order in which they get their hosts: a
// contract may name any, so those that have theirs from one come last.
func (b *binder) firstServed(played []binding) []binding {
	last := func(p binding) int {
		if _, ships := b.o.Catalogue.Service(p.name); ships || p.item.get("hosts").ok() {
			return 0
		}
		return 1
	}
	return slices.SortedStableFunc(slices.Values(played), func(x, y binding) int { return cmp.Compare(last(x), last(y)) })
}

// hosts gives those that a service is to answer on: the ones that are said, or
// those of its contract; none, where it stands in for another.
func (b *binder) hosts(p binding) (hosts []string, said bool) {
	it := p.item.get("hosts")
	if p.item.get("beside").ok() {
		return nil, true
	}
	if !it.ok() {
		hosts = p.service.Hosts
		if hosts == nil && p.service.Contract != nil {
			hosts = p.service.Contract.Hosts
		}
		return slices.DeleteFunc(slices.Clone(hosts), func(host string) bool {
			message, _ := wrongHost(host)
			return message != ""
		}), false
	}
	for _, e := range it.list {
		if !e.ok() {
			continue
		}
		if message, hint := wrongHost(e.str()); message != "" {
			b.wrong(e.place, hint, "services.%s.hosts: %s %s", p.name, shorten(e.str()), message)
			continue
		}
		if host := strings.ToLower(e.str()); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts, true
}

// free gives those hosts that no other service has.
func (b *binder) free(p binding, hosts []string, said bool, taken map[string]string) []string {
	var free []string
	for _, host := range hosts {
		other := taken[host]
		switch {
		case other == "":
			taken[host] = p.name
			free = append(free, host)
		case said:
			b.wrong(p.item.get("hosts").place, "a host belongs to one service", "host %s is that of %s already", host, other)
		default:
			b.warn(p.place, "say which hosts are its own: hosts: [...]", "host %s of %s is that of %s already, which answers on it", host, p.name, other)
		}
	}
	return free
}

// wrongHost says what is wrong with the host of a service.
func wrongHost(entry string) (message, hint string) {
	host := strings.ToLower(entry)
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.IsLoopback() || ip.IsUnspecified() {
			return "is this machine itself", "a service is always at SERVICE.localhost and at /SERVICE of the data port"
		}
		return "", ""
	}
	switch name := strings.TrimPrefix(host, "*."); {
	case !hostForm().MatchString(host) || len(host) > 253:
		return "is not a host", "write the host alone, such as crm.acme.internal or *.acme.internal"
	case name == "localhost" || strings.HasSuffix(name, ".localhost"):
		return "is this machine itself", "a service is always at SERVICE.localhost and at /SERVICE of the data port"
	}
	return "", ""
}

// changeEffects reads what the profile says of what operations do.
func (b *binder) changeEffects(played []binding) {
	for _, p := range played {
		for _, e := range p.item.get("effects").all() {
			if e.item.ok() && p.service.Contract != nil {
				b.effect(p, e)
			}
		}
	}
}

func (b *binder) effect(p binding, e field) {
	name := e.name
	if method, _, ok := strings.Cut(name, " "); ok && method == strings.ToUpper(method) {
		name = p.name + " " + name // written without the service
	}
	pattern, err := faults.ParsePattern(name)
	if err != nil {
		b.wrong(e.place, "such as "+p.name+" POST /things: reversible", "services.%s.effects: %v", p.name, err)
		return
	}
	found := false
	for _, op := range p.service.Contract.Operations {
		if !pattern.Match(op) {
			continue
		}
		found = true
		if b.effects == nil {
			b.effects = map[*specs.Operation]specs.Effect{}
		}
		if _, said := b.effects[op]; !said {
			b.effects[op] = specs.Effect(e.item.str())
		}
	}
	if !found {
		hint := "the contract of " + p.name + " has no such operation"
		if of := pattern.Service(); of != "" && of != p.name {
			hint = "these are the effects of " + p.name
		} else if word, near := nearestTo(pattern, b.opsOf(pattern.Service())); near {
			hint = "did you mean " + word
		}
		b.wrong(e.place, hint, "services.%s.effects: %s matches no operation", p.name, shorten(e.name))
	}
}

// effectOf is what an operation does to the world, as the profile has it.
func (b *binder) effectOf(op *specs.Operation) specs.Effect {
	if e, ok := b.effects[op]; ok {
		return e
	}
	return op.Effect
}
