package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/kit"
	"parity/faults/run"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/live"
	"parity/gateway/recorder"
	"parity/gateway/socket"
	"parity/profiles"
	"parity/specs/secret"
)

// plan is what a run is to be made of.
type plan struct {
	name    string
	source  *source
	seed    *uint64        // nil: the profile's, else one drawn
	stage   int            // 0: the settings', else the profile's
	agent   string         // NAME@VERSION, for whose evidence a stage may ask; "": the settings'
	clock   *clock.Options // nil: the profile's
	ttl     time.Duration  // 0: it stays
	idle    time.Duration  // 0: it stays
	first   bool           // it serves clients that name no run
	follows []string       // the runs that they had before, oldest first
	token   string         // "": one is drawn
	port    bool           // it gets a data port of its own
	frozen  bool           // its clock stands still from the beginning
	locked  bool           // it keeps the revision that it begins with
}

// create makes a run. It takes no disk and no time that depends on the world.
func (s *Server) create(p plan) (*liveRun, error) {
	rev := p.source.Revision()
	began, seed, err := s.beginning(rev.Profile, p)
	if err != nil {
		return nil, err
	}
	start := kept.Started(rev.Profile, began, seed)
	start.Start.Stage = cmp.Or(p.stage, s.settings.Stage, start.Start.Stage)
	if err := kept.Raised(kept.EvidenceIn(s.settings.Root), rev.Profile, start.Start.Stage, cmp.Or(p.agent, s.settings.Agent)); err != nil {
		return nil, &UsageError{Err: err}
	}
	start.Start.Standing = kept.StandingApprovals(kept.EvidenceIn(s.settings.Root), rev.Profile, s.settings.Wall.Now())
	state, err := s.worlds.Origin(start, rev.Profile)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	l := &liveRun{source: p.source, terms: s.terms(p), origin: origin{start, rev.Profile}}
	l.Begins(start)
	if s.upstream != nil {
		l.Out = &live.Count{}
	}
	if s.settings.Locked != "" || p.locked {
		l.Pinned, l.terms.Locked = rev, true
	}
	if s.settings.Script != nil {
		if l.Playback, err = kept.NewPlayback(s.settings.Script, &s.missed); err != nil {
			return nil, err
		}
	}
	if err := s.attachJournal(l, p, journal.Origin{}, state, seed); err != nil {
		return nil, err
	}
	l.Furnished(rev)
	err = l.keepRevision(rev.Profile)
	if err == nil && !rev.Profile.Start.Empty() {
		err = l.writer.Revision(kept.FixturesKey+rev.Profile.Start.Hash(), rev.Profile.Start.Content())
	}
	err = errors.Join(err, l.Append(start))
	if now := l.Revision(); now != rev && err == nil { // a save came in between
		err = l.follow(now)
	}
	if err == nil && p.frozen {
		_, err = l.Move(clock.Move{To: state.Began, Frozen: true, Mode: state.Clock.Mode, Speed: state.Clock.Speed, Step: state.Clock.Step})
	}
	if err != nil {
		return nil, errors.Join(err, s.remove(l.ID))
	}
	if at, ok := s.Gateway.slot(l.ID); ok && p.first { // only now: whoever names no run does not wait for it
		s.Gateway.serveFirst(at, strings.Fields(l.terms.Follows)...)
	}
	return l, nil
}

// ahead begins to build the world of the first run while a new store is made:
// both take long, and neither waits for the other. What goes wrong is told to
// the run. Where the world depends on the seed, which is drawn with the run, it
// is not known yet.
func (s *Server) ahead() {
	p := s.first.profile()
	if p.Start.Empty() || p.Start.Seed == nil {
		return
	}
	if c, seed, err := s.beginning(p, plan{}); err == nil {
		s.work.Go(func() { _, _ = s.worlds.Origin(kept.Started(p, c, seed), p) })
	}
}

// beginning is a run's clock and seed at its start.
func (s *Server) beginning(p *profiles.Profile, o plan) (clock.State, uint64, error) {
	seed := kept.DrawnSeed()
	for _, given := range []*uint64{p.Seed, s.settings.Seed, o.seed} {
		if given != nil {
			seed = *given
		}
	}
	options := p.Clock
	if o.clock != nil {
		options = *o.clock
	}
	c, err := clock.New(options.WithStart(), s.settings.Wall.Now())
	if err != nil {
		return clock.State{}, 0, &UsageError{Err: err}
	}
	return c, seed, nil
}

