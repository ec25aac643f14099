//go:build unix

package gateway

import "golang.org/x/sys/unix"

// descriptors is how many this process may have open; 0 where that is unknown.
func descriptors() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
