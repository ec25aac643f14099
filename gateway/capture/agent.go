package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"parity/fakes/clock"
)

// A Command is an agent to start.
type Command struct {
	Args []string // the program, found through PATH, and its arguments
	Env  []string // from Settings.Environ; nil means the environment of this process
	Dir  string   // "" is the current folder

	// Hand over *os.File as they are: the agent then has the terminal itself.
	// Any other kind is copied through a pipe; nil is the null device.
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// Apart has the agent in a process group of its own, which is ended as a
	// whole: with the context, and what is left of it with the agent. Neither the
	// terminal nor a signal to this process reaches it; the context does.
	Apart bool

	// Inside is where the agent is started, nil for beside this process.
	Inside Place

	// Watched, where set, looks at the agent's processes while it runs.
	Watched *Watched

	// Grace is how long the agent has, after a SIGTERM, to end by itself once
	// the context has ended; 0 means 5 seconds. Then it is killed.
	Grace time.Duration

	// Insisting is how soon after one another signals have to come to end an
	// agent that ignores them; 0 means 3 seconds.
	Insisting time.Duration
}

// A Place is where agents are started other than beside this process.
type Place interface {
	// Start starts one. When ctx ends, the agent is ended as Command says.
	// Inside is not looked at. The errors are those of os/exec.
	Start(ctx context.Context, c Command) (Process, error)
}

// A Process is an agent that was started.
type Process interface {
	Signal(os.Signal) error // one that has ended gets none
	Kill() error
	Wait() (code int, err error) // its end, as a shell says it
}

const (
	defaultGrace = 5 * time.Second

	exitNotExecutable = 126
	exitNotFound      = 127
	exitSignal        = 128 // + the signal's number
)

// Start runs the agent to its end and gives the exit code that a shell would:
// its own, 128+n where signal n ended it, 127 where there is no such program,
// 126 where there is one that cannot be executed. In these last two cases, and
// wherever nothing was started, the error says what to do about it; an agent
// that ran and ended in whatever way is no error.
//
// The agent stays in this process's group, so that the terminal's Ctrl-C and
// Ctrl-Z reach both. SIGTERM and SIGHUP sent to this process are passed on, and
// SIGINT and SIGQUIT where they cannot have come from the keyboard: an agent
// must not get one Ctrl-C twice. Meanwhile none of them ends this process; those
// ignored when it started stay ignored, as nohup wants. A second Ctrl-C or
// SIGTERM soon after the first ends an agent that ignores both.
//
// When the context ends, the agent gets SIGTERM and, after the grace, SIGKILL.
// What the agent has started is the agent's to end, unless it runs apart.
func Start(ctx context.Context, c Command) (int, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return exitNotFound, errors.New("no command to start; name it after --, as in: parity run -- my-agent")
	}
	if ctx.Err() != nil {
		return exitSignal + int(syscall.SIGTERM), fmt.Errorf("%s was not started: %w", c.Args[0], context.Cause(ctx))
	}
	place := c.Inside
	if place == nil {
		place = beside{}
	}
	// Before the start: a signal that comes between the two must not be lost.
	signals := make(chan os.Signal, 8)
	forwarded := forwardable()
	if len(forwarded) > 0 && !c.Apart {
		signal.Notify(signals, forwarded...)
		defer signal.Stop(signals)
	}
	agent, err := place.Start(ctx, c)
	if err != nil {
		return notStarted(c.Args[0], err)
	}
	if b, ok := agent.(process); ok { // what is inside is captured whatever it was started with
		defer c.Watched.begin(b.Process.Pid)()
	}
	type end struct {
		code int
		err  error
	}
	ended := make(chan end, 1)
	go func() {
		code, err := agent.Wait()
		ended <- end{code, err}
	}()
	insists := insistence{soon: cmp.Or(c.Insisting, defaultInsisting)}
	for {
		select {
		case sig := <-signals:
			if !(fromKeyboard(sig) && inForeground()) {
				// Fails only where the agent has just ended.
				_ = agent.Signal(sig)
			}
			if insists.again(sig) {
				_ = agent.Kill()
			}
		case <-insists.over:
			_ = agent.Kill()
		case e := <-ended:
			return e.code, e.err
		}
	}
}

// insistence ends an agent that ignores whoever wants it to end: a second Ctrl-C
// or SIGTERM soon after the first gives it a moment, a third none. One alone is
// the agent's own, which may take it for an end of what it does just now.
type insistence struct {
	soon  time.Duration
	last  time.Time
	times int
	over  <-chan time.Time // the moment is over
}

const (
	defaultInsisting = 3 * time.Second
	moment           = 2 * time.Second
)

// again notes a signal and tells whether the agent is to end at once.
func (i *insistence) again(sig os.Signal) bool {
	if sig != syscall.SIGINT && sig != syscall.SIGTERM {
		return false
	}
	now := clock.System{}.Now()
	if now.Sub(i.last) > i.soon && i.over == nil {
		i.times = 0
	}
	i.last = now
	if i.times++; i.times == 2 {
		i.over, _ = clock.System{}.After(moment)
	}
	return i.times > 2
}

// forwardable leaves out what was ignored at the start: asking for it would
// un-ignore it, here and for the agent.
func forwardable() []os.Signal {
	var signals []os.Signal
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		if !signal.Ignored(sig) {
			signals = append(signals, sig)
		}
	}
	return signals
}

func fromKeyboard(sig os.Signal) bool { return sig == syscall.SIGINT || sig == syscall.SIGQUIT }

func notStarted(name string, err error) (int, error) {
	switch {
	case errors.Is(err, exec.ErrDot):
		return exitNotExecutable, fmt.Errorf("%s is in the current folder, which is not searched; say ./%s", name, name)
	case errors.Is(err, syscall.ENOEXEC):
		return exitNotExecutable, fmt.Errorf("%s is not a program for this machine; "+
			"if it is a script, name its interpreter in a first line like #!/bin/sh", name)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EISDIR):
		return exitNotExecutable, fmt.Errorf("%s cannot be executed; try chmod +x, or name its interpreter: %w", name, err)
	case errors.Is(err, exec.ErrNotFound):
		return exitNotFound, fmt.Errorf("%s was not found in PATH; check its name, or give its path", name)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return exitNotFound, fmt.Errorf("%s cannot be started; check its path, "+
			"the folder to start it in, and the interpreter in its first line: %w", name, err)
	default:
		return exitNotExecutable, fmt.Errorf("start %s: %w", name, err)
	}
}
