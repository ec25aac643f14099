package gateway_test

import (
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// sniffer sees the packets of one port on the loopback interface, as tcpdump
// does.
type sniffer struct {
	t    *testing.T
	fd   int
	port uint16
}

// packet is one TCP segment that the gateway sent.
type packet struct {
	client   uint16
	fin, rst bool
	payload  int
}

// sniff listens at a port. It needs CAP_NET_RAW: without that the test is
// skipped.
func sniff(t *testing.T, at string) *sniffer {
	t.Helper()
	// No protocol: it hears nothing until it is bound, by when it has its filter.
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.EAFNOSUPPORT) {
		t.Skipf("packets cannot be captured here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	_, text, _ := net.SplitHostPort(at)
	port, _ := strconv.ParseUint(text, 10, 16)
	s := &sniffer{t, fd, uint16(port)}
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		t.Skipf("packets cannot be captured here: %v", err)
	}
	program, err := bpf.Assemble([]bpf.Instruction{ // TCP from that port; X is where its header begins
		bpf.LoadAbsolute{Off: 9, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.IPPROTO_TCP, SkipTrue: 4},
		bpf.LoadMemShift{Off: 0},
		bpf.LoadIndirect{Off: 0, Size: 2},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(port), SkipTrue: 1},
		bpf.RetConstant{Val: 256},
		bpf.RetConstant{Val: 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	filter := make([]unix.SockFilter, len(program))
	for i, in := range program {
		filter[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	if err := errors.Join(
		unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 50_000}),
		unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: swapped(unix.ETH_P_IP), Ifindex: lo.Index}),
	); err != nil {
		t.Fatal(err)
	}
	return s
}

func swapped(n uint16) uint16 {
	var b [2]byte
	binary.BigEndian.PutUint16(b[:], n)
	return binary.NativeEndian.Uint16(b[:])
}

// next gives the next packet; false: none came for a while.
func (s *sniffer) next() (packet, bool) {
	buf := make([]byte, 256)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		_, from, err := unix.Recvfrom(s.fd, buf, unix.MSG_TRUNC)
		if err != nil {
			continue // nothing yet
		}
		if link, ok := from.(*unix.SockaddrLinklayer); !ok || link.Pkttype == unix.PACKET_OUTGOING {
			continue // each packet of the loopback comes by twice
		}
		ip := int(buf[0]&0xf) * 4
		tcp := buf[ip:]
		n := int(binary.BigEndian.Uint16(buf[2:])) // of the packet, longer than what was read
		if n < ip+20 {
			continue
		}
		return packet{
			client: binary.BigEndian.Uint16(tcp[2:]), fin: tcp[13]&1 != 0, rst: tcp[13]&4 != 0,
			payload: n - ip - int(tcp[12]>>4)*4,
		}, true
	}
	return packet{}, false
}

// ending gives how many bytes the gateway sent on the first connection that it
// ended, and whether that was by a RST.
func (s *sniffer) ending() (payload int, reset bool) {
	s.t.Helper()
	sent := map[uint16]int{}
	for {
		p, ok := s.next()
		if !ok {
			s.t.Fatalf("no connection ended within a minute, want a FIN or RST; sent on each: %v bytes", sent)
		}
		sent[p.client] += p.payload
		if p.fin || p.rst {
			return sent[p.client], p.rst
		}
	}
}

// What is said to be a reset is one on the wire, what is said to be closed is
// not, and a connection that is refused gets no byte before it ends.
func TestEndsInACapture(t *testing.T) {
	t.Parallel()
	const lost = "  it: {call: stripe.GetCustomers, inject: ambiguous-success, with: {reply: "
	const refused = "  it: {call: stripe *, inject: connect-refused, with: {how: "
	for name, c := range map[string]struct {
		rule   string
		ways   []string
		reset  bool
		silent bool
	}{
		"reply reset":    {lost + "reset}}", []string{"base-h1", "base-tls", "proxy-h1", "proxy-plain", "sni-h1", "address-h1", "address-plain"}, true, false},
		"head cut":       {lost + "cut-headers}}", []string{"base-h1", "proxy-h1"}, false, false},
		"body cut":       {lost + "cut-body}}", []string{"base-h1", "sni-h1", "address-plain"}, false, false},
		"refused":        {refused + "refuse}}", []string{"base-h1", "host-h1", "proxy-h1", "proxy-plain", "sni-h1", "sni-h2", "address-h1", "address-h2", "address-plain"}, true, true},
		"refused, h2":    {refused + "refuse}}", []string{"base-h2", "base-tls"}, true, false},
		"handshake cut":  {refused + "tls-cut}}", []string{"sni-h1", "sni-h2", "address-h1", "address-h2"}, false, true},
		"handshake cut,": {refused + "tls-cut}}", []string{"proxy-h1", "proxy-h2"}, false, false},
	} {
		for _, w := range ways() {
			for _, wanted := range c.ways {
				if w.name != wanted {
					continue
				}
				t.Run(name+"/"+w.name, func(t *testing.T) {
					t.Parallel()
					h := open(t, quiet+"\nfaults:\n"+c.rule+"\n").contain()
					at := h.Addr()
					if strings.HasPrefix(w.name, "address") {
						at = h.box.captured.Addr().String()
					}
					s := sniff(t, at)
					client := w.client(h)
					client.Transport.(*http.Transport).DisableKeepAlives = true
					if _, _, _, err := call(t, client, "GET", w.base(h)+"/v1/customers", ""); err == nil {
						t.Fatal("it was answered")
					}
					if payload, reset := s.ending(); reset != c.reset || c.silent && payload > 0 {
						t.Errorf("ended after %d bytes, by a reset: %v; want %v, in silence: %v", payload, reset, c.reset, c.silent)
					}
				})
			}
		}
	}
}
