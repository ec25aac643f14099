package ingress_test

import (
	"net"
	"net/http"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/gateway/ingress"
)

// Another server's connections have a bound, and those that end make room.
func TestPacedListenerHasABound(t *testing.T) {
	t.Parallel()
	shed := &sheds{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(echo)}
	go func() { _ = server.Serve(ingress.Paced(l, 2, time.Minute, clock.System{}, shed.add)) }()
	defer server.Close()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(ample))
		return c
	}
	first, second, third := dial(), dial(), dial()
	defer second.Close()
	defer third.Close()
	if !answered(first) || !answered(second) || answered(third) {
		t.Error("of three connections the first two are to be answered")
	}
	if n := shed.count(ingress.ShedConnection); n != 1 {
		t.Errorf("%d were counted as too many, want 1", n)
	}
	_ = first.Close()
	for again := dial(); !answered(again); again = dial() { // once its end is seen
		_ = again.Close()
	}
}
