package gateway

import (
	"sync"
	"sync/atomic"
	"time"

	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/exchange"
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
