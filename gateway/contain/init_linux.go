package contain

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// initial is PID 1 inside.
//
//	serve  ◀─ requests          start, signal, dial, …
//	spawn  ── the one thread that has nothing any more, and what it starts neither
//	reap   ── whoever ends; what belongs to nobody else is this process's
type initial struct {
	wire   *wire
	self   *os.File // this program
	bounds []bound
	spawns chan spawn

	mu       sync.Mutex
	children map[int]*child // by process
	born     chan struct{}  // one was started: there is somebody to wait for
}

// child is a process that was asked for.
type child struct {
	id    int // of the request
	pid   int
	first chan struct{} // closed when it has stopped before its first instruction
	begun bool          // it was let go since; reap's own
}

// conceal keeps this process from those that it starts, whose user it shares: they
// can neither read nor trace it, and no signal of theirs reaches it, since the
// first process of a namespace gets only signals that it handles.
func conceal() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	for sig := syscall.Signal(1); sig < 32; sig++ {
		switch sig {
		case syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGURG: // the last is the Go runtime's
			continue
		}
		if err := letGo(sig); err != nil {
			return err
		}
	}
	return nil
}

// letGo gives up the handler of a signal, which the Go runtime has set. What was
// ignored stays so.
func letGo(sig syscall.Signal) error {
	var action struct {
		handler, flags, restorer uintptr
		mask                     uint64
	}
	const ignored = 1
	const size = unsafe.Sizeof(action.mask)
	if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), 0, uintptr(unsafe.Pointer(&action)), size, 0, 0); errno != 0 {
		return errno
	}
	if action.handler == ignored {
		return nil
	}
	action.handler, action.flags, action.restorer, action.mask = 0, 0, 0, 0
	if _, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&action)), 0, size, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// serve does what is asked for until nobody is there to ask.
func (i *initial) serve() {
	go i.reap()
	for {
		m, files, err := i.wire.receive()
		if err != nil {
			return
		}
		switch m.Do {
		case doStart:
			go i.start(m, files)
		case doDial:
			go i.dial(m)
		case doSignal:
			i.signal(m.ID, syscall.Signal(m.Signal))
		case doForward:
			i.forward(m.ID, files)
		case doEndAll:
			_ = unix.Kill(-1, unix.SIGKILL) // fails where nobody is left
		}
	}
}

// signal passes a signal on to what a request has started.
func (i *initial) signal(id int, sig syscall.Signal) {
	if c := i.of(id); c != nil {
		_ = unix.Kill(c.pid, sig) // fails where it has just ended
	}
}

// forward gives a process that was stopped the terminal back, and has it go on.
func (i *initial) forward(id int, files []*os.File) {
	defer closeAll(files)
	c := i.of(id)
	if c == nil {
		return
	}
	for _, terminal := range files {
		_ = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPGRP, c.pid) // it may be gone
	}
	_ = unix.Kill(-c.pid, unix.SIGCONT)
}

// of is the process that a request has started, nil where it has ended.
func (i *initial) of(id int) *child {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, c := range i.children {
		if c.id == id {
			return c
		}
	}
	return nil
}

// dialTime is how long a server inside has to take a connection.
const dialTime = 10 * time.Second

// dial connects to a server inside, at the first of several addresses that has
// one, and hands the connection out.
func (i *initial) dial(m message) {
	var err error
	for _, address := range m.To {
		var conn net.Conn
		dialer := net.Dialer{Timeout: dialTime}
		if conn, err = dialer.DialContext(context.Background(), "tcp", address); err != nil {
			continue
		}
		var f *os.File
		if f, err = conn.(*net.TCPConn).File(); err == nil {
			err = i.wire.send(message{ID: m.ID, Do: isDialled}, f)
			f.Close()
		}
		conn.Close()
		if err == nil {
			return
		}
	}
	if err == nil {
		err = fmt.Errorf("no address to dial")
	}
	i.tell(message{ID: m.ID, Do: isDialled, Failed: failedBy(err)})
}

// tell answers. Where nobody is there to hear it, this process is about to end.
func (i *initial) tell(m message) { _ = i.wire.send(m) }
