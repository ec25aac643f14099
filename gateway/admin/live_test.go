package admin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A wall whose time goes by when the test says so.
type wall struct {
	now   time.Time
	waits chan chan time.Time // one for each After, as it is asked for
}

func (w wall) Now() time.Time { return w.now }

func (w wall) After(time.Duration) (<-chan time.Time, func()) {
	c := make(chan time.Time)
	select {
	case w.waits <- c:
	default: // the test lets no more time go by
	}
	return c, func() {}
}

// serving is a control plane on a port, whose getEvents gives events; it ends
// with lifetime.
func serving(t *testing.T, lifetime context.Context, o Options, events func(context.Context, Call) iter.Seq2[Event, error]) *httptest.Server {
	t.Helper()
	operations := every(t)
	operations["getEvents"] = func(ctx context.Context, call Call) (Answer, error) {
		return Answer{Events: events(ctx, call)}, nil
	}
	o.Address, o.Token, o.Operations = "127.0.0.1:0", token, operations
	server := httptest.NewUnstartedServer(handler(t, o))
	server.Config.BaseContext = func(net.Listener) context.Context { return lifetime }
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func listen(t *testing.T, ctx context.Context, server *httptest.Server, method, path string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	reply, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reply.Body.Close() })
	return reply
}

// numbered gives events from one number to another.
func numbered(from, to int) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for n := from; n <= to; n++ {
			if !yield(Event{ID: fmt.Sprint(n), Name: "exchange", JSON: map[string]int{"seq": n}}, nil) {
				return
			}
		}
	}
}

// waiting gives events, and then no more until its caller has left.
func waiting(ctx context.Context, to int, left chan<- struct{}) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for e := range numbered(1, to) {
			if !yield(e, nil) {
				break
			}
		}
		<-ctx.Done()
		close(left)
	}
}

// What each way of asking, and each end of a run, looks like on the wire.
func TestEventsOnTheWire(t *testing.T) {
	t.Parallel()
	const first, second = "id: 1\nevent: exchange\ndata: {\"seq\":1}\n\n", "id: 2\nevent: exchange\ndata: {\"seq\":2}\n\n"
	const end = "event: end\ndata: {}\n\n"
	server := serving(t, t.Context(), Options{}, func(_ context.Context, call Call) iter.Seq2[Event, error] {
		switch call.Path["run"] {
		case "empty":
			return numbered(1, 0)
		case "broken":
			return func(yield func(Event, error) bool) {
				if yield(Event{ID: "1", Name: "exchange", JSON: map[string]int{"seq": 1}}, nil) {
					yield(Event{}, errors.New("disk\non fire"))
				}
			}
		case "refused":
			return func(yield func(Event, error) bool) {
				yield(Event{}, &Problem{Status: 410, Code: "run-removed", Detail: "the run is gone"})
			}
		case "unseen":
			return func(func(Event, error) bool) { t.Error("events are drawn for HEAD, which nobody sees") }
		case "unwritable":
			return func(yield func(Event, error) bool) { yield(Event{ID: "1", JSON: make(chan int)}, nil) }
		case "forged":
			return func(yield func(Event, error) bool) { yield(Event{ID: "1\ndata: {}", JSON: 1}, nil) }
		case "lines":
			return func(yield func(Event, error) bool) {
				yield(Event{ID: "1", Name: "exchange", JSON: "a\nb\r\n\ndata: c"}, nil)
			}
		}
		after := 0
		if last := call.Header.Get("Last-Event-ID"); last != "" {
			fmt.Sscan(last, &after)
		}
		return numbered(after+1, 2)
	})
	for _, c := range []struct{ path, header, want string }{
		{"/v1/runs/a/events?live=true", "Accept: */*", first + second + end},
		{"/v1/runs/a/events", "Accept: text/event-stream", first + second + end},
		{"/v1/runs/a/events?live=true", "Last-Event-ID: 1", second + end},
		{"/v1/runs/a/events?live=true", "Last-Event-ID: 2", end},
		{"/v1/runs/empty/events?live=true", "Accept: */*", end},
		{"/v1/runs/lines/events?live=true", "Accept: */*", "id: 1\nevent: exchange\ndata: \"a\\nb\\r\\n\\ndata: c\"\n\n" + end},
		{"/v1/runs/broken/events?live=true", "Accept: */*", first + `event: problem` + "\n" +
			`data: {"status":500,"title":"Internal Server Error","code":"gateway-defect","detail":"the gateway could not do this: disk; on fire; its log may say more"}` + "\n\n"},
		{"/v1/runs/refused/events?live=true", "Accept: */*", `event: problem` + "\n" + `data: {"status":410,"title":"Gone","code":"run-removed","detail":"the run is gone"}` + "\n\n"},
	} {
		reply := listen(t, t.Context(), server, "GET", c.path, c.header)
		body, err := io.ReadAll(reply.Body)
		cut := strings.Contains(c.want, "problem")
		if string(body) != c.want || (err != nil) != cut || reply.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%s, %s: %q, %v, want %q", c.path, c.header, body, err, c.want)
		}
	}
	for _, path := range []string{"/v1/runs/unwritable/events?live=true", "/v1/runs/forged/events?live=true"} {
		body, _ := io.ReadAll(listen(t, t.Context(), server, "GET", path).Body)
		if !strings.HasPrefix(string(body), "event: problem\n") {
			t.Errorf("%s: %q", path, body)
		}
	}
	if reply := listen(t, t.Context(), server, "GET", "/v1/runs/a/events?live=true", "Last-Event-ID: x"); reply.StatusCode != 400 {
		t.Errorf("a Last-Event-ID that is no number: %d", reply.StatusCode)
	}
	if reply := listen(t, t.Context(), server, "HEAD", "/v1/runs/unseen/events?live=true"); reply.StatusCode != 200 || reply.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %q", reply.StatusCode, reply.Header.Get("Content-Type"))
	}
}

