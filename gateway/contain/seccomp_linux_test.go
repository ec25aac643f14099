//go:build linux && (amd64 || arm64)

package contain

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// TestFilterRefusesWhatIsForeign has calls that a Go program cannot make judged by
// the filter's program itself.
func TestFilterRefusesWhatIsForeign(t *testing.T) {
	t.Parallel()
	var raw []bpf.RawInstruction
	for _, i := range program() {
		raw = append(raw, bpf.RawInstruction{Op: i.Code, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	instructions, _ := bpf.Disassemble(raw)
	machine, err := bpf.NewVM(instructions)
	if err != nil {
		t.Fatal(err)
	}
	// with gives the low words of the arguments.
	with := func(words ...uint32) (arguments []uint32) {
		for _, word := range words {
			arguments = append(arguments, word, 0)
		}
		return arguments
	}
	for _, row := range []struct {
		name         string
		architecture uint32
		call         uint32
		arguments    []uint32
		want         unix.Errno // 0: allowed
	}{
		{"read", architecture, unix.SYS_READ, nil, 0},
		{"read of i386", unix.AUDIT_ARCH_I386, 3, nil, unix.ENOSYS},
		{"read of another", unix.AUDIT_ARCH_PPC64LE, unix.SYS_READ, nil, unix.ENOSYS},
		{"clone, which browsers need", architecture, unix.SYS_CLONE, with(unix.CLONE_NEWUSER), 0},
		{"clone with control groups of its own", architecture, unix.SYS_CLONE, with(unix.CLONE_NEWUSER | unix.CLONE_NEWCGROUP), unix.EPERM},
		{"clone3, whose flags are not seen", architecture, unix.SYS_CLONE3, nil, unix.ENOSYS},
		{"exec", architecture, unix.SYS_EXECVE, nil, 0},
		{"a socket of inet", architecture, unix.SYS_SOCKET, with(unix.AF_INET, unix.SOCK_STREAM, 0), 0},
		{"a socket of inet with upper bits", architecture, unix.SYS_SOCKET, []uint32{unix.AF_VSOCK, 1}, unix.EAFNOSUPPORT},
		{"a socket of no family", architecture, unix.SYS_SOCKET, with(0), unix.EAFNOSUPPORT},
		{"a pair of vsock", architecture, unix.SYS_SOCKETPAIR, with(unix.AF_VSOCK), unix.EAFNOSUPPORT},
		{"netlink of routes", architecture, unix.SYS_SOCKET, with(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE), 0},
		{"netlink of audit", architecture, unix.SYS_SOCKET, with(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT), unix.EPROTONOSUPPORT},
		{"an ioctl", architecture, unix.SYS_IOCTL, with(0, unix.TCGETS), 0},
		{"TIOCLINUX", architecture, unix.SYS_IOCTL, with(0, unix.TIOCLINUX), unix.EPERM},
		{"TIOCSTI with upper bits", architecture, unix.SYS_IOCTL, []uint32{0, 0, unix.TIOCSTI, 1}, unix.EPERM},
		{"a signal to a child", architecture, unix.SYS_KILL, with(71, 9), 0},
		{"a signal of the first process of a namespace to itself", architecture, unix.SYS_TGKILL, with(1, 1, 6), 0},
		{"io_uring_enter", architecture, unix.SYS_IO_URING_ENTER, nil, unix.ENOSYS},
		{"kexec", architecture, unix.SYS_KEXEC_FILE_LOAD, nil, unix.EPERM},
	} {
		data := make([]byte, 64)
		words := append([]uint32{row.call, row.architecture, 0, 0}, row.arguments...)
		for i, word := range words {
			binary.BigEndian.PutUint32(data[4*i:], word) // as this interpreter loads it
		}
		got, err := machine.Run(data)
		want := uint32(unix.SECCOMP_RET_ALLOW)
		if row.want != 0 {
			want = unix.SECCOMP_RET_ERRNO | uint32(row.want)
		}
		if err != nil || uint32(got) != want { //nolint:gosec // a word
			t.Errorf("%s: %#x, %v, want %#x", row.name, got, err, want)
		}
	}
	if foreign := foreignNumbers(); foreign != nil {
		data := make([]byte, 64)
		binary.BigEndian.PutUint32(data, 0x40000000|unix.SYS_READ)
		binary.BigEndian.PutUint32(data[4:], architecture)
		if got, err := machine.Run(data); err != nil || uint32(got) != unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS) { //nolint:gosec // a word
			t.Errorf("read of x32: %#x, %v", got, err)
		}
	}
}
