//go:build unix

package capture

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asParity makes this test binary stand in for parity: it starts what its
// arguments say and exits as that does, so that tests can signal it; its value
// may be Command.Insisting.
const asParity = "CAPTURE_TEST_AS_PARITY"

func TestMain(m *testing.M) {
	if os.Getenv(asParity) == "" {
		os.Exit(m.Run())
	}
	insisting, _ := time.ParseDuration(os.Getenv(asParity))
	code, err := Start(context.Background(), Command{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Insisting: insisting})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func script(t *testing.T, mode os.FileMode, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStartExitCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		args  []string
		code  int
		error string
	}{
		{name: "success", args: []string{"true"}},
		{name: "its own code", args: []string{"sh", "-c", "exit 42"}, code: 42},
		{name: "ended by a signal", args: []string{"sh", "-c", "kill -KILL $$"}, code: 137},
		{name: "ended by another", args: []string{"sh", "-c", "kill -TERM $$"}, code: 143},
		{name: "no command", code: 127, error: "name it after --"},
		{name: "empty command", args: []string{""}, code: 127, error: "name it after --"},
		{name: "not in PATH", args: []string{"no-such-agent-anywhere"}, code: 127, error: "check its name"},
		{name: "no such file", args: []string{"/no/such/agent"}, code: 127, error: "check its path"},
		{name: "no such interpreter", args: []string{script(t, 0o755, "#!/no/such/shell\n")}, code: 127, error: "interpreter in its first line"},
		{name: "not executable", args: []string{script(t, 0o644, "#!/bin/sh\n")}, code: 126, error: "chmod +x"},
		{name: "a folder", args: []string{"/"}, code: 126, error: "cannot be executed"},
		{name: "not a program", args: []string{script(t, 0o755, "echo no interpreter named\n")}, code: 126, error: "#!/bin/sh"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			code, err := Start(t.Context(), Command{Args: test.args})
			if code != test.code {
				t.Errorf("code %d, want %d", code, test.code)
			}
			switch {
			case test.error == "" && err != nil:
				t.Errorf("unexpected error: %v", err)
			case test.error != "" && (err == nil || !strings.Contains(err.Error(), test.error)):
				t.Errorf("error %v, want one that says %q", err, test.error)
			}
		})
	}
}

func TestStartHandsOver(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var out, errs bytes.Buffer
	code, err := Start(t.Context(), Command{
		Args:  []string{"sh", "-c", `cat; pwd; echo "$GREETING" >&2; echo "[$1][$2]"`, "sh", "a b", "*"},
		Env:   []string{"GREETING=hello", "PATH=" + os.Getenv("PATH")},
		Stdin: strings.NewReader("from stdin\n"), Stdout: &out, Stderr: &errs, Dir: folder,
	})
	if err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if want := "from stdin\n" + folder + "\n[a b][*]\n"; out.String() != want {
		t.Errorf("stdout %q, want %q", out.String(), want)
	}
	if errs.String() != "hello\n" {
		t.Errorf("stderr %q", errs.String())
	}
}

// The agent says when it is ready; then the context ends.
func TestStartEndsTheAgentWithItsContext(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		grace        time.Duration
		code         int
		last         string
	}{
		{name: "that obeys", script: `trap 'echo bye; exit 3' TERM; echo ready; while :; do read line; done`, grace: time.Minute, code: 3, last: "bye\n"},
		{name: "that does not", script: `trap '' TERM; echo ready; while :; do read line; done`, grace: time.Millisecond, code: 137},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			stdin, keepOpen, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			defer keepOpen.Close()
			out, stdout, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			said := make(chan string, 1)
			go func() {
				lines := bufio.NewReader(out)
				_, _ = lines.ReadString('\n')
				cancel()
				rest, _ := io.ReadAll(lines) // ends when the agent is gone
				said <- string(rest)
			}()
			code, err := Start(ctx, Command{Args: []string{"sh", "-c", test.script}, Stdin: stdin, Stdout: stdout, Grace: test.grace})
			stdout.Close()
			if err != nil || code != test.code {
				t.Errorf("code %d, error %v, want code %d", code, err, test.code)
			}
			if rest := <-said; rest != test.last {
				t.Errorf("its last words were %q, want %q", rest, test.last)
			}
		})
	}
}

// What it has started holds its output open: that ends when all are gone.
func TestStartApartEndsWhatTheAgentHasStarted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, script string
		cancel       bool
		code         int
	}{
		{name: "with the agent", script: `sleep 1000 & echo ready; exit 4`, code: 4},
		{name: "with the context", script: `trap '' TERM; (sleep 1000; sleep 1000) & echo ready; while :; do wait; done`, cancel: true, code: 137},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out, stdout, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			gone := make(chan error, 1)
			go func() {
				lines := bufio.NewReader(out)
				_, _ = lines.ReadString('\n')
				if test.cancel {
					cancel()
				}
				_, err := io.ReadAll(lines)
				gone <- err
			}()
			code, err := Start(ctx, Command{Args: []string{"sh", "-c", test.script}, Stdout: stdout, Apart: true, Grace: time.Millisecond})
			stdout.Close()
			if err != nil || code != test.code {
				t.Errorf("code %d, error %v, want code %d", code, err, test.code)
			}
			if err := <-gone; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestStartAfterTheContextStartsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mark := filepath.Join(t.TempDir(), "started")
	if code, err := Start(ctx, Command{Args: []string{"touch", mark}}); err == nil || code != 143 {
		t.Errorf("code %d, error %v", code, err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the agent was started")
	}
}

// An agent that ignored Ctrl-C held its terminal until somebody found its process.
func TestASecondSignalEndsAnAgentThatIgnoresTheFirst(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGTERM) {
		t.Skip("SIGTERM is ignored by whoever started this test")
	}
	parity := exec.Command(os.Args[0], "sh", "-c", `trap 'echo no' INT TERM; echo ready; while :; do read line; done`)
	parity.Env = append(os.Environ(), asParity+"=1")
	parity.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdin, err := parity.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := parity.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parity.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for _, want := range []string{"ready", "no"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("it said %q, not %s", lines.Text(), want)
		}
		if err := parity.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	_ = parity.Wait()
	if code := parity.ProcessState.ExitCode(); code != 137 {
		t.Errorf("it ended with %d, not killed", code)
	}
}

// In a session of its own there is no keyboard that SIGINT could come from.
func TestStartForwardsSignals(t *testing.T) {
	t.Parallel()
	for sig, name := range map[syscall.Signal]string{
		syscall.SIGTERM: "TERM", syscall.SIGHUP: "HUP", syscall.SIGINT: "INT", syscall.SIGQUIT: "QUIT",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(sig) {
				t.Skipf("%s is ignored by whoever started this test (nohup does), and what ignores it cannot be told it", name)
			}
			program := fmt.Sprintf(`trap 'echo got; exit 9' %s; echo ready; while :; do read line; done`, name)
			parity := exec.Command(os.Args[0], "sh", "-c", program)
			parity.Env = append(os.Environ(), asParity+"=1")
			parity.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			stdin, err := parity.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			stdout, err := parity.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := parity.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(stdout)
			if !lines.Scan() || lines.Text() != "ready" {
				t.Fatalf("it said %q", lines.Text())
			}
			if err := parity.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if !lines.Scan() || lines.Text() != "got" {
				t.Errorf("it said %q", lines.Text())
			}
			_ = parity.Wait()
			if code := parity.ProcessState.ExitCode(); code != 9 {
				t.Errorf("code %d, want the agent's 9", code)
			}
		})
	}
}
