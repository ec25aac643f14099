package profiles

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parity/fakes"
	"parity/profiles/policy"
)

// hostForm is a host name, or the suffix that *. stands before.
var hostForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$`)
})

// egress reads what may leave. A host that is played, or of the list payment-apis,
// is an error to name; under mode: tool, where who runs it looks for what an agent
// was forgotten to be cut off from, a warning.
func (b *binder) egress(p *Profile) {
	it := b.tree.get("policy").get("egress")
	p.Egress = policy.EgressMode(it.get("mode").str())
	p.Tunnel = b.tunnel(it.get("tunnel"))
	guarded := policy.Guarded(HostsOf(b.catalogue), p.Tunnel...)
	for _, e := range it.get("tunnel").entries() {
		owner, found := guarded[strings.ToLower(e.str())]
		if !found {
			continue
		}
		say, hint := b.wrong, "remove it"
		if p.Egress == policy.Tool {
			say, hint = b.warn, "remove it, unless that is what this is to show"
		}
		if b.bound[owner.Service] {
			hint = "remove it, or calls meant for the fake would reach the real service"
		} else if owner.Service != "" {
			hint = "bind it (services: {" + owner.Service + ": {}}), or name other hosts"
		}
		say(e.place, hint, "policy.egress.tunnel: %s %s", shorten(e.str()), which(e.str(), owner))
	}
}

// which words whose an entry of the list is.
func which(entry string, owner policy.Owner) string {
	if strings.Contains(entry, "*") {
		return "lets " + owner.Host + " out, which " + owner.String()
	}
	return owner.String()
}

// HostsOf are the hosts that the services of a catalogue answer for, by service.
func HostsOf(c *fakes.Catalogue) map[string][]string {
	hosts := map[string][]string{}
	for _, s := range c.Services() {
		hosts[s.Name] = s.Hosts
	}
	return hosts
}

// tunnel reads the hosts that are passed through unread.
func (b *binder) tunnel(it *item) []string {
	if !it.ok() {
		return nil
	}
	var hosts []string
	for _, e := range it.list {
		if !e.ok() {
			continue
		}
		if message, hint := host(e.str()); message != "" {
			b.wrong(e.place, hint, "policy.egress.tunnel: %s %s", shorten(e.str()), message)
			continue
		}
		hosts = append(hosts, strings.ToLower(e.str()))
	}
	return hosts
}

// host says what is wrong with an entry of the list.
func host(entry string) (message, hint string) {
	switch entry {
	case ModelAPIs:
		return "", ""
	case policy.PaymentAPIs:
		return "is a list that nothing tunnels", "it names hosts that are refused whatever else is said"
	}
	if strings.Contains(entry, "://") || strings.ContainsAny(entry, "/@?") {
		return "is not a host", "write the host, and its port if it is a certain one: api.example.com:443"
	}
	host := strings.ToLower(entry)
	if before, port, ok := strings.Cut(host, ":"); ok && !strings.Contains(port, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "has no port from 1 to 65535", "such as pricing.internal:50051"
		}
		host = before
	} else if ok {
		if bracketed, err := netip.ParseAddrPort(host); err == nil && bracketed.IsValid() {
			return "", ""
		}
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return "", ""
	}
	switch {
	case !hostForm().MatchString(host) || len(host) > 253:
		return "is not a host", "such as pricing.internal:50051, or *.pricing.internal"
	case !strings.Contains(host, ".") && host != "localhost" && host == strings.ToLower(entry):
		return "is neither a host with its domain nor a list", "the one list is " + ModelAPIs + "; a host of one word is written with its port"
	}
	return "", ""
}
