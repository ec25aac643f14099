package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parity/gateway/ingress"
)

// fetch METHOD URL [FORM] makes one call with plain net/http, as an agent in Go
// would, and prints the status and the body.
func fetch() {
	body := ""
	if len(os.Args) > 3 {
		body = os.Args[3]
	}
	r, err := http.NewRequest(os.Args[1], os.Args[2], strings.NewReader(body))
	if err != nil {
		quit(err)
	}
	r.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		quit(err)
	}
	fmt.Println(reply.StatusCode)
	if _, err := io.Copy(os.Stdout, reply.Body); err != nil {
		quit(err)
	}
}

func quit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// under FORMAT FILE COMMAND [ARGS] runs a command with the variables that
// parity env printed, as whoever the format is for reads them.
func under() {
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		quit(err)
	}
	found := map[string]string{}
	if os.Args[1] == "json" {
		err = json.Unmarshal(text, &found)
	}
	for line := range strings.Lines(string(text)) {
		if os.Args[1] == "json" {
			break
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if os.Args[1] == "docker" {
			name = strings.TrimPrefix(name, "ENV ")
			value, err = strconv.Unquote(value)
		}
		if err != nil {
			quit(fmt.Errorf("%s: %w", line, err))
		}
		found[name] = value
	}
	if err != nil {
		quit(err)
	}
	c := exec.Command(os.Args[3], os.Args[4:]...)
	c.Stdout, c.Stderr, c.Env = os.Stdout, os.Stderr, os.Environ()
	for name, value := range found {
		c.Env = append(c.Env, name+"="+value)
	}
	if err := c.Run(); err != nil {
		quit(err)
	}
}

// model stands in for a model's API behind a corporate proxy: it takes CONNECT
// for whatever host, answers with TLS of its own, and writes where it is and
// which certificate it has, so that nothing can reach it but through a tunnel.
// What echo.example gets it gives back as it is.
func model() {
	ca, err := ingress.OpenCA(ingress.CAOptions{Dir: filepath.Join(os.Getenv("HOME"), "model-ca")})
	if err != nil {
		quit(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		quit(err)
	}
	if err := os.WriteFile("model.pem", ca.CertPEM(), 0o600); err != nil {
		quit(err)
	}
	if err := os.WriteFile("model.draft", fmt.Appendf(nil, "proxy http://%s\n", l.Addr()), 0o600); err != nil {
		quit(err)
	}
	if err := os.Rename("model.draft", "model.addr"); err != nil {
		quit(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { l.Close() })
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go converse(c, ca)
	}
}

func converse(c net.Conn, ca *ingress.CA) {
	defer c.Close()
	in := bufio.NewReader(c)
	r, err := http.ReadRequest(in)
	if err != nil || r.Method != http.MethodConnect {
		return
	}
	fmt.Fprint(c, "HTTP/1.1 200 Connection established\r\n\r\n")
	if r.URL.Hostname() == "echo.example" {
		_, _ = io.Copy(c, in) // the agent tells what is missing
		return
	}
	secure := tls.Server(c, &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return ca.Leaf(h.ServerName) }})
	defer secure.Close()
	inner, err := http.ReadRequest(bufio.NewReader(secure))
	if err != nil {
		return
	}
	said := "a word from " + inner.Host + "\n"
	fmt.Fprintf(secure, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(said), said)
}

// dial connects to the host of a URL, and reads the escapes of what is to be
// said there.
func dial(at, said string) (net.Conn, string) {
	u, err := url.Parse(at)
	if err != nil {
		quit(err)
	}
	text, err := strconv.Unquote(`"` + said + `"`)
	if err != nil {
		quit(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		quit(err)
	}
	return c, text
}

// tunnels URL HOST:PORT TEXT sends bytes through a proxy's tunnel once that is
// open, and prints what came back, byte for byte, as a Go string.
func tunnels() {
	c, text := dial(os.Args[1], os.Args[3])
	defer c.Close()
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		quit(err)
	}
	fmt.Fprintf(c, "CONNECT %[1]s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", os.Args[2])
	in := bufio.NewReader(c)
	opened, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	if err != nil {
		quit(err)
	}
	if opened.StatusCode != http.StatusOK {
		quit(errors.New(opened.Status))
	}
	if _, err := io.WriteString(c, text); err != nil {
		quit(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		quit(err)
	}
	back, err := io.ReadAll(in)
	if err != nil {
		quit(err)
	}
	fmt.Printf("%s came back: %q\n", os.Args[2], back)
}

// carries URL TEXT sends bytes to a host and port and prints what comes back:
// what no HTTP client would send. TEXT has the escapes of a Go string.
func carries() {
	c, text := dial(os.Args[1], os.Args[2])
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		quit(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		quit(err)
	}
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		quit(err)
	}
	if _, err := io.Copy(os.Stdout, c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		quit(err)
	}
}
