package gateway

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parity/fakes/builtin"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/console"
	"parity/gateway/exchange"
	"parity/gateway/heap"
	"parity/gateway/ingress"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/live"
	"parity/gateway/metrics"
	"parity/gateway/notify"
	"parity/profiles"
)

// UsageError is a mistake of whoever started Parity: nothing was started.
type UsageError = kept.UsageError

// Server is an open gateway: its runs, one data port, one control port.
type Server struct {
	Gateway *Gateway
	Run     *run.Run // the one of clients that name none, as the gateway opens
	CA      *ingress.CA

	settings Settings
	dir      string // of the store and of what agents need
	seen     string // digest of the profile's files as they were read first
	metrics  *metrics.Metrics
	store    *journal.Store
	ships    kept.Shelves
	worlds   *kept.Worlds
	data     net.Listener
	control  net.Listener
	ingress  *ingress.Server
	upstream *live.Sender // nil: nothing leaves for real services
	admin    *http.Server
	ready    readiness
	token    string
	sessions *console.Sessions
	notifier func() *notify.Notifier // of whoever is asked; made when somebody first is
	lifetime context.Context
	stop     context.CancelFunc
	work     sync.WaitGroup
	codec    *trail.Codec
	first    *source // the profile of runs that name none
	missed   kept.Misses
	nearRuns exchange.Nearing

	mu      sync.Mutex
	sources map[string]*source // by path
}

// Open starts a gateway. When it returns an error, nothing is left running;
// the error is a *UsageError where the caller is to mend something.
func Open(ctx context.Context, s Settings) (*Server, error) {
	s = s.WithDefaults()
	lifetime, stop := context.WithCancel(context.WithoutCancel(ctx))
	srv := &Server{settings: s, lifetime: lifetime, stop: stop, token: s.Token, sessions: console.NewSessions(s.Wall), worlds: kept.NewWorlds(), sources: map[string]*source{}}
	srv.notifier = sync.OnceValue(srv.startNotifier)
	if s.HeapFloor > 0 { // before anything is made
		srv.work.Go(heap.Keep(lifetime, s.Wall, s.HeapFloor))
	}
	profile, err := srv.begins()
	if err != nil {
		stop()
		srv.work.Wait()
		return nil, err
	}
	srv.metrics = metrics.New(metrics.Options{
		Faults: faults.CatalogueNames(), Reasons: exchange.Reasons(), Asleep: srv.sleeping, Sheds: ingress.Sheds(), Notices: notices(), Backlog: srv.backlog, Held: srv.held, Fullest: srv.fullest,
		Store: srv.stored, Record: srv.largest, MaxHeld: s.MaxHeld, MaxRuns: s.MaxRuns, Version: Version, Started: s.Wall.Now(),
	})
	if srv.token == "" {
		srv.token = newToken()
	}
	if err := srv.open(profile); err != nil {
		return nil, errors.Join(err, srv.Close(ctx))
	}
	return srv, nil
}

// begins reads what a start begins with: the services that ship, and the profile.
func (s *Server) begins() (*profiles.Profile, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	of := s.settings
	s.ships = kept.Shelves{Catalogue: catalogue, Shelf: profiles.NewShelf(), Checkpoints: kept.CheckpointVersion()}
	profile, seen, err := load(of, s.ships)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	s.seen = seen
	if of.Refuses != nil {
		if err := of.Refuses(profile); err != nil {
			return nil, &UsageError{Err: err}
		}
	}
	if err := of.locked(of.Profile, kept.StampOf(profile)); err != nil {
		return nil, err
	}
	return profile, nil
}

// load reads the profile and puts it aside as the last good one, and gives the
// digest of what it has read. A gateway that stays up opens over a broken profile
// with the last good one, and says so.
func load(s Settings, ships kept.Shelves) (p *profiles.Profile, seen string, err error) {
	if s.Script != nil {
		return s.Script.Profile, "", nil
	}
	o := s.profileOptions(s.Profile, ships)
	if p, seen, err = profiles.LoadSeen(s.Profile, o); err == nil {
		if err := s.MakeRoot(); err != nil {
			return nil, "", err
		}
		s.putAside(s.Profile, p, o)
		p, err = kept.Only(p, s.Only)
		return p, seen, err
	}
	if !s.Resilient {
		return nil, "", err
	}
	good, kerr := profiles.LastGood(s.lastGood(), s.Profile, o)
	if kerr != nil {
		return nil, "", err
	}
	s.Log.Error("the profile is broken; its last good revision is in force", "revision", good.Revision, "error", err)
	p, err = kept.Only(good, s.Only)
	return p, seen, err
}

