package admin

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"parity/specs/words"
)

// ErrExposed says that a control plane would be open to others.
var ErrExposed = errors.New("the control plane would be open to others")

// The least of a token beyond loopback, where everybody may try: as many
// characters as a key of 64 bits has in hexadecimal, and not a few over and over.
const (
	leastToken    = 16
	leastDistinct = 6
)

// guessable tells what is wrong with a token that others may try; "": nothing.
func guessable(token string) string {
	distinct := map[rune]bool{}
	for _, c := range token {
		distinct[c] = true
	}
	switch {
	case token == "":
		return "there is no token"
	case len(token) < leastToken:
		return fmt.Sprintf("its token has %s, which can be guessed; it takes %d", words.Count(len(token), "character"), leastToken)
	case len(distinct) < leastDistinct:
		return fmt.Sprintf("its token has %s, which can be guessed; it takes %d", words.Count(len(distinct), "different character"), leastDistinct)
	}
	return ""
}

// CheckAddress tells whether the control plane may be bound to address, HOST:PORT:
// to loopback always, elsewhere only with a token that cannot be guessed. Ask before listening; a
// command ends with its usage exit code on an error.
func CheckAddress(address, token string) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("control address %q: %w; write it as HOST:PORT, such as 127.0.0.1:0", address, err)
	}
	if loopback(address) {
		return nil
	}
	if wrong := guessable(token); wrong != "" {
		return fmt.Errorf("control address %q: %w: %s; set PARITY_CONTROL_TOKEN to a token such as `openssl rand -hex 16` prints, or bind it to 127.0.0.1", address, ErrExposed, wrong)
	}
	return nil
}

// loopback tells whether address can be reached from this machine alone. A name
// other than localhost is not looked up: what it means can change.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && loopbackHost(host)
}

func loopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// hosts are the names that a request may address. A page that has pointed a
// name of its own at us (DNS rebinding) sends that name as Host; it cannot send
// another.
type hosts map[string]bool

func newHosts(names []string) (hosts, error) {
	h := hosts{}
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "/*@ ") || hostname(name) != canonical(name) {
			return nil, fmt.Errorf("control host %q: write a plain name or address, without port or pattern", name)
		}
		h[canonical(name)] = true
	}
	return h, nil
}

// only lets through to next what addresses a known host: a loopback one, one
// that is configured, or the very address that the connection came in at, as
// probes and scrapers by address do; rebinding needs a name.
func (h hosts) only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := hostname(r.Host)
		if name == "" || !loopbackHost(name) && !h[name] && !here(r, name) {
			refuse(w, http.StatusForbidden, "foreign-host", "this host name is not one of the control plane's; use 127.0.0.1, or add the name to the control hosts")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// here tells whether name is the address that r's connection came in at.
func here(r *http.Request, name string) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return false
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap() == local.AddrPort().Addr().Unmap().WithZone("")
}

// hostname is the host of HOST or HOST:PORT, in the form that hosts holds, or
// "" where it is none.
func hostname(hostport string) string {
	host := hostport
	if h, port, err := net.SplitHostPort(hostport); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return ""
		}
		host = h
	} else if strings.Contains(hostport, ":") && !strings.HasPrefix(hostport, "[") {
		if _, err := netip.ParseAddr(hostport); err != nil {
			return ""
		}
	}
	return canonical(host)
}

func canonical(host string) string {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// sameOrigin refuses what another site's page has sent. CrossOriginProtection
// does so for methods that may change something; an Origin that is not ours is
// refused with every method, since no page but ours has anything to read here.
func sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	deny := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusForbidden, "foreign-origin", "a page of another origin has sent this; call the control plane without one")
	})
	protection.SetDenyHandler(deny)
	protected := protection.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
				deny.ServeHTTP(w, r)
				return
			}
		}
		protected.ServeHTTP(w, r)
	})
}

// secured tells browsers to do nothing with an answer but show it as what it is.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