func (s *Server) terms(p plan) terms {
	now := s.settings.Wall.Now()
	t := terms{Profile: p.source.path, Made: now, Idle: p.idle, Only: p.source.only, First: p.first, Follows: strings.Join(p.follows, " ")}
	if p.ttl > 0 {
		t.Ends = now.Add(p.ttl)
	}
	return t
}

// attachJournal gives a live run its run, its place in the store and in the gateway, and
// its port.
func (s *Server) attachJournal(l *liveRun, p plan, from journal.Origin, state run.State, seed uint64) error {
	n := s.Gateway.count()
	s.nearRuns.Warn(s.settings.Log, "live runs", int64(n)+1, int64(s.settings.MaxRuns), "none is made; end some, or --max-runs raises it")
	if n >= s.settings.MaxRuns {
		return &UsageError{Err: fmt.Errorf("%d runs are going on, and --max-runs allows no more: end some with `parity runs end`, or raise it", n)}
	}
	if p.name == "" {
		p.name = runID(s.settings.Wall.Now())
	}
	writer, err := s.store.Begin(p.name, from)
	if errors.Is(err, fs.ErrExist) {
		return &UsageError{Err: fmt.Errorf("run %s: %w", p.name, errTaken)}
	}
	if errors.Is(err, journal.ErrName) {
		return &UsageError{Err: err}
	}
	if err != nil {
		return err
	}
	l.writer = writer
	l.touched.Store(s.settings.Wall.Now().UnixNano())
	l.Run.Run = s.run(l, p.name, cmp.Or(p.token, newToken()), seed, state)
	err = writer.SetMeta(l.meta(seed))
	if err == nil && p.port {
		err = s.openPort(l)
	}
	if err == nil {
		err = s.Gateway.add(slotOf(l))
	}
	if err != nil {
		return errors.Join(err, l.closePort(), s.store.Remove(p.name))
	}
	return nil
}

// run makes the run.Run of a live run.
func (s *Server) run(l *liveRun, name, token string, seed uint64, state run.State) *run.Run {
	l.Source, l.Journal, l.Room, l.Recorder = &l.source.Source, l, l, recorder.New(name, s.settings.Wall)
	l.Asked = func(id string) { s.notify(l, id) }
	if !s.settings.Stateless {
		l.OnDisk = s.store.Durable
	}
	l.stirred = make(chan struct{}, 1)
	l.Lifetime, l.stop = context.WithCancel(s.lifetime)
	l.Sockets = socket.New(socket.Options{Lifetime: l.Lifetime, Wall: s.settings.Wall, Go: s.work.Go, Opened: func() { s.resume(l) }})
	var sink run.Sink = record{l.writer}
	if l.forgets = s.settings.Stateless; l.forgets {
		sink = &forgetful{record: record{l.writer}}
	}
	if l.Met == nil {
		l.Met = &secret.Met{Mark: exchange.Marks(chance.Seed(seed))}
	}
	return run.New(run.Options{
		ID: name, Token: token, Mask: l.Mask, Seed: chance.Seed(seed), State: state, Sink: sink, Codec: s.codec, Wall: s.settings.Wall,
		Events: s.events(name), Forks: s.forks(name), Fire: l.Fire(chance.Seed(seed)), Due: kit.Earliest,
		Waits: func() { s.sendDue(l) }, Origin: s.originOf(l), Kept: s.checkpointed(l, name), Woken: l.woken,
	})
}

func slotOf(l *liveRun) *slot {
	p := &slot{name: l.ID, token: l.Token}
	p.live.Store(l)
	return p
}

// trunk is a state of a run, for forks to go on from.
type trunk struct {
	run    string
	state  run.State
	seed   uint64
	source *source
	pinned *exchange.Revision
	origin origin
	only   []string
	met    *secret.Met // secrets that its records have; nil: they are hidden in them
	apart  bool        // its state has what its journal has not
}

// trunk gives a run's state after event at, or its newest one where at is 0,
// whether it goes on or has ended.
func (s *Server) trunk(name string, at uint64) (*trunk, error) {
	p, ok := s.Gateway.slot(name)
	if !ok {
		return s.trunkKept(name, at)
	}
	of, err := p.get()
	if err == nil {
		err = of.Wake()
	}
	if err != nil {
		return nil, err
	}
	t := &trunk{
		run: of.ID, state: of.State(), seed: uint64(of.Seed), source: of.source, pinned: of.Pinned, origin: of.origin, only: of.terms.Only, met: of.Met.Clone(),
		apart: of.Apart(),
	}
	if at > 0 && at != t.state.Seq {
		if t.state, err = of.At(at); err != nil {
			return nil, &UsageError{Err: err}
		}
	}
	return t, nil
}

