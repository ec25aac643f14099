package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A process is a server that was started here, and is ended here.
type process struct {
	name string
	cmd  *exec.Cmd
	dir  string // its own; what it prints is in dir/log
	done chan struct{}
}

// start begins argv in a folder of its own below dir. Of the environment it
// gets what finds programs and a home without settings: defaults are measured.
func start(ctx context.Context, dir, name string, argv ...string) (*process, error) {
	own, err := os.MkdirTemp(dir, name+"-")
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(own, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &process{name: name, dir: own, cmd: command(ctx, dir, own, argv...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// command is argv with the environment of everything that is measured. It is
// told to end when ctx is done, and ended 10 seconds later.
func command(ctx context.Context, home, dir string, argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	endWithUs(cmd)
	return cmd
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// stop ends it, by force where it takes longer than 10 seconds.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		p.kill()
	}
}

// kill ends it at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// used is the processor time of a process that has ended, and of what it waited
// for.
func (p *process) used() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// said is the end of what it printed, for an error.
func (p *process) said() string {
	content, _ := os.ReadFile(filepath.Join(p.dir, "log"))
	return strings.TrimSpace(string(content[max(0, len(content)-500):]))
}

// printed waits for the first line of its log.
func (p *process) printed(ctx context.Context) (string, error) {
	var line string
	err := p.until(ctx, func() bool {
		file, err := os.Open(filepath.Join(p.dir, "log"))
		if err != nil {
			return false
		}
		defer file.Close()
		line, err = bufio.NewReader(file).ReadString('\n')
		return err == nil
	})
	return strings.TrimSpace(line), err
}

// listens waits until it takes connections.
func (p *process) listens(ctx context.Context, addr string) error {
	return p.until(ctx, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

// until asks every millisecond whether something is so.
func (p *process) until(ctx context.Context, so func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !so() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not come up: %w: %s", p.name, ctx.Err(), p.said())
		case <-p.done:
			return fmt.Errorf("%s ended: %s", p.name, p.said())
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// freeAddress is one that nobody listens on, for servers that cannot be told to
// choose.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
