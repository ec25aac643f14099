package gateway

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/ingress"
	"parity/gateway/journal"
	"parity/gateway/live"
	"parity/gateway/metrics"
	"parity/gateway/run"
	"parity/profiles"
)

// UsageError is a mistake of whoever started Parity: nothing was started.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Server is an open gateway: one run, one data port, one control port.
type Server struct {
	Gateway *Gateway
	Run     *run.Run
	CA      *ingress.CA

	settings Settings
	seen     string // digest of the profile's files as they were read first
	metrics  *metrics.Metrics
	journal  *journal.Writer
	data     net.Listener
	control  net.Listener
	ingress  *ingress.Server
	admin    *http.Server
	ready    readiness
	reload   atomic.Value // string: why the last save is not in force
	token    string
	stop     context.CancelFunc
	work     sync.WaitGroup
	codec    *trail.Codec
}

// Open starts a gateway. When it returns an error, nothing is left running;
// the error is a *UsageError where the caller is to mend something.
func Open(ctx context.Context, s Settings) (*Server, error) {
	s = s.withDefaults()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	seen := profiles.Digest(s.Profile, s.profileOptions(catalogue)) // before it is read: a save meanwhile is not missed
	profile, err := load(s, catalogue)
	if err != nil {
		return nil, &UsageError{err}
	}
	lifetime, stop := context.WithCancel(context.WithoutCancel(ctx))
	srv := &Server{settings: s, seen: seen, stop: stop, token: s.Token}
	srv.metrics = metrics.New(metrics.Options{Faults: kinds(), Reasons: reasons(), Backlog: srv.backlog})
	if srv.token == "" {
		srv.token = secret()
	}
	if err := srv.open(lifetime, catalogue, profile); err != nil {
		return nil, errors.Join(err, srv.Close(ctx))
	}
	return srv, nil
}

// load reads the profile and puts it aside as the last good one. A gateway that
// stays up opens over a broken profile with that, and says so.
func load(s Settings, catalogue *fakes.Catalogue) (*profiles.Profile, error) {
	o := s.profileOptions(catalogue)
	profile, err := profiles.Load(s.Profile, o)
	if err == nil {
		s.putAside(profile, o)
		return only(profile, s.Only)
	}
	if !s.Resilient {
		return nil, err
	}
	kept, kerr := profiles.LastGood(s.lastGood(), s.Profile, o)
	if kerr != nil {
		return nil, err
	}
	s.Log.Error("the profile is broken; its last good revision is in force", "revision", kept.Revision, "error", err)
	return only(kept, s.Only)
}

// only switches off every rule that is not named.
func only(p *profiles.Profile, names []string) (*profiles.Profile, error) {
	if len(names) == 0 {
		return p, nil
	}
	kept := *p
	kept.Rules = nil
	for _, name := range names {
		found := false
		for _, r := range p.Rules {
			if r.Name == name {
				kept.Rules, found = append(kept.Rules, r), true
			}
		}
		if !found {
			return nil, fmt.Errorf("profile %s has no rule %q; --only names one of its rules", p.Name, name)
		}
	}
	return &kept, nil
}

func (s *Server) open(ctx context.Context, catalogue *fakes.Catalogue, p *profiles.Profile) (err error) {
	if s.codec, err = trail.NewCodec(); err != nil {
		return err
	}
	if s.CA, err = ingress.OpenCA(ingress.CAOptions{Dir: s.settings.CA, Wall: s.settings.Wall, Log: s.settings.Log}); err != nil {
		return &UsageError{err}
	}
	if s.data, err = net.Listen("tcp", s.settings.Data); err != nil {
		return &UsageError{fmt.Errorf("data port: %w; choose another with --listen", err)}
	}
	if s.control, err = s.listenControl(); err != nil {
		return &UsageError{err}
	}
	s.Gateway, err = New(Options{
		Catalogue: catalogue, Profile: p, Allow: s.settings.Allow, Metrics: s.metrics, Codec: s.codec,
		Wall: s.settings.Wall, Log: s.settings.Log, Limits: Limits{Body: s.settings.MaxBody}, Lifetime: ctx, Before: s.settings.Before,
	})
	if err != nil {
		return &UsageError{err}
	}
	if err := s.begin(catalogue, p); err != nil {
		return err
	}
	return s.listen(ctx)
}

// listenControl opens the control port. Away from loopback it takes a token
// that somebody chose: whoever reaches it can read the run.
func (s *Server) listenControl() (net.Listener, error) {
	host, _, err := net.SplitHostPort(s.settings.Control)
	if err != nil {
		return nil, fmt.Errorf("control port: %w", err)
	}
	if ip := net.ParseIP(host); (ip == nil || !ip.IsLoopback()) && host != "localhost" && s.settings.Token == "" {
		return nil, fmt.Errorf("control port on %s is open to others: set a token with PARITY_CONTROL_TOKEN, or keep it on 127.0.0.1", s.settings.Control)
	}
	l, err := net.Listen("tcp", s.settings.Control)
	if err != nil {
		return nil, fmt.Errorf("control port: %w; choose another with --control", err)
	}
	return l, nil
}

