package contain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parity/gateway/contain"
)

// open opens a containment, where this machine allows one.
func open(t *testing.T, o contain.Options) *contain.Box {
	t.Helper()
	o.Files.Show = append(o.Files.Show, self()) // it may be in /tmp, which is private
	b, err := contain.Open(t.Context(), o)
	var refused *contain.Refused
	if errors.As(err, &refused) {
		t.Skipf("no containment on this machine: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// this is a command that has this binary be an agent.
func this(t *testing.T, tries ...string) contain.Command {
	t.Helper()
	return contain.Command{Args: append([]string{self()}, tries...), Env: []string{role + "=agent"}, Dir: "/"}
}

// run gives what an agent wrote and ended with.
func run(t *testing.T, b *contain.Box, c contain.Command) (string, contain.Ending) {
	t.Helper()
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	end, err := b.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return said.String(), end
}

// answer has a listener answer with who it is and what was dialled.
func answer(name string, l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		fmt.Fprintf(conn, "%s %v", name, conn.LocalAddr())
		conn.Close()
	}
}

func TestEveryWayOutLeadsToTheGatewayOrNowhere(t *testing.T) {
	t.Parallel()
	b := open(t, contain.Options{Level: contain.Network, Ports: []int{5671}})
	go answer("proxy", b.Proxy())
	go answer("control", b.Control())
	for _, l := range b.Captured() {
		go answer("captured", l)
	}
	udp, tcp := b.Names()
	go answer("names", tcp)
	go func() {
		question := make([]byte, 100)
		for {
			n, from, err := udp.ReadFrom(question)
			if err != nil {
				return
			}
			_, _ = udp.WriteTo([]byte("names "+string(question[:n])), from)
		}
	}()
	var tries, want []string
	for _, row := range [][2]string{
		{"tcp 127.0.0.1:3128", "proxy 127.0.0.1:3128"},
		{"tcp 127.0.0.1:3129", "control 127.0.0.1:3129"},
		{"tcp 203.0.113.7:443", "captured 203.0.113.7:443"},
		{"tcp 169.254.169.254:80", "captured 169.254.169.254:80"},
		{"tcp 10.9.8.7:5671", "captured 10.9.8.7:5671"},
		{"tcp [2001:db8::7]:443", "captured [2001:db8::7]:443"},
		{"udp 8.8.8.8:53", "names ask"},
		{"udp [2001:4860:4860::8888]:53", "names ask"},
		{"tcp 9.9.9.9:53", "names 9.9.9.9:53"},
		{"tcp 10.1.2.3:5432", "dial tcp 10.1.2.3:5432: connect: connection refused"},
		{"tcp 10.1.2.3:5432", "dial tcp 10.1.2.3:5432: connect: connection refused"},
		{"tcp [2001:db8::5]:25", "dial tcp [2001:db8::5]:25: connect: connection refused"},
		{"udp 8.8.8.8:443", "refused"},
		{"udp [2001:db8::6]:123", "refused"},
		{"listen [::]:6432", "listens"},
		{"tcp 10.1.2.3:6432", "own 10.1.2.3:6432"},
		{"tcp [2001:db8::5]:6432", "own [2001:db8::5]:6432"},
		{"tcp 127.0.0.2:6432", "own 127.0.0.2:6432"},
		{"tcp [::1]:6432", "own [::1]:6432"},
	} {
		tries, want = append(tries, row[0]), append(want, row[1])
	}
	said, _ := run(t, b, this(t, tries...))
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for i, try := range tries {
		if i >= len(lines) || !strings.HasPrefix(lines[i], try+": ") || !strings.HasSuffix(lines[i], want[i]) {
			t.Errorf("%s: want %s, of\n%s", try, want[i], said)
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	tried := map[string]int{}
	for a := range b.Attempts() {
		does := ""
		if a.Answered {
			does = " answered by the agent itself"
		}
		tried[fmt.Sprintf("%s %v%s", a.Protocol, a.To, does)] += a.Times
	}
	wanted := map[string]int{
		"tcp 10.1.2.3:5432": 2, "tcp [2001:db8::5]:25": 1, "udp 8.8.8.8:443": 1, "udp [2001:db8::6]:123": 1,
		"tcp 10.1.2.3:6432 answered by the agent itself": 1, "tcp [2001:db8::5]:6432 answered by the agent itself": 1,
	}
	if !maps.Equal(tried, wanted) {
		t.Errorf("attempts: %v, want %v", tried, wanted)
	}
}

func TestAnAgentHasNoPrivilegeAndNoWayToTheFirstProcess(t *testing.T) {
	t.Parallel()
	b := open(t, contain.Options{Level: contain.Network})
	said, _ := run(t, b, this(t, "status"))
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if !strings.Contains(said, set+":\t0000000000000000\n") {
			t.Errorf("%s is not empty: %s", set, said)
		}
	}
	if !strings.Contains(said, "NoNewPrivs:\t1\n") {
		t.Errorf("it may get new privileges: %s", said)
	}
	// No signal of its own ends the first process, which would end them all; one to
	// its group leaves this process alone.
	said, end := run(t, b, contain.Command{Args: []string{"/bin/sh", "-c", "for s in KILL TERM SEGV INT QUIT HUP; do kill -$s 1; done; sleep 0.05; echo still here; exit 3"}, Dir: "/"})
	if !strings.Contains(said, "still here") || end.Code != 3 {
		t.Errorf("ended with %+v: %s", end, said)
	}
	if _, end := run(t, b, this(t, "group")); end.Code != 128+int(syscall.SIGTERM) {
		t.Errorf("after a signal to its own group it ended with %+v", end)
	}
}

func TestAnAgentInsideEndsAsOneOutside(t *testing.T) {
	t.Parallel()
	b := open(t, contain.Options{Level: contain.Network})
	sh := func(script string) contain.Command {
		return contain.Command{Args: []string{"sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: "/"}
	}
	both := sh("cat; echo out; echo err >&2; pwd; exit 7")
	both.Stdin = strings.NewReader("in\n")
	if said, end := run(t, b, both); said != "in\nout\nerr\n/\n" || end.Code != 7 {
		t.Errorf("%+v: %q", end, said)
	}
	if _, end := run(t, b, sh("kill -USR1 $$")); end.Code != 128+int(syscall.SIGUSR1) {
		t.Errorf("ended by a signal: %+v", end)
	}
	for name, want := range map[string]error{"no-such-program": os.ErrNotExist, "/etc/passwd": os.ErrPermission} {
		_, err := b.Run(t.Context(), contain.Command{Args: []string{name}, Env: []string{"PATH=/usr/bin"}, Dir: "/"})
		if err == nil || errors.Is(want, os.ErrPermission) && !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.Run(t.Context(), contain.Command{Args: []string{"/bin/true"}, Dir: "/no/such/folder"}); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "/no/such/folder") {
		t.Errorf("in a folder that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	stubborn := sh("trap 'echo asked' TERM; echo ready; while :; do sleep 0.01; done")
	stubborn.Stdout, stubborn.Grace = w, 50*time.Millisecond
	go func() {
		_, _ = io.ReadFull(r, make([]byte, len("ready\n")))
		cancel()
		_, _ = io.Copy(io.Discard, r)
	}()
	if end, err := b.Run(ctx, stubborn); err != nil || end.Code != 128+int(syscall.SIGKILL) {
		t.Errorf("one that does not end when it is asked to: %+v, %v", end, err)
	}
}

func TestItsTimeIsUp(t *testing.T) {
	t.Parallel()
	b := open(t, contain.Options{Level: contain.Network, Limits: contain.Limits{Time: 50 * time.Millisecond}})
	_, end := run(t, b, contain.Command{Args: []string{"/bin/sh", "-c", "sleep 100 & sleep 100"}, Dir: "/"})
	if end.Code != 137 || !strings.Contains(end.Why, "50ms") {
		t.Errorf("%+v", end)
	}
}

func TestNothingIsLeftOfAContainment(t *testing.T) {
	t.Parallel()
	b := open(t, contain.Options{Level: contain.Network})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// It holds the pipe for as long as it lives.
	_, err = b.Run(t.Context(), contain.Command{Args: []string{"/bin/sh", "-c", "(trap '' TERM HUP; sleep 1000) & echo begun"}, Dir: "/", Stdout: w})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(r); err != nil || string(said) != "begun\n" {
		t.Errorf("what the agent left behind goes on: %q, %v", said, err)
	}
	if _, err := b.Run(t.Context(), contain.Command{Args: []string{"/bin/true"}, Dir: "/"}); err == nil {
		t.Error("an agent was started in a containment that is closed")
	}
}

func TestTheGatewayReachesTheAgentsOwnServer(t *testing.T) {
	t.Parallel()
	b := open(t, contain.Options{Level: contain.Network})
	r, w := io.Pipe()
	c := this(t, "serve 127.0.0.1:8080")
	c.Stdout = w
	ended := make(chan error, 1)
	go func() {
		_, err := b.Run(t.Context(), c)
		w.CloseWithError(err) // nobody waits for one that did not start
		ended <- err
	}()
	if _, err := io.ReadFull(r, make([]byte, len("ready\n"))); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	conn, err := b.DialContext(t.Context(), "tcp", "hooks.example:8080")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if said, err := io.ReadAll(conn); err != nil || string(said) != "served" {
		t.Errorf("%q, %v", said, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := b.DialContext(t.Context(), "tcp", "127.0.0.1:8081"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("where nobody listens: %v", err)
	}
}

// What was left open, or is standard input, would lead to what is outside.
func TestAnAgentIsHandedNoWayOut(t *testing.T) {
	left, err := unix.Open("/usr", unix.O_RDONLY|unix.O_DIRECTORY, 0) // and it stays open as others are started
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(left)
	box := open(t, contain.Options{Level: contain.Network})
	var said strings.Builder
	end, err := box.Run(t.Context(), contain.Command{Args: []string{"/bin/ls", "-l", "/proc/self/fd"}, Dir: "/", Stdout: &said, Stderr: &said})
	if err != nil || end.Code != 0 || strings.Contains(said.String(), "/usr") {
		t.Errorf("%v, %+v: %s", err, end, said.String())
	}
	given := filepath.Join(t.TempDir(), "prompt")
	if err := os.WriteFile(given, []byte("a prompt"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{given: "a prompt", "/": ""} {
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		said.Reset()
		script := "cat; ls /proc/self/fd/0/ >/dev/null 2>&1 && echo a folder; (echo written >/proc/self/fd/0) 2>/dev/null; true"
		if end, err := box.Run(t.Context(), contain.Command{Args: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=/bin:/usr/bin"}, Dir: "/", Stdin: in, Stdout: &said}); err != nil || end.Code != 0 || said.String() != want {
			t.Errorf("%s as standard input: %v, %+v: %q", name, err, end, said.String())
		}
	}
	if text, err := os.ReadFile(given); err != nil || string(text) != "a prompt" {
		t.Errorf("what it was given to read has %q now: %v", text, err)
	}
}

// What an agent wrote last is there, whatever goes on holding the other end: what it
// has left behind ends with the containment.
func TestWhatAnAgentLeavesBehindKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	box := open(t, contain.Options{Level: contain.Network})
	var said strings.Builder
	script := "sleep 600 & head -c 200000 /dev/zero | tr '\\0' x; echo end"
	end, err := box.Run(t.Context(), contain.Command{Args: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=/bin:/usr/bin"}, Dir: "/", Stdout: &said, Grace: 10 * time.Minute})
	if err != nil || end.Code != 0 || len(said.String()) != 200_004 {
		t.Errorf("%v, %+v: %d bytes", err, end, len(said.String()))
	}
}
