// Package sdktest runs the official SDKs of the services, unmodified, against
// the built gateway: under `parity run`, through its proxy, and with a base
// URL.
//
//	node/stripe.mjs ─┐                      ┌─ parity run
//	                 ├─ the same calls ─────┼─ parity serve, through its proxy
//	golang_test.go ──┘                      └─ parity serve, base URL
//
//	node/openai.mjs ─── a vendor's contract ─┬─ parity run
//	     resend …       and behaviours/…yaml └─ parity serve, base URL
//
// It is a module of its own, so that the SDKs are not among the product's
// dependencies.
package sdktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// No program that a test starts outlives patience: a lost answer must fail the
// test, not hang it. stripe-node alone would wait 80 s.
const patience = 45 * time.Second

// parity is the gateway's binary, built once.
var parity string

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "get" {
		os.Exit(plainGet(os.Args[2]))
	}
	if work := os.Getenv("SDKTEST_WORK"); work != "" {
		os.Exit(golang(strings.Fields(work)))
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "sdktest")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	parity = filepath.Join(dir, "parity")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if text, err := exec.CommandContext(ctx, "go", "build", "-C", "../..", "-o", parity, "./cmd/parity").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("building parity: %w\n%s", err, text)
	}
	code := m.Run()
	tellJudged()
	return code, nil
}

// start readies a program that is told to end after patience, and made to soon
// after. It gets none of the settings that this machine has for proxies, Node
// or Parity: what reaches the gateway does so by what the test sets.
func start(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	return within(t, patience, env, args...)
}

// within is start for a program that may take longer, or less.
func within(t *testing.T, limit time.Duration, env []string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), limit)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 5 * time.Second
	c.Env = append(bare(os.Environ()), env...)
	return c
}

func bare(environ []string) []string {
	var kept []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(strings.ToUpper(pair), "=")
		switch {
		case strings.HasSuffix(name, "_PROXY"), strings.HasPrefix(name, "NODE_"), strings.HasPrefix(name, "PARITY_"),
			strings.HasPrefix(name, "STRIPE_"), strings.HasPrefix(name, "OPENAI_"), strings.HasPrefix(name, "RESEND_"),
			strings.HasPrefix(name, "INTERCOM_"), strings.HasPrefix(name, "TWILIO_"), strings.HasPrefix(name, "SSL_CERT_"):
		default:
			kept = append(kept, pair)
		}
	}
	return kept
}

// gateway is a `parity serve` that is up, or the folder of a `parity run`.
type gateway struct {
	root string
	base string // http://host:port; empty for a `parity run`
	stop func() // ends it, once
}

// at are the settings that keep a test's runs and certificates to itself.
func (g *gateway) at() []string {
	return []string{"PARITY_DIR=" + g.root, "PARITY_HOME=" + filepath.Join(g.root, "home")}
}

func serve(t *testing.T, flags ...string) *gateway {
	t.Helper()
	g := &gateway{root: t.TempDir()}
	file := filepath.Join(g.root, "ready")
	c := start(t, g.at(), append([]string{parity, "serve", "--ready-file", file}, flags...)...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	g.stop = func() {
		if ended {
			return
		}
		ended = true
		_ = c.Process.Signal(os.Interrupt) // it may be gone, as Wait then says
		if err := c.Wait(); err != nil {
			t.Errorf("parity serve: %v\n%s", err, errs.String())
		}
	}
	t.Cleanup(func() { g.judge(t) }) // when it has ended
	t.Cleanup(g.stop)
	// The file is whole before the first word is printed; the end of the output
	// is that of a gateway that did not come up.
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatalf("parity serve is not ready: %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if url, ok := strings.CutPrefix(line, "data "); ok {
			g.base = strings.TrimSpace(url)
		}
	}
	if g.base == "" {
		t.Fatalf("the ready file names no data port:\n%s", text)
	}
	return g
}

// environment is what `parity env` says: the variables of these names, or all
// of them when none is named.
func (g *gateway) environment(t *testing.T, names ...string) []string {
	t.Helper()
	var vars map[string]string
	if err := json.Unmarshal(g.ask(t, "env", "-o", "json"), &vars); err != nil {
		t.Fatal(err)
	}
	var env []string
	if len(names) == 0 {
		for name, value := range vars {
			env = append(env, name+"="+value)
		}
	}
	for _, name := range names {
		if vars[name] == "" {
			t.Fatalf("parity env says nothing of %s", name)
		}
		env = append(env, name+"="+vars[name])
	}
	return env
}

// ask runs another command of Parity's on the same folder.
func (g *gateway) ask(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := start(t, g.at(), append([]string{parity}, args...)...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		t.Fatalf("parity %s: %v", strings.Join(args, " "), err)
	}
	return out
}
