// Command bare is the yardstick: a net/http server that answers with bytes it
// was given and keeps what is posted, and does nothing else.
//
//	bare REPLIES.json [CERT.pem KEY.pem]
//
//	GET /v1/…                        answered from the replies
//	GET http://api.stripe.com/v1/…   the same, as a proxy is asked
//	CONNECT api.stripe.com:443       hijacked: TLS, and this server inside
//
// The replies are those of Parity, headers and all, so that both write the same
// to the wire. It prints its address and goes on until it is told to stop.
package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

// reply is what one call is answered with.
type reply struct {
	Call   string // "GET /v1/customers/cus_1"
	Status int
	Header http.Header
	Body   []byte
}

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 1 && len(args) != 3 {
		return fmt.Errorf("usage: bare REPLIES.json [CERT.pem KEY.pem]")
	}
	s := &server{replies: map[string]reply{}, stored: map[int][]byte{}, tunnels: make(chan net.Conn)}
	if err := s.read(args[0]); err != nil {
		return err
	}
	if len(args) == 3 {
		leaf, err := tls.LoadX509KeyPair(args[1], args[2])
		if err != nil {
			return err
		}
		s.tls = &tls.Config{Certificates: []tls.Certificate{leaf}}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Listener = l
	fmt.Println(l.Addr())
	inside := &http.Server{Handler: s}
	go func() { _ = inside.Serve(tunnelled{s}) }()
	return (&http.Server{Handler: s}).Serve(l)
}

type server struct {
	net.Listener
	replies map[string]reply
	tls     *tls.Config
	tunnels chan net.Conn

	sync.Mutex
	stored map[int][]byte
}

func (s *server) read(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var list []reply
	if err := json.Unmarshal(content, &list); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, r := range list {
		s.replies[r.Call] = r
	}
	return nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		s.tunnel(w)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if len(body) > 0 {
		s.Lock()
		s.stored[len(s.stored)] = body
		s.Unlock()
	}
	reply, ok := s.replies[r.Method+" "+r.URL.RequestURI()]
	if !ok {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	for name, values := range reply.Header {
		header[name] = values
	}
	w.WriteHeader(reply.Status)
	_, _ = w.Write(reply.Body)
}

// tunnel hands a connection that was asked to be one to the server inside.
func (s *server) tunnel(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		_ = conn.Close()
		return
	}
	s.tunnels <- tls.Server(conn, s.tls)
}

// tunnelled is the listener of the server inside.
type tunnelled struct{ *server }

func (t tunnelled) Accept() (net.Conn, error) { return <-t.tunnels, nil }
