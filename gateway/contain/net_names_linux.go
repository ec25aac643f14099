package contain

import (
	"errors"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// listenNames opens the socket that questions for names come to, at whatever
// address they are asked.
func listenNames(files *[]*os.File) error {
	conn, err := net.ListenPacket("udp", ":53")
	if err != nil {
		return err
	}
	defer conn.Close()
	udp := conn.(*net.UDPConn)
	raw, err := udp.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_PKTINFO, 1)
		// An answer from an IPv6 address takes one that is this machine's, or this.
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_FREEBIND, 1) // fails where there is no IPv6
		if six := unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO, 1); six == nil {
			failed = nil
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	return keep(files, udp)
}

// namesConn answers from the address that was asked: a client takes no answer from
// another.
type namesConn struct{ *net.UDPConn }

// asker is who asks, and what it asked at.
type asker struct {
	*net.UDPAddr
	asked []byte // the control message that has an answer come from there
}

// ReadFrom gives an address that an answer goes back to, by WriteTo.
func (c namesConn) ReadFrom(b []byte) (int, net.Addr, error) {
	control := make([]byte, 128)
	n, controls, _, from, err := c.ReadMsgUDP(b, control)
	if err != nil {
		return n, nil, err
	}
	return n, &asker{from, answeredFrom(control[:controls])}, nil
}

// WriteTo answers whom ReadFrom gave.
func (c namesConn) WriteTo(b []byte, to net.Addr) (int, error) {
	a, ok := to.(*asker)
	if !ok {
		return c.UDPConn.WriteTo(b, to)
	}
	n, _, err := c.WriteMsgUDP(b, a.asked, a.UDPAddr)
	return n, err
}

// answeredFrom turns what came with a question around, into what goes with its
// answer.
func answeredFrom(control []byte) []byte {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return nil
	}
	for _, m := range messages {
		switch {
		case m.Header.Level == unix.IPPROTO_IPV6 && m.Header.Type == unix.IPV6_PKTINFO && len(m.Data) >= unix.SizeofInet6Pktinfo:
			var info unix.Inet6Pktinfo
			copy(info.Addr[:], m.Data)
			return unix.PktInfo6(&info)
		case m.Header.Level == unix.IPPROTO_IP && m.Header.Type == unix.IP_PKTINFO && len(m.Data) >= unix.SizeofInet4Pktinfo:
			var info unix.Inet4Pktinfo
			copy(info.Spec_dst[:], m.Data[8:12]) // the destination: interface, local address, destination
			return unix.PktInfo4(&info)
		}
	}
	return nil
}
