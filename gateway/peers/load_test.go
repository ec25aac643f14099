package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestClientReadsWhatServersWrite: the client of this folder reads no more than
// it has to, so that what it does read is held against net/http.
func TestClientReadsWhatServersWrite(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 5000)
	handlers := map[string]http.HandlerFunc{
		"length": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "short") },
		"long": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(long)))
			_, _ = io.WriteString(w, long)
		},
		"chunked": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, long)
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, "end")
		},
		"empty": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "0")
			w.WriteHeader(http.StatusCreated)
		},
		"closed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			w.Header().Set("Content-Length", "2")
			_, _ = io.WriteString(w, "ok")
		},
		"echo": func(w http.ResponseWriter, r *http.Request) { body, _ := io.ReadAll(r.Body); _, _ = w.Write(body) },
	}
	mux := http.NewServeMux()
	for name, handler := range handlers {
		mux.HandleFunc("/"+name, handler)
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	want := map[string]string{"length": "short", "long": long, "chunked": long + "end", "empty": "", "closed": "ok", "echo": "amount=1"}
	to := target{addr: server.Listener.Addr().String(), way: direct}
	for _, kind := range []string{netHTTP, raw} {
		all := newCrowd(kind, to)
		defer all.close()
		for i := range 3 * len(handlers) { // again: nothing of the last reply is left on the connection
			name := slices.Sorted(maps.Keys(handlers))[i%len(handlers)]
			one := call{method: "GET", path: "/" + name}
			if name == "echo" {
				one = call{method: "POST", path: "/echo", body: "amount=1"}
			}
			var body bytes.Buffer
			status, size, err := all[0].exchange(t.Context(), to.request(one), &body)
			if err != nil || status/100 != 2 || body.String() != want[name] || size != len(want[name]) {
				t.Errorf("%s, %s: status %d, %d bytes (%d kept), %v", kind, name, status, size, body.Len(), err)
			}
			if _, unkept, err := all[0].exchange(t.Context(), to.request(one), nil); err != nil || unkept != size {
				t.Errorf("%s, %s, not kept: %d bytes, %v", kind, name, unkept, err)
			}
		}
	}
}

func TestDriveEndsAtEitherBoundAndCountsWhatFails(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 7 {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer server.Close()
	to := target{addr: server.Listener.Addr().String(), way: direct}
	all := newCrowd(raw, to)
	defer all.close()
	request := to.request(call{method: "GET", path: "/"})
	got := all.drive(t.Context(), request, http.StatusOK, 0, 100)
	if got.calls != 100 || asked.Load() != 100 || got.failed != 1 || got.first != "status 418 instead of 200" {
		t.Errorf("%d asked, got %+v", asked.Load(), got)
	}
	if got := all.drive(t.Context(), request, http.StatusOK, 20*time.Millisecond, 0); got.calls == 0 || got.failed > 0 || got.took < 20*time.Millisecond {
		t.Errorf("for a time: %+v", got)
	}
	server.Close()
	if got := all.drive(t.Context(), request, http.StatusOK, time.Minute, 0); got.failed < connections || got.calls != got.failed {
		t.Errorf("nobody there: %+v", got)
	}
}

// TestAnIdleConnectionThatWasClosedIsOpenedAnew: servers in Node close theirs
// after five seconds, while others have their turn.
func TestAnIdleConnectionThatWasClosedIsOpenedAnew(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	to := target{addr: server.Listener.Addr().String(), way: direct}
	for _, kind := range []string{netHTTP, raw} {
		all := newCrowd(kind, to)
		defer all.close()
		for range 3 {
			if status, _, err := all[0].exchange(t.Context(), to.request(call{method: "POST", path: "/", body: "a=1"}), nil); status != http.StatusOK || err != nil {
				t.Errorf("%s: status %d, %v", kind, status, err)
			}
			server.CloseClientConnections()
		}
	}
}

func TestEachWayIsAskedAsItsServersExpect(t *testing.T) {
	t.Parallel()
	one := call{method: "POST", path: "/v1/customers", body: "email=a"}
	for _, test := range []struct {
		to        target
		line, url string
	}{
		{target{addr: "127.0.0.1:1", way: direct, prefix: "/stripe"}, "POST /stripe/v1/customers HTTP/1.1\r\nHost: 127.0.0.1:1\r\n", "http://127.0.0.1:1/stripe/v1/customers"},
		{target{addr: "127.0.0.1:1", way: plain, prefix: "/stripe"}, "POST http://api.stripe.com/v1/customers HTTP/1.1\r\nHost: api.stripe.com\r\n", "http://api.stripe.com/v1/customers"},
		{target{addr: "127.0.0.1:1", way: intercepted}, "POST /v1/customers HTTP/1.1\r\nHost: api.stripe.com\r\n", "https://api.stripe.com/v1/customers"},
	} {
		got := test.to.request(one)
		if !strings.HasPrefix(string(got.rendered), test.line) || got.url != test.url || !strings.HasSuffix(string(got.rendered), "\r\n\r\nemail=a") {
			t.Errorf("%s: %s %q", test.to.way, got.url, got.rendered)
		}
	}
}

// TestPacedCallsAreMadeWhetherOrNotAnswersCome, and wait from when they were due.
func TestPacedCallsAreMadeWhetherOrNotAnswersCome(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if asked.Add(1) == 1 {
			time.Sleep(200 * time.Millisecond)
		}
	}))
	defer server.Close()
	to := target{addr: server.Listener.Addr().String(), way: direct}
	all := newCrowd(raw, to)
	defer all.close()
	waits, err := all.pace(t.Context(), to.request(call{method: "GET", path: "/"}), http.StatusOK, 300*time.Millisecond)
	if err != nil || len(waits) != perSecond*3/10 || asked.Load() != int64(len(waits)) {
		t.Fatalf("%d asked, %d waits, %v", asked.Load(), len(waits), err)
	}
	late := 0
	for _, w := range waits {
		if w >= 100 {
			late++
		}
	}
	if late < 3 { // that call, and those of its connection that were due meanwhile
		t.Errorf("%d calls waited", late)
	}
	if _, err := all.pace(t.Context(), to.request(call{method: "GET", path: "/"}), http.StatusCreated, 10*time.Millisecond); err == nil {
		t.Error("another status, and no error")
	}
}
