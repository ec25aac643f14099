package main

import (
	"os/exec"
	"syscall"
)

// endWithUs has the system end a server that would outlive this process.
func endWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
