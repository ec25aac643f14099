package ingress

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// An Authority is the host and port that a client meant. Host is lower case,
// without a trailing dot, in ASCII (punycode for international names), and
// without brackets for an IPv6 literal.
type Authority struct {
	Host string
	Port int
}

// String is host:port, with brackets around an IPv6 literal.
func (a Authority) String() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// Longest host name, and label in it, in bytes (RFC 1035, section 2.3.4).
const (
	maxHost  = 253
	maxLabel = 63
)

// ParseAuthority reads "host", "host:port", "[v6]" or "[v6]:port". The port is
// used when s names none. A host that could be read as two different ones is an
// error: wildcards, empty labels, zones, and the decimal, octal and hex forms
// in which some resolvers accept an IPv4 address.
func ParseAuthority(s string, port int) (Authority, error) {
	host, digits, err := splitAuthority(s)
	if err != nil {
		return Authority{}, err
	}
	if digits != "" {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 || digits[0] == '+' {
			return Authority{}, fmt.Errorf("port %q in %q: use a number from 1 to 65535", clip(digits), clip(s))
		}
		port = int(n)
	}
	if host, err = cleanHost(host); err != nil {
		return Authority{}, err
	}
	return Authority{Host: host, Port: port}, nil
}

func splitAuthority(s string) (host, port string, err error) {
	if rest, ok := strings.CutPrefix(s, "["); ok {
		host, rest, ok = strings.Cut(rest, "]")
		if !ok {
			return "", "", fmt.Errorf("host %q: the bracket is not closed", clip(s))
		}
		addr, err := netip.ParseAddr(host)
		if err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", "", fmt.Errorf("host %q: only an IPv6 address without a zone goes in brackets", clip(s))
		}
		if rest == "" {
			return host, "", nil
		}
		port, ok = strings.CutPrefix(rest, ":")
		if !ok || port == "" {
			return "", "", fmt.Errorf("host %q: a port is written [address]:443", clip(s))
		}
		return host, port, nil
	}
	host, port, found := strings.Cut(s, ":")
	if strings.Contains(port, ":") {
		return "", "", fmt.Errorf("host %q: an IPv6 address is written in brackets", clip(s))
	}
	if found && port == "" {
		return "", "", fmt.Errorf("host %q: the port is missing after the colon", clip(s))
	}
	return host, port, nil
}

// cleanHost normalises a host name or address literal.
func cleanHost(host string) (string, error) {
	if addr, err := netip.ParseAddr(host); err == nil && addr.Zone() == "" {
		return addr.Unmap().String(), nil
	}
	name := strings.TrimSuffix(host, ".")
	if !ascii(name) {
		mapped, err := idna.Lookup.ToASCII(name)
		if err != nil {
			return "", fmt.Errorf("host %q is not a valid international name: %w", clip(host), err)
		}
		name = mapped
	}
	name = strings.ToLower(name)
	if err := checkName(name); err != nil {
		return "", fmt.Errorf("host %q: %w", clip(host), err)
	}
	return name, nil
}

func checkName(name string) error {
	if name == "" {
		return errors.New("the name is missing")
	}
	if len(name) > maxHost {
		return fmt.Errorf("a name has at most %d bytes", maxHost)
	}
	last := ""
	for label := range strings.SplitSeq(name, ".") {
		if label == "" {
			return errors.New("a label is empty")
		}
		if len(label) > maxLabel {
			return fmt.Errorf("a label has at most %d bytes", maxLabel)
		}
		for i := range len(label) {
			if !nameByte(label[i]) {
				return errors.New("only letters, digits, '-', '_' and '.' are allowed")
			}
		}
		if label[0] == '-' || label[len(label)-1] == '-' {
			return errors.New("a label may not begin or end with '-'")
		}
		last = label
	}
	if numeric(last) {
		return errors.New("an IPv4 address is written as four decimal numbers")
	}
	return nil
}

// numeric tells whether a resolver might take a name that ends in this label
// for an IPv4 address (WHATWG URL, "ends in a number").
func numeric(label string) bool {
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		_, err := strconv.ParseUint("0"+rest, 16, 64)
		return err == nil
	}
	for i := range len(label) {
		if label[i] < '0' || label[i] > '9' {
			return false
		}
	}
	return true
}

func nameByte(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '-' || b == '_'
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// clip keeps what a client sent from filling a message.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
