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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"parity/gateway"
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
		s.Before = func(step gateway.Step) {
			if step == gateway.Admit {
				seen <- struct{}{}
			}
		}
	}
}

// promising opens streams of HTTP/2 that announce 10 MiB each and send a byte.
func (h *harness) promising(streams int) net.Conn {
	h.t.Helper()
	c := h.from("127.0.0.1")
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		h.t.Fatal(err)
	}
	f := http2.NewFramer(c, c)
	go func() { _, _ = io.Copy(io.Discard, c) }()
	err := f.WriteSettings()
	for i := 0; i < streams && err == nil; i++ {
		var head bytes.Buffer
		e := hpack.NewEncoder(&head)
		for _, field := range [][2]string{
			{":method", "POST"}, {":scheme", "http"}, {":authority", "localhost"}, {":path", "/stripe/v1/customers"}, {"content-length", "10485760"},
		} {
			_ = e.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
		}
		id := uint32(2*i + 1)
		if err = f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: head.Bytes(), EndHeaders: true}); err == nil {
			err = f.WriteData(id, false, []byte("a"))
		}
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return c
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
		c := h.promising(streams)
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
	_ = other.SetDeadline(time.Now().Add(20 * time.Second))
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

// A flood is a client that does what it does until stop is closed.
type flood struct {
	name string
	do   func(h *harness, stop <-chan struct{})
}

func floods() []flood {
	again := func(stop <-chan struct{}, f func()) {
		for {
			select {
			case <-stop:
				return
			default:
				f()
			}
		}
	}
	return []flood{
		{"announced lengths", func(h *harness, stop <-chan struct{}) {
			again(stop, func() { _ = h.promising(100).Close() })
		}},
		{"large bodies that do not end", func(h *harness, stop <-chan struct{}) {
			var all []net.Conn
			for range 24 {
				c := h.from("127.0.0.1")
				all = append(all, c)
				_ = c.SetWriteDeadline(time.Now().Add(time.Second))
				_, _ = fmt.Fprintf(c, "POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", 10<<20, strings.Repeat("a", 1<<20))
			}
			<-stop
			for _, c := range all {
				_ = c.Close()
			}
		}},
		{"heads that do not end", func(h *harness, stop <-chan struct{}) {
			var all []net.Conn
			for range 100 {
				c := h.from("127.0.0.1")
				all = append(all, c)
				_, _ = io.WriteString(c, "GET /stripe/v1/customers HTTP/1.1\r\nX-Filler: "+strings.Repeat("x", 30<<10))
			}
			<-stop
			for _, c := range all {
				_ = c.Close()
			}
		}},
		{"replies that nobody reads", func(h *harness, stop <-chan struct{}) {
			var all []net.Conn
			for range 50 {
				c := h.from("127.0.0.1")
				all = append(all, c)
				_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
				_, _ = io.WriteString(c, strings.Repeat("GET /stripe/v1/customers?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc\r\n\r\n", 20))
			}
			<-stop
			for _, c := range all {
				_ = c.Close()
			}
		}},
	}
}

// held is how much the gateway says that it holds, in bytes.
func (h *harness) held() int64 {
	n, err := strconv.ParseFloat(h.metric("parity_held_bytes"), 64)
	if err != nil {
		h.t.Error(err)
	}
	return int64(n)
}

// Beside each flood a healthy client is answered, each time, and what is held
// for requests stays within its bound. How long it waits is printed.
func TestHealthyClientBesideFloods(t *testing.T) {
	const calls, bound = 60, 32 << 20
	for _, f := range floods() {
		t.Run(f.name, func(t *testing.T) {
			h := open(t, quiet, func(s *gateway.Settings) { s.MaxHeld = bound })
			customers := "http://" + h.Addr() + "/stripe/v1/customers"
			c := h.direct(false, false)
			measure := func() (p50, p99 time.Duration) {
				var took []time.Duration
				for range calls {
					began := time.Now()
					must(t, c, "GET", customers, "")
					took = append(took, time.Since(began))
				}
				slices.Sort(took)
				return took[calls/2], took[calls*99/100]
			}
			for range 20 {
				must(t, c, "POST", customers, "description="+strings.Repeat("x", 400))
			}
			alone50, alone99 := measure()
			stop := make(chan struct{})
			var all sync.WaitGroup
			all.Go(func() { f.do(h, stop) })
			p50, p99 := measure()
			held := h.held()
			close(stop)
			all.Wait()
			t.Logf("p50 %v, p99 %v; alone %v, %v; held %d KiB of %d", p50, p99, alone50, alone99, held>>10, bound>>10)
			if held > bound {
				t.Errorf("%d bytes are held, want at most %d", held, bound)
			}
		})
	}
}
