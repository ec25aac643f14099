package gateway_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/gateway"
)

// hasty is a wall on which waits are short.
type hasty struct{ clock.System }

func (h hasty) After(d time.Duration) (<-chan time.Time, func()) { return h.System.After(d / 50) }

// staying keeps a gateway up, and gives its address and what it ends with.
func staying(t *testing.T, ctx context.Context, change func(*gateway.Settings)) (address string, ended <-chan error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte(quiet), 0o600); err != nil {
		t.Fatal(err)
	}
	s := gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	}
	change(&s)
	read, write := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- gateway.Stay(ctx, s, "", write) }()
	said := make([]byte, 4096)
	n, err := read.Read(said)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(said[:n]), "data     ")
	address, _, _ = strings.Cut(rest, "\n")
	return address, done
}

// A call that held its run's lock held up SIGTERM for as long as it took, and
// the gateway ended without a word of it.
func TestGatewayEndsWhileACallHoldsItsRun(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	entered, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	var armed atomic.Bool
	armed.Store(true)
	address, ended := staying(t, ctx, func(s *gateway.Settings) {
		s.Wall = hasty{}
		s.Before = func(at gateway.Step) {
			if at == gateway.Act && armed.CompareAndSwap(true, false) {
				close(entered)
				<-release
			}
		}
	})
	go func() {
		r := requestOf(t, http.MethodGet, address+"/stripe/v1/charges", "Bearer sk_test_rehearsal", nil)
		if reply, err := http.DefaultClient.Do(r); err == nil {
			_ = reply.Body.Close()
		}
	}()
	select {
	case <-entered:
	case <-time.After(30 * time.Second):
		t.Fatal("the call was not made")
	}
	stop()
	select {
	case err := <-ended:
		if !errors.Is(err, gateway.ErrDefect) || !errors.Is(err, gateway.ErrHeld) {
			t.Errorf("it ended with %v; want what was held up said", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it did not end")
	}
}
