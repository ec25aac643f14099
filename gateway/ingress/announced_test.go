package ingress_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/gateway/ingress"
)

func header(command, family byte, rest string) string {
	return "\r\n\r\n\x00\r\nQUIT\n" + string([]byte{command, family, byte(len(rest) >> 8), byte(len(rest))}) + rest
}

func field(kind byte, value string) string {
	return string([]byte{kind, byte(len(value) >> 8), byte(len(value))}) + value
}

func TestPROXYHeaders(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	run := field(0xE0, "mine:secret")
	const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	for _, c := range []struct{ name, header, want string }{
		{"as the preload sends it", header(0x20, 0, run), "mine:secret"},
		{"TCP over IPv4", header(0x21, 0x11, "\x08\x08\x08\x08\x01\x01\x01\x01\x00\x50\x01\xbb"+run), "mine:secret"},
		{"TCP over IPv6", header(0x21, 0x21, strings.Repeat("a", 36)+run), "mine:secret"},
		{"UDP over IPv6", header(0x21, 0x22, strings.Repeat("a", 36)+run), "mine:secret"},
		{"Unix", header(0x21, 0x31, strings.Repeat("a", 216)+run), "mine:secret"},
		{"unspecified", header(0x21, 0, run), "mine:secret"},
		{"local, with addresses", header(0x20, 0x11, strings.Repeat("a", 12)+run), "mine:secret"},
		{"local, with a family and nothing else", header(0x20, 0x11, ""), ":"},
		{"among other fields", header(0x21, 0x11, strings.Repeat("a", 12)+field(0x01, "h2")+field(0x04, "")+run+field(0x05, "id")), "mine:secret"},
		{"of a balancer that knows no runs", header(0x21, 0x11, strings.Repeat("a", 12)+field(0x02, "api.example")), ":"},
		{"a colon in the token", header(0x20, 0, field(0xE0, "mine:a:b")), "mine:a:b"},
		{"at the limit", header(0x20, 0, field(0x04, strings.Repeat("x", 4096-3-len(run)))+run), "mine:secret"},

		{"over the limit", header(0x20, 0, field(0x04, strings.Repeat("x", 4097-3-len(run)))+run), ""},
		{"another signature", "\r\n\r\n\x00\r\nQUIT\r" + header(0x20, 0, run)[12:], ""},
		{"version 3", header(0x31, 0, run), ""},
		{"another command", header(0x22, 0, run), ""},
		{"another family", header(0x21, 0x41, run), ""},
		{"another protocol", header(0x21, 0x13, strings.Repeat("a", 12)+run), ""},
		{"addresses cut short", header(0x21, 0x11, "abcd"), ""},
		{"a field cut short", header(0x20, 0, run[:len(run)-1]), ""},
		{"a field's head cut short", header(0x20, 0, run+"\x04\x00"), ""},
		{"two runs", header(0x20, 0, run+field(0xE0, "other:x")), ""},
		{"a run twice", header(0x20, 0, run+run), ""},
		{"no token", header(0x20, 0, field(0xE0, "mine")), ""},
		{"no name", header(0x20, 0, field(0xE0, ":secret")), ""},
		{"two headers", header(0x20, 0, run) + header(0x20, 0, run), ""},
		{"only a carriage return", "\r\n", ""},
		{"neither TLS nor HTTP behind it", header(0x20, 0, run) + "\x00", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := p.say(c.header + request)
			if c.want == "" {
				if got != "" {
					t.Errorf("answered %q", got)
				}
				return
			}
			if !strings.Contains(got, " GET "+c.want+" ") {
				t.Errorf("got %q", got)
			}
		})
	}
	if got := p.say(request); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("afterwards %q", got)
	}
}

// The addresses in the header are whatever the client writes there.
func TestPROXYHeaderDoesNotMakeAnotherPeer(t *testing.T) {
	t.Parallel()
	p := open(t, setup{handler: func(w http.ResponseWriter, r *http.Request) {
		o, _ := ingress.FromContext(r.Context())
		fmt.Fprint(w, o.Remote, " ", r.RemoteAddr)
	}})
	got := p.say(header(0x21, 0x11, "\x08\x08\x08\x08\x01\x01\x01\x01\x00\x50\x01\xbb") + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	if !strings.Contains(got, "\r\n127.0.0.1:") || strings.Contains(got, "8.8.8.8") {
		t.Errorf("%q", got)
	}
}

func TestPROXYHeaderInsideOfAConnectIsNone(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	got := p.say("CONNECT api.stripe.com:80 HTTP/1.1\r\nHost: api.stripe.com:80\r\n\r\n" +
		string(ingress.Announce("mine", "secret")) + "GET / HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n")
	if got != "HTTP/1.1 200 Connection established\r\n\r\n" {
		t.Errorf("%q", got)
	}
}

func TestSlowPROXYHeaderIsLetGo(t *testing.T) {
	t.Parallel()
	p := open(t, setup{change: func(o *ingress.Options) { o.HeaderTime, o.IdleTime = 50*time.Millisecond, 50*time.Millisecond }})
	whole := string(ingress.Announce("mine", "secret"))
	for _, n := range []int{1, 11, 16, len(whole) - 1, len(whole)} {
		c := p.raw()
		_, _ = io.WriteString(c, whole[:n])
		if got, err := io.ReadAll(c); len(got) > 0 || isTimeout(err) {
			t.Errorf("%d bytes of it: %q, %v", n, got, err)
		}
	}
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}