// begin makes the run and its journal.
func (s *Server) begin(catalogue *fakes.Catalogue, p *profiles.Profile) error {
	now := s.settings.Wall.Now()
	seed := drawnSeed()
	if p.Seed != nil {
		seed = *p.Seed
	}
	if s.settings.Seed != nil {
		seed = *s.settings.Seed
	}
	world, err := catalogue.World()
	if err != nil {
		return err
	}
	c, err := clock.New(startOf(p.Clock), now)
	if err != nil {
		return &UsageError{err}
	}
	id := runID(now)
	if s.journal, err = journal.Create(filepath.Join(s.settings.runs(), id), journal.Options{
		Durability: s.settings.Durability, Clock: s.settings.Wall,
	}); err != nil {
		return err
	}
	kept := s.journal.SetMeta(map[string]string{
		"run": id, "profile": p.Name, "revision": p.Revision, "seed": fmt.Sprint(seed), "parity": Version,
		"began": now.UTC().Format(time.RFC3339Nano), "only": strings.Join(s.settings.Only, "\n"),
	})
	kept = errors.Join(kept, s.journal.Revision(p.Revision, p.Content))
	if kept != nil {
		return kept
	}
	s.Run, err = run.New(run.Options{
		ID: id, Token: secret(), Seed: chance.Seed(seed), State: run.NewState(world, c), Sink: record{s.journal},
		Codec: s.codec, Profile: p.Name, Parity: Version,
	})
	if err != nil {
		return err
	}
	s.Gateway.Add(s.Run, record{s.journal})
	return journal.SetLast(s.settings.runs(), id)
}

// startOf gives a stepped clock a start of its own: a clock that is stepped so
// that runs can be compared must not begin at whatever time it is.
func startOf(o clock.Options) clock.Options {
	if o.Mode == clock.Stepped && o.Start.IsZero() {
		o.Start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)
	}
	return o
}

func (s *Server) listen(ctx context.Context) error {
	dialer, err := live.New(live.Options{
		Literal: func(host string, port int) bool { return s.Gateway.revision.Load().egress.Literal(host, port) },
		Proxy:   live.ProxyFromEnvironment(s.settings.Getenv), Wall: s.settings.Wall,
	})
	if err != nil {
		return &UsageError{err}
	}
	if s.ingress, err = ingress.New(ingress.Options{
		Handler: s.Gateway, CA: s.CA, Decide: s.Gateway.approach, Dialer: dialer, Log: s.settings.Log, Wall: s.settings.Wall,
	}); err != nil {
		return err
	}
	control, err := admin.New(admin.Options{
		Token: s.token, Ready: s.ready.is, Metrics: s.metrics.Handler(), Runs: s, Log: s.settings.Log,
		Address: s.control.Addr().String(),
	})
	if err != nil {
		return err
	}
	s.admin = &http.Server{Handler: control, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	s.work.Go(func() { s.served("data port", s.ingress.Serve(s.data)) })
	s.work.Go(func() { s.served("control port", s.admin.Serve(s.control)) })
	s.work.Go(func() { s.watch(ctx) })
	s.metrics.Reloaded(s.settings.Wall.Now(), true)
	s.ready.set()
	return nil
}

// kinds are the faults that metrics count apart, reasons the refusals.
func kinds() []string {
	var list []string
	for _, f := range faults.Catalogue() {
		list = append(list, f.Name)
	}
	return list
}

func reasons() []string {
	return []string{"unknown-run", "unknown-host", "body-too-large", "content-encoding", "body-broken-off", "contract",
		"no-operation", "unauthorised", "journal"}
}

func (s *Server) backlog() int64 {
	if s.journal == nil {
		return 0
	}
	return s.journal.Backlog()
}

// LiveRuns tells the control plane about the run.
func (s *Server) LiveRuns() []admin.Run {
	p := s.Gateway.Profile()
	reload, _ := s.reload.Load().(string)
	return []admin.Run{{
		ID: s.Run.ID, Profile: p.Path, Revision: p.Revision, Seed: uint64(s.Run.Seed), Exchanges: s.Run.Seq(), ReloadError: reload,
	}}
}

func (s *Server) served(what string, err error) {
	if err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		s.settings.Log.Error("no longer listening", "what", what, "error", err)
	}
}

// Addr is the data port's address, Control the control port's.
func (s *Server) Addr() string    { return s.data.Addr().String() }
func (s *Server) Control() string { return s.control.Addr().String() }

// Dir is where the run is kept.
func (s *Server) Dir() string { return filepath.Join(s.settings.runs(), s.Run.ID) }

// Close ends the gateway: no new calls, those under way ended within the
// context, the journal written out. It may be called on one that is half open.
func (s *Server) Close(ctx context.Context) error {
	s.ready.clear()
	s.stop() // calls that wait to do their work wait no longer
	var problems []error
	if s.ingress != nil {
		problems = append(problems, s.ingress.Shutdown(ctx))
	} else if s.data != nil {
		problems = append(problems, s.data.Close())
	}
	if s.admin != nil {
		problems = append(problems, s.admin.Shutdown(ctx))
	} else if s.control != nil {
		problems = append(problems, s.control.Close())
	}
	s.work.Wait()
	if s.journal != nil {
		problems = append(problems, s.journal.Close())
	}
	return errors.Join(problems...)
}

// secret draws a token that cannot be guessed.
func secret() string {
	var b [15]byte
	_, _ = rand.Read(b[:]) // never fails, as its documentation says
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}

func drawnSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:]) % 1_000_000 // short enough to be typed
}

// runID names a run by when it began, and a little chance for two at once.
func runID(now time.Time) string {
	return now.UTC().Format("20060102-150405") + "-" + secret()[:4]
}
