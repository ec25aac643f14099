package ingress_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// wired opens a port whose handler sends reply and reports what went out.
func wired(reply ingress.Reply, sent func(client string) chan ingress.Sent) setup {
	if reply.End == ingress.EndHang {
		reply.Hold = 20 * time.Millisecond // from where it hangs, however long the rest took
	}
	return setup{handler: func(w http.ResponseWriter, r *http.Request) {
		client, _ := io.ReadAll(r.Body) // which of those at once it is
		if r.URL.Path == "/fine" {
			return
		}
		sent(string(client)) <- ingress.Send(w, r, reply)
	}}
}

type replyCase struct {
	name    string
	reply   ingress.Reply
	answers bool // the client gets a head
	gets    int  // and how much of the body
	whole   bool
	h1err   error // what HTTP/1.1 fails with; nil: Go's client reads half a line as a bad one
}

func replies() []replyCase {
	body := []byte(strings.Repeat("0123456789", 100))
	ends, pause := []int{300, 650, 1000}, func(context.Context, int) {}
	head := http.Header{"Content-Type": {"application/json"}}
	return []replyCase{
		{name: "whole", reply: ingress.Reply{Status: 200, Header: head, Body: body}, answers: true, gets: 1000, whole: true},
		{name: "whole, chunked", reply: ingress.Reply{Status: 200, Header: head, Body: body, Declared: ingress.Chunked}, answers: true, gets: 1000, whole: true},
		{name: "empty, chunked", reply: ingress.Reply{Status: 200, Declared: ingress.Chunked}, answers: true, whole: true},
		{name: "empty", reply: ingress.Reply{Status: 200}, answers: true, whole: true},
		{name: "no content", reply: ingress.Reply{Status: 204, Body: body}, answers: true, whole: true},
		{name: "cut", reply: ingress.Reply{Status: 200, Body: body, Cut: 700}, answers: true, gets: 700, h1err: io.ErrUnexpectedEOF},
		{name: "cut, chunked", reply: ingress.Reply{Status: 200, Body: body, Cut: 700, Declared: ingress.Chunked}, answers: true, gets: 700, h1err: io.ErrUnexpectedEOF},
		{name: "cut, reset", reply: ingress.Reply{Status: 200, Body: body, Cut: 700, End: ingress.EndReset}, answers: true, gets: 700, h1err: syscall.ECONNRESET},
		{name: "cut, hang", reply: ingress.Reply{Status: 200, Body: body, Cut: 700, End: ingress.EndHang}, answers: true, gets: 700, h1err: io.ErrUnexpectedEOF},
		{name: "head alone", reply: ingress.Reply{Status: 200, Body: body, Cut: ingress.NoBody}, answers: true, h1err: io.ErrUnexpectedEOF},
		{name: "promises more", reply: ingress.Reply{Status: 200, Body: body, Declared: 1500}, answers: true, gets: 1000, h1err: io.ErrUnexpectedEOF},
		{name: "promises less", reply: ingress.Reply{Status: 200, Body: body, Declared: 500}, answers: true, gets: 500, whole: true},
		{name: "in pieces", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Pause: pause}, answers: true, gets: 1000, whole: true},
		{name: "in pieces, chunked", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Pause: pause, Declared: ingress.Chunked}, answers: true, gets: 1000, whole: true},
		{name: "in chunks at once", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Declared: ingress.Chunked}, answers: true, gets: 1000, whole: true},
		{name: "cut in a piece", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Pause: pause, Cut: 400}, answers: true, gets: 400, h1err: io.ErrUnexpectedEOF},
		{name: "cut in a chunk", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Pause: pause, Cut: 400, Declared: ingress.Chunked}, answers: true, gets: 400, h1err: io.ErrUnexpectedEOF},
		{name: "cut between pieces, hang", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Pause: pause, Cut: 650, End: ingress.EndHang}, answers: true, gets: 650, h1err: io.ErrUnexpectedEOF},
		{name: "cut between chunks, reset", reply: ingress.Reply{Status: 200, Body: body, Ends: ends, Pause: pause, Cut: 650, Declared: ingress.Chunked, End: ingress.EndReset}, answers: true, gets: 650, h1err: syscall.ECONNRESET},
		{name: "half a head", reply: ingress.Reply{Status: 200, Body: body, CutHead: 10}},
		{name: "half a head, reset", reply: ingress.Reply{Status: 200, Body: body, CutHead: 10, End: ingress.EndReset}},
		{name: "nothing", reply: ingress.Reply{}, h1err: io.EOF},
		{name: "reset", reply: ingress.Reply{End: ingress.EndReset}, h1err: syscall.ECONNRESET},
		{name: "hang", reply: ingress.Reply{End: ingress.EndHang}, h1err: io.EOF},
	}
}

