package gateway

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
)

// nearby is the host by which this machine's own commands and agents reach a
// port that listens at every address.
const nearby = "127.0.0.1"

// reachable is the address of the data port for whoever has reached the control
// port by a host: the public one where that is set, else at that host where the
// port listens at every address, else where it listens.
func (s *Server) reachable(host string) string {
	if s.settings.Public != "" {
		return s.settings.Public
	}
	return addressAt(s.Addr(), host)
}

// controlAt is the address of the control port for whoever has reached it by a
// host.
func (s *Server) controlAt(host string) string { return addressAt(s.Control(), host) }

// Nearby are the addresses of the data and the control port for agents and
// commands of this machine.
func (s *Server) Nearby() (data, control string) { return s.reachable(nearby), s.controlAt(nearby) }

// addressAt is a listener's address, with a host in the place of "every address",
// which is nowhere to connect to.
func addressAt(listens, host string) string {
	at, err := netip.ParseAddrPort(listens)
	if err != nil || !at.Addr().IsUnspecified() || host == "" {
		return listens
	}
	return net.JoinHostPort(host, strconv.Itoa(int(at.Port())))
}

// CheckPublic reads a --public-url, and gives the HOST:PORT that agents reach the
// data port at.
func CheckPublic(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return "", &UsageError{Err: fmt.Errorf("--public-url: write it as http://HOST:PORT, where agents reach the data port; what is behind the port, such as a run, is added to it")}
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", &UsageError{Err: fmt.Errorf("--public-url: its port is a number from 1 to 65535")}
	}
	if at, err := netip.ParseAddr(u.Hostname()); err == nil && at.IsUnspecified() {
		return "", &UsageError{Err: fmt.Errorf("--public-url: %s is every address, where no agent gets; name one", u.Hostname())}
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}
