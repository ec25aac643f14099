package ingress_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// sheds collects what a server turns away.
type sheds struct {
	mu   sync.Mutex
	what []ingress.Shed
}

func (s *sheds) add(what ingress.Shed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.what = append(s.what, what)
}

func (s *sheds) count(what ingress.Shed) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.what {
		if w == what {
			n++
		}
	}
	return n
}

// from connects from an address of this machine's.
func (p *port) from(address string) net.Conn {
	p.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := d.Dial("tcp", p.addr)
	if err != nil {
		p.t.Skipf("%s is no address of this machine: %v", address, err)
	}
	p.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(ample))
	return c
}

// answered makes a call on a connection that stays open, and tells whether it
// was answered.
func answered(c net.Conn) bool {
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return false
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	return err == nil && resp.StatusCode == http.StatusOK
}

func TestOneClientCannotHoldAllConnections(t *testing.T) {
	t.Parallel()
	shed := &sheds{}
	p := open(t, setup{change: func(o *ingress.Options) { o.MaxConns, o.Shed = 6, shed.add }})
	var all []bool
	for range 5 {
		all = append(all, answered(p.from("127.0.0.2")))
	}
	if want := []bool{true, true, true, false, false}; !slices.Equal(all, want) {
		t.Errorf("of five connections from one address, answered: %v, want %v", all, want)
	}
	if !answered(p.from("127.0.0.1")) {
		t.Error("another client found no connection")
	}
	if n := shed.count(ingress.ShedClient); n != 2 {
		t.Errorf("%d connections were counted as too many of one client, want 2", n)
	}
}

func TestHeadsThatDoNotEndAreCounted(t *testing.T) {
	t.Parallel()
	shed := &sheds{}
	p := open(t, setup{change: func(o *ingress.Options) { o.MaxHeld, o.Shed = 300<<10, shed.add }})
	head := "GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Filler: "+strings.Repeat("x", 1000)+"\r\n", 50)
	refused := 0
	for range 8 {
		c := p.from("127.0.0.2")
		if _, err := io.WriteString(c, head); err != nil {
			t.Fatal(err)
		}
		if !answeredWithin(c, p) {
			refused++
		}
	}
	if refused == 0 || shed.count(ingress.ShedHead) != refused {
		t.Errorf("%d of 8 heads were refused, %d counted: they have 400 KB and their client 150", refused, shed.count(ingress.ShedHead))
	}
	if !answered(p.from("127.0.0.1")) {
		t.Error("another client found no room")
	}
}

// answeredWithin tells whether a connection whose head goes on was left alone:
// the server holds as much as it was sent, or has answered 503.
func answeredWithin(c net.Conn, p *port) bool {
	before := p.Held()
	for {
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		buf := make([]byte, 32)
		n, err := c.Read(buf)
		if n > 0 {
			if got := string(buf[:n]); !strings.HasPrefix(got, "HTTP/1.1 503 ") {
				p.t.Errorf("answered %q", got)
			}
			return false
		}
		var timeout net.Error
		if !errors.As(err, &timeout) || !timeout.Timeout() {
			return false
		}
		if p.Held() >= before && p.Held() > 0 {
			return true
		}
	}
}

// What a request holds is given back when it has ended, whatever ended it: open
// looks at what is left after Shutdown.
func TestHeldBytesAreGivenBack(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		if err := ingress.Reserve(r.Context(), 1<<20); err != nil {
			t.Error(err)
		}
		ingress.Hold(r.Context(), 1<<20)
		if r.URL.Path == "/panic" {
			panic("planted")
		}
		echo(w, r)
	}
	eachWay(t, setup{handler: handler}, func(_ *testing.T, _ *port, _ way, c *http.Client, base string) {
		for _, path := range []string{"/", "/panic", "/"} {
			if resp, err := c.Post(base+path, "", strings.NewReader("x")); err == nil {
				_ = resp.Body.Close()
			}
		}
	})
}

func TestReserveRefusesBeyondTheBudget(t *testing.T) {
	t.Parallel()
	const each = 1 << 20
	asks := make(chan int64)
	got := make(chan error)
	handler := func(w http.ResponseWriter, r *http.Request) {
		for n := range asks {
			got <- ingress.Reserve(r.Context(), n)
		}
	}
	p := open(t, setup{handler: handler, change: func(o *ingress.Options) { o.MaxHeld = 2 * each }})
	c := p.raw()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		n    int64
		want error
	}{
		{32 << 10, nil}, {2 * each, ingress.ErrClientFull}, {each * 3 / 4, nil}, {each / 8, ingress.ErrClientFull}, {0, nil},
	} {
		asks <- step.n
		if err := <-got; !errors.Is(err, step.want) {
			t.Errorf("%d bytes more: %v, want %v", step.n, err, step.want)
		}
	}
	close(asks)
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || resp.StatusCode != 200 {
		t.Error(resp, err)
	}
}
