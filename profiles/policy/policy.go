// Package policy says what may leave. Nothing may, unless a pattern names it.
//
//	CONNECT api.openai.com:443          CONNECT evil.example:443
//	          │                                   │
//	          ▼                                   ▼
//	┌──────────────── Egress, compiled once ────────────────┐
//	│ exact   api.openai.com        (from model-apis)       │
//	│ glob    *.corp.example        (from the profile)      │
//	│ port    pricing.internal:50051                        │
//	└─────────┬───────────────────────────────────┬─────────┘
//	          ▼                                   ▼
//	   yes, by model-apis          no: policy.egress.tunnel, --allow
//
// Hosts of services that there are fakes of, and those of the list payment-apis,
// are opened by no pattern for many, and under Agent by none at all.
//
// A pattern is a host, a host:port, a glob (*.corp.example), a URL of which the
// host and port count, or the name of a shipped list. Without a port it means
// 443 and 80.
package policy

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// An Egress decides what may leave. It never changes; its nil value, as its
// zero value, lets nothing out.
type Egress struct {
	exact map[string][]rule // by host
	globs []rule
	guard *guard
	mode  EgressMode
}

// An EgressMode says what becomes of hosts that no pattern names.
type EgressMode string

// The modes.
const (
	Agent EgressMode = "agent" // they are refused; so is "", the default
	Tool  EgressMode = "tool"  // public ones pass unread, for finding what was forgotten
)

// EgressModes are what an EgressMode can be.
func EgressModes() []string { return []string{string(Agent), string(Tool)} }

// Forgotten is what let a host pass that no pattern names, under Tool.
const Forgotten = "policy.egress.mode: tool"

// Terms are what an Egress is made of.
type Terms struct {
	Mode     EgressMode
	Tunnel   []string            // patterns
	Services map[string][]string // hosts that fakes answer for, by service, bound or not
}

// A rule is one pattern. Port 0 means 443 and 80.
type rule struct {
	host string
	port int
	by   string // what the user wrote, or LIST (HOST) for a shipped list
	list bool   // of a shipped list
}

// Compile reads patterns, with no services to guard.
func Compile(patterns ...string) (*Egress, error) { return New(Terms{Tunnel: patterns}) }

// New makes an Egress. Every pattern that is wrong is reported at once, and the
// Egress is then nil.
func New(t Terms) (*Egress, error) {
	e := &Egress{exact: map[string][]rule{}, guard: newGuard(t.Services), mode: t.Mode}
	var problems []error
	for _, p := range t.Tunnel {
		if hosts, ok := list(p); ok {
			for _, host := range hosts {
				e.add(rule{host: host, by: p + " (" + host + ")", list: true})
			}
			continue
		}
		r, err := parse(p)
		if p == PaymentAPIs {
			err = errors.New("is a list that nothing tunnels")
		}
		if o, ok := e.guard.under(r.host); ok && err == nil && t.Mode != Tool {
			err = fmt.Errorf("%s %s; only under %s it may be named", o.Host, o, Forgotten)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("policy.egress.tunnel: %q: %w", p, err))
			continue
		}
		e.add(r)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return e, nil
}

func (e *Egress) add(r rule) {
	if strings.Contains(r.host, "*") {
		e.globs = append(e.globs, r)
		return
	}
	e.exact[r.host] = append(e.exact[r.host], r)
}

// Decide tells whether a host may be reached on a port, and which pattern
// allows it, or that it is Forgotten. The host is a name or an IP address without
// brackets, in any case, with or without a trailing dot.
func (e *Egress) Decide(host string, port int) (allowed bool, by string) {
	if allowed, by = e.Named(host, port); allowed || e == nil || e.mode != Tool {
		return allowed, by
	}
	host = normal(host)
	if _, err := netip.ParseAddr(host); err == nil || check(host) != nil || local(host) {
		return false, "" // an address says not whose it is
	}
	if _, ok := e.guard.of(host); ok {
		return false, ""
	}
	return true, Forgotten
}

// Named is Decide for what Parity itself sends, whatever the mode: whether a
// pattern allows it.
func (e *Egress) Named(host string, port int) (allowed bool, by string) {
	if e == nil {
		return false, ""
	}
	host = normal(host)
	_, guarded := e.guard.of(host)
	for _, r := range e.exact[host] {
		if r.opens(port) && !(guarded && r.list) {
			return true, r.by
		}
	}
	for _, r := range e.globs {
		if !guarded && r.opens(port) && glob(r.host, host) {
			return true, r.by
		}
	}
	return false, ""
}

// Mode is what becomes of hosts that no pattern names.
func (e *Egress) Mode() EgressMode {
	if e == nil || e.mode == "" {
		return Agent
	}
	return e.mode
}

// Literal tells whether a pattern of the user's own names exactly this host, or
// this address. Only then may it be, or resolve to, an address of this machine
// or a private network: a glob or a shipped list never opens those.
func (e *Egress) Literal(host string, port int) bool {
	if e == nil {
		return false
	}
	for _, r := range e.exact[normal(host)] {
		if r.opens(port) && !r.list {
			return true
		}
	}
	return false
}

