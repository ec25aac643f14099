package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	c := &client{target: target{addr: server.Listener.Addr().String()}}
	defer c.close()
	var body bytes.Buffer
	for range 2 { // again: nothing of the last reply is left on the connection
		for name := range handlers {
			one := call{method: "GET", path: "/" + name}
			if name == "echo" {
				one = call{method: "POST", path: "/echo", body: "amount=1"}
			}
			status, size, err := c.exchange(t.Context(), one.render("", "loopback"), &body)
			if err != nil || status/100 != 2 || body.String() != want[name] || size != len(want[name]) {
				t.Errorf("%s: status %d, %d bytes (%d kept), %v", name, status, size, body.Len(), err)
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
	all := newCrowd(target{addr: server.Listener.Addr().String()})
	defer all.close()
	request := call{method: "GET", path: "/"}.render("", "loopback")
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
