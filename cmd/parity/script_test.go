package main

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"parity/faults/trail"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

// The scripts in testdata/script run the whole command line, each in a folder
// of its own. Beside parity they have the small programs of programs_test.go.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"parity":  main,
		"fetch":   fetch,
		"model":   model,
		"fails":   func() { os.Exit(3) },
		"carries": carries,
		"tunnels": tunnels,
		"under":   under,
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PARITY_HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("KEY", "sk_test_4eC39HqLyjWDarjtT1zdp7dc")
			// With -race each process would wait a second at its end, and here are
			// hundreds (https://go.dev/doc/articles/race_detector#Options).
			e.Setenv("GORACE", "atexit_sleep_ms=0 halt_on_error=1")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await-event": awaitEvent,
			"await":       await,
			"certificate": certificate,
			"exits":       exits,
			"field":       field,
			"github":      github,
			"gitlab":      gitlab,
			"runs":        runs,
			"terminate":   terminate,
			"value":       value,
		},
	})
}

// await FILE [TEXT] waits until a file is there, and says something.
func await(ts *testscript.TestScript, _ bool, args []string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(60 * time.Second); ; {
		said, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && (len(args) < 2 || strings.Contains(string(said), args[1])) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("%s did not come; it says %q", args, said)
		}
	}
}

// await-event RUN KIND waits until a run's record has an event of that kind: it
// is on disk a moment after it happened.
func awaitEvent(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.After(60 * time.Second); ; {
		kept, err := kept.Read(ts.MkAbs(".parity"), args[0])
		if err == nil && slices.ContainsFunc(kept.Events, func(e trail.Event) bool { return string(e.Kind) == args[1] }) {
			return
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-deadline:
			ts.Fatalf("run %s has no %s: %v", args[0], args[1], err)
		}
	}
}

// certificate FILE wants one authority's certificate in PEM, and nothing else.
func certificate(ts *testscript.TestScript, _ bool, args []string) {
	block, rest := pem.Decode([]byte(ts.ReadFile(args[0])))
	if block == nil || block.Type != "CERTIFICATE" || len(strings.TrimSpace(string(rest))) > 0 {
		ts.Fatalf("this is not one certificate: %.200s", ts.ReadFile(args[0]))
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	ts.Check(err)
	if !cert.IsCA {
		ts.Fatalf("%s is no authority's", cert.Subject)
	}
}

// exits CODE COMMAND [ARGS] runs a command that has to end with that code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	endedWith(ts, args[0], ts.Exec(args[1], args[2:]...))
}

// endedWith wants the code that a command ended with.
func endedWith(ts *testscript.TestScript, want string, err error) {
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != want {
		ts.Fatalf("it ended with %d", code)
	}
}

// field NAME FILE WORD sets a variable to what follows a word in a file, up to
// the end of its line. URLs lose their scheme in NAME_HOST.
func field(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if rest, ok := strings.CutPrefix(line, args[2]+" "); ok {
			rest = strings.TrimSpace(rest)
			ts.Setenv(args[0], rest)
			ts.Setenv(args[0]+"_HOST", strings.TrimPrefix(rest, "http://"))
			return
		}
	}
	ts.Fatalf("%s has no line with %s", args[1], args[2])
}

// runs N wants so many runs to be kept, the newest of them named last.
func runs(ts *testscript.TestScript, _ bool, args []string) {
	kept, err := kept.List(ts.MkAbs(".parity"))
	ts.Check(err)
	var names []string
	for _, r := range kept {
		names = append(names, r.ID)
	}
	if fmt.Sprint(len(names)) != args[0] {
		ts.Fatalf("there are %d runs: %s", len(names), names)
	}
	last, err := journal.Last(ts.MkAbs(".parity/runs"))
	if len(names) == 0 {
		if err == nil {
			ts.Fatalf("last names %s, and there is no run", last)
		}
		return
	}
	ts.Check(err)
	if newest := names[len(names)-1]; last != newest {
		ts.Fatalf("last names %s of %s", last, names)
	}
}

// terminate sends SIGTERM to the gateway that is up in this folder.
func terminate(ts *testscript.TestScript, _ bool, _ []string) {
	var gateway struct{ PID int }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(".parity/gateway.json")), &gateway))
	ts.Check(syscall.Kill(gateway.PID, syscall.SIGTERM))
}

// value FILE PATH [WANT] wants a value in a JSON document, such as
// verdicts.0.result.
func value(ts *testscript.TestScript, _ bool, args []string) {
	var found any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &found))
	for step := range strings.SplitSeq(args[1], ".") {
		var ok bool
		switch in := found.(type) {
		case map[string]any:
			found, ok = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if ok = err == nil && i < len(in); ok {
				found = in[i]
			}
		}
		if !ok {
			ts.Fatalf("there is no %s of %s in %.500s", step, args[1], ts.ReadFile(args[0]))
		}
	}
	if len(args) > 2 && fmt.Sprint(found) != args[2] {
		ts.Fatalf("%s is %v", args[1], found)
	}
}
