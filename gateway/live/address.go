package live

import (
	"errors"
	"net/netip"
)

// ErrForbidden is the error of a host that may not be reached although policy
// names it, because of the address that it is at.
var ErrForbidden = errors.New("address refused")

// A need is what it takes for an address to be reached.
type need int

const (
	needNothing need = iota
	needLiteral      // the host is listed by name, not by a glob or a list
	needAddress      // the address itself is listed
	needNever
)

// kind says what sort of address addr is. Addresses that carry an IPv4 address
// are what that is: mapped, translated (RFC 6052), 6to4 (RFC 3056).
func kind(addr netip.Addr) (what string, n need) {
	addr = addr.Unmap().WithZone("")
	if inner, ok := carried(addr); ok {
		return kind(inner)
	}
	switch {
	case addr.IsUnspecified() || within(addr, "0.0.0.0/8"):
		return "the unspecified address", needNever
	case addr.IsMulticast():
		return "a multicast address", needNever
	case within(addr, "240.0.0.0/4"):
		return "a reserved address", needNever
	case metadata(addr):
		return "a cloud's metadata service", needAddress
	case addr.IsLinkLocalUnicast():
		return "a link-local address", needAddress
	case addr.IsLoopback():
		return "this machine", needLiteral
	case addr.IsPrivate():
		return "a private address", needLiteral
	case within(addr, "100.64.0.0/10"):
		return "a shared address (RFC 6598)", needLiteral
	case within(addr, "fec0::/10"):
		return "a site-local address", needLiteral
	default:
		return "", needNothing
	}
}

// metadata tells the services that hand out a machine's credentials.
func metadata(addr netip.Addr) bool {
	switch addr.String() {
	case "169.254.169.254", // AWS, GCP, Azure, and most others
		"169.254.170.2", "169.254.170.23", // ECS tasks, EKS pods
		"fd00:ec2::254", "fd00:ec2::23", // AWS on IPv6
		"100.100.100.200", // Alibaba
		"168.63.129.16",   // Azure's wire server
		"192.0.0.192":     // Oracle
		return true
	}
	return false
}

// carried gives the IPv4 address inside of an IPv6 one.
func carried(addr netip.Addr) (netip.Addr, bool) {
	if !addr.Is6() {
		return netip.Addr{}, false
	}
	b := addr.As16()
	switch {
	case within(addr, "64:ff9b::/96"), within(addr, "64:ff9b:1::/48"), within(addr, "::/96") && !addr.IsLoopback() && !addr.IsUnspecified():
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case within(addr, "2002::/16"):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}

func within(addr netip.Addr, prefix string) bool {
	return netip.MustParsePrefix(prefix).Contains(addr)
}
