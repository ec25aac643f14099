package contain

import (
	"encoding/binary"
	"os"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// packetSocket shows what was refused inside: packets from their IP header on, only
// those that attemptIn may want, so that traffic costs next to nothing more.
func packetSocket() (*os.File, error) {
	// Of no protocol, it takes nothing before the filter is there.
	s, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(s), "packets")
	filter, err := refusals()
	if err == nil {
		err = unix.SetsockoptSockFprog(s, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
	}
	if err == nil {
		every := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
		err = unix.Bind(s, &unix.SockaddrLinklayer{Protocol: every, Ifindex: loopbackIndex})
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// refusals is the filter: each packet of another protocol than TCP and UDP, of TCP
// those that refuse, and those that accept at another address than 127.0.0.0/8, of
// UDP those to many. Each packet comes by twice on the loopback interface: going
// out, and coming in, which is the one that counts.
func refusals() ([]unix.SockFilter, error) {
	const drop, take = 0, 2048
	in := []bpf.Instruction{
		bpf.LoadExtension{Num: bpf.ExtType},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.PACKET_OUTGOING, SkipTrue: 28},
		bpf.LoadAbsolute{Off: 0, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpShiftRight, Val: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 6, SkipTrue: 14},
		// IPv4
		bpf.LoadAbsolute{Off: 9, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: protocolTCP, SkipTrue: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: protocolUDP, SkipTrue: 21},
		bpf.LoadAbsolute{Off: 16, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: 224, SkipTrue: 19},
		bpf.RetConstant{Val: drop},
		bpf.LoadMemShift{Off: 0},
		bpf.LoadIndirect{Off: 13, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: flagsMask},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: refusal, SkipTrue: 14},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: acceptance, SkipTrue: 14},
		bpf.LoadAbsolute{Off: 12, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 127, SkipTrue: 11},
		bpf.RetConstant{Val: drop},
		// IPv6
		bpf.LoadAbsolute{Off: 6, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: protocolTCP, SkipTrue: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: protocolUDP, SkipTrue: 7},
		bpf.LoadAbsolute{Off: 24, Size: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0xff, SkipTrue: 5},
		bpf.RetConstant{Val: drop},
		bpf.LoadAbsolute{Off: headerV6 + 13, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: flagsMask},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: acceptance, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: refusal, SkipTrue: 1},
		bpf.RetConstant{Val: take},
		bpf.RetConstant{Val: drop},
	}
	raw, err := bpf.Assemble(in)
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return filter, err
}

// watch reads what was refused, until the socket is closed.
func (a *attempts) watch(socket *os.File) {
	packet := make([]byte, 2048)
	for {
		n, err := socket.Read(packet)
		if err != nil {
			return
		}
		if one, ok := attemptIn(packet[:n]); ok && !(one.Answered && a.own(one.To)) {
			one.At = a.wall.Now()
			a.add(one)
		}
	}
}
