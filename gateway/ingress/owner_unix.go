//go:build unix

package ingress

import (
	"io/fs"
	"syscall"
)

// ownerOf gives the user that a file belongs to.
func ownerOf(info fs.FileInfo) (user int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}
