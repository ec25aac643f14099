package gateway

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/exchange"
	"parity/gateway/kept"
	"parity/profiles"
)

// source is a profile that runs are under. A good save of it comes into force
// for all of them at once.
type source struct {
	exchange.Source
	path     string       // as it was named
	only     []string     // names of rules: all others are switched off; none: all are on
	failed   atomic.Value // string: why the last save is not in force
	changing sync.Mutex   // one change at a time
	state    atomic.Pointer[inForce]
}

// inForce is how a revision came into force.
type inForce struct {
	since     time.Time
	back      bool // somebody put an earlier one in force
	foresight client.Foresight
	said      string
}

// profile is the revision in force.
func (s *source) profile() *profiles.Profile { return s.Revision().Profile }

// trouble says why the last save is not in force; "" when it is.
func (s *source) trouble() string {
	text, _ := s.failed.Load().(string)
	return text
}

// isBack tells whether an earlier revision is in force than the file has.
func (s *source) isBack() bool {
	state := s.state.Load()
	return state != nil && state.back
}

// use puts a profile revision in force for every run that is under the source:
// for each exchange admitted from now on, and for none before. Nothing changes
// when it returns an error.
func (g *Gateway) use(s *source, p *profiles.Profile) error {
	next, err := g.line.Compile(p)
	if err != nil {
		return err
	}
	for _, l := range g.under(s) {
		if err := l.keepRevision(p); err != nil {
			return err
		}
	}
	s.Put(next)
	for _, l := range g.under(s) { // with those that were made in between
		if err := l.follow(next); err != nil {
			g.log.Error("event not recorded", "run", l.ID, "kind", trail.Revised, "error", err)
		}
	}
	return nil
}

// follow notes that a revision is in force for a run that may have begun under
// another.
func (l *liveRun) follow(rev *exchange.Revision) error {
	if l.Follows(rev) {
		return nil // a call came in between
	}
	if err := l.keepRevision(rev.Profile); err != nil {
		return err
	}
	return l.Run.Follow(rev)
}

// under gives the runs that follow a source and are awake. Those that sleep note
// the newest revision when they wake.
func (g *Gateway) under(s *source) []*liveRun {
	var list []*liveRun
	for _, l := range g.awake() {
		if l.source == s && l.Pinned == nil && !l.Asleep() {
			list = append(list, l)
		}
	}
	return list
}

// keepRevision has the journal keep a profile revision and, before it, what its own
// services were read from and where its rules are written. What is there already
// is not kept again.
func (l *liveRun) keepRevision(p *profiles.Profile) error {
	once := func(name string, content []byte) error {
		if _, there := l.kept.Load(name); there {
			return nil
		}
		err := l.writer.Revision(name, content)
		if err == nil {
			l.kept.Store(name, true)
		}
		return err
	}
	if len(p.Sources) > 0 {
		list, contents := p.Sources.Pack()
		for hash, content := range contents {
			if err := once(kept.FileKey+hash, content); err != nil {
				return err
			}
		}
		if err := once(kept.ServicesKey+p.Revision, list); err != nil {
			return err
		}
	}
	if len(p.Places) > 0 {
		places := p.Places.Pack()
		if err := once(kept.PlacesKey+p.Revision+"-"+chance.Hash(string(places))[:8], places); err != nil {
			return err
		}
	}
	return l.writer.Revision(p.Revision, p.Content)
}

// known waits until it is known what becomes of what a control call did to a run.
func (s *Server) known(l *liveRun) error {
	seq := l.Seq()
	return s.becomes(
		func(ctx context.Context) error { return l.Certain(ctx, seq) },
		func(ctx context.Context) error { return l.Covered(ctx, seq) })
}

// settled waits until what is to be shown of a run cannot be taken back: until the
// store's promise holds for the newest event that it rests on. Where the disk
// cannot be written it does not wait, and shows nothing.
func (s *Server) settled(ctx context.Context, l *liveRun, seq uint64) error {
	err := l.Covered(ctx, seq)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &admin.Problem{Status: http.StatusServiceUnavailable, Code: "journal", Detail: "what is to be shown is not kept yet: " + err.Error()}
}

// becomes is known for what a control call did to the store: an answer says that
// it failed only where nothing was done, as those to agents do. Where nobody
// knows, since the gateway ends before its disk could be written again, there is
// no answer.
func (s *Server) becomes(certain, now func(context.Context) error) error {
	err := certain(s.lifetime)
	if s.lifetime.Err() == nil {
		return err
	}
	if now(context.WithoutCancel(s.lifetime)) != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
