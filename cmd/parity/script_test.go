package main

import (
	"bufio"
	"context"
	"crypto/tls"
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
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"parity/gateway/ingress"
)

// The scripts in testdata/script run the whole command line, each in a folder
// of its own. Beside parity they have the small programs below.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"parity":  main,
		"fetch":   fetch,
		"model":   model,
		"fails":   func() { os.Exit(3) },
		"carries": carries,
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PARITY_HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("KEY", "sk_test_4eC39HqLyjWDarjtT1zdp7dc")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": await,
			"field": field,
			"exits": exits,
		},
	})
}

// await FILE waits until a file is there.
func await(ts *testscript.TestScript, _ bool, args []string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(20 * time.Second); ; {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("%s did not come", args[0])
		}
	}
}

// exits CODE COMMAND [ARGS] runs a command that has to end with that code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("it ended with %d", code)
	}
}

// field NAME FILE WORD sets a variable to what follows a word in a file, up to
// the end of its line.
func field(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if rest, ok := strings.CutPrefix(line, args[2]+" "); ok {
			ts.Setenv(args[0], strings.TrimSpace(rest))
			return
		}
	}
	ts.Fatalf("%s has no line with %s", args[1], args[2])
}

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

// model stands in for a model's API behind a corporate proxy: it takes CONNECT
// for whatever host, answers with TLS of its own, and writes where it is and
// which certificate it has, so that nothing can reach it but through a tunnel.
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
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil || r.Method != http.MethodConnect {
		return
	}
	fmt.Fprint(c, "HTTP/1.1 200 Connection established\r\n\r\n")
	secure := tls.Server(c, &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return ca.Leaf(h.ServerName) }})
	defer secure.Close()
	inner, err := http.ReadRequest(bufio.NewReader(secure))
	if err != nil {
		return
	}
	said := "a word from " + inner.Host + "\n"
	fmt.Fprintf(secure, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(said), said)
}

// carries sends bytes to a host and port and prints what comes back: what no
// HTTP client would send.
func carries() {
	at, err := url.Parse(os.Args[1])
	if err != nil {
		quit(err)
	}
	c, err := net.Dial("tcp", at.Host)
	if err != nil {
		quit(err)
	}
	defer c.Close()
	text := strings.NewReplacer(`\r`, "\r", `\n`, "\n").Replace(os.Args[2])
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
