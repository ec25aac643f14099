package contain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parity/fakes/clock"
)

// An Agent is one that was started inside.
type Agent struct {
	box      *Box
	id       int
	came     <-chan answer
	limits   Limits
	terminal *os.File // it has, which is this process's
	apart    bool     // it never has one
	copies   sync.WaitGroup
	ours     []*os.File // ends of pipes
	grace    time.Duration
	ctx      <-chan struct{}
}

const (
	defaultGrace = 5 * time.Second
	drained      = 250 * time.Millisecond // in which what is in a pipe is read, once who wrote there has ended
	exitSignal   = 128                    // + the signal's number
	exitKilled   = exitSignal + int(syscall.SIGKILL)
)

// Run starts an agent inside and waits for its end. Ending.Code is what a shell
// would give. Where it was not started, the error is of the same kind as of os/exec.
// When ctx ends, the agent gets SIGTERM and, after Command.Grace, everything inside
// SIGKILL.
func (b *Box) Run(ctx context.Context, c Command) (Ending, error) {
	a, err := b.Start(ctx, c)
	if err != nil {
		return Ending{}, err
	}
	return a.Wait()
}

// Start starts an agent inside.
func (b *Box) Start(ctx context.Context, c Command) (*Agent, error) {
	if len(c.Args) == 0 {
		return nil, errors.New("no command to run inside")
	}
	return b.start(ctx, c, order{Args: c.Args})
}

// Ask has the function probe answer inside, in a process that is as the agent is:
// with an environment and in a folder.
func (b *Box) Ask(ctx context.Context, c Command, ask []byte) ([]byte, error) {
	var answer, said bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(ask), &answer, &said
	a, err := b.start(ctx, c, order{Probe: true})
	if err != nil {
		return nil, err
	}
	switch end, err := a.Wait(); {
	case err != nil:
		return nil, err
	case end.Code != 0:
		return nil, fmt.Errorf("a probe inside ended with %d: %s", end.Code, strings.TrimSpace(said.String()))
	}
	return answer.Bytes(), nil
}

func (b *Box) start(ctx context.Context, c Command, o order) (*Agent, error) {
	o.Env, o.Dir = c.Env, c.Dir
	if o.Dir == "" {
		var err error
		if o.Dir, err = os.Getwd(); err != nil {
			return nil, err
		}
	}
	a := &Agent{box: b, limits: b.limits, grace: c.Grace, ctx: ctx.Done(), apart: c.Apart || o.Probe}
	if a.grace <= 0 {
		a.grace = defaultGrace
	}
	files, theirs, err := a.streams(c)
	defer func() { closeAll(theirs) }()
	if err == nil && !a.apart {
		if a.terminal = foreground(); a.terminal != nil {
			files = append(files, a.terminal)
		}
	}
	if err == nil {
		o.Files = len(files)
		a.id, a.came, err = b.ask(message{Do: doStart, Command: o}, files...)
	}
	if err == nil {
		var m answer
		if m, err = a.next(nil); err == nil && m.Failed != nil {
			err = m.Failed
		}
	}
	if err != nil {
		closeAll(a.ours)
		a.done()
		return nil, err
	}
	return a, nil
}

// streams are what the agent is to have as stdin, stdout and stderr; theirs are
// those among them that are closed once it has them.
func (a *Agent) streams(c Command) (files, theirs []*os.File, err error) {
	null := func() *os.File {
		f, nerr := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		err, theirs = errors.Join(err, nerr), append(theirs, f)
		return f
	}
	pipe := func() (r, w *os.File) {
		r, w, perr := os.Pipe()
		err = errors.Join(err, perr)
		return r, w
	}
	in, ok := c.Stdin.(*os.File)
	switch {
	case c.Stdin == nil:
		in = null()
	case !ok || !leadsNowhere(in):
		r, w := pipe()
		in, theirs = r, append(theirs, r)
		go func() {
			_, _ = io.Copy(w, c.Stdin) // the agent need not read it all
			w.Close()
		}()
	}
	files = append(files, in)
	for i, to := range []io.Writer{c.Stdout, c.Stderr} {
		f, ok := to.(*os.File)
		switch {
		case to == nil:
			f = null()
		case ok && leadsNowhere(f):
		case i == 1 && same(to, c.Stdout):
			f = files[1] // one pipe: nobody writes there while another does
		default:
			r, w := pipe()
			f, theirs, a.ours = w, append(theirs, w), append(a.ours, r)
			a.copies.Go(func() { _, _ = io.Copy(to, r) }) // it ends with the pipe
		}
		files = append(files, f)
	}
	return files, theirs, err
}

