package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// The clients that there are.
const (
	netHTTP = "net/http"
	raw     = "raw"
)

// A client makes calls, one after the other. The body of a reply is kept in
// body, where there is one to keep it.
type client interface {
	exchange(ctx context.Context, r request, body *bytes.Buffer) (status, size int, err error)
	close()
}

// A crowd is all clients of one server.
type crowd []client

// newCrowd has a connection for each client. Those of net/http share a pool, as
// they do in an agent.
func newCrowd(kind string, t target) crowd {
	c := make(crowd, connections)
	shared := newHTTPClient(t)
	for i := range c {
		if c[i] = shared; kind == raw {
			c[i] = &rawClient{target: t}
		}
	}
	return c
}

func (c crowd) close() {
	for _, one := range c {
		one.close()
	}
}

// An httpClient is net/http's.
type httpClient struct{ client *http.Client }

func newHTTPClient(t target) *httpClient {
	transport := &http.Transport{
		MaxIdleConnsPerHost: connections, DisableCompression: true, TLSClientConfig: &tls.Config{RootCAs: t.roots},
		Protocols: &http.Protocols{},
	}
	transport.Protocols.SetHTTP1(true)
	if t.way != direct {
		transport.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: t.addr})
	}
	return &httpClient{&http.Client{Transport: transport, Timeout: patience}}
}

func (c *httpClient) close() { c.client.CloseIdleConnections() }

func (c *httpClient) exchange(ctx context.Context, r request, body *bytes.Buffer) (status, size int, err error) {
	out, err := r.fresh(ctx)
	if err != nil {
		return 0, 0, err
	}
	got, err := c.client.Do(out)
	if err != nil {
		return 0, 0, err
	}
	defer got.Body.Close()
	var kept io.Writer = io.Discard
	if body != nil {
		body.Reset()
		kept = body
	}
	n, err := io.Copy(kept, got.Body)
	return got.StatusCode, int(n), err
}

// A rawClient is one connection that is kept alive. It writes requests that were
// rendered before and reads no more of a reply than has to be: what it costs is
// taken from the server, with which it shares the machine.
type rawClient struct {
	target target
	conn   net.Conn
	reader *bufio.Reader
	renew  time.Time // when the connection gets another deadline
}

func (c *rawClient) open(ctx context.Context) error {
	if c.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.target.addr)
	if err != nil {
		return err
	}
	if c.target.way == intercepted {
		if conn, err = tunnelled(ctx, conn, c.target); err != nil {
			return err
		}
	}
	c.conn, c.reader, c.renew = conn, bufio.NewReaderSize(conn, 16<<10), time.Time{}
	return nil
}

func (c *rawClient) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// tunnelled asks a proxy for a connection, and secures it.
func tunnelled(ctx context.Context, conn net.Conn, t target) (net.Conn, error) {
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, "CONNECT "+stripeHost+":443 HTTP/1.1\r\nHost: "+stripeHost+":443\r\n\r\n"); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	// Byte by byte: what follows the reply belongs to TLS.
	var head []byte
	for one := make([]byte, 1); !bytes.HasSuffix(head, []byte("\r\n\r\n")); head = append(head, one[0]) {
		if _, err := conn.Read(one); err != nil {
			return nil, errors.Join(fmt.Errorf("CONNECT: %w", err), conn.Close())
		}
	}
	if !bytes.Contains(head[:min(len(head), 16)], []byte(" 200")) {
		line, _, _ := bytes.Cut(head, []byte("\r\n"))
		return nil, errors.Join(fmt.Errorf("CONNECT: %s", line), conn.Close())
	}
	secured := tls.Client(conn, &tls.Config{ServerName: stripeHost, RootCAs: t.roots})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secured, nil
}

// exchange asks a second time where a server has closed what was idle.
func (c *rawClient) exchange(ctx context.Context, r request, body *bytes.Buffer) (status, size int, err error) {
	for reused := c.conn != nil; ; reused = false {
		if err := c.open(ctx); err != nil {
			return 0, 0, err
		}
		// Not with each call: a deadline has its price.
		if now := time.Now(); now.After(c.renew) {
			_ = c.conn.SetDeadline(now.Add(patience))
			c.renew = now.Add(patience / 2)
		}
		var again bool
		status, size, again, err = c.ask(r.rendered, body)
		if err != nil || !again {
			c.close()
		}
		if err == nil || status > 0 || !reused {
			return status, size, err
		}
	}
}

func (c *rawClient) ask(rendered []byte, body *bytes.Buffer) (status, size int, again bool, err error) {
	if _, err := c.conn.Write(rendered); err != nil {
		return 0, 0, false, err
	}
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return 0, 0, false, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return 0, 0, false, fmt.Errorf("not a reply: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, false, fmt.Errorf("not a reply: %q", line)
	}
	length, chunked, again, err := c.header()
	if err != nil {
		return status, 0, false, err
	}
	var kept io.Writer = io.Discard
	if body != nil {
		body.Reset()
		kept = body
	}
	switch {
	case chunked:
		size, err = c.chunks(kept)
	case length < 0:
		return status, 0, false, errors.New("a reply without a length")
	default:
		size, err = length, c.copy(kept, length)
	}
	return status, size, again, err
}

func (c *rawClient) header() (length int, chunked, again bool, err error) {
	length, again = -1, true
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, false, false, err
		}
		if len(line) <= 2 {
			return length, chunked, again, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch len(name) {
		case len("Content-Length"):
			if bytes.EqualFold(name, []byte("Content-Length")) {
				if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
					return 0, false, false, err
				}
			}
		case len("Transfer-Encoding"):
			chunked = chunked || bytes.EqualFold(name, []byte("Transfer-Encoding"))
		case len("Connection"):
			if bytes.EqualFold(name, []byte("Connection")) && bytes.Contains(value, []byte("close")) {
				again = false
			}
		}
	}
}

func (c *rawClient) copy(to io.Writer, n int) error {
	if to == io.Discard {
		_, err := c.reader.Discard(n)
		return err
	}
	_, err := io.CopyN(to, c.reader, int64(n))
	return err
}

func (c *rawClient) chunks(to io.Writer) (size int, err error) {
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return size, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return size, err
		}
		if err := c.copy(to, int(n)); err != nil {
			return size, err
		}
		size += int(n)
		if _, err := c.reader.Discard(2); err != nil {
			return size, err
		}
		if n == 0 {
			return size, nil
		}
	}
}
