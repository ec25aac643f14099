package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// A flood is a client that does what it does until stop is closed.
type flood struct {
	name string
	do   func(addr string, stop <-chan struct{})
}

const dearList = "/stripe/v1/customers?limit=100"

func floods() []flood {
	return []flood{
		{"slow heads", crowd(200, func(c net.Conn, stop <-chan struct{}) {
			drip(c, "GET "+dearList+" HTTP/1.1\r\nX-Filler: "+strings.Repeat("x", 30<<10), stop)
		})},
		{"slow bodies", crowd(200, func(c net.Conn, stop <-chan struct{}) {
			drip(c, announcing(10<<20)+strings.Repeat("a", 1<<20), stop)
		})},
		{"large bodies that do not end", crowd(24, func(c net.Conn, stop <-chan struct{}) {
			_ = c.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = io.WriteString(c, announcing(10<<20)+strings.Repeat("a", 1<<20))
			<-stop
		})},
		{"replies that nobody reads", crowd(50, func(c net.Conn, stop <-chan struct{}) {
			_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
			_, _ = io.WriteString(c, strings.Repeat("GET "+dearList+" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+floodKey+"\r\n\r\n", 20))
			<-stop
		})},
		{"announced lengths", func(addr string, stop <-chan struct{}) {
			again(stop, func() {
				if c := promising(addr, 100); c != nil {
					_ = c.Close()
				}
			})
		}},
		{"rapid reset", streams(4, func(f *http2.Framer, id uint32) error { return f.WriteRSTStream(id, http2.ErrCodeCancel) })},
		{"MadeYouReset", streams(4, func(f *http2.Framer, id uint32) error { return f.WriteWindowUpdate(id, 0) })},
		{"no window", streams(40, nil)},
		{"many connections", crowd(500, func(c net.Conn, stop <-chan struct{}) {
			_, _ = io.WriteString(c, "GET /stripe/v1/customers?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
			<-stop
		})},
	}
}

const floodKey = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"

func announcing(length int) string {
	return fmt.Sprintf("POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", length)
}

func again(stop <-chan struct{}, f func()) {
	for {
		select {
		case <-stop:
			return
		default:
			f()
		}
	}
}

// crowd has n connections do the same, each again once it is closed.
func crowd(n int, do func(net.Conn, <-chan struct{})) func(string, <-chan struct{}) {
	return func(addr string, stop <-chan struct{}) {
		var all sync.WaitGroup
		defer all.Wait()
		for range n {
			all.Go(func() {
				again(stop, func() {
					if c, err := net.Dial("tcp", addr); err == nil {
						do(c, stop)
						_ = c.Close()
					}
				})
			})
		}
	}
}

// drip sends text a little at a time.
func drip(c net.Conn, text string, stop <-chan struct{}) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for len(text) > 0 {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		n := min(len(text), 64)
		if _, err := io.WriteString(c, text[:n]); err != nil {
			return
		}
		text = text[n:]
	}
}

// A speaker speaks HTTP/2 as it likes.
type speaker struct {
	net.Conn
	*http2.Framer
	last uint32
}

// speak opens a connection, with windows of nothing. What the gateway says is
// read, and told of nowhere.
func speak(addr string) (*speaker, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &speaker{Conn: c, Framer: http2.NewFramer(c, c)}
	s.AllowIllegalWrites = true
	go func() { _, _ = io.Copy(io.Discard, c) }()
	_ = c.SetWriteDeadline(time.Now().Add(20 * time.Second))
	if _, err = io.WriteString(c, http2.ClientPreface); err == nil {
		err = s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	}
	return s, err
}

// ask opens a stream with a request's head.
func (s *speaker) ask(method, path string, more ...string) (uint32, error) {
	var head bytes.Buffer
	e := hpack.NewEncoder(&head)
	fields := append([]string{":method", method, ":scheme", "http", ":authority", "localhost", ":path", path, "authorization", "Bearer " + floodKey}, more...)
	for i := 0; i < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	s.last += 2
	id := s.last - 1
	return id, s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: head.Bytes(), EndHeaders: true, EndStream: len(more) == 0})
}

// promising opens streams that announce 10 MiB each and send a byte.
func promising(addr string, streams int) net.Conn {
	s, err := speak(addr)
	for i := 0; i < streams && err == nil; i++ {
		var id uint32
		if id, err = s.ask("POST", "/stripe/v1/customers", "content-length", "10485760"); err == nil {
			err = s.WriteData(id, false, []byte("a"))
		}
	}
	if s == nil {
		return nil
	}
	return s
}

// streams has n connections ask for dear lists, and do something to each stream
// right after; nil: no more than the gateway allows are open on a connection.
func streams(n int, then func(*http2.Framer, uint32) error) func(string, <-chan struct{}) {
	return func(addr string, stop <-chan struct{}) {
		var all sync.WaitGroup
		defer all.Wait()
		for range n {
			all.Go(func() {
				again(stop, func() { stream(addr, then, stop) })
			})
		}
	}
}

func stream(addr string, then func(*http2.Framer, uint32) error, stop <-chan struct{}) {
	s, err := speak(addr)
	if s == nil {
		return
	}
	defer s.Close()
	for n := 0; err == nil; n++ {
		select {
		case <-stop:
			return
		default:
		}
		if then == nil && n == 250 {
			select {
			case <-stop:
			case <-time.After(3 * time.Second):
			}
			return
		}
		var id uint32
		if id, err = s.ask("GET", dearList); err == nil && then != nil {
			err = then(s.Framer, id)
		}
	}
}
