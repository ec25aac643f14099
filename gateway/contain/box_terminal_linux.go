package contain

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// The agent is in a process group of its own, as one that a shell starts: a signal
// to all of its group would reach the gateway else, through the walls of all
// namespaces. So the terminal is handed to that group, and when it is stopped this
// process is too, until the shell has it go on.

// foreground is the terminal, where this process's group has it.
func foreground() *os.File {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	if !ours(terminal) {
		terminal.Close()
		return nil
	}
	return terminal
}

func ours(terminal *os.File) bool {
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// takeBack gives a terminal to this process's group.
func takeBack(terminal *os.File) {
	// Of a process in the background it is taken for a try to write there.
	if !signal.Ignored(syscall.SIGTTOU) {
		signal.Ignore(syscall.SIGTTOU)
		defer signal.Reset(syscall.SIGTTOU)
	}
	_ = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPGRP, unix.Getpgrp()) // it may be gone
}

// resumed tells when this process goes on after it was stopped.
func (a *Agent) resumed() chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGCONT)
	return c
}

// stopped does what a shell would see without isolation, once the agent is stopped:
// this process's group is, too.
func (a *Agent) stopped(by syscall.Signal) {
	if a.apart || by == syscall.SIGSTOP {
		return // nobody's key: whoever stopped it has it go on
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return // nobody's either
	}
	defer terminal.Close()
	if a.terminal != nil {
		takeBack(terminal)
	}
	if !hasShell() {
		a.handOver() // nobody would
		return
	}
	_ = unix.Kill(0, by) // the shell sees that its job is stopped
}

// hasShell tells whether somebody sees this process's group stop, and may have it go
// on: a process of its session, outside of the group, that has started one of it.
// The kernel stops no other group.
func hasShell() bool {
	group := unix.Getpgrp()
	session, err := unix.Getsid(0)
	for pid := os.Getpid(); err == nil && pid > 1; {
		if pid, err = parentOf(pid); err != nil {
			break
		}
		its, gerr := unix.Getpgid(pid)
		in, serr := unix.Getsid(pid)
		if gerr != nil || serr != nil || in != session {
			return false
		}
		if its != group {
			return true
		}
	}
	return false
}

func parentOf(pid int) (int, error) {
	fields, err := statOf(pid)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(fields[statParent])
}

// The fields of statOf that are asked for.
const (
	statParent = 1
	statBegan  = 19
)

// statOf reads /proc/PID/stat (proc_pid_stat(5)) from the state on, which is field 0:
// the name before it may have anything in it, but is in parentheses.
func statOf(pid int) ([]string, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= statBegan {
		return nil, fmt.Errorf("process %d has only %d fields", pid, len(fields))
	}
	return fields, nil
}

// handOver has the agent go on, with the terminal where this process has it.
func (a *Agent) handOver() {
	m := message{ID: a.id, Do: doForward}
	if a.terminal == nil && !a.apart {
		a.terminal = foreground()
	}
	// Where it cannot be sent, the agent has just ended.
	if a.terminal != nil && ours(a.terminal) {
		_ = a.box.wire.send(m, a.terminal)
		return
	}
	_ = a.box.wire.send(m)
}
