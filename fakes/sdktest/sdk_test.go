// Package sdktest runs the official SDKs of the services, unmodified, against
// the built gateway: under `parity run`, through HTTPS_PROXY, and with a base
// URL.
//
//	node/stripe.mjs ─┐                      ┌─ parity run
//	                 ├─ the same calls ─────┼─ parity serve, HTTPS_PROXY
//	golang_test.go ──┘                      └─ parity serve, base URL
//
// It is a module of its own, so that the SDKs are not among the product's
// dependencies.
package sdktest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// parity is the gateway's binary, built once.
var parity string

func TestMain(m *testing.M) {
	if work := os.Getenv("SDKTEST_WORK"); work != "" {
		os.Exit(golang(strings.Fields(work)))
	}
	dir, err := os.MkdirTemp("", "sdktest")
	if err != nil {
		panic(err)
	}
	parity = filepath.Join(dir, "parity")
	build := exec.Command("go", "build", "-C", "../..", "-o", parity, "./cmd/parity")
	if text, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building parity: %v\n%s", err, text)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// client is one SDK, as a program that makes the calls it is told to and
// prints what it found.
type client struct {
	name string
	make func(t *testing.T, work ...string) *exec.Cmd
}

func clients() []client {
	return []client{
		{"node", func(t *testing.T, work ...string) *exec.Cmd {
			if _, err := os.Stat("node_modules/stripe"); err != nil {
				t.Fatal("the Node SDK is not installed: run npm ci in fakes/sdktest")
			}
			return exec.CommandContext(t.Context(), "node", append([]string{"node/stripe.mjs"}, work...)...)
		}},
		{"go", func(t *testing.T, work ...string) *exec.Cmd {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(os.Environ(), "SDKTEST_WORK="+strings.Join(work, " "))
			return c
		}},
	}
}

// under puts a client's command under `parity run`.
func under(t *testing.T, root string, c *exec.Cmd, flags ...string) *exec.Cmd {
	args := append(append([]string{"run"}, flags...), "--")
	run := exec.CommandContext(t.Context(), parity, append(args, c.Args...)...)
	if c.Env == nil {
		c.Env = os.Environ()
	}
	run.Env = append(c.Env, "PARITY_DIR="+root, "PARITY_HOME="+filepath.Join(root, "home"))
	return run
}

// found runs a client and gives what it printed.
func found(t *testing.T, c *exec.Cmd) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", c.Args, err, out.String(), errs.String())
	}
	var result map[string]any
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatalf("%v in %q\n%s", err, out.String(), errs.String())
	}
	return result
}

func check(t *testing.T, result map[string]any, want string) {
	t.Helper()
	var wanted map[string]any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	for name, part := range wanted {
		if got := result[name]; !reflect.DeepEqual(got, part) {
			t.Errorf("%s:\n got %s\nwant %s", name, text(got), text(part))
		}
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// want is what each SDK has to find, in its own words: the names of error
// classes are those of stripe-node, of which stripe-go has the types.
const want = `{
	"pay": {"customer": "customer", "name": "Ada L.", "metadata": {"tier": "gold"}, "created": "requires_confirmation",
		"confirmed": "requires_capture", "captured": "succeeded", "received": 4000, "refund": "succeeded", "refunded": 1500,
		"expanded": "ada@example.com"},
	"page": {"made": 25, "same": true}
}`

const failures = `{"fail": {
	"declined": {"class": "StripeCardError", "code": "card_declined", "decline": "insufficient_funds", "status": 402,
		"message": "Your card has insufficient funds."},
	"missing": {"class": "StripeInvalidRequestError", "code": "parameter_missing", "param": "amount", "status": 400,
		"message": "Missing required param: amount."},
	"unknown": {"class": "StripeInvalidRequestError", "code": "parameter_unknown", "param": "nmae", "status": 400,
		"message": "Received unknown parameter: nmae"},
	"absent": {"class": "StripeInvalidRequestError", "code": "resource_missing", "param": "id", "status": 404,
		"message": "No such customer: 'cus_absent'"},
	"state": {"class": "StripeInvalidRequestError", "code": "payment_intent_unexpected_state", "status": 400,
		"message": "This PaymentIntent could not be captured because it has a status of requires_confirmation. Only a PaymentIntent with one of the following statuses may be captured: requires_capture."},
	"conflict": {"class": "StripeIdempotencyError", "status": 400,
		"message": "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'order-77' if you meant to execute a different request."},
	"unauthorised": {"class": "StripeAuthenticationError", "status": 401, "message": "Invalid API Key provided: sk_t****"},
	"replayed": "true"
}}`

// gateway is a `parity serve` that is up.
type gateway struct {
	root string
	base string   // http://host:port
	env  []string // what `parity env` says
}

func serve(t *testing.T, flags ...string) *gateway {
	t.Helper()
	root := t.TempDir()
	ready := filepath.Join(root, "ready")
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, parity, append([]string{"serve", "--ready-file", ready}, flags...)...)
	c.Env = append(os.Environ(), "PARITY_DIR="+root, "PARITY_HOME="+filepath.Join(root, "home"))
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = c.Wait() // what it ended with is the command line's own test
	})
	g := &gateway{root: root}
	for tick := time.NewTicker(10 * time.Millisecond); g.base == ""; <-tick.C {
		text, err := os.ReadFile(ready)
		for line := range strings.Lines(string(text)) {
			if addr, ok := strings.CutPrefix(line, "data "); ok && err == nil {
				g.base = strings.TrimSpace(addr)
			}
		}
		if c.ProcessState != nil || t.Context().Err() != nil {
			t.Fatalf("the gateway did not come up: %s", errs.String())
		}
	}
	g.env = environment(t, root)
	return g
}

