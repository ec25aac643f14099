package ingress

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// writes remembers each write of a connection.
type writes struct {
	net.Conn
	each [][]byte
}

func (w *writes) Write(p []byte) (int, error) {
	w.each = append(w.each, bytes.Clone(p))
	return len(p), nil
}

// A reply longer than 4 KiB went out in two writes, and in two records of TLS.
func TestAReplyGoesOutInOneWrite(t *testing.T) {
	t.Parallel()
	head, rest, long := bytes.Repeat([]byte("h"), mostGathered), bytes.Repeat([]byte("r"), 6000), bytes.Repeat([]byte("l"), tlsRecord)
	for name, test := range map[string]struct {
		then [][]byte
		want int // writes
	}{
		"with the rest":           {[][]byte{rest}, 1},
		"with a rest that is one": {[][]byte{rest, rest}, 2},
		"before what is long":     {[][]byte{long}, 2},
	} {
		below := &writes{}
		s := &screen{Conn: below}
		s.gathers = true
		if n, err := s.Write(head); n != len(head) || err != nil || len(below.each) != 0 {
			t.Errorf("%s: the first piece: %d bytes, %v, and %d writes, want none", name, n, err, len(below.each))
		}
		s.gathers = false
		for _, p := range test.then {
			if n, err := s.Write(p); n != len(p) || err != nil {
				t.Errorf("%s: %d bytes of %d, %v", name, n, len(p), err)
			}
		}
		want := append(bytes.Clone(head), bytes.Join(test.then, nil)...)
		if got := bytes.Join(below.each, nil); !bytes.Equal(got, want) || len(below.each) != test.want {
			t.Errorf("%s: %d bytes of %d in %d writes, want %d", name, len(got), len(want), len(below.each), test.want)
		}
	}
}

func TestGatheredRepliesOfAnyLengthAreWhole(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 20_000)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		w.Header().Set("Content-Length", strconv.Itoa(n))
		w.WriteHeader(http.StatusOK)
		leave := Gather(r.Context())
		_, _ = io.WriteString(w, text[:n])
		leave()
	})
	near, far := net.Pipe()
	defer near.Close()
	own := &conn{Conn: far, seat: make(chan struct{}, 1)}
	served := newScreen(own)
	q := newQueue()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler(w, r.WithContext(&exchange{Context: r.Context(), conn: own}))
	})}
	go func() { _ = server.Serve(q) }()
	defer server.Close()
	q.push(served)
	client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return near, nil }}}
	sizes := []int{0, 1, 2047, 2048, 2049, 10_000, 16 << 10, 64 << 10, 70_000, 300_000}
	for n := 3900; n < 4200; n++ { // about where head and body fill what net/http writes at once
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		resp, err := client.Get("http://here/" + strconv.Itoa(n))
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		got, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || string(got) != text[:n] {
			t.Fatalf("%d bytes: %d came, %v", n, len(got), err)
		}
	}
}
