package gateway_test

import (
	"bufio"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway"
	"parity/profiles/policy"
)

// askedBy makes one request for a host in each way in, and gives what was said.
func askedBy(t *testing.T, h *harness, way, host string) string {
	t.Helper()
	c, err := net.Dial("tcp", h.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	basic := "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(h.Run.ID+":"+h.Run.Token)) + "\r\n"
	switch way {
	case "proxy":
		fmt.Fprintf(c, "GET http://%s/v1/x HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n", host, host, basic)
	case "connect":
		fmt.Fprintf(c, "CONNECT %s:443 HTTP/1.1\r\nHost: %s:443\r\n%s\r\n", host, host, basic)
	case "direct":
		fmt.Fprintf(c, "GET /v1/x HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host)
	case "sni":
		c = tls.Client(c, &tls.Config{ServerName: strings.TrimSuffix(host, "."), InsecureSkipVerify: true})
		fmt.Fprintf(c, "GET /v1/x HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host)
	}
	reply, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err.Error() // of a handshake that went past the gateway
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(reply.Body, 4096))
	return fmt.Sprint(reply.StatusCode, " ", reply.Status, " ", string(text))
}

// One question decides, whichever way a client comes in: what is played or moves
// money is refused in all of them, and under mode: tool what nobody named passes in
// all of them.
func TestAllWaysInDecideAlike(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	left := map[string]int{}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		left[strings.ToLower(r.Host)]++
		mu.Unlock()
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(upstream.Close)
	for _, mode := range []policy.EgressMode{policy.Agent, policy.Tool} {
		h := open(t, "profile: ways\nservices: {stripe: {}}\npolicy: {egress: {tunnel: ['*.corp.example']}}\n", func(s *gateway.Settings) {
			s.Egress = mode
			s.Getenv = func(name string) string {
				return map[string]string{"HTTPS_PROXY": upstream.URL, "HTTP_PROXY": upstream.URL}[name]
			}
		})
		for host, want := range map[string]string{
			"a.corp.example": "out", "api.weather.gov": map[policy.EgressMode]string{policy.Tool: "out", policy.Agent: "refused"}[mode], "api.github.com": "refused", "API.GitHub.com": "refused",
			"api.wise.com": "refused", "printer.local": "refused",
		} {
			for _, way := range []string{"proxy", "connect", "sni", "direct"} {
				mu.Lock()
				clear(left)
				mu.Unlock()
				said := askedBy(t, h, way, host)
				mu.Lock()
				out := len(left) > 0
				mu.Unlock()
				if out != (want == "out") || want == "refused" && !strings.HasPrefix(said, "403") && !strings.HasPrefix(said, "404") {
					t.Errorf("%s: %s by %s: %q, left %v; want it %s", mode, host, way, said, left, want)
				}
			}
		}
	}
}
