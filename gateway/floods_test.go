package gateway_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"parity/gateway"
	"parity/gateway/exchange"
)

// allocated is how many bytes were allocated while f ran, by anybody: a test
// that asks runs alone.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// admitted tells of each exchange that begins.
func admitted(seen chan<- struct{}) func(*gateway.Settings) {
	return func(s *gateway.Settings) {
		s.Before = func(step exchange.Step) {
			if step == exchange.Admit {
				seen <- struct{}{}
			}
		}
	}
}

// from connects to the data port from an address of this machine's.
func (h *harness) from(address string) net.Conn {
	h.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := d.Dial("tcp", h.Addr())
	if err != nil {
		h.t.Skipf("%s is no address of this machine: %v", address, err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	return c
}

// Not parallel: it counts what the whole process allocates.
func TestAnnouncedLengthsAreNotAllocated(t *testing.T) {
	const streams = 200
	seen := make(chan struct{}, streams)
	h := open(t, quiet, admitted(seen))
	n := allocated(func() {
		c := promising(h.Addr(), streams)
		for range streams {
			<-seen
		}
		_ = c.Close()
		h.close() // which waits for all of them
	})
	if most := uint64(64 << 20); n > most {
		t.Errorf("%d streams that announced 10 MiB and sent a byte had %d MiB allocated, want at most %d", streams, n>>20, most>>20)
	}
}

// zipped gives n zeros, compressed so many times.
func zipped(t *testing.T, n, times int) []byte {
	t.Helper()
	data := make([]byte, n)
	for range times {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data = b.Bytes()
	}
	return data
}

// Not parallel: it counts what the whole process allocates.
func TestGzipBombsAreRefused(t *testing.T) {
	h := open(t, quiet)
	c := h.direct(false, false)
	for _, test := range []struct {
		name, encoding string
		times, status  int
	}{
		{"10 MB of zeros in 10 KB", "gzip", 1, http.StatusRequestEntityTooLarge},
		{"nested, as such", "gzip, gzip", 2, http.StatusUnsupportedMediaType},
		{"nested, as one", "gzip", 2, http.StatusBadRequest}, // what is inside is no form
	} {
		body := zipped(t, 10<<20, test.times)
		n := allocated(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.Addr()+"/stripe/v1/customers", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Content-Encoding", test.encoding)
			reply, err := c.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = reply.Body.Close()
			if reply.StatusCode != test.status {
				t.Errorf("%s: %d, want %d", test.name, reply.StatusCode, test.status)
			}
		})
		if most := uint64(16 << 20); n > most {
			t.Errorf("%s: %d MiB were allocated, want at most %d", test.name, n>>20, most>>20)
		}
	}
}

// A body of more values than anybody sends is refused in the words of its
// service, before the run's lock is taken for it.
func TestABodyOfTooManyValuesIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(quiet, "stripe: {}", "stripe: {}\n  memos: {contract: memos.yaml}", 1), beside(t, "memos.yaml", memos))
	var keys strings.Builder
	for i := range 260_000 {
		fmt.Fprintf(&keys, `,"k%d":1`, i)
	}
	status, body, _, err := call(t, h.direct(false, false), "POST", "http://"+h.Addr()+"/memos/memos", `{"text":"a"`+keys.String()+"}", "Content-Type", "application/json")
	if err != nil || status != http.StatusBadRequest || !strings.Contains(fmt.Sprint(body), "250000 values") {
		t.Errorf("%d %v %v", status, body, err)
	}
}

// What comes last is refused in words, and the rest goes on: small calls of the
// same client, and other clients.
func TestTheNewestIsRefusedBeyondTheBudget(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.MaxHeld = 2 << 20 })
	customers := "http://" + h.Addr() + "/stripe/v1/customers"
	var first *http.Response
	for range 4 { // 300 KB each, of which a client may have 1 MiB
		c := h.from("127.0.0.1")
		head := fmt.Sprintf("POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", 10<<20)
		go func() { _, _ = io.WriteString(c, head+strings.Repeat("a", 300<<10)) }() // and waits
	}
	big := strings.Repeat("b", 900<<10)
	for first == nil || first.StatusCode != http.StatusTooManyRequests { // once theirs is there
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, customers, strings.NewReader(big))
		if err != nil {
			t.Fatal(err)
		}
		if first, err = h.direct(false, false).Do(r); err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(first.Body)
		_ = first.Body.Close()
		if first.StatusCode == http.StatusTooManyRequests &&
			(first.Header.Get("X-Parity-Refused") != "client-full" || first.Header.Get("Retry-After") == "" || !bytes.Contains(body, []byte("--max-held"))) {
			t.Errorf("refused with %v %s", first.Header, body)
		}
	}
	must(t, h.direct(false, false), "POST", customers, "name=Ada")
	other, body := h.from("127.0.0.2"), "description="+strings.Repeat("c", 300<<10)
	_ = other.SetDeadline(time.Now().Add(2 * time.Minute))
	_, _ = fmt.Fprintf(other, "POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	answer, err := http.ReadResponse(bufio.NewReader(other), nil)
	if err != nil || answer.Header.Get("X-Parity-Refused") != "" {
		t.Errorf("another client: %v %v", answer, err)
	}
	if n := h.metric(`parity_requests_refused_total{reason="client-full"}`); n == "" || n == "0" {
		t.Error("no metric says so")
	}
}

