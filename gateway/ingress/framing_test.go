package ingress

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"testing"
)

// FuzzFraming holds the screen against net/http: what it lets through, net/http
// frames at the same places, and it does not matter how the bytes come in.
func FuzzFraming(f *testing.F) {
	for _, s := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.0\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nA: b\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
	} {
		f.Add([]byte(s), 7)
	}
	f.Fuzz(func(t *testing.T, stream []byte, step int) {
		var whole, pieces framing
		good, problem := whole.follow(stream)
		if good > len(stream) || problem == nil && good != len(stream) {
			t.Fatalf("%d of %d bytes are good", good, len(stream))
		}
		step = max(1, step%64)
		var stepped error
		for rest := stream; len(rest) > 0 && stepped == nil; {
			n := min(step, len(rest))
			_, stepped = pieces.follow(bytes.Clone(rest[:n]))
			rest = rest[n:]
		}
		if (problem == nil) != (stepped == nil) {
			t.Fatalf("in one piece: %v; in pieces of %d: %v", problem, step, stepped)
		}
		compare(t, stream[:good], problem == nil)
	})
}

// compare reads a stream as net/http does, and checks at each request's end
// that the screen is between two requests too.
func compare(t *testing.T, stream []byte, screened bool) {
	if !screened {
		return
	}
	src := bytes.NewReader(stream)
	r := bufio.NewReader(src)
	for {
		req, err := http.ReadRequest(r)
		if err != nil || req.Method == http.MethodConnect || req.Method == "PRI" {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		end := len(stream) - src.Len() - r.Buffered()
		var f framing
		if _, problem := f.follow(stream[:end]); problem != nil || f.at != partStart || len(f.line) != 0 {
			t.Fatalf("net/http sees a request end at %d, the screen is at part %d, %v", end, f.at, problem)
		}
	}
}
