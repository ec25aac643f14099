package contain

import (
	"encoding/binary"
	"net/netip"
	"strconv"
)

// The protocols of packets that are looked at.
const (
	protocolICMP   = 1
	protocolTCP    = 6
	protocolUDP    = 17
	protocolICMPv6 = 58
)

// What a packet says that refuses another: a TCP segment with RST and ACK, and
// "destination unreachable" of ICMP; and what accepts: SYN and ACK.
const (
	refusal           = 0x14
	acceptance        = 0x12
	flagsMask         = 0x17 // FIN, SYN, RST, ACK
	unreachable       = 3
	unreachableV6     = 1
	headerV4          = 20
	headerV6          = 40
	headerICMP        = 8
	dnsPort           = 53
	multicastListener = 143 // of an interface that comes up
)

// attemptIn tells what a packet on the loopback interface, from its IP header on,
// says of a try to get out: the refusal of a connection or datagram has the
// address that it was for, and so has the acceptance of one; a datagram to many, or
// of a protocol that nobody speaks here, is one itself.
func attemptIn(packet []byte) (Attempt, bool) {
	h, ok := readHeader(packet)
	if !ok {
		return Attempt{}, false
	}
	b := h.payload
	switch h.protocol {
	case protocolTCP:
		if len(b) < 20 {
			return Attempt{}, false
		}
		one := Attempt{Protocol: "tcp", To: netip.AddrPortFrom(h.from, binary.BigEndian.Uint16(b))}
		// Nobody has seen a sequence number of whoever refuses a SYN: it is 0.
		refused := b[13]&flagsMask == refusal && binary.BigEndian.Uint32(b[4:]) == 0
		one.Answered = b[13]&flagsMask == acceptance
		return one, refused || one.Answered
	case protocolUDP:
		if len(b) < 8 || !h.to.IsMulticast() && h.to != broadcast() {
			return Attempt{}, false
		}
		return Attempt{Protocol: "udp", To: netip.AddrPortFrom(h.to, binary.BigEndian.Uint16(b[2:]))}, true
	case protocolICMP, protocolICMPv6:
		return attemptOf(h)
	}
	return Attempt{Protocol: "ip " + strconv.Itoa(int(h.protocol)), To: netip.AddrPortFrom(h.to, 0)}, true
}

// attemptOf is what an ICMP message says: which datagram did not arrive.
func attemptOf(h header) (Attempt, bool) {
	b := h.payload
	if len(b) < headerICMP {
		return Attempt{}, false
	}
	six := h.protocol == protocolICMPv6
	if six && b[0] >= 130 && b[0] <= multicastListener {
		return Attempt{}, false // neighbours and groups: the kernel's own
	}
	if six && b[0] != unreachableV6 || !six && b[0] != unreachable {
		return Attempt{Protocol: "icmp", To: netip.AddrPortFrom(h.to, 0)}, true
	}
	lost, ok := readHeader(b[headerICMP:])
	if !ok || lost.protocol != protocolUDP || len(lost.payload) < 4 {
		return Attempt{}, false
	}
	if binary.BigEndian.Uint16(lost.payload) == dnsPort { // an answer that nobody waits for any more
		return Attempt{}, false
	}
	return Attempt{Protocol: "udp", To: netip.AddrPortFrom(lost.to, binary.BigEndian.Uint16(lost.payload[2:]))}, true
}

func broadcast() netip.Addr { return netip.AddrFrom4([4]byte{255, 255, 255, 255}) }

// header is what is read of an IP header. IPv6 extensions are not followed.
type header struct {
	protocol byte
	from, to netip.Addr
	payload  []byte
}

func readHeader(b []byte) (h header, ok bool) {
	switch {
	case len(b) >= headerV4 && b[0]>>4 == 4:
		length := int(b[0]&0xf) * 4
		if length < headerV4 || len(b) < length {
			return h, false
		}
		return header{b[9], netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20])), b[length:]}, true
	case len(b) >= headerV6 && b[0]>>4 == 6:
		return header{b[6], netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40])), b[headerV6:]}, true
	}
	return h, false
}
