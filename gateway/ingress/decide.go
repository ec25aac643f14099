package ingress

import (
	"context"
	"net"
	"strings"
	"time"
)

// An Approach is a client that wants to reach somebody, before anything that it
// has to say to them was read.
type Approach struct {
	Way         Way // Proxy, Connect, SNI or Address
	Authority   Authority
	Credentials Credentials
	Remote      string // the client's address, host:port
	Connection  uint64
}

// An Action is what becomes of an Approach.
type Action int

// The actions. The zero value refuses: what nobody decided does not get out.
const (
	// Refuse answers 403 with the verdict's message: to a CONNECT, to a plain
	// request, and to each request in TLS without a proxy.
	Refuse Action = iota
	// Intercept hands the requests to the Handler.
	Intercept
	// Tunnel carries bytes unread to the authority through the verdict's Dialer.
	Tunnel
	// Challenge answers 407, for proxy credentials that are wrong, and 403 where
	// there is no proxy. Malformed credentials are challenged without asking.
	Challenge
)

// A Verdict is the answer to an Approach.
type Verdict struct {
	Action Action
	// Message is for the client, in plain text, for Refuse and Challenge. Its
	// first line is the reason phrase of a refused CONNECT too, since that is
	// all that most clients show of one.
	Message string
	Break   Break // of Intercept
	// Dialer opens the way out of Tunnel; default: Options.Dialer.
	Dialer Dialer
}

// A Dialer opens the connections of tunnels. The address is host:port, not
// resolved.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// A Passage is one tunnel, or one forwarded plain request, that has ended.
type Passage struct {
	Way       Way
	Authority Authority
	Out, In   int64 // bytes from the client, and to it
	Began     time.Time
	Ended     time.Time
	// Err is nil unless the authority could not be reached.
	Err error
}

// decide asks Options.Decide, after what needs no asking.
func (s *Server) decide(ctx context.Context, a Approach) Verdict {
	if a.Credentials.Malformed {
		return Verdict{Action: Challenge, Message: "Proxy-Authorization is not Basic credentials: use http://RUN:TOKEN@host:port as the proxy"}
	}
	v := s.opt.Decide(ctx, a)
	if v.Message == "" {
		v.Message = defaultMessage(v.Action, a.Authority)
	}
	if v.Dialer == nil {
		v.Dialer = s.opt.Dialer
	}
	if v.Action == Tunnel && v.Dialer == nil {
		return Verdict{Message: a.Authority.Host + " is allowed, but this gateway has no way out"}
	}
	return v
}

func defaultMessage(action Action, a Authority) string {
	switch action {
	case Challenge:
		return "the proxy credentials name no run: use http://RUN:TOKEN@host:port as the proxy"
	case Refuse:
		return a.Host + " is not a service of this gateway and not allowed out"
	default:
		return ""
	}
}

// reason makes a reason phrase of a message: its first line, printable, short.
func reason(message string) string {
	const most = 200
	line, _, _ := strings.Cut(message, "\n")
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, line)
	if len(line) > most {
		line = line[:most]
	}
	return strings.TrimSpace(line)
}
