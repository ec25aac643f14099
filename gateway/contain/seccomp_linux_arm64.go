package contain

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// forbiddenHere are forbidden calls that this architecture alone has.
var forbiddenHere []uint32

func foreignNumbers() []unix.SockFilter { return nil }
