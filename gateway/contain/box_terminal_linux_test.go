package contain_test

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A session is a process that has a terminal, and the other end of that.
type session struct {
	t        *testing.T
	keyboard *os.File
	lines    *bufio.Scanner
	leader   *exec.Cmd
}

// outsideIn has an agent run inside, in a terminal of its own.
func outsideIn(t *testing.T, script string) *session {
	t.Helper()
	return sessionOf(t, exec.Command(os.Args[0], "sh", "-c", script))
}

// sessionOf starts a command that has an agent run inside, in a terminal of its own.
func sessionOf(t *testing.T, leader *exec.Cmd) *session {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("unlock a pseudo-terminal: %v", err)
	}
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skipf("number of a pseudo-terminal: %v", err)
	}
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("open a pseudo-terminal: %v", err)
	}
	defer terminal.Close()
	s := &session{t: t, keyboard: keyboard, lines: bufio.NewScanner(keyboard)}
	s.leader = leader
	s.leader.Env = append(os.Environ(), role+"=outside")
	s.leader.Stdin, s.leader.Stdout, s.leader.Stderr = terminal, terminal, terminal
	s.leader.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.leader.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.leader.Process.Kill(); _ = s.leader.Wait() })
	return s
}

func (s *session) await(part string) {
	s.t.Helper()
	for s.lines.Scan() {
		switch line := s.lines.Text(); {
		case strings.Contains(line, part):
			return
		case strings.HasPrefix(line, "refused: "):
			s.t.Skip(line)
		}
	}
	s.t.Fatalf("the terminal ended without %q: %v", part, s.lines.Err())
}

func (s *session) press(keys string) {
	s.t.Helper()
	if _, err := s.keyboard.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

func TestAnAgentInsideHasItsTerminal(t *testing.T) {
	t.Parallel()
	s := outsideIn(t, `n=0; trap 'n=$((n+1)); echo interrupted' INT; test -t 0 && test -t 1 && echo ready
until read line; do :; done; echo "$line, $n interrupts"; exit 6`)
	s.await("ready")
	for range 3 {
		s.press("\x03")
		s.await("interrupted")
	}
	s.press("done\n")
	s.await("done, 3 interrupts")
	s.await("ended with 6")
}

// The first process of a session has no shell that would have it go on: its group
// is not stopped by the key, and neither is an agent that it has inside.
func TestTheStopKeyDoesNothingWithoutAShell(t *testing.T) {
	t.Parallel()
	s := outsideIn(t, `echo ready; read line; echo "got $line"; exit 5`)
	s.await("ready")
	s.press("\x1a")
	s.press("word\n")
	s.await("got word")
	s.await("ended with 5")
}

// A shell with job control stops and resumes it.
func TestAShellStopsAnAgentInsideAndHasItGoOn(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	inner := `echo ready; read line; echo "got $line"; exit 5`
	s := sessionOf(t, exec.Command("bash", "-c", `set -m; "$0" sh -c "$1"; echo "stopped with $?"; fg >/dev/null; echo "code $?"`, os.Args[0], inner))
	s.await("ready")
	s.press("\x1a")
	s.await("stopped with 148")
	s.press("word\n")
	s.await("got word")
	s.await("code 5")
}
