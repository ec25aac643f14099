package gateway_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"parity/faults/trail"
)

// What an agent's own server is called leads to it through the proxy as without
// one, and to nothing else that is on this machine.
func TestAnAgentsOwnServersAreReachedThroughTheProxy(t *testing.T) {
	t.Parallel()
	const name = "parity-agent-7"
	serve := func() (*httptest.Server, int) {
		l, err := net.Listen("tcp", "[::]:0") // both families
		if err != nil {
			t.Skip(err)
		}
		s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })}} //nolint:gosec // of a test
		s.Start()
		t.Cleanup(s.Close)
		return s, l.Addr().(*net.TCPAddr).Port
	}
	_, own := serve()
	_, others := serve()
	h := open(t, quiet)
	_, digits, _ := net.SplitHostPort(h.Control())
	control, _ := strconv.Atoi(digits)
	h.Serving(func(port int) bool { return port == own || port == control }, []string{name})
	ask := func(method, to string) int {
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		target := "http://" + to + "/"
		if method == http.MethodConnect {
			target = to
		}
		basic := base64.StdEncoding.EncodeToString([]byte(h.Run.ID + ":" + h.Run.Token))
		fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: Basic %s\r\nConnection: close\r\n\r\n", method, target, to, basic)
		reply, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Errorf("%s %s: %v", method, to, err)
			return 0
		}
		defer reply.Body.Close()
		return reply.StatusCode
	}
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "0.0.0.0", "[::1]", "[::]", "localhost", "LOCALHOST.", "a.localhost", "[::ffff:127.0.0.1]"} {
		at := fmt.Sprint(host, ":", own)
		if got := ask(http.MethodGet, at); got != http.StatusTeapot {
			t.Errorf("%s: %d", at, got)
		}
		if got := ask(http.MethodConnect, at); got != http.StatusOK {
			t.Errorf("CONNECT %s: %d", at, got)
		}
	}
	for _, e := range h.eventsOf(h.Run.ID) {
		if e.Kind == trail.Tunnelled || e.Kind == trail.Exchanged {
			t.Errorf("a call of the agent to itself is in its record: %+v", e)
		}
	}
	for _, to := range []string{
		fmt.Sprint("127.0.0.2:", others), fmt.Sprint("127.0.0.1:", control), fmt.Sprint("0.0.0.0:", control), fmt.Sprint("10.0.0.1:", own), fmt.Sprint("192.168.0.1:", own),
		fmt.Sprint("169.254.169.254:", own), fmt.Sprint("x.", name, ":", own), fmt.Sprint("example.com:", own), fmt.Sprint("localhost.example:", own), fmt.Sprint(name, ":", own), // which is at no address
	} {
		for _, method := range []string{http.MethodGet, http.MethodConnect} {
			if got := ask(method, to); got < 400 || got == http.StatusTeapot {
				t.Errorf("%s %s: %d", method, to, got)
			}
		}
	}
	if hosts := strings.Split(h.Addr(), ":"); ask(http.MethodGet, "127.0.0.3:"+hosts[len(hosts)-1]) < 400 {
		t.Error("the data port leads to itself")
	}
}