// trunkKept is trunk of a run that has ended.
func (s *Server) trunkKept(name string, at uint64) (*trunk, error) {
	if _, ok := s.store.Run(name); !ok {
		return nil, unknownRun(name)
	}
	k, err := s.Kept(name)
	if err == nil {
		err = k.Unread
	}
	if err != nil {
		return nil, err
	}
	t := &trunk{run: name, seed: uint64(k.Seed())}
	if t.origin.start, t.origin.profile, err = k.Beginning(); err != nil {
		return nil, err
	}
	if t.state, err = k.At(at); err != nil {
		return nil, err
	}
	terms := readTerms(k.Meta)
	t.only = terms.Only
	t.source, err = s.sourceOf(terms, k.Profile)
	return t, err
}

// fork makes a run that goes on from a trunk. Calls that wait there are left
// behind.
func (s *Server) fork(of *trunk, p plan) (*liveRun, error) {
	state := of.state.Fork()
	state.Rebase()
	if p.source == nil {
		p.source = of.source
	}
	l := &liveRun{source: p.source, terms: s.terms(p), origin: of.origin}
	l.Begins(of.origin.start)
	l.Met = of.met
	if of.apart {
		l.origin = origin{}
	}
	if p.source == of.source {
		l.Pinned, l.terms.Only, l.terms.Locked = of.pinned, of.only, of.pinned != nil
	}
	if err := s.attachJournal(l, p, journal.Origin{Base: of.run, Seq: state.Seq}, state, of.seed); err != nil {
		return nil, err
	}
	rev := l.Revision()
	err := l.keepRevision(rev.Profile)
	if rev.Profile.Revision != state.Revision || l.Lacks(rev) {
		err = errors.Join(err, l.Follow(rev))
	}
	if err = errors.Join(err, l.Abandon()); err != nil {
		return nil, errors.Join(err, s.remove(l.ID))
	}
	return l, nil
}

// end lets nothing more happen in a run. Its record stays.
func (s *Server) end(l *liveRun) error {
	l.End()
	l.stop()
	l.mark()
	s.Gateway.drop(l.ID)
	return errors.Join(l.closePort(), l.writer.End())
}

// remove takes a run out of the gateway and out of the store.
func (s *Server) remove(name string) error {
	if p, ok := s.Gateway.slot(name); ok {
		s.Gateway.drop(name)
		if l := p.live.Load(); l != nil {
			l.End()
			l.stop()
			if err := l.closePort(); err != nil {
				return err
			}
		}
	}
	return errors.Join(kept.ForgetHuman(s.dir, name), s.store.Remove(name))
}

// meta is what the store keeps of a live run besides its events.
func (l *liveRun) meta(seed uint64) map[string]string {
	m := map[string]string{
		"run": l.ID, kept.TokenKey: l.Token, "seed": strconv.FormatUint(seed, 10), "profile": l.terms.Profile, "parity": Version,
		"made": l.terms.Made.UTC().Format(time.RFC3339Nano), "only": strings.Join(l.terms.Only, "\n"),
	}
	if !l.terms.Ends.IsZero() {
		m["ends"] = l.terms.Ends.UTC().Format(time.RFC3339Nano)
	}
	if l.terms.Idle > 0 {
		m["idle"] = l.terms.Idle.String()
	}
	if l.terms.First {
		m["first"] = "true"
	}
	if l.terms.Locked {
		m["locked"] = "true"
	}
	if l.terms.Follows != "" {
		m["follows"] = l.terms.Follows
	}
	return m
}

// openPort gives a run a data port of its own. Who calls it shows no token, so
// that it is for clients on this machine alone, wherever the gateway listens.
func (s *Server) openPort(l *liveRun) error {
	host, _, err := net.SplitHostPort(s.Addr())
	if err != nil {
		return err
	}
	if at, err := netip.ParseAddr(host); err != nil || !at.IsLoopback() {
		host = "127.0.0.1"
	}
	if l.port, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
		return fmt.Errorf("run %s: a port of its own: %w", l.ID, err)
	}
	s.work.Go(func() { s.served("port of run "+l.ID, s.ingress.ServeRun(l.port, l.ID, l.Token)) })
	return nil
}

func (l *liveRun) closePort() error {
	if l.port == nil {
		return nil
	}
	if err := l.port.Close(); !errors.Is(err, net.ErrClosed) { // a gateway that closes has closed it
		return err
	}
	return nil
}