// Refusal is the message for a client that may not go to host, on port. It
// names the setting that would let it, where there is one.
func (e *Egress) Refusal(host string, port int) string {
	name := named(host, port)
	if e != nil {
		if o, ok := e.guard.of(normal(host)); ok {
			text := name + " is not allowed: it " + o.String() + ", and nothing here reaches the real one."
			if o.Service != "" {
				text += "\nTo have it played:\nservices:\n  " + o.Service + ": {}"
			}
			return text
		}
	}
	return fmt.Sprintf("%[1]s is not allowed: no service of this run, and not in policy.egress.tunnel; start with --allow %[1]s, or put it in the profile.\n"+
		"To let it through unread:\n"+
		"policy:\n  egress:\n    tunnel: [%[1]q]", name)
}

// Advice is what would let a client go to host, on port, in short; "": nothing
// would.
func (e *Egress) Advice(host string, port int) string {
	if e != nil {
		if o, ok := e.guard.of(normal(host)); ok {
			return "it " + o.String()
		}
	}
	return "--allow " + named(host, port) + " would let it pass unread"
}

// named is a host as the settings write it, with its port where that is not one
// of the usual ones.
func named(host string, port int) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != 443 && port != 80 {
		host += ":" + strconv.Itoa(port)
	}
	return host
}

func (r rule) opens(port int) bool {
	if r.port == 0 {
		return port == 443 || port == 80
	}
	return r.port == port
}

func normal(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().WithZone("").String()
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// parse reads one pattern.
func parse(pattern string) (rule, error) {
	r := rule{by: pattern}
	rest := strings.TrimSpace(pattern)
	if rest == "" {
		return r, errors.New("the pattern is empty: name a host, such as api.example.com")
	}
	if strings.Contains(rest, "://") {
		u, err := url.Parse(rest)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return r, errors.New("of URLs only http://HOST and https://HOST are understood: name the host alone")
		}
		rest = u.Host
		if u.Port() == "" {
			r.port = map[string]int{"http": 80, "https": 443}[u.Scheme]
		}
	}
	host, port, err := split(rest)
	if err != nil {
		return r, err
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return r, fmt.Errorf("the port %q is not a number from 1 to 65535", port)
		}
		r.port = int(n)
	}
	r.host = normal(host)
	return r, check(r.host)
}

func split(s string) (host, port string, err error) {
	if _, err := netip.ParseAddr(s); err == nil {
		return s, "", nil
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		host, after, ok := strings.Cut(inner, "]")
		port, colon := strings.CutPrefix(after, ":")
		if _, err := netip.ParseAddr(host); err != nil || !ok || after != "" && !colon {
			return "", "", errors.New("an IPv6 address is written [2001:db8::1] or [2001:db8::1]:443")
		}
		return host, port, nil
	}
	host, port, found := strings.Cut(s, ":")
	if strings.Contains(port, ":") || found && port == "" {
		return "", "", errors.New("it is neither HOST nor HOST:PORT")
	}
	return host, port, nil
}

func check(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	if strings.Contains(host, "/") {
		return errors.New("address ranges and paths are not patterns: name hosts")
	}
	if strings.Trim(host, "*.") == "" {
		return errors.New("it would let everything out: name the hosts that the agent needs, such as *.example.com")
	}
	if strings.HasSuffix(host, "*") {
		return errors.New("a pattern has to end in a name, or anybody can register a host that matches: write *.example.com")
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Contains(label, "**") {
			return errors.New("it is not a host name: a label is empty, too long, or has ** in it")
		}
		for _, r := range label {
			if !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '*') {
				return fmt.Errorf("%q is not allowed in a host name (write international names in punycode)", r)
			}
		}
	}
	if len(host) > 253 {
		return errors.New("a host name has at most 253 characters")
	}
	if last := host[strings.LastIndexByte(host, '.')+1:]; strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return errors.New("an IPv4 address is written as four decimal numbers, and has no globs")
	}
	if !strings.Contains(host, ".") && (strings.HasPrefix(host, "model") || strings.HasSuffix(host, "-apis")) {
		return fmt.Errorf("there is no such list: the shipped lists are %s", strings.Join(Lists(), ", "))
	}
	return nil
}

// glob matches a host with a pattern: a leading *. stands for one label or
// more, any other * for a part of one label.
func glob(pattern, host string) bool {
	if rest, ok := strings.CutPrefix(pattern, "*."); ok {
		for {
			_, after, found := strings.Cut(host, ".")
			if !found {
				return false
			}
			if glob(rest, after) {
				return true
			}
			host = after
		}
	}
	want, have := strings.Split(pattern, "."), strings.Split(host, ".")
	return slices.EqualFunc(want, have, label)
}

// label matches one label, in which * stands for one character or more.
func label(pattern, s string) bool {
	before, after, found := strings.Cut(pattern, "*")
	if !found {
		return pattern == s
	}
	rest, ok := strings.CutPrefix(s, before)
	if !ok {
		return false
	}
	for n := 1; n <= len(rest); n++ {
		if label(after, rest[n:]) {
			return true
		}
	}
	return false
}
