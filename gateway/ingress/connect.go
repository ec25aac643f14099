package ingress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"parity/fakes/clock"

	"github.com/elazarl/goproxy"
)

const (
	challenge   = `Basic realm="parity"`
	established = "HTTP/1.1 200 Connection established\r\n\r\n"
)

// newEngine sets up goproxy. Left as it comes it would tunnel anywhere,
// loopback included, take a proxy from the environment, skip verification on
// its way out, and sign with a CA whose private key is public.
func newEngine(s *Server) *goproxy.ProxyHttpServer {
	e := goproxy.NewProxyHttpServer()
	e.Logger = debugLog{s.opt.Log}
	e.KeepAcceptEncoding = true
	e.ConnectDial = nil // what the environment said
	e.ConnectDialWithReq = func(*http.Request, string, string) (net.Conn, error) {
		return nil, errors.New("this gateway opens its tunnels itself")
	}
	e.Tr = &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			t, ok := ctx.Value(hopKey{}).(*attempt)
			if !ok {
				return nil, errors.New("this gateway has no way out")
			}
			return s.wayOut(ctx, t.verdict.Dialer, network, address)
		},
		DisableCompression:    true, // as sent
		DisableKeepAlives:     true, // one run's connection is no way out of another, which may not be let there
		TLSHandshakeTimeout:   s.opt.HeaderTime,
		ExpectContinueTimeout: s.opt.HeaderTime,
	}
	e.NonproxyHandler = http.NotFoundHandler() // never reached
	e.OnRequest().HandleConnectFunc(onConnect)
	e.OnResponse().DoFunc(func(resp *http.Response, ctx *goproxy.ProxyCtx) *http.Response {
		t, ok := ctx.Req.Context().Value(hopKey{}).(*attempt)
		if ok && t.verdict.Action == Tunnel { // not a CONNECT that was refused
			t.err = ctx.Error
			t.server.opt.Opened(t.approach, t.err)
			if resp != nil {
				onward(resp.Header)
			}
		}
		if resp != nil || ctx.Error == nil {
			return resp
		}
		return goproxy.NewResponse(ctx.Req, "text/plain; charset=utf-8", http.StatusBadGateway, unreachable(ctx.Error))
	})
	return e
}

type hopKey struct{}

// An attempt is a decided approach on its way through goproxy.
type attempt struct {
	*hop
	server *Server
	conn   *conn
	err    error // of the way out, when forwarding
}

// connect decides on a CONNECT and lets goproxy carry it out.
func (s *Server) connect(w http.ResponseWriter, r *http.Request, c *conn, creds Credentials) {
	if r.ProtoMajor != 1 {
		refuse(w, http.StatusNotImplemented, "CONNECT is served over HTTP/1.1 only: write the proxy as http://host:port")
		return
	}
	a, err := ParseAuthority(r.Host, 0)
	if err == nil && a.Port == 0 {
		err = fmt.Errorf("CONNECT %s: a port is needed, as in %s:443", clip(r.Host), a.Host)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	h := &hop{approach: Approach{Way: Connect, Authority: a, Credentials: creds, Remote: r.RemoteAddr, Connection: c.number}, through: through(r.Header)}
	h.verdict = s.decide(r.Context(), h.approach)
	if h.verdict.Action == Intercept && h.verdict.Break == BreakReset {
		Reset(w, r)
		return
	}
	ctx := context.WithValue(r.Context(), hopKey{}, &attempt{hop: h, server: s, conn: c})
	s.engine.ServeHTTP(&hijackable{ResponseWriter: w, wall: s.opt.Wall}, r.WithContext(ctx))
}

// onConnect tells goproxy what was decided.
func onConnect(host string, ctx *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
	t, ok := ctx.Req.Context().Value(hopKey{}).(*attempt)
	if !ok {
		return goproxy.RejectConnect, host
	}
	switch t.verdict.Action {
	case Intercept, Tunnel:
		return &goproxy.ConnectAction{Action: goproxy.ConnectHijack, Hijack: t.hijacked}, host
	case Challenge:
		ctx.Resp = answer(http.StatusProxyAuthRequired, t.verdict.Message)
		ctx.Resp.Header.Set("Proxy-Authenticate", challenge)
	default:
		ctx.Resp = answer(http.StatusForbidden, t.verdict.Message)
	}
	return goproxy.RejectConnect, host
}

// hijacked owns the client's connection of an allowed CONNECT.
func (t *attempt) hijacked(_ *http.Request, client net.Conn, ctx *goproxy.ProxyCtx) {
	s := t.server
	c, ok := client.(*conn)
	if !ok {
		_ = client.Close()
		return
	}
	c.number, c.client, c.seat, c.via, c.lingers = t.conn.number, t.conn.client, t.conn.seat, t.hop, nil
	defer func() {
		if p := recover(); p != nil { // net/http no longer closes it
			_ = c.Close()
			panic(p)
		}
	}()
	if t.verdict.Action == Intercept {
		if _, err := io.WriteString(c, established); err != nil {
			_ = c.Close()
			return
		}
		s.receive(c, s.opt.IdleTime)
		return
	}
	// Not by the request's context: a client that has closed its sending side
	// still wants the tunnel.
	out, err := s.dial(context.WithoutCancel(ctx.Req.Context()), t.hop)
	if err != nil {
		c.lingers = s.opt.Wall
		_ = answer(http.StatusBadGateway, unreachable(err)).Write(c)
		_ = c.Close()
		return
	}
	if _, err := io.WriteString(c, established); err != nil {
		_ = c.Close()
		_ = out.Close()
		return
	}
	s.carry(c, out, t.hop)
}

func unreachable(err error) string {
	return "the gateway cannot reach it: " + err.Error()
}

// answer is the reply to a CONNECT that is not carried out.
func answer(status int, message string) *http.Response {
	body := message + "\n"
	text := reason(message)
	if text == "" {
		text = http.StatusText(status)
	}
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", status, text),
		StatusCode: status,
		ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"text/plain; charset=utf-8"}},
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)),
		Close:         true,
	}
}

// A hijackable writer gives goproxy a connection that keeps what net/http had
// read ahead: goproxy itself drops it before its hijack function.
type hijackable struct {
	http.ResponseWriter
	wall clock.Wall
}

// Hijack implements http.Hijacker.
func (w *hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	raw, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := rw.Reader.Peek(rw.Reader.Buffered())
	c := &conn{Conn: raw, early: append([]byte(nil), early...), lingers: w.wall}
	if plain, ok := raw.(*screen); ok {
		c.Conn = plain.Conn // it has nothing to screen any more
	}
	return c, rw, nil
}

// Unwrap is for http.ResponseController.
func (w *hijackable) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// debugLog is goproxy's logger.
type debugLog struct{ log *slog.Logger }

// Printf implements goproxy.Logger.
func (l debugLog) Printf(format string, v ...any) {
	l.log.Debug("goproxy", "message", strings.TrimSpace(fmt.Sprintf(format, v...)))
}
