package capture

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// beside is where agents are started unless something else is said: as children of
// this process.
type beside struct{}

// process is an agent beside this process.
type process struct {
	*exec.Cmd
	apart bool
}

// Start starts an agent.
func (beside) Start(ctx context.Context, c Command) (Process, error) {
	agent := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	agent.Env, agent.Dir = c.Env, c.Dir
	agent.Stdin, agent.Stdout, agent.Stderr = c.Stdin, c.Stdout, c.Stderr
	agent.Cancel = func() error { return agent.Process.Signal(syscall.SIGTERM) }
	if c.Apart {
		setApart(agent)
	}
	agent.WaitDelay = c.Grace
	if c.Grace <= 0 {
		agent.WaitDelay = defaultGrace
	}
	return process{agent, c.Apart}, agent.Start()
}

// Signal sends it a signal.
func (p process) Signal(sig os.Signal) error { return p.Process.Signal(sig) }

// Kill ends it.
func (p process) Kill() error { return p.Process.Kill() }

// Wait waits for its end, and ends what is left of its group where it ran apart.
func (p process) Wait() (int, error) {
	err := p.Cmd.Wait()
	if p.apart {
		endGroup(p.Process.Pid)
	}
	return exitCode(p.ProcessState, err)
}

func exitCode(state *os.ProcessState, err error) (int, error) {
	if state == nil {
		return exitSignal, fmt.Errorf("wait for the agent: %w", err)
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return exitSignal + int(status.Signal()), nil
	}
	return state.ExitCode(), nil
}
