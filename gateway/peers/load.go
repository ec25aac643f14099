package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many there are to each server, all of them busy: what an
// agent's pool of them, or a few agents at once, come to.
const connections = 16

// patience is how long one call may take, a connection be opened, or a server
// come up.
const patience = 30 * time.Second

// A target is where calls go, and how they get there.
type target struct {
	addr   string         // of the server, or of the proxy
	tunnel string         // HOST:PORT to CONNECT to first, and to speak TLS with
	roots  *x509.CertPool // who is believed about it
}

// A client is one connection that is kept alive. It writes requests that were
// rendered before and reads no more of a reply than has to be: what it costs is
// taken from the server, with which it shares the machine.
type client struct {
	target target
	conn   net.Conn
	reader *bufio.Reader
}

func (c *client) open(ctx context.Context) error {
	if c.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.target.addr)
	if err != nil {
		return err
	}
	if c.target.tunnel != "" {
		if conn, err = tunnelled(ctx, conn, c.target); err != nil {
			return err
		}
	}
	c.conn, c.reader = conn, bufio.NewReaderSize(conn, 16<<10)
	return nil
}

func (c *client) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// tunnelled asks a proxy for a connection, and secures it.
func tunnelled(ctx context.Context, conn net.Conn, t target) (net.Conn, error) {
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", t.tunnel, t.tunnel); err != nil {
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
	host, _, _ := net.SplitHostPort(t.tunnel)
	secured := tls.Client(conn, &tls.Config{ServerName: host, RootCAs: t.roots})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	_ = conn.SetDeadline(time.Time{})
	return secured, nil
}

// exchange sends one request and reads its reply. The body is kept in body,
// where there is one to keep it.
func (c *client) exchange(ctx context.Context, request []byte, body *bytes.Buffer) (status, size int, err error) {
	if err := c.open(ctx); err != nil {
		return 0, 0, err
	}
	status, size, again, err := c.ask(request, body)
	if err != nil || !again {
		c.close()
	}
	return status, size, err
}

func (c *client) ask(request []byte, body *bytes.Buffer) (status, size int, again bool, err error) {
	if _, err := c.conn.Write(request); err != nil {
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

func (c *client) header() (length int, chunked, again bool, err error) {
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

func (c *client) copy(to io.Writer, n int) error {
	if to == io.Discard {
		_, err := c.reader.Discard(n)
		return err
	}
	_, err := io.CopyN(to, c.reader, int64(n))
	return err
}

func (c *client) chunks(to io.Writer) (size int, err error) {
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

// A tally is what came of a number of calls.
type tally struct {
	calls, bytes, failed int
	first                string // of what failed
	took                 time.Duration
}

func (t *tally) fail(what string) {
	if t.failed++; t.first == "" {
		t.first = what
	}
}

func (t *tally) add(other tally) {
	t.calls, t.bytes, t.failed = t.calls+other.calls, t.bytes+other.bytes, t.failed+other.failed
	if t.first == "" {
		t.first = other.first
	}
}

// A crowd is all connections to one server.
type crowd []*client

func newCrowd(t target) crowd {
	c := make(crowd, connections)
	for i := range c {
		c[i] = &client{target: t}
	}
	return c
}

func (c crowd) close() {
	for _, one := range c {
		one.close()
	}
}

// drive sends one request over and over, on all connections, for so long or so
// often, whichever is first; 0 is no bound.
func (c crowd) drive(ctx context.Context, request []byte, status int, d time.Duration, n int) tally {
	var (
		all  sync.WaitGroup
		lock sync.Mutex
		sum  tally
		over atomic.Bool
		left atomic.Int64
	)
	if left.Store(int64(n)); n == 0 {
		left.Store(1 << 62)
	}
	if d > 0 {
		defer time.AfterFunc(d, func() { over.Store(true) }).Stop()
	}
	defer context.AfterFunc(ctx, func() { over.Store(true); c.hurry() })()
	began := time.Now()
	for _, one := range c {
		all.Go(func() {
			var mine tally
			for !over.Load() && left.Add(-1) >= 0 && mine.failed < 100 {
				got, size, err := one.exchange(ctx, request, nil)
				mine.calls, mine.bytes = mine.calls+1, mine.bytes+size
				switch {
				case err != nil:
					mine.fail(err.Error())
				case got != status:
					mine.fail(fmt.Sprintf("status %d instead of %d", got, status))
				}
			}
			lock.Lock()
			defer lock.Unlock()
			sum.add(mine)
		})
	}
	all.Wait()
	sum.took = time.Since(began)
	return sum
}

// hurry ends what waits on a connection.
func (c crowd) hurry() {
	for _, one := range c {
		if conn := one.conn; conn != nil {
			_ = conn.SetDeadline(time.Now())
		}
	}
}
