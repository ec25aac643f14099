package contain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// The steps of a network, as refusals name them.
const (
	stepLoopback = "set up the loopback interface"
	stepRoutes   = "route every address to the loopback interface"
	stepListen   = "listen inside"
	stepPackets  = "open a packet socket inside"
)

// raise sets loopback up and routes every address to it.
func raise(p pretend) error {
	if err := errors.Join(p.at(stepLoopback), p.at(stepRoutes)); err != nil {
		return err
	}
	if err := raiseLoopback(); err != nil {
		return failedAt(stepLoopback, err)
	}
	if err := addRoute(unix.AF_INET, unix.RT_SCOPE_HOST); err != nil {
		return failedAt(stepRoutes, err)
	}
	err := addRoute(unix.AF_INET6, unix.RT_SCOPE_UNIVERSE)
	if err != nil && !errors.Is(err, unix.EPERM) {
		return nil // a machine without IPv6: nothing leads anywhere then
	}
	return failedAt(stepRoutes, err)
}

func raiseLoopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(s, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo)
}

// loopbackIndex is that of lo in each network namespace.
const loopbackIndex = 1

// addRoute is `ip route add local default dev lo` for a family of addresses.
func addRoute(family, scope byte) error {
	s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	const length = unix.SizeofNlMsghdr + unix.SizeofRtMsg + unix.SizeofRtAttr + 4
	b := binary.NativeEndian.AppendUint32(nil, length)
	b = binary.NativeEndian.AppendUint16(b, unix.RTM_NEWROUTE)
	b = binary.NativeEndian.AppendUint16(b, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_REPLACE)
	b = append(b, make([]byte, 8)...)                   // sequence, port
	b = append(b, family, 0, 0, 0, unix.RT_TABLE_LOCAL, // no prefix: every address
		unix.RTPROT_STATIC, scope, unix.RTN_LOCAL, 0, 0, 0, 0)
	b = binary.NativeEndian.AppendUint16(b, unix.SizeofRtAttr+4)
	b = binary.NativeEndian.AppendUint16(b, unix.RTA_OIF)
	b = binary.NativeEndian.AppendUint32(b, loopbackIndex)
	if err := unix.Sendto(s, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(s, answer, 0)
	if err != nil {
		return err
	}
	if n < unix.SizeofNlMsghdr+4 || binary.NativeEndian.Uint16(answer[4:]) != unix.NLMSG_ERROR {
		return fmt.Errorf("the kernel answered %d bytes that are no acknowledgement", n)
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.SizeofNlMsghdr:])); code != 0 {
		return syscall.Errno(-code)
	}
	return nil
}

// The sockets that PID 1 hands out, in this order, and after them those of
// capturedPorts.
const (
	socketProxy = iota
	socketControl
	socketNamesUDP
	socketNamesTCP
	socketPackets
	socketCaptured
)

// capturedPorts are the TCP ports that come in at any address.
func capturedPorts(o Options) []int {
	ports := append([]int{80, 443}, o.Ports...)
	slices.Sort(ports)
	return slices.Compact(ports)
}

// checkPorts refuses ports that cannot come in.
func checkPorts(o Options) error {
	for _, port := range o.Ports {
		if port < 1 || port > 65535 {
			return fmt.Errorf("port %d: say one from 1 to 65535", port)
		}
		if port == 53 || port == ProxyPort || port == ControlPort {
			return fmt.Errorf("port %d is the gateway's own inside", port)
		}
	}
	if most := mostFiles - socketCaptured; len(capturedPorts(o)) > most {
		return fmt.Errorf("%d ports come in; at most %d can", len(capturedPorts(o)), most)
	}
	return nil
}

// listen opens everything that is handed out.
func listen(o Options, p pretend) (files []*os.File, err error) {
	if err := errors.Join(p.at(stepListen), p.at(stepPackets)); err != nil {
		return nil, err
	}
	tcp := func(address string) error {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return failedAt(stepListen, err)
		}
		defer l.Close()
		return keep(&files, l.(*net.TCPListener))
	}
	for _, port := range []int{ProxyPort, ControlPort} {
		if err := tcp("127.0.0.1:" + strconv.Itoa(port)); err != nil {
			return files, err
		}
	}
	if err := listenNames(&files); err != nil {
		return files, failedAt(stepListen, err)
	}
	if err := tcp(":53"); err != nil {
		return files, err
	}
	packets, err := packetSocket()
	if err != nil {
		return files, failedAt(stepPackets, err)
	}
	files = append(files, packets)
	for _, port := range capturedPorts(o) {
		if err := tcp(":" + strconv.Itoa(port)); err != nil {
			return files, err
		}
	}
	return files, nil
}

func keep(files *[]*os.File, socket interface{ File() (*os.File, error) }) error {
	f, err := socket.File()
	if err == nil {
		*files = append(*files, f)
	}
	return err
}
