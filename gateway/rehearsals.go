package gateway

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"parity/fakes/clock"
	"parity/faults/run"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/profiles"
)

// What a rehearsal needs of the gateway that it opens:
//
//	one run    Open ─▶ the agent in Server.Run            ─▶ KeepOutcome          ─▶ Close ─▶ Read
//	a series   Open ─▶ Conditions ─▶ BeginRun ─▶ the agent ─▶ Settle ─▶ End ─▶ Kept ─▶ Close
//
// Discard removes what is left of one in which nothing was started.

// Settings are those that the gateway was opened with, with their defaults.
func (s *Server) Settings() Settings { return s.settings }

// Profile is what is in force for clients that name no run.
func (s *Server) Profile() *profiles.Profile { return s.first.profile() }

// Services names those that are played for clients that name no run.
func (s *Server) Services() []string { return s.first.Revision().Names() }

// DrawnToken is the control token where the gateway has drawn it; "": somebody
// chose one.
func (s *Server) DrawnToken() string {
	if s.settings.Token != "" {
		return ""
	}
	return s.token
}

// Connections are those that are open at the data port.
func (s *Server) Connections() int { return s.ingress.Connections() }

// Missed is a *kept.MissedError where a record was to answer and did not have each
// call.
func (s *Server) Missed() error { return s.missed.Told() }

// Discard removes the store of a gateway that is closed, so that nobody takes
// its run for the last one.
func (s *Server) Discard() error {
	if err := journal.UnsetLast(s.settings.RunsFolder(), filepath.Base(s.dir)); err != nil {
		return err
	}
	return os.RemoveAll(s.dir)
}

// Conditions are what a run of a series is made under: a profile, with some of
// its rules or all.
type Conditions struct{ source *source }

// Profile is the one of the conditions.
func (c *Conditions) Profile() *profiles.Profile { return c.source.profile() }

// Conditions gives those of a profile, a file or a name in the library, of which
// the named rules are on. "" is the gateway's own, nil are all rules.
func (s *Server) Conditions(profile string, rules []string) (*Conditions, error) {
	of := s.first
	if profile != "" && profile != of.path {
		var err error
		if of, err = s.opened(profile); err != nil {
			return nil, err
		}
	}
	if rules == nil {
		return &Conditions{of}, nil
	}
	p, err := kept.Only(of.profile(), rules)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	rev, err := s.Gateway.line.Compile(p)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	some := &source{path: of.path, only: rules}
	some.Put(rev)
	return &Conditions{some}, nil
}

// AgentRun is a run of a series, which one agent alone is in. It is at a port of
// its own, so that a client which can name no run, such as a JVM, has one all
// the same.
type AgentRun struct {
	*run.Run
	Addr string // of the port

	server *Server
	live   *liveRun
}

// Profile is the one that the run is under.
func (r *AgentRun) Profile() *profiles.Profile { return r.live.Revision().Profile }

// BeginRun makes a run for an agent, with rules that are in force beside those of
// the profile. Nothing is left of it after an error.
func (s *Server) BeginRun(name string, under *Conditions, seed uint64, rules []Arming) (*AgentRun, error) {
	l, err := s.create(plan{name: name, source: under.source, seed: &seed, port: true, locked: true})
	if err != nil {
		return nil, err
	}
	if err := l.arm(context.Background(), rules); err != nil {
		return nil, errors.Join(err, s.remove(name))
	}
	return &AgentRun{Run: l.Run.Run, Addr: l.port.Addr().String(), server: s, live: l}, nil
}

// Settle waits until the run's calls have ended, or ctx has. Calls that wait to do
// their work wait no longer: the agent is gone.
func (r *AgentRun) Settle(ctx context.Context) {
	r.live.stop()
	for r.live.Calls() > 0 && clock.Sleep(ctx, r.server.settings.Wall, time.Millisecond) == nil {
	}
}

// End keeps how the agent was started and how it ended, and ends the run. Its
// record is in the store by then.
func (r *AgentRun) End(o kept.Outcome) error {
	r.server.KeepOutcome(r.ID, o)
	return errors.Join(r.server.end(r.live), r.server.store.Flush(context.Background()))
}

// ReadsOutput tells whether the profile has what the agent itself writes read.
func (r *AgentRun) ReadsOutput() bool { return r.live.source.profile().Says.Output }

// Remove takes the run out of the store: the agent could not be started.
func (r *AgentRun) Remove() error { return r.server.remove(r.ID) }

// KeepOutcome keeps how the agent was started and how it ended with the run.
func (s *Server) KeepOutcome(run string, o kept.Outcome) {
	said, err := o.Meta()
	if p, ok := s.Gateway.slot(run); ok && err == nil {
		err = p.live.Load().writer.SetMeta(said)
	}
	if err != nil {
		s.settings.Log.Warn("what the agent ended with is not kept", "error", err)
	}
}
