package ingress

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes/clock"

	"github.com/elazarl/goproxy"
)

// Options are what a Server needs. Handler, CA and Decide are required.
type Options struct {
	Handler http.Handler
	CA      *CA
	// Decide says what becomes of a client that asks for an authority, through
	// a proxy or by server name. It is called on many goroutines.
	Decide func(context.Context, Approach) Verdict
	// Dialer is the way out of tunnels; without one nothing is tunnelled.
	Dialer Dialer
	// Opened, where set, hears once of each tunnel and each forwarded request:
	// when its way out is open, or, with the error, when it cannot be opened.
	Opened func(Approach, error)
	// Untrusted, where set, hears of each client that broke off the TLS
	// handshake with an intercepted host over its certificate, or without a
	// word: it does not trust the CA.
	Untrusted func(Approach, error)
	// NotHTTP, where set, hears of each connection of the way Address to an
	// intercepted host that spoke neither TLS nor HTTP, and was closed.
	NotHTTP func(Approach)
	// Passed, where set, hears of each tunnel and forwarded request when it has
	// ended.
	Passed func(Passage)
	// Own, where set, answers what is asked of the gateway itself, whatever host it
	// is asked at and by whatever way; not ok: it is nothing of that.
	Own func(run string, r *http.Request) (text string, ok bool)
	// Shed, where set, hears of what was turned away, or ended, because there
	// was too much of it.
	Shed func(Shed)
	Log  *slog.Logger // default: discard
	Wall clock.Wall   // default: clock.System

	MaxConns       int   // open connections, ways out of tunnels too; default 8192
	MaxClientConns int   // open connections of one client's address; default half of MaxConns
	MaxClientCalls int   // calls under way of one client's address; default 1024
	MaxHeld        int64 // bytes held for all clients, half of them for one; default 512 MiB

	MaxHeader   int           // bytes of a request's head; default 64 KiB
	HeaderTime  time.Duration // for a request's head, and a TLS handshake; default 10 s
	BodyTime    time.Duration // for a request's body, once reading it began; default 60 s
	IdleTime    time.Duration // between requests, and before the first byte; default 90 s
	WriteTime   time.Duration // for a client to take 64 KiB of its reply; default 30 s
	TunnelIdle  time.Duration // without a byte either way in a tunnel; default 10 min
	AbandonTime time.Duration // for handlers to end after Shutdown gave up waiting; default 5 s
}

func (o Options) withDefaults() (Options, error) {
	if o.Handler == nil || o.CA == nil || o.Decide == nil {
		return o, errors.New("ingress: Options needs Handler, CA and Decide")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wall == nil {
		o.Wall = clock.System{}
	}
	if o.Passed == nil {
		o.Passed = func(Passage) {}
	}
	if o.Opened == nil {
		o.Opened = func(Approach, error) {}
	}
	if o.Untrusted == nil {
		o.Untrusted = func(Approach, error) {}
	}
	if o.NotHTTP == nil {
		o.NotHTTP = func(Approach) {}
	}
	if o.Own == nil {
		o.Own = func(string, *http.Request) (string, bool) { return "", false }
	}
	if o.Shed == nil {
		o.Shed = func(Shed) {}
	}
	number(&o.MaxConns, 8192)
	number(&o.MaxClientConns, max(1, o.MaxConns/2))
	number(&o.MaxClientCalls, 1024)
	number(&o.MaxHeld, 512<<20)
	number(&o.MaxHeader, 64<<10)
	number(&o.HeaderTime, 10*time.Second)
	number(&o.BodyTime, time.Minute)
	number(&o.IdleTime, 90*time.Second)
	number(&o.WriteTime, 30*time.Second)
	number(&o.TunnelIdle, 10*time.Minute)
	number(&o.AbandonTime, 5*time.Second)
	return o, nil
}

func number[T int | int64 | time.Duration](v *T, preset T) {
	if *v <= 0 {
		*v = preset
	}
}

// A Server is one data port, and the ports of runs beside it. It is made by
// New, serves one listener, and is spent after Shutdown.
type Server struct {
	opt    Options
	engine *goproxy.ProxyHttpServer
	http   *http.Server
	tls    *tls.Config
	queue  *queue
	budget *budget

	pseudonym string

	base context.Context // ends what is still going on
	stop context.CancelFunc

	numbers  atomic.Uint64 // of connections
	open     atomic.Int64
	crowded  sparing // told of connections that were refused
	flooding sparing // told of those that were closed for resets
	closing  atomic.Bool
	work     workers
	mu       sync.Mutex
	listener net.Listener
	ports    map[net.Listener]bool // of runs
	waiting  map[net.Conn]struct{} // not yet, or not ever, net/http's to close
}

// New makes a server.
func New(opt Options) (*Server, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{opt: opt, queue: newQueue(), budget: newBudget(opt.MaxHeld), pseudonym: newPseudonym(), waiting: map[net.Conn]struct{}{}, ports: map[net.Listener]bool{}}
	s.base, s.stop = context.WithCancel(context.Background())
	s.engine = newEngine(s)
	s.tls = &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},

		DynamicRecordSizingDisabled: true, // a reply is one record: nobody is so far away that half of one would help

		GetConfigForClient: s.helloed,
		GetCertificate:     s.certificate,
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		Protocols:         protocols,
		ReadHeaderTimeout: opt.HeaderTime,
		IdleTimeout:       opt.IdleTime,
		MaxHeaderBytes:    opt.MaxHeader,
		ErrorLog:          slog.NewLogLogger(opt.Log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return s.base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, below(c))
		},
		ConnState: s.connState,
	}
	return s, nil
}