// An event is there when it is made, not when the next one is; and whoever
// leaves ends what makes them.
func TestEventsComeAtOnceAndEndWithTheirCaller(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	server := serving(t, t.Context(), Options{}, func(ctx context.Context, _ Call) iter.Seq2[Event, error] { return waiting(ctx, 1, left) })
	ctx, leave := context.WithCancel(t.Context())
	reply := listen(t, ctx, server, "GET", "/v1/runs/a/events?live=true")
	if line, err := bufio.NewReader(reply.Body).ReadString('\n'); err != nil || line != "id: 1\n" {
		t.Errorf("%q, %v", line, err)
	}
	leave()
	<-left
}

// Where nothing comes for a while a comment does, and only then.
func TestSilenceIsFilledWithComments(t *testing.T) {
	t.Parallel()
	left, more, written := make(chan struct{}), make(chan int), make(chan struct{})
	clock := wall{waits: make(chan chan time.Time, 8)}
	server := serving(t, t.Context(), Options{Wall: clock}, func(ctx context.Context, _ Call) iter.Seq2[Event, error] {
		return func(yield func(Event, error) bool) {
			defer close(left)
			for n := range more {
				if !yield(Event{ID: fmt.Sprint(n), Name: "exchange", JSON: n}, nil) {
					return
				}
				written <- struct{}{}
			}
			<-ctx.Done()
		}
	})
	ctx, leave := context.WithCancel(t.Context())
	lines := bufio.NewReader(listen(t, ctx, server, "GET", "/v1/runs/a/events?live=true").Body)
	expect := func(want string) {
		t.Helper()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(lines, got); err != nil || string(got) != want {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	pass := func() { <-clock.waits <- time.Time{} }
	pass()
	expect(": nothing yet\n\n")
	more <- 1
	expect("id: 1\nevent: exchange\ndata: 1\n\n")
	<-written // a beat that comes while an event goes out leaves the next one out as well
	pass()    // the event was within the time
	pass()
	<-clock.waits // what was to come of that has come
	expect(": nothing yet\n\n")
	more <- 2
	expect("id: 2\nevent: exchange\ndata: 2\n\n")
	<-written
	close(more)
	leave()
	<-left
}

// A server's limit for writing an answer is not for one that may take long.
func TestStreamsOutliveTheServersWriteTimeout(t *testing.T) {
	t.Parallel()
	operations := every(t)
	operations["getEvents"] = func(context.Context, Call) (Answer, error) { return Answer{Events: numbered(1, 1)}, nil }
	operations["exportRun"] = func(context.Context, Call) (Answer, error) {
		return Answer{ContentType: "application/jsonl", Stream: func(w io.Writer) error { _, err := io.WriteString(w, "{}\n"); return err }}, nil
	}
	server := httptest.NewUnstartedServer(handler(t, Options{Address: "127.0.0.1:0", Token: token, Operations: operations}))
	server.Config.WriteTimeout = time.Nanosecond // is over before anything is written
	server.Start()
	defer server.Close()
	body, err := io.ReadAll(listen(t, t.Context(), server, "GET", "/v1/runs/a/events?live=true").Body)
	if want := "id: 1\nevent: exchange\ndata: {\"seq\":1}\n\nevent: end\ndata: {}\n\n"; err != nil || string(body) != want {
		t.Errorf("%q, %v", body, err)
	}
	if body, err = io.ReadAll(listen(t, t.Context(), server, "GET", "/v1/runs/a/export").Body); err != nil || string(body) != "{}\n" {
		t.Errorf("%q, %v", body, err)
	}
}

// A gateway that ends ends its live events: a shutdown waits for them.
func TestEventsEndWithTheGateway(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	lifetime, end := context.WithCancel(t.Context())
	server := serving(t, lifetime, Options{}, func(ctx context.Context, _ Call) iter.Seq2[Event, error] { return waiting(ctx, 1, left) })
	reply := listen(t, t.Context(), server, "GET", "/v1/runs/a/events?live=true")
	lines := bufio.NewReader(reply.Body)
	if line, err := lines.ReadString('\n'); err != nil || line != "id: 1\n" {
		t.Fatalf("%q, %v", line, err)
	}
	end()
	if err := server.Config.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	<-left
	if rest, _ := io.ReadAll(lines); strings.Contains(string(rest), "event: end") {
		t.Errorf("the run has not ended, and it is said to have: %q", rest)
	}
}

// A caller that reads nothing does not hold up the gateway's end.
func TestGatewayEndsUnderACallerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	sending, over := make(chan struct{}), make(chan struct{})
	lifetime, end := context.WithCancel(t.Context())
	var once sync.Once
	// Its Now is long ago, so that no real time goes by before the limit.
	server := serving(t, lifetime, Options{Wall: wall{now: time.Unix(1, 0)}}, func(context.Context, Call) iter.Seq2[Event, error] {
		return func(yield func(Event, error) bool) {
			defer close(over)
			large := strings.Repeat("a", 1<<20)
			for yield(Event{ID: "1", Name: "exchange", JSON: large}, nil) {
				once.Do(func() { close(sending) })
			}
		}
	})
	listen(t, t.Context(), server, "GET", "/v1/runs/a/events?live=true")
	<-sending
	end()
	<-over
	if err := server.Config.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

// A panic while events are drawn costs that caller's stream, which is cut.
func TestPanicInEventsCostsThatStreamAlone(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	server := serving(t, t.Context(), Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, func(_ context.Context, call Call) iter.Seq2[Event, error] {
		if call.Path["run"] == "well" {
			return numbered(1, 1)
		}
		return func(yield func(Event, error) bool) {
			yield(Event{ID: "1", Name: "exchange", JSON: 1}, nil)
			panic("oh")
		}
	})
	body, err := io.ReadAll(listen(t, t.Context(), server, "GET", "/v1/runs/ill/events?live=true").Body)
	if err == nil || strings.Contains(string(body), "event: end") {
		t.Errorf("%q, %v, want a stream that is cut", body, err)
	}
	if body, err = io.ReadAll(listen(t, t.Context(), server, "GET", "/v1/runs/well/events?live=true").Body); err != nil || !strings.HasSuffix(string(body), "event: end\ndata: {}\n\n") {
		t.Errorf("%q, %v", body, err)
	}
	if text := log.String(); !strings.Contains(text, "oh") || !strings.Contains(text, "live_test.go") {
		t.Errorf("the log does not say what and where: %s", text)
	}
}

// A stream that breaks after its first byte is cut: a part of a record must not
// look like the whole.
func TestStreamThatBreaksIsCut(t *testing.T) {
	t.Parallel()
	operations := every(t)
	operations["exportRun"] = func(_ context.Context, call Call) (Answer, error) {
		return Answer{ContentType: "application/jsonl", Stream: func(w io.Writer) error {
			_, err := io.WriteString(w, "{}\n")
			if call.Path["run"] == "ill" {
				err = errors.New("disk on fire")
			}
			return err
		}}, nil
	}
	server := httptest.NewServer(handler(t, Options{Address: "127.0.0.1:0", Token: token, Operations: operations}))
	defer server.Close()
	for run, whole := range map[string]bool{"well": true, "ill": false} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/v1/runs/"+run+"/export", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		reply, err := server.Client().Do(r)
		if err == nil {
			_, err = io.ReadAll(reply.Body)
			reply.Body.Close()
		}
		if (err == nil) != whole {
			t.Errorf("%s: %v", run, err)
		}
	}
}

// Whoever leaves while an answer is on its way is no error of the gateway's.
func TestCallersWhoLeaveAreNotLogged(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	over := make(chan error, 1)
	operations := every(t)
	operations["exportRun"] = func(context.Context, Call) (Answer, error) {
		return Answer{ContentType: "application/jsonl", Stream: func(w io.Writer) (err error) {
			for chunk := make([]byte, 1<<16); err == nil; {
				_, err = w.Write(chunk)
			}
			return err
		}}, nil
	}
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token, Operations: operations, Log: slog.New(slog.NewTextHandler(&log, nil))})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { over <- fmt.Errorf("%v", recover()) }()
		h.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	if _, err := io.ReadFull(listen(t, ctx, server, "GET", "/v1/runs/a/export").Body, make([]byte, 10)); err != nil {
		t.Error(err)
	}
	leave()
	if err := <-over; err.Error() != http.ErrAbortHandler.Error() {
		t.Error(err)
	}
	if text := log.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}

// lockedBuffer is a log that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
