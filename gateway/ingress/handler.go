package ingress

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
)

// serve is the one http.Handler of every way in.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.work.begin()
	defer s.work.end()
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok || c == nil {
		panic(http.ErrAbortHandler) // not one of ours; cannot be
	}
	x := &exchange{Context: r.Context(), origin: Origin{
		Remote:     r.RemoteAddr,
		Connection: c.number,
		Secure:     r.TLS != nil,
	}, client: c.client, conn: c}
	defer s.contain(r, x)
	if s.takenBack(r, c) {
		x.abort = true
		return
	}
	if c.client != nil {
		x.held = requestCost + headSize(r)
		c.client.hold(x.held)
		defer x.release()
	}
	if !s.begin(x, r) {
		x.abort = true
		return
	}
	if r.ProtoMajor >= 2 {
		paced := s.paced(w)
		w, x.seat = paced, c.seat
		defer func() {
			if !s.takenBack(r, c) && !x.abort {
				paced.rest()
			}
		}()
	}
	if problem := malformed(r); problem != nil {
		refuse(w, http.StatusBadRequest, problem.Error())
		return
	}
	s.sort(w, r, x, c)
	s.drain(w, r, x, c)
}

// sort finds out which way a request came in, and for which run.
func (s *Server) sort(w http.ResponseWriter, r *http.Request, x *exchange, c *conn) {
	given, carried := credentials(r.Header), c.carried
	r.Header.Del("Proxy-Authorization")
	r.Header.Del("Proxy-Connection")
	if c.via != nil {
		given, carried = Credentials{}, c.via.approach.Credentials
	}
	if r.Method == http.MethodConnect {
		// Whatever happens, what follows on this connection is no request.
		w.Header().Set("Connection", "close")
	}
	if c.named != nil && c.named.verdict.Action != Intercept {
		refuse(w, http.StatusForbidden, c.named.verdict.Message)
		return
	}
	if strings.Contains(through(r.Header), s.pseudonym) {
		refuse(w, http.StatusLoopDetected, looped)
		return
	}
	creds, err := claimed(given, carried, r.Header)
	if err == nil && c.torn {
		err = errTwoRuns
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if text, ok := s.opt.Own(creds.Name, r); ok {
		refuse(w, http.StatusOK, text)
		return
	}
	x.origin.RunName, x.origin.RunToken, x.origin.Proven = creds.Name, creds.Token, creds.Sent
	switch {
	case c.via != nil:
		s.inner(w, r, x, c.via)
	case r.Method == http.MethodConnect:
		s.connect(w, r, c, creds)
	case r.URL.IsAbs():
		s.absolute(w, r, x, creds)
	case c.named != nil:
		s.named(w, r, x, c.named)
	case c.reached != nil:
		s.hosted(w, r, x, c, creds)
	default:
		s.direct(w, r, x)
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
	handed := r.WithContext(x)
	if r.Body != nil && r.Body != http.NoBody {
		// On the copy alone: by its own kind of body net/http knows that a body
		// was not asked for, or is too long, and answers without waiting for it.
		body := &timedBody{ReadCloser: r.Body, control: http.NewResponseController(w), wall: s.opt.Wall, time: s.opt.BodyTime, there: r.ProtoMajor == 1 && x.conn.read()}
		handed.Body, x.body = body, body
		defer body.limit() // net/http reads on, to use the connection again
	}
	s.opt.Handler.ServeHTTP(w, handed)
}

// direct is a request to the data port itself.
func (s *Server) direct(w http.ResponseWriter, r *http.Request, x *exchange) {
	x.origin.Way = Direct
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
	h := &hop{approach: Approach{Way: Proxy, Authority: a, Credentials: creds, Remote: x.origin.Remote, Connection: x.origin.Connection}, through: through(r.Header)}
	h.verdict = s.decide(r.Context(), h.approach)
	x.origin.Authority = a
	switch h.verdict.Action {
	case Intercept:
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
	if r.Method == http.MethodConnect {
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
	x.origin.Way = by.approach.Way
	a := by.approach.Authority
	decided := "the connection"
	if by.approach.Way == SNI {
		decided = "the TLS server name"
		if said, err := ParseAuthority(r.Host, a.Port); err == nil {
			a.Port = said.Port // a server name has none
		}
	}
	if !s.meant(w, x.conn.reached.meaning(r.Host), a, decided) {
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
	h.Set("Content-Length", strconv.Itoa(len(message)+1))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, message+"\n")
}
