//go:build unix

package capture

import (
	"os/exec"
	"syscall"
)

// setApart has a command be the first of a process group, which its context ends
// as a whole.
func setApart(agent *exec.Cmd) {
	agent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	agent.Cancel = func() error { return syscall.Kill(-agent.Process.Pid, syscall.SIGTERM) }
}

// endGroup kills what is left of the group that a process was the first of.
func endGroup(first int) {
	_ = syscall.Kill(-first, syscall.SIGKILL) // fails where nothing is left
}
