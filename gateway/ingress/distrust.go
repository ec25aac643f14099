package ingress

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// An alert in the clear is one record: type, version, length 2, level,
// description (RFC 8446, sections 5.1 and 6).
const (
	tlsAlert    = 0x15
	alertLength = 7
)

var errHungUp = errors.New("it hung up in the handshake, having seen the certificate")

// distrust tells whether a handshake with an intercepted host has failed over
// the certificate, as far as the client lets it be seen, and gives the reason.
//
//	Go, rustls, Java    an alert under the handshake's keys
//	OpenSSL: curl,      in TLS 1.3 an alert in the clear, since it has not sent
//	Python, Ruby        its Finished; crypto/tls takes it for a forged record
//	Node                no alert: it hangs up
func (c *conn) distrust(err error) (by *hop, why error) {
	if by = c.via; by == nil {
		by = c.named
	}
	if by == nil || by.verdict.Action != Intercept || c.leaf == "" {
		return nil, nil
	}
	var said *net.OpError
	switch {
	case errors.As(err, &said) && said.Op == "remote error":
		why = said
	case len(c.tail) == alertLength && c.tail[0] == tlsAlert && c.tail[3] == 0 && c.tail[4] == 2:
		why = fmt.Errorf("remote error: %w", tls.AlertError(c.tail[6]))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return by, errHungUp
	default:
		return nil, nil
	}
	// There are alerts about versions and ciphers too.
	if !strings.Contains(why.Error(), "certificate") {
		return nil, nil
	}
	return by, why
}