// heldUp opens a gateway whose first exchange stays in its turn, under its run's
// lock, until release is called.
func heldUp(t *testing.T, change ...func(*gateway.Settings)) (h *harness, first func(), release func()) {
	turn, held := make(chan struct{}), make(chan struct{})
	var once, over sync.Once
	release = func() { over.Do(func() { close(turn) }) }
	h = open(t, quiet, append(change, func(s *gateway.Settings) {
		s.Before = func(step exchange.Step) {
			if step == exchange.Plan {
				once.Do(func() { close(held); <-turn })
			}
		}
	})...)
	t.Cleanup(release) // before the gateway closes
	first = func() {
		c := h.from("127.0.0.1")
		_, _ = io.WriteString(c, "POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+floodKey+"\r\n\r\n")
		<-held
	}
	return h, first, release
}

// Calls of HTTP/2 that are taken back while they wait for their run once did
// their work all the same, one after another, before anybody else had a turn.
func TestCallsTakenBackInLineAreNotDone(t *testing.T) {
	t.Parallel()
	const calls = 20
	h, first, release := heldUp(t)
	first()
	s, err := speak(h.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range calls {
		if _, err := s.ask("POST", "/stripe/v1/customers"); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "each call", func() bool { return h.metric("parity_requests_open") == strconv.Itoa(calls+1) })
	for id := uint32(1); id < 2*calls; id += 2 {
		if id%4 == 1 {
			err = s.WriteRSTStream(id, http2.ErrCodeCancel)
		} else {
			err = s.WriteWindowUpdate(id, 0) // on which the gateway resets it
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	left := func() string { return h.metric(`parity_requests_refused_total{reason="client-left"}`) }
	// One has the seat, and the connection's first asks whether it may come about.
	waitFor(t, "the end of those that wait behind others", func() bool { return left() == strconv.Itoa(calls-2) })
	release()
	waitFor(t, "the end of those two", func() bool { return left() == strconv.Itoa(calls) })
	list := must(t, h.direct(false, false), "GET", "http://"+h.Addr()+"/stripe/v1/customers", "")
	if n := len(list["data"].([]any)); n != 1 {
		t.Errorf("%d customers were made, want that of the client that stayed", n)
	}
	events, _ := h.events()
	if n := len(events); n != 3 { // the start, the first call and the list
		t.Errorf("%d events are in the record, want 3", n)
	}
}

// One run cannot have more than its calls under way, whoever makes them: the
// newest is refused in words.
func TestOneRunCannotHaveAllCalls(t *testing.T) {
	t.Parallel()
	h, first, release := heldUp(t, func(s *gateway.Settings) { s.MaxCalls = 4 })
	first()
	var all []net.Conn
	for _, address := range []string{"127.0.0.1", "127.0.0.2", "127.0.0.2"} {
		c := h.from(address)
		_, _ = io.WriteString(c, "GET /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+floodKey+"\r\n\r\n")
		all = append(all, c)
	}
	waitFor(t, "each call", func() bool { return h.metric("parity_requests_open") == "4" })
	for _, test := range []struct {
		address, code string
		status        int
	}{
		{"127.0.0.3", "run-busy", http.StatusServiceUnavailable},
		{"127.0.0.1", "client-busy", http.StatusTooManyRequests},
	} {
		c := h.from(test.address)
		_, _ = io.WriteString(c, "GET /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		reply, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(reply.Body)
		if reply.StatusCode != test.status || reply.Header.Get("X-Parity-Refused") != test.code || reply.Header.Get("Retry-After") == "" || !bytes.Contains(said, []byte("--max-calls")) {
			t.Errorf("%s: %d %v %s", test.address, reply.StatusCode, reply.Header, said)
		}
		if n := h.metric(`parity_requests_refused_total{reason="` + test.code + `"}`); n != "1" {
			t.Errorf("%s is counted %s times, want once", test.code, n)
		}
	}
	release()
	for _, c := range all {
		if reply, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || reply.StatusCode != http.StatusOK {
			t.Errorf("a call within the bound: %v %v", reply, err)
		}
	}
}

// An agent that has many calls under way at once is served, on one connection
// and on many.
func TestParallelCallsOfOneClientAreServed(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	for _, c := range []*http.Client{h.direct(true, false), h.direct(false, false)} {
		var all sync.WaitGroup
		for range 128 {
			all.Go(func() {
				status, body, _, err := call(t, c, "POST", "http://"+h.Addr()+"/stripe/v1/customers", "name=Ada")
				if err != nil || status != http.StatusOK {
					t.Error(status, body, err)
				}
			})
		}
		all.Wait()
	}
}
