//go:build linux && (amd64 || arm64)

package contain

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine sets what this thread hands on to what it executes: the filter of system
// calls and, where the kernel has it, that no signal goes out of the agent's own
// processes.
func confine(Options) error {
	if err := failedAt("landlock", keepSignals()); err != nil {
		return err
	}
	return failedAt("seccomp", filter(program()))
}

// filter puts the thread under a program. no_new_privs is set.
func filter(program []unix.SockFilter) error {
	loaded := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]} //nolint:gosec // about a hundred
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&loaded)))
	if errno != 0 {
		return errno
	}
	return nil
}

// The fields of struct seccomp_data (linux/seccomp.h). Of an argument the low word
// is read, as the kernel does of an int.
const (
	callOffset  = 0
	archOffset  = 4
	firstOffset = 16
)

// program is the filter. What it refuses fails as on a machine that does not have
// it, or does not allow it, so that programs go on without.
func program() []unix.SockFilter {
	out := concat(
		load(archOffset), only(unix.ENOSYS, architecture),
		load(callOffset), foreignNumbers(),
	)
	for _, c := range absent {
		out = append(out, refuse(unix.ENOSYS, c)...)
	}
	for _, c := range forbidden {
		out = append(out, refuse(unix.EPERM, c)...)
	}
	for _, c := range forbiddenHere {
		out = append(out, refuse(unix.EPERM, c)...)
	}
	for _, j := range judged() {
		out = append(out, when(j.call, concat(j.judge, allow()))...)
	}
	return append(out, allow()...)
}

// absent are calls that programs do without where a kernel has none of them: ways
// around a filter. io_uring makes calls that it does not see, clone3 has its flags
// in memory.
var absent = []uint32{unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3}

// forbidden are calls that no agent needs, and that reach the kernel's inside or
// what processes outside share: keyrings are the user's, not the namespace's.
var forbidden = []uint32{
	unix.SYS_ADD_KEY, unix.SYS_KEYCTL, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_OPEN_BY_HANDLE_AT, // finds a file past every mount
	unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
}

// Families and protocols that a socket may have. AF_VSOCK does not know of network
// namespaces; the others are the kernel's less travelled parts.
var (
	families = []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	netlinks = []uint32{unix.NETLINK_ROUTE, unix.NETLINK_SOCK_DIAG, unix.NETLINK_KOBJECT_UEVENT}
)

// A judgement is of a call that depends on an argument.
type judgement struct {
	call  uint32
	judge []unix.SockFilter
}

func judged() []judgement {
	typesInto := noneOf(unix.EPERM, unix.TIOCSTI, unix.TIOCLINUX, unix.TIOCSETD)
	// In a namespace of control groups of its own it could mount the group that its
	// limits are in, and lift them: the files are its user's.
	noGroups := without(unix.EPERM, unix.CLONE_NEWCGROUP)
	return []judgement{
		{unix.SYS_SOCKET, concat(
			argument(0), only(unix.EAFNOSUPPORT, families...),
			when(unix.AF_NETLINK, concat(argument(2), only(unix.EPROTONOSUPPORT, netlinks...))),
		)},
		{unix.SYS_SOCKETPAIR, concat(argument(0), only(unix.EAFNOSUPPORT, families...))},
		{unix.SYS_IOCTL, concat(argument(1), typesInto)},
		{unix.SYS_CLONE, concat(argument(0), noGroups)},
		{unix.SYS_UNSHARE, concat(argument(0), noGroups)},
	}
}

func concat(parts ...[]unix.SockFilter) (out []unix.SockFilter) {
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

func instruction(code int, k uint32, yes, no int) []unix.SockFilter {
	return []unix.SockFilter{{Code: uint16(code), Jt: uint8(yes), Jf: uint8(no), K: k}} //nolint:gosec // written here
}

func load(offset uint32) []unix.SockFilter {
	return instruction(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0)
}

func argument(n uint32) []unix.SockFilter { return load(firstOffset + 8*n) }

func allow() []unix.SockFilter {
	return instruction(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW, 0, 0)
}

func fail(with unix.Errno) []unix.SockFilter {
	return instruction(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(with), 0, 0)
}

// when does what is given if the loaded word is the value, and else skips it.
func when(value uint32, do []unix.SockFilter) []unix.SockFilter {
	return concat(instruction(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, value, 0, len(do)), do)
}

func refuse(with unix.Errno, value uint32) []unix.SockFilter { return when(value, fail(with)) }

// noneOf refuses a loaded word that is one of the values.
func noneOf(with unix.Errno, values ...uint32) (out []unix.SockFilter) {
	for _, v := range values {
		out = append(out, refuse(with, v)...)
	}
	return out
}

// without refuses a loaded word that has one of the bits.
func without(with unix.Errno, bits uint32) []unix.SockFilter {
	return concat(instruction(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, bits, 0, 1), fail(with))
}

// only refuses a loaded word that is none of the values.
func only(with unix.Errno, values ...uint32) (out []unix.SockFilter) {
	for i, v := range values {
		out = append(out, instruction(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, v, len(values)-i, 0)...)
	}
	return append(out, fail(with)...)
}

// scopedSince is the first version of Landlock that keeps signals in.
const scopedSince = 6

// keepSignals lets signals go to processes of the agent alone. PID 1 handles none and
// so gets none in any case. Nothing else of Landlock is used: rules
// for files would forbid mounting, which browsers and package managers do in
// namespaces of their own.
func keepSignals() error {
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 || version < scopedSince {
		return nil
	}
	rules := unix.LandlockRulesetAttr{Scoped: unix.LANDLOCK_SCOPE_SIGNAL}
	const known = 24 // bytes of the structure as of that version
	made, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), known, 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(made)) //nolint:errcheck,gosec // a descriptor that nothing was written to
	if _, _, errno = unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, made, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