// perClient gives each of several clients at once a channel of its own.
func perClient() func(client string) chan ingress.Sent {
	var mu sync.Mutex
	all := map[string]chan ingress.Sent{}
	return func(client string) chan ingress.Sent {
		mu.Lock()
		defer mu.Unlock()
		if all[client] == nil {
			all[client] = make(chan ingress.Sent, 16)
		}
		return all[client]
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	for _, c := range replies() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sent := perClient()
			eachWay(t, wired(c.reply, sent), func(t *testing.T, _ *port, w way, client *http.Client, base string) {
				resp, err := client.Post(base+"/", "text/plain", strings.NewReader(w.name))
				got := <-sent(w.name)
				if got.Gone || got.Err != nil {
					t.Errorf("sent %+v", got)
				}
				answers := c.answers
				if (err == nil) != answers {
					t.Fatalf("answered: %v, %v", err == nil, err)
				}
				if answers {
					var read []byte
					read, err = io.ReadAll(resp.Body)
					_ = resp.Body.Close()
					if len(read) != c.gets || !bytes.HasPrefix(c.reply.Body, read) {
						t.Errorf("got %d bytes, want %d", len(read), c.gets)
					}
					sends := c.gets
					if c.reply.Declared == 500 && w.major == 1 {
						sends = 1000
					}
					if got.Body != sends {
						t.Errorf("sent %d bytes of body, want %d", got.Body, sends)
					}
				}
				switch {
				case (err == nil) != c.whole:
					t.Errorf("ended with %v", err)
				case c.whole:
				case w.major == 1 && c.h1err != nil && !errors.Is(err, c.h1err):
					t.Errorf("ended with %v, want %v", err, c.h1err)
				case w.major == 2 && !strings.Contains(err.Error(), "INTERNAL_ERROR"):
					t.Errorf("ended with %v", err)
				}
				fine, err := client.Get(base + "/fine")
				if err != nil {
					t.Fatalf("afterwards: %v", err)
				}
				_ = fine.Body.Close()
			})
		})
	}
}

func TestHangSeesTheClientLeave(t *testing.T) {
	t.Parallel()
	sent := make(chan ingress.Sent, 16)
	s := setup{handler: func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		sent <- ingress.Send(w, r, ingress.Reply{Status: 200, Body: []byte("abc"), Cut: 1, End: ingress.EndHang})
	}}
	eachWay(t, s, func(t *testing.T, _ *port, _ way, c *http.Client, base string) {
		leaveInside(t, c, base)
		if got := <-sent; !got.Gone || got.Body != 1 {
			t.Errorf("%+v", got)
		}
	})
}

// A client that had the whole of a reply whose connection hung was noted as gone
// when it closed.
func TestAClientThatHasAllOfAHungReplyIsNotGone(t *testing.T) {
	t.Parallel()
	sent := make(chan ingress.Sent, 16)
	s := setup{handler: func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		sent <- ingress.Send(w, r, ingress.Reply{Status: 200, Body: []byte("a"), End: ingress.EndHang})
	}}
	eachWay(t, s, func(t *testing.T, _ *port, _ way, c *http.Client, base string) {
		leaveInside(t, c, base)
		if got := <-sent; got.Gone || got.Body != 1 {
			t.Errorf("%+v", got)
		}
	})
}

// leaveInside leaves once the first byte of a body is there.
func leaveInside(t *testing.T, c *http.Client, base string) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, base+"/", strings.NewReader("x"))
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	leave()
	_ = resp.Body.Close()
}

// A client that leaves between two pieces is noticed there, and nothing more is
// sent.
func TestPiecesSeeTheClientLeave(t *testing.T) {
	t.Parallel()
	sent := make(chan ingress.Sent, 16)
	s := setup{handler: func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		sent <- ingress.Send(w, r, ingress.Reply{Status: 200, Body: []byte("abc"), Ends: []int{1, 2, 3}, Declared: 5, Pause: func(ctx context.Context, piece int) {
			if piece == 1 {
				<-ctx.Done()
			}
		}})
	}}
	eachWay(t, s, func(t *testing.T, _ *port, _ way, c *http.Client, base string) {
		leaveInside(t, c, base)
		if got := <-sent; !got.Gone || got.Body != 1 {
			t.Errorf("%+v", got)
		}
	})
}

// A reset inside of two layers of TLS, through a proxy that is spoken to in
// TLS, still reaches the client as one.
func TestResetThroughTLSInTLS(t *testing.T) {
	t.Parallel()
	p := open(t, wired(ingress.Reply{End: ingress.EndReset}, perClient()))
	outer := tls.Client(p.raw(), &tls.Config{ServerName: "localhost", RootCAs: p.roots(), NextProtos: []string{"http/1.1"}})
	_, _ = io.WriteString(outer, "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n")
	status := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
	if _, err := io.ReadFull(outer, status); err != nil {
		t.Fatal(err)
	}
	inner := tls.Client(outer, &tls.Config{ServerName: "api.stripe.com", RootCAs: p.roots()})
	_, _ = io.WriteString(inner, "GET / HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n")
	if _, err := io.ReadAll(inner); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("ended with %v", err)
	}
}

func TestHeadHasNoBody(t *testing.T) {
	t.Parallel()
	p := open(t, wired(ingress.Reply{Status: 200, Body: []byte("abc")}, perClient()))
	got := p.say("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
	if want := "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"; got != want {
		t.Errorf("%q", got)
	}
}

func TestHalfAHead(t *testing.T) {
	t.Parallel()
	for end, want := range map[ingress.End]error{ingress.EndClose: nil, ingress.EndReset: syscall.ECONNRESET} {
		p := open(t, wired(ingress.Reply{Status: 200, CutHead: 10, End: end}, perClient()))
		c := p.raw()
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if got, err := io.ReadAll(c); string(got) != "HTTP/1.1 2" || !errors.Is(err, want) {
			t.Errorf("%q, %v", got, err)
		}
	}
}
