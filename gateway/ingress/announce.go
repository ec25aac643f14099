package ingress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A PROXY header of version 2 comes before anything else on a connection
// (https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt, section 2.2):
//
//	signature          12 bytes
//	version, command    1 byte    0x20 LOCAL, 0x21 PROXY
//	family, protocol    1 byte
//	length              2 bytes   of what follows, big endian
//	addresses           by family; they are not looked at, anybody can write them
//	TLVs                type 1 byte, length 2 bytes, value
//
// Ours is the TLV runTLV, of the range for custom use: its value is RUN:TOKEN.
// It is how a client that speaks TLS by itself, without a proxy, names its run.
const (
	proxySignature = "\r\n\r\n\x00\r\nQUIT\n"
	announcing     = '\r' // no request and no TLS record begins with it
	runTLV         = 0xE0
	mostAnnounced  = 4 << 10 // bytes behind the length
)

// announced reads a connection's PROXY header. A client that sends a broken one
// cannot be told: what it speaks is not known yet.
func (s *Server) announced(c *conn) error {
	_ = c.SetReadDeadline(s.opt.Wall.Now().Add(s.opt.HeaderTime))
	run, err := readAnnouncement(c)
	if err != nil {
		err = fmt.Errorf("a PROXY header that cannot be read: %w", err)
		s.opt.Log.Warn("connection closed", "remote", c.RemoteAddr().String(), "error", err)
		return err
	}
	if run.Sent {
		c.torn = !same(run.Name, c.carried.Name)
		c.carried = run
	}
	return nil
}

// readAnnouncement reads a PROXY header and nothing behind it. It gives the
// zero Credentials where the header names no run.
func readAnnouncement(r io.Reader) (Credentials, error) {
	var head [16]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Credentials{}, fmt.Errorf("its beginning: %w", err)
	}
	if string(head[:12]) != proxySignature {
		return Credentials{}, errors.New("it has not the signature of version 2")
	}
	command, family := head[12], head[13]
	if command != local && command != proxied {
		return Credentials{}, fmt.Errorf("version and command are %#x, and only %#x and %#x are known", command, local, proxied)
	}
	length := int(binary.BigEndian.Uint16(head[14:]))
	if length > mostAnnounced {
		return Credentials{}, fmt.Errorf("%d bytes follow, and at most %d are read", length, mostAnnounced)
	}
	rest := make([]byte, length)
	if _, err := io.ReadFull(r, rest); err != nil {
		return Credentials{}, fmt.Errorf("%d bytes should follow: %w", length, err)
	}
	addresses, err := addressLength(family)
	switch {
	case err != nil:
		return Credentials{}, err
	case len(rest) >= addresses:
		return findRun(rest[addresses:])
	case command == local: // its family says nothing (section 2.2)
		return Credentials{}, nil
	default:
		return Credentials{}, fmt.Errorf("its addresses have %d bytes, not %d", len(rest), addresses)
	}
}

// The two commands, with the version before them.
const (
	local   byte = 0x20
	proxied byte = 0x21
)

// addressLength is how many bytes of addresses there are, for a family and a
// protocol.
func addressLength(family byte) (int, error) {
	lengths := []int{0, 12, 36, 216} // unspecified, IPv4, IPv6, Unix
	if int(family>>4) >= len(lengths) || family&0xF > 2 {
		return 0, fmt.Errorf("the family %#x is not known", family)
	}
	return lengths[family>>4], nil
}

// findRun looks for our TLV among all of them.
func findRun(fields []byte) (found Credentials, err error) {
	for len(fields) > 0 {
		if len(fields) < 3 {
			return Credentials{}, errors.New("a field is cut short")
		}
		kind, length := fields[0], int(binary.BigEndian.Uint16(fields[1:]))
		if fields = fields[3:]; len(fields) < length {
			return Credentials{}, errors.New("a field is cut short")
		}
		value := fields[:length]
		fields = fields[length:]
		if kind != runTLV {
			continue
		}
		name, token, ok := strings.Cut(string(value), ":")
		if found.Sent || !ok || name == "" {
			return Credentials{}, fmt.Errorf("its field %#x is not RUN:TOKEN, once", runTLV)
		}
		found = Credentials{Name: name, Token: token, Sent: true}
	}
	return found, nil
}

// Announce is the PROXY header with which a connection names its run. Run and
// token together are shorter than 4 KiB.
func Announce(run, token string) []byte {
	value := run + ":" + token
	b := append([]byte(proxySignature), local, 0)
	b = binary.BigEndian.AppendUint16(b, uint16(3+len(value)))
	b = append(b, runTLV)
	b = binary.BigEndian.AppendUint16(b, uint16(len(value)))
	return append(b, value...)
}
