package gateway_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A client that closes its sending side, as nc does, still reads its answer: it
// once got an empty 200, which is what net/http sends for a silent handler.
func TestHalfClosedClientGetsItsAnswer(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	for range 50 {
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "GET /nowhere/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(c)
		_ = c.Close()
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 404 ") {
			t.Fatalf("%v: %s", err, answer)
		}
	}
}

// A body that is announced over the limit is refused at once, without waiting
// for it: net/http once waited for a quarter of a megabyte first.
func TestAnnouncedBodyOverTheLimitIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	c, err := net.Dial("tcp", h.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := c.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 13)
	if _, err := io.ReadFull(c, answer); err != nil || string(answer) != "HTTP/1.1 413 " {
		t.Errorf("%v: %q", err, answer)
	}
}
