package live

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// errUnreadable stands in for the parser's error, which quotes the password.
var errUnreadable = errors.New("its address cannot be read: write http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded")

// usable refuses a proxy that cannot be spoken to.
func usable(u *url.URL) error {
	switch u.Scheme {
	case "http", "https":
	default:
		return fmt.Errorf("the scheme %q is not supported: use http:// or https:// in HTTP_PROXY and HTTPS_PROXY", u.Scheme)
	}
	// An address that httpproxy cannot read it reads again with http:// before
	// it, which makes a host "http:" of it.
	if u.Hostname() == "" || strings.HasSuffix(u.Host, ":") {
		return errUnreadable
	}
	return nil
}

// errOwn is the error of a gateway that is to be its own upstream proxy.
var errOwn = errors.New("that is this gateway itself: unset HTTP_PROXY and HTTPS_PROXY where it is started, or name another proxy")

// foreign refuses a proxy that is this gateway, as far as its address says so
// without being resolved.
func (d *Dialer) foreign(u *url.URL) error {
	host := u.Hostname()
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip != nil {
		port, _ := strconv.Atoi(portOf(u))
		if d.own(&net.TCPAddr{IP: ip, Port: port}) {
			return errOwn
		}
	}
	return nil
}

// own tells whether an address is one of Options.Own. One that listens at all
// addresses is at each of this machine's.
func (d *Dialer) own(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && slices.ContainsFunc(d.opt.Own, func(own string) bool {
		host, port, err := net.SplitHostPort(own)
		if err != nil || port != strconv.Itoa(tcp.Port) {
			return false
		}
		at := net.ParseIP(host)
		return at.Equal(tcp.IP) || at.IsUnspecified() && local(tcp.IP)
	})
}

// local tells whether an address is one of this machine's.
func local(ip net.IP) bool {
	if ip.IsLoopback() || ip.IsUnspecified() {
		return true
	}
	all, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(all, func(a net.Addr) bool {
		on, ok := a.(*net.IPNet)
		return ok && on.IP.Equal(ip)
	})
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// through opens a tunnel in an upstream proxy. The proxy's own address is not
// checked: it is part of this machine's configuration, and mostly private.
func (d *Dialer) through(ctx context.Context, via *url.URL, address string) (net.Conn, error) {
	if err := usable(via); err != nil {
		return nil, fmt.Errorf("the upstream proxy: %w", err)
	}
	raw, err := d.plain.DialContext(ctx, "tcp", net.JoinHostPort(via.Hostname(), portOf(via)))
	if err != nil {
		return nil, fmt.Errorf("the upstream proxy %s: %w", via.Host, err)
	}
	if d.own(raw.RemoteAddr()) {
		_ = raw.Close()
		return nil, fmt.Errorf("the upstream proxy %s: %w", via.Host, errOwn)
	}
	_ = raw.SetDeadline(d.opt.Wall.Now().Add(d.opt.Timeout))
	stop := context.AfterFunc(ctx, func() { _ = raw.SetDeadline(time.Unix(1, 0)) })
	c, err := d.open(ctx, raw, via, address)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = raw.Close()
		return nil, fmt.Errorf("the upstream proxy %s: %w", via.Host, err)
	}
	_ = raw.SetDeadline(time.Time{})
	return c, nil
}

// open sends CONNECT and reads the answer.
func (d *Dialer) open(ctx context.Context, raw net.Conn, via *url.URL, address string) (net.Conn, error) {
	c := raw
	if via.Scheme == "https" {
		secure := tls.Client(raw, &tls.Config{ServerName: via.Hostname()})
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		c = secure
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if user := via.User; user != nil {
		password, _ := user.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	if d.opt.Via != nil {
		req.Header.Set("Via", d.opt.Via(ctx))
	}
	if err := req.Write(c); err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: c, N: 64 << 10}
	reader := bufio.NewReader(limited)
	resp, err := http.ReadResponse(reader, req)
	if err != nil {
		return nil, fmt.Errorf("its answer to CONNECT %s: %w", address, err)
	}
	if resp.StatusCode != http.StatusOK {
		if resp.StatusCode == http.StatusProxyAuthRequired {
			return nil, errors.New("it wants credentials: write it as http://USER:PASSWORD@HOST:PORT")
		}
		return nil, fmt.Errorf("it refused CONNECT %s: %s", address, resp.Status)
	}
	early, _ := reader.Peek(reader.Buffered())
	if len(early) == 0 {
		return c, nil
	}
	return &ahead{Conn: c, early: append([]byte(nil), early...)}, nil
}

// An ahead is a connection of which the first bytes came with the proxy's
// answer.
type ahead struct {
	net.Conn
	early []byte
}

func (c *ahead) Read(p []byte) (int, error) {
	if len(c.early) > 0 {
		n := copy(p, c.early)
		c.early = c.early[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// NetConn is the connection below.
func (c *ahead) NetConn() net.Conn { return c.Conn }

// CloseWrite ends this side's half.
func (c *ahead) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
