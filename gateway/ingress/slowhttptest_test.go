package ingress_test

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// slowhttptest tries what it knows of slow clients on a server whose limits are
// short. Each of its connections is closed by the server before its own time is
// over, and a healthy client is answered beside it, each time.
func TestSlowHTTPTest(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("slowhttptest")
	if err != nil {
		t.Skip("slowhttptest is not installed: apt-get install slowhttptest")
	}
	const conns = 50
	large := strings.Repeat("0123456789abcdef", 1<<20)
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch _, err := io.Copy(io.Discard, r.Body); {
		case err != nil:
			w.WriteHeader(http.StatusBadRequest)
		case r.URL.Path == "/large":
			_, _ = io.WriteString(w, large)
		default:
			_, _ = io.WriteString(w, "healthy")
		}
	}
	for name, flags := range map[string][]string{
		"slow heads":  {"-H"},
		"slow bodies": {"-B", "-s", "100000"},
		"slow reads":  {"-X", "-z", "32", "-n", "1", "-w", "512", "-y", "1024", "-k", "3"},
		"ranges":      {"-R"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, setup{handler: handler, change: func(o *ingress.Options) {
				o.HeaderTime, o.BodyTime, o.WriteTime, o.IdleTime = 2*time.Second, 2*time.Second, 2*time.Second, 2*time.Second
			}})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			flags := append(flags, "-c", strconv.Itoa(conns), "-r", "100", "-i", "1", "-x", "8", "-l", "20", "-u", "http://"+p.addr+"/large")
			said := make(chan string, 1)
			go func() {
				out, _ := exec.CommandContext(ctx, program, flags...).CombinedOutput()
				said <- string(out)
			}()
			c, calls, most, out := &http.Client{Timeout: 20 * time.Second}, 0, 0, ""
			defer c.CloseIdleConnections()
			for most < conns || p.Connections() > 1 { // a slow reader does not notice that it was cut
				if most = max(most, p.Connections()); out != "" {
					break
				}
				select {
				case out = <-said:
				case <-time.After(10 * time.Millisecond):
				}
				resp, err := c.Get("http://" + p.addr + "/")
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if err != nil || string(body) != "healthy" {
					t.Fatalf("call %d was answered %d %q %v", calls, resp.StatusCode, body, err)
				}
				calls++
			}
			if stop(); out == "" {
				<-said
			} else if !strings.Contains(out, "No open connections left") {
				t.Errorf("its connections were not all closed:\n%s", out)
			}
			t.Logf("%d healthy calls were answered", calls)
		})
	}
}
