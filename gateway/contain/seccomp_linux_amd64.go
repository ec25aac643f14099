package contain

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// forbiddenHere are forbidden calls that this architecture alone has.
var forbiddenHere = []uint32{unix.SYS_IOPL, unix.SYS_IOPERM}

// foreignNumbers refuses the numbers of x32, which are another table of calls for
// the same architecture.
func foreignNumbers() []unix.SockFilter {
	const x32 = 0x40000000
	return concat(instruction(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, x32, 0, 1), fail(unix.ENOSYS))
}