func (s *Server) open(p *profiles.Profile) (err error) {
	if s.codec, err = trail.NewCodec(); err != nil {
		return err
	}
	if s.CA, err = ingress.OpenCA(ingress.CAOptions{Dir: s.settings.CA, Wall: s.settings.Wall, Log: s.settings.Log}); err != nil {
		return &UsageError{Err: err}
	}
	if s.data, err = net.Listen("tcp", s.settings.Data); err != nil {
		return &UsageError{Err: fmt.Errorf("data port: %w; choose another with --listen", err)}
	}
	if s.control, err = s.listenControl(); err != nil {
		return &UsageError{Err: err}
	}
	out, err := live.New(live.Options{
		Proxy: live.ProxyFromEnvironment(s.settings.Getenv), Wall: s.settings.Wall,
		Own: []string{s.data.Addr().String(), s.control.Addr().String()}, Self: s.own, Via: func(ctx context.Context) string { return s.ingress.Via(ctx) },
	})
	if err != nil {
		return &UsageError{Err: err}
	}
	if s.settings.Script == nil && s.settings.Series == "" && !s.settings.Unreal {
		s.upstream = live.NewSender(out, s.settings.Wall)
	}
	s.Gateway = New(Options{Public: s.settings.Public, Out: out, Options: exchange.Options{
		Allow: s.settings.Allow, Egress: s.settings.Egress, Hosts: s.settings.Hosts, Metrics: s.metrics, Codec: s.codec, Wall: s.settings.Wall, Log: s.settings.Log, Held: s.held,
		Limits:   exchange.Limits{Body: s.settings.MaxBody, Calls: int64(s.settings.MaxCalls), Held: s.settings.MaxHeld},
		Lifetime: s.lifetime, Before: s.settings.Before, Getenv: s.settings.Getenv, Sender: s.upstream, CheckReplies: s.settings.Checks,
	}})
	rev, err := s.Gateway.line.Compile(p)
	if err != nil {
		return &UsageError{Err: err}
	}
	s.first = &source{path: s.settings.Profile, only: s.settings.Only}
	s.begun(s.first, rev)
	s.sources[s.first.path] = s.first
	if err := s.prepare(); err != nil { // before anything is kept: what cannot work leaves no run behind
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	return s.listen()
}

// listenControl opens the control port. Away from loopback it takes a token
// that somebody chose and nobody guesses: whoever reaches it can read the run.
func (s *Server) listenControl() (net.Listener, error) {
	if err := admin.CheckAddress(s.settings.Control, s.settings.Token); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", s.settings.Control)
	if err != nil {
		return nil, fmt.Errorf("control port: %w; choose another with --control", err)
	}
	return l, nil
}

// begin opens the store, and makes the run of clients that name none, where
// none of an earlier gateway goes on.
func (s *Server) begin() error {
	id := runID(s.settings.Wall.Now())
	if s.settings.Series != "" {
		id = s.settings.Series + "-" + id
	}
	if err := s.openStore(id); err != nil || s.settings.Series != "" {
		return err
	}
	began := s.settings.Wall.Now()
	found, err := s.recoverRuns()
	if err != nil {
		return err
	}
	if n := s.Gateway.count(); n > 0 {
		s.settings.Log.Info("runs go on; each is rebuilt when somebody asks for it", "runs", n, "clean", s.store.Clean(), "took", s.settings.Wall.Now().Sub(began))
	}
	if found != nil {
		l, err := found.get()
		if err == nil {
			s.Run = l.Run.Run
			s.Gateway.serveFirst(found, strings.Fields(l.terms.Follows)...)
			return s.named(l.ID)
		}
	}
	l, err := s.create(plan{name: id, source: s.first, first: true})
	if err == nil {
		// Clients do not name it: were it lost, another one would be in its place,
		// and of the same seed give out the same ids.
		err = s.store.Flush(s.lifetime)
	}
	if err != nil {
		return err
	}
	s.Run = l.Run.Run
	return s.named(id)
}

// openStore opens the store: the shared one, which may have runs of an earlier
// gateway, or one for the run id alone.
func (s *Server) openStore(id string) (err error) {
	o := journal.Options{Durability: s.settings.Durability, Clock: s.settings.Wall, MaxBytes: s.settings.MaxRecord, MaxStore: s.settings.MaxStore}
	s.dir = filepath.Join(s.settings.RunsFolder(), id)
	if s.settings.Shared {
		s.dir = s.settings.SharedFolder()
	}
	switch {
	case s.settings.Memory:
		s.store = journal.InMemory(o)
		return os.MkdirAll(s.dir, 0o700)
	case s.settings.Shared:
		s.store, err = journal.Reopen(s.dir, o)
		if errors.Is(err, fs.ErrNotExist) {
			s.ahead()
			s.store, err = journal.Create(s.dir, o)
		}
	default:
		s.store, err = journal.Create(s.dir, o)
	}
	if busy := (*journal.BusyError)(nil); errors.As(err, &busy) {
		err = &UsageError{Err: fmt.Errorf("a gateway is up under %s already; stop it, or set PARITY_DIR to another folder: %w", s.settings.Root, err)}
	}
	return err
}

// named makes a run the last one.
func (s *Server) named(id string) error {
	if s.settings.Memory {
		return nil
	}
	return journal.SetLast(s.settings.RunsFolder(), id)
}

// prepare makes what the ports need.
func (s *Server) prepare() error {
	var err error
	if s.ingress, err = ingress.New(ingress.Options{
		Handler: s.Gateway, CA: s.CA, Decide: s.Gateway.connectPolicy, Opened: s.Gateway.tunnelled, Untrusted: s.Gateway.untrusted, NotHTTP: s.Gateway.notHTTP, Own: s.Gateway.probed,
		Log: s.settings.Log, Wall: s.settings.Wall, MaxHeld: s.settings.MaxHeld, MaxClientCalls: s.settings.MaxCalls / 2, MaxConns: maxConns(descriptors()),
		Shed: s.shed, BodyTime: s.settings.BodyTime, WriteTime: s.settings.WriteTime,
	}); err != nil {
		return err
	}
	s.Gateway.forward = s.ingress.Forward
	control, err := admin.New(admin.Options{
		Token: s.token, Run: s.Gateway.owner, Person: s.person, Ready: s.takes, Metrics: s.metrics.Handler(), Console: console.Handler(), Operations: s.operations(), Log: s.settings.Log,
		Address: s.control.Addr().String(), Hosts: s.settings.Hosts, Wall: s.settings.Wall,
	})
	if err != nil {
		return &UsageError{Err: err}
	}
	s.admin = s.controlServer(control)
	return nil
}

// controlServer serves a control port.
func (s *Server) controlServer(control http.Handler) *http.Server {
	return &http.Server{
		Handler: ingress.Timely(control, s.settings.BodyTime, s.settings.Wall), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return s.lifetime }, // whoever follows a run is let go when the gateway ends
	}
}

