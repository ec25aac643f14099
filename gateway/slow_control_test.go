package gateway_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"parity/gateway"
)

// dialControl connects to the control port.
func (h *harness) dialControl() net.Conn {
	h.t.Helper()
	c, err := net.Dial("tcp", h.Control())
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(60 * time.Second))
	return c
}

// A client of the control port that asked and never read had its connection, and
// what was to be written to it, for ever.
func TestControlAnswersThatNobodyReadsAreCut(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.WriteTime = 250 * time.Millisecond })
	cut := func() bool { return h.metric(`parity_shed_total{what="slow-reader"}`) != "0" }
	c := h.dialControl()
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	go func() { // until it is closed
		for err := error(nil); err == nil; {
			_, err = io.WriteString(c, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
		}
	}()
	waitFor(t, "the end of its connection", cut)
	if n := h.metric("parity_runs_live"); n != "1" {
		t.Errorf("another client of the control port is told of %q runs", n)
	}
}

// A body that did not come had its connection for ever, whether the caller had a
// token or not.
func TestControlBodiesThatDoNotComeAreCut(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.BodyTime, s.Token = 250*time.Millisecond, controlToken })
	for name, header := range map[string]string{"with a token": "Authorization: Bearer " + controlToken + "\r\n", "without": ""} {
		c := h.dialControl()
		if _, err := io.WriteString(c, "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\n"+header+"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 4") {
			t.Errorf("%s: %q %v", name, said, err)
		}
	}
}
