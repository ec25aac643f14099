package sdktest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// way is one SDK on one way to the fake.
type way struct {
	sdk, name string
	through   string // the way in, as the journal names it
	begin     func(t *testing.T, work []string, flags []string) (*exec.Cmd, *gateway)
}

// program is the SDK's own: what it is started with, and the variables that
// tell it its work.
type program func(t *testing.T, work []string) (args, env []string)

func node(t *testing.T, work []string) (args, env []string) {
	t.Helper()
	if _, err := os.Stat("node_modules/stripe"); err != nil {
		t.Fatal("the Node SDKs are not installed: run npm ci in fakes/sdktest")
	}
	return append([]string{"node", "node/stripe.mjs"}, work...), nil
}

// goSDK is this test binary once more: net/http reads the proxy variables once
// in the life of a process.
func goSDK(_ *testing.T, work []string) (args, env []string) {
	return []string{os.Args[0]}, []string{"SDKTEST_WORK=" + strings.Join(work, " ")}
}

func ways() []way {
	return []way{
		{"node", "run", "sni", underRun(node)},
		{"node", "env", "sni", withVariables(node)},
		{"node", "base", "host", withBase(node)},
		{"go", "run", "connect", underRun(goSDK)},
		{"go", "proxy", "connect", withVariables(goSDK, "HTTPS_PROXY", "SSL_CERT_FILE")},
		{"go", "base", "host", withBase(goSDK)},
	}
}

func underRun(p program) func(*testing.T, []string, []string) (*exec.Cmd, *gateway) {
	return func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
		g := &gateway{root: t.TempDir(), stop: func() {}}
		t.Cleanup(func() { g.judge(t) })
		agent, env := p(t, work)
		args := append(append([]string{parity, "run"}, flags...), "--")
		return start(t, append(env, g.at()...), append(args, agent...)...), g
	}
}

func withVariables(p program, names ...string) func(*testing.T, []string, []string) (*exec.Cmd, *gateway) {
	return func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
		g := serve(t, flags...)
		args, env := p(t, work)
		return start(t, append(env, g.environment(t, names...)...), args...), g
	}
}

func withBase(p program) func(*testing.T, []string, []string) (*exec.Cmd, *gateway) {
	return func(t *testing.T, work, flags []string) (*exec.Cmd, *gateway) {
		g := serve(t, flags...)
		args, env := p(t, work)
		return start(t, append(env, "STRIPE_BASE="+g.base), args...), g
	}
}

// each does the work on every way, and has what came of it judged.
func each(t *testing.T, work string, flags []string, judge func(t *testing.T, w way, found map[string]any, told told)) {
	t.Helper()
	for _, w := range ways() {
		t.Run(w.sdk+"/"+w.name, func(t *testing.T) {
			t.Parallel()
			c, g := w.begin(t, strings.Fields(work), flags)
			found := printed(t, c)
			g.stop() // so that the report has all of it
			for _, through := range g.through(t) {
				if through != w.through {
					t.Errorf("a call came in by %s, not by %s", through, w.through)
				}
			}
			judge(t, w, found, g.report(t))
		})
	}
}

// printed runs a program and gives the JSON that it printed.
func printed(t *testing.T, c *exec.Cmd) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", c.Args, err, out.String(), errs.String())
	}
	var found map[string]any
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatalf("%v in %q\n%s", err, out.String(), errs.String())
	}
	return found
}

// told is what is read of a report.
type told struct {
	Valid    bool
	Verdicts []struct{ Subject, Result string }
	Faults   []struct {
		Rule                    string
		Fired, Swallowed, Tries int
	}
	Operations []struct {
		Operation            string
		Exchanges, Committed int
	}
}

func (g *gateway) report(t *testing.T) told {
	t.Helper()
	var r told
	if err := json.Unmarshal(g.ask(t, "report", "-o", "json"), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// exchanges says how often an operation was called, and how often it changed
// something.
func (r told) exchanges(operation string) (called, committed int) {
	for _, o := range r.Operations {
		if o.Operation == operation {
			return o.Exchanges, o.Committed
		}
	}
	return 0, 0
}

// through lists the way in of every call of the run.
func (g *gateway) through(t *testing.T) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(string(g.ask(t, "trace", "-o", "json"))) {
		var event struct{ Exchange *struct{ Way string } }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		if event.Exchange != nil {
			list = append(list, event.Exchange.Way)
		}
	}
	if len(list) == 0 {
		t.Error("the gateway saw no call")
	}
	return list
}