// paced is a listener of a control port.
func (s *Server) paced(l net.Listener) net.Listener {
	return ingress.Paced(l, maxControl(descriptors()), s.settings.WriteTime, s.settings.Wall, s.shed)
}

func (s *Server) listen() error {
	s.work.Go(func() { s.served("data port", s.ingress.Serve(s.data)) })
	s.work.Go(func() {
		s.served("control port", s.admin.Serve(s.paced(s.control)))
	})
	if s.settings.Script == nil && s.settings.Series == "" { // a series is of one kind from its first run to its last
		s.work.Go(func() { s.watch(s.first, s.seen) })
	}
	s.work.Go(func() { s.expire(s.lifetime) })
	s.metrics.Reloaded(s.settings.Wall.Now(), true)
	s.countDivergences(s.first.profile())
	s.ready.set()
	return nil
}

func (s *Server) shed(what ingress.Shed) { s.metrics.Shed(string(what)) }

func (s *Server) held() int64 {
	if s.ingress == nil {
		return 0
	}
	return s.ingress.Held()
}

func (s *Server) backlog() int64 {
	if s.store == nil {
		return 0
	}
	return s.store.Backlog()
}

func (s *Server) served(what string, err error) {
	if err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		s.settings.Log.Error("no longer listening", "what", what, "error", err)
	}
}

// Addr is the data port's address, Control the control port's.
func (s *Server) Addr() string    { return s.data.Addr().String() }
func (s *Server) Control() string { return s.control.Addr().String() }

// Dir is where the runs are kept.
func (s *Server) Dir() string { return s.dir }

// newToken draws a token that cannot be guessed.
func newToken() string {
	var b [15]byte
	_, _ = rand.Read(b[:]) // never fails, as its documentation says
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}

// runID names a run by when it began, and a little chance for two at once.
func runID(now time.Time) string {
	return now.UTC().Format("20060102-150405") + "-" + newToken()[:4]
}
