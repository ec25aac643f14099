package rehearsal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/exchange"
)

// hasty is a wall on which waits are short.
type hasty struct{ clock.System }

func (h hasty) After(d time.Duration) (<-chan time.Time, func()) { return h.System.After(d / 50) }

// staying keeps a gateway up, and gives its address and what it ends with.
func staying(t *testing.T, ctx context.Context, change func(*gateway.Settings)) (address string, ended <-chan error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte("profile: quiet\nseed: 7\nservices: {stripe: {}}\nclock: {mode: stepped}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	}
	change(&s)
	read, write := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, s, "", write) }()
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
		s.Before = func(at exchange.Step) {
			if at == exchange.Act && armed.CompareAndSwap(true, false) {
				close(entered)
				<-release
			}
		}
	})
	go func() {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/stripe/v1/charges", http.NoBody)
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer sk_test_rehearsal")
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
		if !errors.Is(err, ErrDefect) || !errors.Is(err, gateway.ErrHeld) {
			t.Errorf("it ended with %v; want what was held up said", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it did not end")
	}
}

// logged is a log that is written to while it is looked at.
type logged struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *logged) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.out.String(), text)
}

// What an operator reads after a restart: what started, how many runs go on, why
// it stopped.
func TestTheLogDoesNotSayWhatStartedAndWhyItEnded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "quiet.yaml")
	if err := os.WriteFile(file, []byte("profile: quiet\nservices: {stripe: {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const token = "0123456789abcdefghij0123"
	stay := func(do func(ready string)) *logged {
		log := &logged{}
		ctx, stop := context.WithCancelCause(t.Context())
		defer stop(nil)
		r, w := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- Serve(ctx, gateway.Settings{
				Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file, Token: token,
				Getenv: func(string) string { return "" }, Log: slog.New(slog.NewTextHandler(log, nil)),
			}, "", w)
			w.Close()
		}()
		said := make([]byte, 4096)
		n, err := r.Read(said)
		if err != nil {
			t.Fatal(err, <-ended)
		}
		do(string(said[:n]))
		stop(errors.New("the test is over"))
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		return log
	}
	log := stay(func(ready string) {
		_, rest, _ := strings.Cut(ready, "control  ")
		c, err := client.New(client.Options{URL: strings.Fields(rest)[0], Token: token})
		if err == nil {
			_, err = c.Make(t.Context(), client.NewRun{Names: []string{"one", "two"}})
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, want := range []string{"the gateway is up", "version=" + gateway.Version, "revision=", `why="the test is over"`, "msg=ended"} {
		if log.count(want) != 1 {
			t.Errorf("%q is in the log %d times:\n%s", want, log.count(want), log.out.String())
		}
	}
	again := stay(func(string) {})
	if again.count("runs=2 clean=true took=") != 1 {
		t.Errorf("it does not say that two runs go on:\n%s", again.out.String())
	}
}
