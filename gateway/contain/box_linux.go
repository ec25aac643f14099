package contain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"parity/fakes/clock"
)

// A Box is a containment that is open. Its methods may be called side by side.
type Box struct {
	wire  *wire
	first *exec.Cmd
	said  bytes.Buffer // by PID 1, of why it ended

	doors    doors
	packets  *os.File
	attempts *attempts
	stop     context.CancelFunc
	limits   Limits
	telling  sync.WaitGroup

	mu      sync.Mutex
	last    int                   // request
	waiting map[int]chan<- answer // for answers, by request
	ended   chan struct{}         // PID 1 has
}

// doors are the sockets that were made inside.
type doors struct {
	proxy, control net.Listener
	captured       []net.Listener
	names          net.PacketConn
	namesTCP       net.Listener
}

// answer is a message from inside, with what came with it.
type answer struct {
	message
	files []*os.File
}

// stepClone is the first step: the namespaces themselves.
const stepClone = "make the namespaces"

// Open makes a containment, in a few hundredths of a second. Its error is a
// *Refused where this machine does not allow one. It stays until Close, or until
// this process ends, however that is.
func Open(ctx context.Context, o Options) (*Box, error) { return open(ctx, o, pretend{}) }

func open(ctx context.Context, o Options, p pretend) (*Box, error) {
	first, err := begin(p)
	if err != nil {
		return nil, err
	}
	return first.Open(ctx, o)
}

// A Beginning is a containment whose first process starts meanwhile, which takes as
// long as all else together. It is opened or left.
type Beginning struct {
	box     *Box
	pretend pretend
}

// Begin begins a containment. Its error is as that of Open.
func Begin() (*Beginning, error) { return begin(pretend{}) }

func begin(p pretend) (*Beginning, error) {
	b := &Box{waiting: map[int]chan<- answer{}, ended: make(chan struct{}), attempts: newAttempts(clock.System{})}
	if err := b.startFirst(p); err != nil {
		return nil, refused(err)
	}
	return &Beginning{b, p}, nil
}

// Leave ends what was begun.
func (f *Beginning) Leave() {
	f.box.wire.conn.Close()
	_ = f.box.first.Wait() // it ends by itself, and says that it had nothing to do
}

// Open makes the containment.
func (f *Beginning) Open(ctx context.Context, o Options) (*Box, error) {
	if o.Level == "" {
		o.Level = Whole
	}
	b := f.box
	if err := errors.Join(o.Check()...); err != nil {
		f.Leave()
		return nil, err
	}
	b.limits, b.attempts.in = o.Limits, capturedPorts(o)
	cancelled := context.AfterFunc(ctx, func() { b.wire.conn.Close() })
	files, err := b.setUp(setup{o.planned(), f.pretend})
	if cancelled() && err == nil {
		err = b.take(files)
	}
	if err != nil {
		closeAll(files)
		b.wire.conn.Close()
		if werr := b.first.Wait(); b.said.Len() > 0 {
			err = fmt.Errorf("%w: %w: %s", err, werr, strings.TrimSpace(b.said.String()))
		}
		removeGroups(b.first.Process.Pid)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, refused(err)
	}
	var telling context.Context
	telling, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	b.telling.Go(func() { b.attempts.run(telling) })
	b.telling.Go(func() { b.attempts.watch(b.packets) })
	go b.receive()
	return b, nil
}

// startFirst starts this binary as PID 1 of new namespaces.
func (b *Box) startFirst(p pretend) error {
	if err := p.at(stepClone); err != nil {
		return err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("a pair of sockets: %w", err)
	}
	inside := os.NewFile(uintptr(pair[1]), "inside")
	defer inside.Close()
	if b.wire, err = newWire(os.NewFile(uintptr(pair[0]), "outside")); err != nil {
		return err
	}
	b.first = &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{nameFirst}, Env: []string{}, Dir: "/",
		ExtraFiles: []*os.File{inside}, Stderr: &b.said,
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
			// The same user and group inside: files are whose they were.
			UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}},
			AmbientCaps: needed(),
		},
	}
	if err := seen(b.first.Start); err != nil {
		b.wire.conn.Close()
		return failedAt(stepClone, err)
	}
	return nil
}