// leadsNowhere tells whether an open file can be handed in as it is: a terminal, a
// pipe, a device such as /dev/null. A plain file could be opened anew from inside, to
// be written to though it was given to be read; a folder leads to all files outside,
// and a socket to whoever is at its other end. Of these a pipe has what is in them.
func leadsNowhere(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeCharDevice|os.ModeNamedPipe) != 0
}

// same tells whether two writers are one, or the same file; some kinds cannot be
// compared.
func same(one, other io.Writer) (is bool) {
	defer func() { _ = recover() }()
	f, plain := one.(*os.File)
	g, both := other.(*os.File)
	if plain && both {
		a, aerr := f.Stat()
		b, berr := g.Stat()
		return aerr == nil && berr == nil && os.SameFile(a, b)
	}
	return one == other
}

// next is the next message about the agent; nil where none comes in time.
func (a *Agent) next(over <-chan time.Time) (answer, error) {
	select {
	case m := <-a.came:
		return m, nil
	case <-over:
		return answer{}, os.ErrDeadlineExceeded
	case <-a.box.ended:
		select {
		case m := <-a.came:
			return m, nil
		default:
			return answer{}, a.box.gone(io.EOF)
		}
	}
}

// Signal sends the agent a signal. One that has ended gets none.
func (a *Agent) Signal(sig os.Signal) error {
	n, ok := sig.(syscall.Signal)
	if !ok {
		return fmt.Errorf("%v is no signal here", sig)
	}
	return a.box.wire.send(message{ID: a.id, Do: doSignal, Signal: int(n)})
}

// Kill ends everything that is inside.
func (a *Agent) Kill() error { return a.box.wire.send(message{Do: doEndAll}) }

// Wait waits for the agent's end, and gives the terminal back.
func (a *Agent) Wait() (end Ending, err error) {
	defer a.done()
	wall := clock.System{}
	var timeUp, over <-chan time.Time
	if a.limits.Time > 0 {
		var stop func()
		timeUp, stop = wall.After(a.limits.Time)
		defer stop()
	}
	cancelled, resumed := a.ctx, a.resumed()
	defer signal.Stop(resumed)
	for {
		select {
		case <-cancelled:
			cancelled = nil
			_ = a.Signal(syscall.SIGTERM) // fails where it has just ended
			over, _ = wall.After(a.grace)
		case <-over:
			_ = a.Kill()
		case <-timeUp:
			end.Why = fmt.Sprintf("it ran longer than %v, its limit of time", a.limits.Time)
			_ = a.Kill()
		case <-resumed:
			a.handOver()
		case m := <-a.came:
			switch m.Do {
			case isStopped:
				a.stopped(m.Status.StopSignal())
			case isEnded:
				return a.ending(m.Status, end), nil
			}
		case <-a.box.ended:
			if len(a.came) > 0 {
				continue
			}
			if end.Why != "" {
				return Ending{Code: exitKilled, Why: end.Why}, nil
			}
			return Ending{Code: exitKilled}, a.box.gone(io.EOF)
		}
	}
}

// ending is how it ended, once what it wrote has been copied.
func (a *Agent) ending(status syscall.WaitStatus, end Ending) Ending {
	for _, r := range a.ours { // what it has left behind may hold the other end, and ends soon
		_ = r.SetReadDeadline(clock.System{}.Now().Add(drained))
	}
	copied := make(chan struct{})
	go func() { a.copies.Wait(); close(copied) }()
	late, stop := clock.System{}.After(a.grace)
	defer stop()
	select {
	case <-copied:
	case <-late: // what it left behind still writes
	}
	if end.Code = status.ExitStatus(); status.Signaled() {
		end.Code = exitSignal + int(status.Signal())
		if status.Signal() == unix.SIGXFSZ && a.limits.FileSize > 0 {
			end.Why = fmt.Sprintf("it wrote a file of more than %d bytes, its limit", a.limits.FileSize)
		}
		if status.Signal() == unix.SIGKILL && end.Why == "" && outOfMemory(a.box.first.Process.Pid) {
			end.Why = fmt.Sprintf("it took more than %d bytes of memory, its limit", a.limits.Memory)
		}
	}
	return end
}

// done lets everything go that the agent had.
func (a *Agent) done() {
	closeAll(a.ours)
	if a.came != nil {
		a.box.leave(a.id, a.came)
	}
	if a.terminal != nil {
		takeBack(a.terminal)
		a.terminal.Close()
	}
}
