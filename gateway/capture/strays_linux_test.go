package capture

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// An agent's child with an environment of its own is named, by what it was started
// as and not by its arguments; one that has the settings is not, nor is one that
// only comes and goes.
func TestAProcessWithoutItsSettingsIsNamed(t *testing.T) {
	t.Parallel()
	s := Settings{ProxyURL: "http://r:t@127.0.0.1:1", TLSAddr: "127.0.0.1:1", Run: "watched-" + t.Name()}
	w := NewWatched(s)
	w.every = 20 * time.Millisecond
	script := "env -i sleep 0.61 & sleep 0.62 & env -i PARITY_RUN=x sh -c 'sleep 0.63; :' --password=hunter2 & env -u http_proxy -u HTTP_PROXY sleep 0.64 & env -i true; wait"
	code, err := Start(context.Background(), Command{Args: []string{"sh", "-c", script}, Env: s.Environ([]string{"PATH=" + os.Getenv("PATH")}), Watched: w})
	if err != nil || code != 0 {
		t.Fatal(code, err)
	}
	var names []string
	for _, stray := range w.Strays() {
		names = append(names, stray.Command)
		if stray.PID <= 1 {
			t.Errorf("%+v", stray)
		}
	}
	got := strings.Join(names, ", ")
	if !strings.Contains(got, "sleep 0.61") || !strings.Contains(got, "sleep 0.63") || strings.Contains(got, "0.62") || strings.Contains(got, "0.64") || strings.Contains(got, "hunter2") {
		t.Errorf("%s", got)
	}
	if w.Listens(80) {
		t.Error("an agent that has ended listens")
	}
}

// Ports are those of the agent's processes, and of those that left it and say whose
// they are; not those of others.
func TestWhatAnAgentListensOn(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	own := NewWatched(Settings{Run: "own-" + t.Name()})
	own.agent = os.Getpid()
	if !own.Listens(port) {
		t.Error("a port of the process itself is not seen")
	}
	other := NewWatched(Settings{Run: "other-" + t.Name()})
	other.every = time.Millisecond
	asked := false
	done := other.begin(childOf(t))
	asked = other.Listens(port)
	done()
	if asked {
		t.Error("another's port is taken for the agent's")
	}
	if called([]string{"/usr/bin/node", "server.js", "--key=x"}) != "node server.js" || called([]string{"node", "--key=x"}) != "node" || called([]string{"sh", "K=v"}) != "sh" || called(nil) != "?" {
		t.Error("processes are misnamed")
	}
}

// childOf starts a process that does nothing, and gives its number.
func childOf(t *testing.T) int {
	t.Helper()
	p, err := os.StartProcess("/bin/sleep", []string{"sleep", "5"}, &os.ProcAttr{})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = p.Kill(); _, _ = p.Wait() })
	return p.Pid
}