// seen does something that takes a process whose files in /proc are its user's: who
// is to belong to new namespaces is written there. One that conceals itself shows
// itself for that long, one start at a time.
func seen(start func() error) error {
	shown, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil || shown == 1 {
		return start()
	}
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer self.Close()
	if err := unix.Flock(int(self.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
		return err
	}
	err = start()
	return errors.Join(err, unix.Prctl(unix.PR_SET_DUMPABLE, uintptr(shown), 0, 0, 0))
}

// needed are the capabilities, in the new namespaces alone, that setting them up
// takes.
func needed() []uintptr {
	return []uintptr{
		unix.CAP_SYS_ADMIN, unix.CAP_SYS_CHROOT, unix.CAP_SETPCAP, unix.CAP_NET_ADMIN, unix.CAP_NET_RAW,
		unix.CAP_NET_BIND_SERVICE, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_SYS_RESOURCE,
	}
}

// setUp says what is wanted, and waits until it is there.
func (b *Box) setUp(s setup) ([]*os.File, error) {
	if err := b.wire.send(message{Do: doSetUp, Set: s}); err != nil {
		return nil, fmt.Errorf("the first process inside: %w", err)
	}
	m, files, err := b.wire.receive()
	switch {
	case err != nil:
		return nil, fmt.Errorf("the first process inside: %w", err)
	case m.Failed != nil:
		return files, m.Failed
	case len(files) <= socketCaptured:
		return files, fmt.Errorf("the first process inside handed out %d sockets", len(files))
	}
	return files, nil
}

// take makes listeners of the sockets that were handed out.
func (b *Box) take(files []*os.File) (err error) {
	listener := func(f *os.File) net.Listener {
		l, lerr := net.FileListener(f)
		err = errors.Join(err, lerr, f.Close())
		return l
	}
	b.doors.proxy, b.doors.control = listener(files[socketProxy]), listener(files[socketControl])
	names, nerr := net.FilePacketConn(files[socketNamesUDP])
	if nerr != nil {
		return nerr
	}
	files[socketNamesUDP].Close()
	b.doors.names = namesConn{names.(*net.UDPConn)}
	b.doors.namesTCP, b.packets = listener(files[socketNamesTCP]), files[socketPackets]
	for _, f := range files[socketCaptured:] {
		b.doors.captured = append(b.doors.captured, listener(f))
	}
	return err
}

// Proxy has the connections to the gateway's proxy, 127.0.0.1:3128 inside.
func (b *Box) Proxy() net.Listener { return b.doors.proxy }

// Control has those to its control port, 127.0.0.1:3129 inside.
func (b *Box) Control() net.Listener { return b.doors.control }

// Captured has those to ports 80, 443 and Options.Ports at any address, a listener
// for each port, in their order: a connection's local address is what was dialled.
func (b *Box) Captured() []net.Listener { return b.doors.captured }

// Names has questions to port 53 at any address. An answer goes back, by WriteTo,
// to the address that ReadFrom gave, and comes from the one that was asked.
func (b *Box) Names() (net.PacketConn, net.Listener) { return b.doors.names, b.doors.namesTCP }

// Attempts has what was tried besides and did not come in: equal ones within a second
// together. A port 0 stands for several, where there are many, and an address that
// is none for several too. It is closed once all are told, with the containment.
func (b *Box) Attempts() <-chan Attempt { return b.attempts.told }

// Close ends all that is inside.
func (b *Box) Close() error {
	b.stop()
	err := errors.Join(b.doors.proxy.Close(), b.doors.control.Close(), b.doors.names.Close(), b.doors.namesTCP.Close(), b.packets.Close())
	for _, l := range b.doors.captured {
		err = errors.Join(err, l.Close())
	}
	b.wire.conn.Close() // PID 1 ends with it, and everything with PID 1
	<-b.ended
	b.telling.Wait()
	if errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrClosed) {
		return nil // whoever serves them has closed them already
	}
	return err
}

// receive hands messages from inside to whoever waits for them, until there are no
// more.
func (b *Box) receive() {
	for {
		m, files, err := b.wire.receive()
		if err != nil {
			break
		}
		b.hand(answer{m, files})
	}
	_ = b.first.Process.Kill() // it has lost its way out, and would end by itself
	_ = b.first.Wait()         // killed, or ended as it should
	removeGroups(b.first.Process.Pid)
	close(b.ended)
}

// hand gives an answer to whoever waits for it. Nobody is that slow but one that
// does not look any more.
func (b *Box) hand(m answer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.waiting[m.ID] <- m:
	default:
		closeAll(m.files)
	}
}

// ask sends a request; what comes of it comes by the channel.
func (b *Box) ask(m message, files ...*os.File) (id int, came <-chan answer, err error) {
	answers := make(chan answer, 64)
	b.mu.Lock()
	b.last++
	m.ID = b.last
	b.waiting[m.ID] = answers
	b.mu.Unlock()
	if err := b.wire.send(m, files...); err != nil {
		b.forget(m.ID)
		return 0, nil, b.gone(err)
	}
	return m.ID, answers, nil
}

func (b *Box) forget(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting, id)
}

// leave is forget, and closes what came that nobody looks at any more.
func (b *Box) leave(id int, came <-chan answer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting, id)
	for {
		select {
		case m := <-came:
			closeAll(m.files)
		default:
			return
		}
	}
}

// gone words that there is nobody inside any more.
func (b *Box) gone(err error) error {
	return fmt.Errorf("the containment has ended: %w", err)
}