func environment(t *testing.T, root string) []string {
	t.Helper()
	c := exec.CommandContext(t.Context(), parity, "env", "-o", "json")
	c.Env = append(os.Environ(), "PARITY_DIR="+root)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var vars map[string]string
	if err := json.Unmarshal(out, &vars); err != nil {
		t.Fatal(err)
	}
	var env []string
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	return env
}

// ways are the ways of an SDK to the fake.
func ways() map[string]func(t *testing.T, c *exec.Cmd, flags ...string) *exec.Cmd {
	with := func(c *exec.Cmd, env ...string) *exec.Cmd {
		if c.Env == nil {
			c.Env = os.Environ()
		}
		c.Env = append(c.Env, env...)
		return c
	}
	return map[string]func(*testing.T, *exec.Cmd, ...string) *exec.Cmd{
		"run": func(t *testing.T, c *exec.Cmd, flags ...string) *exec.Cmd {
			return under(t, t.TempDir(), c, flags...)
		},
		"env": func(t *testing.T, c *exec.Cmd, flags ...string) *exec.Cmd {
			return with(c, serve(t, flags...).env...)
		},
		"base": func(t *testing.T, c *exec.Cmd, flags ...string) *exec.Cmd {
			return with(c, "STRIPE_BASE="+serve(t, flags...).base)
		},
	}
}

func each(t *testing.T, test func(t *testing.T, c client, way func(*testing.T, *exec.Cmd, ...string) *exec.Cmd)) {
	for _, c := range clients() {
		for name, way := range ways() {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				test(t, c, way)
			})
		}
	}
}

func TestStripeWork(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c client, way func(*testing.T, *exec.Cmd, ...string) *exec.Cmd) {
		check(t, found(t, way(t, c.make(t, "pay", "page"))), want)
	})
}

func TestStripeErrorClasses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c client, way func(*testing.T, *exec.Cmd, ...string) *exec.Cmd) {
		check(t, found(t, way(t, c.make(t, "fail"))), failures)
	})
}

// The SDK's own retry meets a lost reply: it sends the same key, and gets the
// first result. There is one charge.
func TestStripeLostReplyIsRetried(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c client, way func(*testing.T, *exec.Cmd, ...string) *exec.Cmd) {
		check(t, found(t, way(t, c.make(t, "lose"), "--profile", "lost-charge")), `{"lose": {"status": "succeeded", "charges": 1, "replayed": "true"}}`)
	})
}

// A limit is a class of its own; neither SDK retries it.
func TestStripeRateLimit(t *testing.T) {
	t.Parallel()
	profile := filepath.Join(t.TempDir(), "limited.yaml")
	err := os.WriteFile(profile, []byte("profile: limited\nservices: {stripe: {}}\nfaults:\n  full: {call: stripe.GetCharges, inject: rate-limit}\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, c client, way func(*testing.T, *exec.Cmd, ...string) *exec.Cmd) {
		result := found(t, way(t, c.make(t, "limit"), "--profile", profile))
		got, _ := result["limit"].(map[string]any)
		if got["class"] != "StripeRateLimitError" || got["status"] != 429.0 || got["code"] != "rate_limit" {
			t.Errorf("a limit came out as %s", text(got))
		}
	})
}

// The report says that the SDK hid the fault from its agent.
func TestReportNamesTheSDKsOwnRetry(t *testing.T) {
	t.Parallel()
	for _, c := range clients() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			found(t, under(t, root, c.make(t, "lose"), "--profile", "lost-charge"))
			report := exec.CommandContext(t.Context(), parity, "report", "-o", "json")
			report.Env = append(os.Environ(), "PARITY_DIR="+root)
			out, err := report.Output()
			if err != nil {
				t.Fatal(err)
			}
			var told struct {
				Valid  bool
				Faults []struct {
					Rule                        string
					Fired, Swallowed, Exchanges int
				}
			}
			if err := json.Unmarshal(out, &told); err != nil {
				t.Fatal(err)
			}
			if !told.Valid || len(told.Faults) != 1 || told.Faults[0].Fired != 1 || told.Faults[0].Swallowed != 1 {
				t.Errorf("the report tells %+v", told)
			}
		})
	}
}
