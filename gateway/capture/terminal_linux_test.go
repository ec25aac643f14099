package capture

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

// openTerminal gives both ends of a new pseudo-terminal.
func openTerminal(t *testing.T) (keyboard, terminal *os.File) {
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
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("open a pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return keyboard, terminal
}

func TestOneCtrlCReachesTheAgentOnce(t *testing.T) {
	t.Parallel()
	keyboard, terminal := openTerminal(t)
	program := `n=0; trap 'n=$((n+1)); echo interrupted' INT; test -t 0 && test -t 1 && test -t 2 && echo ready
until read line; do :; done; echo "$line, $n interrupts"`
	parity := exec.Command(os.Args[0], "sh", "-c", program)
	parity.Env = append(os.Environ(), asParity+"=1ns")
	parity.Stdin, parity.Stdout, parity.Stderr = terminal, terminal, terminal
	parity.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := parity.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close() // so that the keyboard's end sees when the agent has gone
	lines := bufio.NewScanner(keyboard)
	await := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("the terminal ended without %q: %v", part, lines.Err())
	}
	await("ready")
	for range 10 { // a second delivery may come late: one round need not show it
		if _, err := keyboard.WriteString("\x03"); err != nil {
			t.Fatal(err)
		}
		await("interrupted")
	}
	if _, err := keyboard.WriteString("done\n"); err != nil {
		t.Fatal(err)
	}
	await("done, 10 interrupts")
	if err := parity.Wait(); err != nil {
		t.Errorf("exit: %v", err)
	}
}
