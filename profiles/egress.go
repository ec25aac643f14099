package profiles

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parity/fakes"
)

// hostForm is a host name, or the suffix that *. stands before.
var hostForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$`)
})

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
		if message, hint := b.host(e.str()); message != "" {
			b.wrong(e.place, hint, "policy.egress.tunnel: %s %s", shorten(e.str()), message)
			continue
		}
		hosts = append(hosts, strings.ToLower(e.str()))
	}
	return hosts
}

// host says what is wrong with an entry of the list.
func (b *binder) host(entry string) (message, hint string) {
	if entry == ModelAPIs {
		return "", ""
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
	if service, ok := b.played(host); ok {
		return "is played by the fake of " + service, "remove it, or calls meant for the fake would reach the real service"
	}
	return "", ""
}

// played tells which bound service answers for a host, or for one below a
// suffix.
func (b *binder) played(host string) (string, bool) {
	if service, ok := b.catalogue.ByHost(strings.TrimPrefix(host, "*.")); ok && b.bound[service.Name] {
		return service.Name, true
	}
	suffix, ok := strings.CutPrefix(host, "*")
	if !ok {
		return "", false
	}
	for name := range b.bound {
		if service, _ := b.catalogue.Service(name); below(service, suffix) {
			return name, true
		}
	}
	return "", false
}

func below(service fakes.Service, suffix string) bool {
	for _, host := range service.Hosts {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}
