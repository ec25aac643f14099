// Package gatewaytest opens gateways for the tests of commands.
//
//	Open ─▶ a gateway under a profile ─▶ Must, Call: what an agent would call
//	                                      │
//	                                    Close: what waits to be written is written ─▶ the command that is tested
package gatewaytest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/gateway"
)

// Quiet is a profile in which nothing goes wrong, on a clock that tests can
// repeat, and in whose world is what a test makes.
const Quiet = `
profile: quiet
seed: 7
world: empty
services:
  stripe: {}
clock: {mode: stepped}
`

// Gateway is an open one, and where it keeps what.
type Gateway struct {
	*gateway.Server
	Root string // of runs
	File string // the profile

	t *testing.T
}

// Open opens a gateway under a profile, in a folder that goes with the test.
func Open(t *testing.T, profile string, change ...func(*gateway.Settings)) *Gateway {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	s := gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	}
	for _, c := range change {
		c(&s)
	}
	srv, err := gateway.Open(t.Context(), s)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	g := &Gateway{Server: srv, Root: s.Root, File: file, t: t}
	t.Cleanup(g.Close)
	return g
}

// Close closes the gateway: what it has kept can be read then.
func (g *Gateway) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := g.Server.Close(ctx); err != nil {
		g.t.Errorf("close: %v", err)
	}
}

// Base is where a service is.
func (g *Gateway) Base(service string) string { return "http://" + g.Addr() + "/" + service }

// Call makes one call, of a form where the content type is no other, and gives
// the status and the decoded body. An error means that no whole answer came.
func (g *Gateway) Call(method, target, body string, header ...string) (int, map[string]any, error) {
	g.t.Helper()
	r, err := http.NewRequestWithContext(g.t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Close = true // an idle connection would hold up Close
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return reply.StatusCode, nil, err
	}
	var decoded map[string]any
	if err := json.Unmarshal(text, &decoded); err != nil {
		return reply.StatusCode, nil, fmt.Errorf("%w in %q", err, text)
	}
	return reply.StatusCode, decoded, nil
}

// Must is a call that has to succeed.
func (g *Gateway) Must(method, target, body string, header ...string) map[string]any {
	g.t.Helper()
	status, decoded, err := g.Call(method, target, body, header...)
	if err != nil || status != http.StatusOK {
		g.t.Fatalf("%s %s: %d %v %v", method, target, status, decoded, err)
	}
	return decoded
}
