package doctor

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// landlockHere is the version of Landlock that the kernel has, 0 for none.
func landlockHere() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// writable tells whether this user may write to a file that it owns.
func writable(info fs.FileInfo) bool {
	is, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(is.Uid) == os.Geteuid() && info.Mode().Perm()&0o200 != 0
}
