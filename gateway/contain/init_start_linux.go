package contain

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// spawn is a process to start, on the thread that is confined.
type spawn struct {
	order
	id    int
	files []*os.File
	came  chan error
}

// begin makes the thread from which all are started: what they must not have, it
// gives up itself, for good.
func (i *initial) begin(o Options) error {
	i.spawns, i.born = make(chan spawn), make(chan struct{}, 1)
	step := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: nothing else may run on it
		step <- relinquish()
		<-step
		step <- confine(o)
		for s := range i.spawns {
			s.came <- i.spawn(s)
		}
	}()
	if err := <-step; err != nil {
		return err
	}
	if err := capsetAll(); err != nil {
		return failedAt("give up capabilities", err)
	}
	step <- nil
	return <-step
}

// relinquish gives up, for this thread and what it executes, every privilege that
// there is in the namespace, and every way to one.
func relinquish() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return failedAt("set no_new_privs", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return failedAt("clear ambient capabilities", err)
	}
	for c := uintptr(0); ; c++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) { // behind the last that there is
			break
		}
		if err != nil {
			return failedAt("drop capabilities", err)
		}
	}
	return failedAt("give up capabilities", capset())
}

// none is what capset takes for no capability at all.
type none struct {
	header unix.CapUserHeader
	data   [2]unix.CapUserData
}

func capset() error {
	n := none{header: unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}}
	return unix.Capset(&n.header, &n.data[0])
}

// capsetAll is capset for every thread. Where this binary is linked with C, Go
// cannot do that, and the others keep what they have: nothing that the agent can
// reach.
func capsetAll() error {
	n := none{header: unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}}
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&n.header)), uintptr(unsafe.Pointer(&n.data[0])), 0)
	if errno != 0 && errno != unix.ENOTSUP {
		return errno
	}
	return nil
}

// start does what a message asks for, and says what came of it.
func (i *initial) start(m message, files []*os.File) {
	defer closeAll(files)
	s := spawn{order: m.Command, id: m.ID, files: files, came: make(chan error)}
	i.spawns <- s
	if err := <-s.came; err != nil {
		i.tell(message{ID: m.ID, Do: isStarted, Failed: failedBy(err)})
	}
}

// spawn starts a process, on the thread that is confined.
func (i *initial) spawn(s spawn) error {
	if len(s.files) < 3 || len(s.files) != s.Files {
		return fmt.Errorf("%d files came with it", len(s.files))
	}
	path, args := "/proc/self/fd/"+strconv.Itoa(int(i.self.Fd())), []string{nameProbe}
	if !s.Probe {
		var err error
		args = s.Args
		if path, err = find(s.order); err != nil {
			return err
		}
	}
	if info, err := os.Stat(s.Dir); err != nil {
		return fmt.Errorf("the folder %s cannot be entered inside: %w", s.Dir, errors.Unwrap(err))
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no folder: %w", s.Dir, unix.ENOTDIR)
	}
	held := len(i.bounds) > 0 || len(s.files) > 3
	attr := &syscall.ProcAttr{Dir: s.Dir, Env: s.Env, Files: []uintptr{s.files[0].Fd(), s.files[1].Fd(), s.files[2].Fd()}, Sys: &syscall.SysProcAttr{
		Setpgid: true, // else it could signal this process's group, which is the gateway's
		Ptrace:  held,
	}}
	c := &child{id: s.id, first: make(chan struct{}), begun: !held}
	i.mu.Lock()
	var err error
	if c.pid, err = syscall.ForkExec(path, args, attr); err != nil {
		i.mu.Unlock()
		return err
	}
	i.children[c.pid] = c
	if !held {
		i.tell(message{ID: s.id, Do: isStarted}) // before reap says that it has ended
	}
	i.mu.Unlock()
	select {
	case i.born <- struct{}{}:
	default:
	}
	if !held {
		return nil
	}
	<-c.first
	if err := i.bind(c.pid, s.files[3:]); err != nil {
		_ = unix.Kill(c.pid, unix.SIGKILL) // it has not run yet
		return err
	}
	i.tell(message{ID: s.id, Do: isStarted})
	return unix.PtraceDetach(c.pid)
}

// bind gives a process that has not run yet its limits, and the terminal.
func (i *initial) bind(pid int, terminal []*os.File) error {
	for _, b := range i.bounds {
		var limit unix.Rlimit
		err := unix.Prlimit(pid, b.resource, nil, &limit)
		if err == nil {
			limit.Max = min(limit.Max, b.most)
			limit.Cur = limit.Max
			err = unix.Prlimit(pid, b.resource, &limit, nil)
		}
		if err != nil {
			return failedAt("set a limit", err)
		}
	}
	for _, t := range terminal {
		if err := unix.IoctlSetPointerInt(int(t.Fd()), unix.TIOCSPGRP, pid); err != nil {
			return failedAt("hand over the terminal", err)
		}
	}
	return nil
}

// find looks a program up as a shell would, in what is seen inside.
func find(o order) (string, error) {
	for _, entry := range o.Env {
		if path, ok := strings.CutPrefix(entry, "PATH="); ok {
			if err := os.Setenv("PATH", path); err != nil {
				return "", err
			}
		}
	}
	if strings.Contains(o.Args[0], "/") {
		return o.Args[0], nil
	}
	return exec.LookPath(o.Args[0])
}

// reap waits for whoever ends, for good.
func (i *initial) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, unix.WUNTRACED, nil)
		switch {
		case errors.Is(err, unix.ECHILD):
			<-i.born
			continue
		case err != nil:
			continue
		}
		i.mu.Lock()
		c := i.children[pid]
		if c != nil && !status.Stopped() {
			delete(i.children, pid)
		}
		i.mu.Unlock()
		switch {
		case c == nil:
		case status.Stopped() && !c.begun:
			c.begun = true
			close(c.first)
		case status.Stopped():
			i.tell(message{ID: c.id, Do: isStopped, Status: status})
		default:
			i.tell(message{ID: c.id, Do: isEnded, Status: status})
		}
	}
}
