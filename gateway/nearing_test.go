package gateway_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/exchange"
)

// logged is a log that tests read.
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

func TestNobodyIsWarnedBeforeRunsAreRefused(t *testing.T) {
	t.Parallel()
	var log logged
	h := open(t, quiet, func(s *gateway.Settings) {
		s.MaxRuns, s.Token, s.Log = 20, chosen, slog.New(slog.NewTextHandler(&log, nil))
	})
	c := clientAt(t, h, "127.0.0.1")
	warned := func() int { return log.count("live runs: ") }
	for n := 2; n <= 20; n++ {
		if _, err := c.Make(t.Context(), client.NewRun{Names: []string{fmt.Sprint("r", n)}}); err != nil {
			t.Fatal(err)
		}
		want := 0
		switch {
		case n >= 19:
			want = 2 // at 80 % and at 95 %
		case n >= 16:
			want = 1
		}
		if got := warned(); got != want {
			t.Fatalf("with %d of 20 runs it was warned %d times, want %d", n, got, want)
		}
	}
	for range 5 { // up and down about the bound
		if err := c.Remove(t.Context(), "r20"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Make(t.Context(), client.NewRun{Names: []string{"r20"}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := warned(); got != 2 {
		t.Errorf("it was warned %d times of one crossing", got)
	}
}

func TestNobodyIsWarnedBeforeCallsAreRefused(t *testing.T) {
	t.Parallel()
	var log logged
	open, entered := make(chan struct{}), make(chan struct{}, 8)
	h := openWith(t, &log, func(step exchange.Step) {
		if step == exchange.Match {
			entered <- struct{}{}
			<-open
		}
	})
	var calls sync.WaitGroup
	for range 4 { // of 10, one address has 5
		calls.Go(func() {
			reply, err := h.direct(false, false).Get("http://" + h.Addr() + "/stripe/v1/customers")
			if err != nil {
				t.Error(err)
				return
			}
			reply.Body.Close()
		})
	}
	for range 4 {
		<-entered
	}
	close(open)
	calls.Wait()
	if got := log.count("calls under way"); got != 1 {
		t.Errorf("of calls it was warned %d times, want once", got)
	}
}

func openWith(t *testing.T, log *logged, before func(exchange.Step)) *harness {
	t.Helper()
	return open(t, quiet, func(s *gateway.Settings) {
		s.MaxCalls, s.Before, s.Log = 10, before, slog.New(slog.NewTextHandler(log, nil))
	})
}
