package ingress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"
)

// serve is the one http.Handler of every way in.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.work.begin()
	defer s.work.end()
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok || c == nil {
		panic(http.ErrAbortHandler) // not one of ours; cannot be
	}
	x := &exchange{origin: Origin{
		Remote:     r.RemoteAddr,
		Connection: c.number,
		Secure:     r.TLS != nil,
	}}
	defer s.contain(r, x)
	creds := credentials(r.Header)
	r.Header.Del("Proxy-Authorization")
	r.Header.Del("Proxy-Connection")

	switch {
	case c.via != nil:
		s.inner(w, r, x, c.via)
	case r.Method == http.MethodConnect:
		s.connect(w, r, c, creds)
	case r.URL.IsAbs():
		s.absolute(w, r, x, creds)
	case c.named != nil:
		s.named(w, r, x, c.named)
	default:
		s.direct(w, r, x, creds)
	}
}

// contain ends an exchange. A panic that reaches it costs the connection, or
// the stream in HTTP/2, and nothing else.
func (s *Server) contain(r *http.Request, x *exchange) {
	p := recover()
	if p == nil && !x.abort {
		return
	}
	if err, ok := p.(error); p != nil && !(ok && errors.Is(err, http.ErrAbortHandler)) {
		s.opt.Log.Error("panic while serving", "way", x.origin.Way, "authority", x.origin.Authority.String(),
			"method", r.Method, "panic", p, "stack", string(debug.Stack()))
	}
	panic(http.ErrAbortHandler)
}

// hand gives the request to the Handler.
func (s *Server) hand(w http.ResponseWriter, r *http.Request, x *exchange) {
	handed := r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	if r.Body != nil && r.Body != http.NoBody {
		// On the copy alone: by its own kind of body net/http knows that a body
		// was not asked for, or is too long, and answers without waiting for it.
		body := &timedBody{ReadCloser: r.Body, control: http.NewResponseController(w), server: s}
		handed.Body = body
		defer body.limit() // net/http reads on, to use the connection again
	}
	s.opt.Handler.ServeHTTP(w, handed)
}

// direct is a request to the data port itself.
func (s *Server) direct(w http.ResponseWriter, r *http.Request, x *exchange, creds Credentials) {
	x.origin.Way = Direct
	x.origin.RunName, x.origin.RunToken = creds.Name, creds.Token
	x.origin.Authority, _ = ParseAuthority(r.Host, port(x.origin.Secure))
	s.hand(w, r, x)
}

// absolute is a request to a forward proxy.
func (s *Server) absolute(w http.ResponseWriter, r *http.Request, x *exchange, creds Credentials) {
	x.origin.Way = Proxy
	scheme := r.URL.Scheme
	if scheme != "http" && scheme != "https" {
		refuse(w, http.StatusBadRequest, fmt.Sprintf("a proxy request for the scheme %q: only http and https are served", clip(scheme)))
		return
	}
	a, err := ParseAuthority(r.URL.Host, port(scheme == "https"))
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	h := &hop{approach: Approach{Way: Proxy, Authority: a, Credentials: creds, Remote: x.origin.Remote, Connection: x.origin.Connection}}
	h.verdict = s.decide(r.Context(), h.approach)
	x.origin.Authority = a
	switch h.verdict.Action {
	case Intercept:
		x.origin.RunName, x.origin.RunToken = h.verdict.RunName, h.verdict.RunToken
		s.hand(w, r, x)
	case Tunnel:
		s.forward(w, r, h)
	case Challenge:
		w.Header().Set("Proxy-Authenticate", challenge)
		refuse(w, http.StatusProxyAuthRequired, h.verdict.Message)
	default:
		refuse(w, http.StatusForbidden, h.verdict.Message)
	}
}

// inner is a request inside an intercepted CONNECT.
func (s *Server) inner(w http.ResponseWriter, r *http.Request, x *exchange, via *hop) {
	x.origin.Way = Connect
	a := via.approach.Authority
	x.origin.RunName, x.origin.RunToken = via.verdict.RunName, via.verdict.RunToken
	if r.Method == http.MethodConnect {
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusBadRequest, "a CONNECT inside of a CONNECT is not served")
		return
	}
	said := r.Host
	if r.URL.IsAbs() {
		said = r.URL.Host
	}
	if !s.meant(w, said, a, "CONNECT") {
		return
	}
	s.to(w, r, x, a)
}

// named is a request in TLS that asked for a service by its server name.
func (s *Server) named(w http.ResponseWriter, r *http.Request, x *exchange, by *hop) {
	x.origin.Way = SNI
	a := by.approach.Authority
	x.origin.RunName, x.origin.RunToken = by.verdict.RunName, by.verdict.RunToken
	if said, err := ParseAuthority(r.Host, a.Port); err == nil {
		a.Port = said.Port // a server name has none
	}
	if !s.meant(w, r.Host, a, "the TLS server name") {
		return
	}
	s.to(w, r, x, a)
}

// meant refuses a request that names another host than the one that was
// decided on. Without a port, a Host means the port it was connected for.
func (s *Server) meant(w http.ResponseWriter, said string, a Authority, decided string) bool {
	if said == "" { // HTTP/1.0
		return true
	}
	got, err := ParseAuthority(said, a.Port)
	if err == nil && got == a {
		return true
	}
	refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf(
		"this request is for %q, but %s was for %s: send it on a connection of its own", clip(said), decided, a))
	return false
}

// to hands on a request whose authority was decided before it was read.
func (s *Server) to(w http.ResponseWriter, r *http.Request, x *exchange, a Authority) {
	x.origin.Authority = a
	r.URL.Scheme = "http"
	if x.origin.Secure {
		r.URL.Scheme = "https"
	}
	r.URL.Host = a.String()
	s.hand(w, r, x)
}

func port(secure bool) int {
	if secure {
		return 443
	}
	return 80
}

// refuse answers in plain text.
func refuse(w http.ResponseWriter, status int, message string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, message+"\n")
}

// A timedBody has to arrive in time once somebody waits for it. The limit is
// not http.Server.ReadTimeout: that one goes on after the body and would end
// an exchange that a fault holds open.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	server  *Server
	begun   bool
	ended   bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	b.limit()
	n, err := b.ReadCloser.Read(p)
	if err != nil && !b.ended {
		b.ended = true
		if errors.Is(err, io.EOF) {
			_ = b.control.SetReadDeadline(time.Time{})
		}
	}
	return n, err
}

func (b *timedBody) limit() {
	if !b.begun {
		b.begun = true
		_ = b.control.SetReadDeadline(b.server.opt.Wall.Now().Add(b.server.opt.BodyTime))
	}
}
