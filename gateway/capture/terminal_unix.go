//go:build unix

package capture

import (
	"os"

	"golang.org/x/sys/unix"
)

// inForeground tells whether the keyboard's signals reach this process's group,
// and so the agent without our help: whether there is a controlling terminal
// with this group in its foreground. Signals do not say where they came from.
func inForeground() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