// Serve accepts connections until Shutdown, after which it returns nil.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	if s.listener != nil || s.closing.Load() {
		s.mu.Unlock()
		_ = l.Close()
		return errors.New("ingress: a Server serves one listener, once")
	}
	s.listener = l
	s.mu.Unlock()

	s.work.begin()
	go func() {
		defer s.work.end()
		_ = s.http.Serve(s.queue) // ends with Shutdown or Close
	}()
	err := s.accept(l, Credentials{}, nil)
	if s.closing.Load() {
		return nil
	}
	_ = s.queue.Close()
	return fmt.Errorf("accepting connections on %s: %w", l.Addr(), err)
}

// ServeRun accepts connections at a port of a run's own, until the listener is
// closed or Shutdown, after either of which it returns nil. What comes in there
// belongs to that run, as if it had sent its credentials; what names another one
// is refused. HTTP is answered as long as Serve runs.
func (s *Server) ServeRun(l net.Listener, run, token string) error {
	return s.serveRun(l, Credentials{Name: run, Token: token, Sent: true}, nil)
}

func (s *Server) serveRun(l net.Listener, run Credentials, names Names) error {
	s.mu.Lock()
	if s.closing.Load() {
		s.mu.Unlock()
		_ = l.Close()
		return nil
	}
	s.ports[l] = true
	s.mu.Unlock()
	defer l.Close()
	err := s.accept(l, run, names)
	s.mu.Lock()
	delete(s.ports, l)
	s.mu.Unlock()
	if s.closing.Load() || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("accepting connections on %s: %w", l.Addr(), err)
}

// ErrLeft is what Shutdown returns where exchanges did not end when they were
// told to.
var ErrLeft = errors.New("some exchanges did not end when told to")

// Shutdown stops accepting, waits for the exchanges in flight until ctx is
// done, then ends what is left: exchanges by their context, tunnels by closing
// both ends. It returns ctx's error if it had to end exchanges, and ErrLeft if
// some did not end all the same.
func (s *Server) Shutdown(ctx context.Context) error {
	s.closing.Store(true)
	s.mu.Lock()
	if s.listener != nil {
		_ = s.listener.Close()
	}
	for l := range s.ports {
		_ = l.Close()
	}
	s.mu.Unlock()
	s.closeWaiting()
	err := s.http.Shutdown(ctx)
	s.stop()
	_ = s.queue.Close()
	s.closeWaiting()
	_ = s.http.Close()
	s.engine.Tr.CloseIdleConnections()

	limit, stop := s.opt.Wall.After(s.opt.AbandonTime)
	defer stop()
	select {
	case <-s.work.ended():
	case <-limit:
		return errors.Join(err, ErrLeft)
	}
	if err != nil {
		return fmt.Errorf("exchanges were cut at shutdown: %w", err)
	}
	return nil
}

// Connections is how many connections are open, tunnels included.
func (s *Server) Connections() int { return int(s.open.Load()) }

func (s *Server) shed(what Shed) { s.opt.Shed(what) }

// wait keeps c among those that Shutdown closes at once.
func (s *Server) wait(c net.Conn) {
	s.mu.Lock()
	s.waiting[c] = struct{}{}
	s.mu.Unlock()
	if s.closing.Load() { // it came in between
		_ = c.Close()
	}
}

func (s *Server) waited(c net.Conn) {
	s.mu.Lock()
	delete(s.waiting, c)
	s.mu.Unlock()
}

func (s *Server) closeWaiting() {
	s.mu.Lock()
	conns := make([]net.Conn, 0, len(s.waiting))
	for c := range s.waiting {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

// connState follows net/http's connections. A new one that has sent no request
// would hold up http.Server.Shutdown for five seconds.
func (s *Server) connState(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.wait(c)
	case http.StateHijacked:
		s.waited(c)
		if own := below(c); own != nil {
			own.taken.Store(true)
		}
		switch c := c.(type) {
		case *screen:
			c.through.Store(true)
		case *secured:
			c.through.Store(true)
		}
	default:
		s.waited(c)
	}
}

// workers counts goroutines and handlers, and tells when none is left. Unlike
// a sync.WaitGroup it may be added to while somebody waits.
type workers struct {
	mu   sync.Mutex
	n    int
	none chan struct{}
}

func (w *workers) begin() {
	w.mu.Lock()
	w.n++
	w.mu.Unlock()
}

func (w *workers) end() {
	w.mu.Lock()
	w.n--
	if w.n == 0 && w.none != nil {
		close(w.none)
		w.none = nil
	}
	w.mu.Unlock()
}

func (w *workers) ended() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	done := make(chan struct{})
	if w.n == 0 {
		close(done)
		return done
	}
	if w.none == nil {
		w.none = done
	}
	return w.none
}
