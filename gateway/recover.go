package gateway

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/live"
	"parity/profiles"
)

// recoverRuns gives every run of an earlier gateway, which has not ended, its place
// again. Each sleeps until somebody asks for it: then its state is rebuilt from
// its events.
func (s *Server) recoverRuns() (first *slot, err error) {
	for _, info := range s.store.Runs() {
		if !info.Ended.IsZero() {
			continue
		}
		p := &slot{name: info.Run, load: func() (*liveRun, error) {
			l, err := s.load(info)
			if err != nil {
				s.settings.Log.Error("run does not go on", "run", info.Run, "error", err)
			}
			return l, err
		}}
		meta, err := s.metaOf(info.Run)
		if err != nil {
			s.settings.Log.Error("run does not go on", "run", info.Run, "error", err)
		}
		t := readTerms(meta)
		p.token, p.ends = meta[kept.TokenKey], t.until(s.settings.Wall.Now())
		if err := s.Gateway.add(p); err != nil {
			return nil, err
		}
		if !t.First {
			continue
		}
		if first != nil { // its clients had this one already, when the gateway was killed
			if err := s.endAsleep(first); err != nil {
				return nil, err
			}
		}
		first = p
	}
	return first, nil
}

// endAsleep ends a run that nobody has asked for again.
func (s *Server) endAsleep(p *slot) error {
	s.Gateway.drop(p.name)
	w, err := s.store.Resume(p.name)
	if err != nil {
		return err
	}
	return w.End()
}

// readTerms reads what meta wrote.
func readTerms(meta map[string]string) terms {
	t := terms{Profile: meta["profile"], First: meta["first"] == "true", Locked: meta["locked"] == "true", Follows: meta["follows"], Only: strings.Fields(meta["only"])}
	t.Made, _ = time.Parse(time.RFC3339Nano, meta["made"]) // our own writing
	t.Ends, _ = time.Parse(time.RFC3339Nano, meta["ends"]) // zero where there is none
	t.Idle, _ = time.ParseDuration(meta["idle"])           // the same
	return t
}

// load rebuilds a run from its record, and has it go on in this epoch.
func (s *Server) load(info journal.Info) (*liveRun, error) {
	rec, err := s.store.Read(info.Run)
	if err != nil {
		return nil, err
	}
	if _, err := rec.Besides(); err != nil {
		return nil, err
	}
	k, err := kept.ReadHead(rec, s.ships)
	if err = errors.Join(err, k.Unread); err != nil {
		return nil, err
	}
	for e, err := range s.events(info.Run)(1) {
		if err != nil {
			return nil, err
		}
		k.Events = append(k.Events, e) // the first: the others are folded as they are read
		break
	}
	state, err := k.Origin(s.worlds)
	if err != nil {
		return nil, err
	}
	l := &liveRun{terms: readTerms(k.Meta)}
	l.Begins(k.First())
	if l.origin.start, l.origin.profile, err = k.Beginning(); err != nil {
		return nil, err
	}
	if l.source, err = s.sourceOf(l.terms, k.Profile); err != nil {
		return nil, err
	}
	if l.Out, err = s.outOf(info, k.Profile); err != nil {
		return nil, err
	}
	if l.terms.Locked {
		if l.Pinned, err = s.pinned(k); err != nil {
			return nil, err
		}
	}
	l.touched.Store(s.settings.Wall.Now().UnixNano())
	if l.writer, err = s.store.Resume(info.Run); err != nil {
		return nil, err
	}
	seed, err := strconv.ParseUint(k.Meta["seed"], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("run %s: its seed: %w", info.Run, err)
	}
	l.Run.Run = s.run(l, info.Run, k.Meta[kept.TokenKey], seed, state)
	if err := l.Restore(); err != nil {
		return nil, err
	}
	return l, s.resumed(l, k)
}

// pinned is the revision that a run which keeps its own is under: the newest that
// its record has, which is the one that it began with.
func (s *Server) pinned(k *kept.Run) (*exchange.Revision, error) {
	if k.Profile == nil {
		return nil, fmt.Errorf("run %s: its record has no profile", k.ID)
	}
	return s.Gateway.line.Compile(k.Profile)
}

// resumed records that a run goes on, and under what.
func (s *Server) resumed(l *liveRun, k *kept.Run) error {
	err := l.Append(&trail.Event{Kind: trail.Resumed, Epoch: &trail.Epoch{Number: s.store.Epoch(), Clean: s.store.Clean()}})
	for name := range k.Contents() {
		l.kept.Store(name, true)
	}
	if rev := l.Revision(); rev.Profile.Revision != l.State().Revision || l.Lacks(rev) {
		err = errors.Join(err, l.keepRevision(rev.Profile), l.Follow(rev))
	}
	return errors.Join(err, l.Abandon())
}

// sourceOf is the profile that a run goes on under: the one that it was named
// for, or where that cannot be had any more, the last revision that was in
// force.
func (s *Server) sourceOf(t terms, last *profiles.Profile) (*source, error) {
	if t.Profile == s.first.path {
		return s.first, nil
	}
	found, err := s.source(t.Profile)
	if err == nil {
		return found, nil
	}
	if last == nil {
		return nil, err
	}
	s.settings.Log.Error("a run goes on under the last revision of its profile", "profile", t.Profile, "revision", last.Revision, "error", err)
	rev, cerr := s.Gateway.line.Compile(last)
	if cerr != nil {
		return nil, errors.Join(err, cerr)
	}
	kept := &source{path: t.Profile}
	kept.Put(rev)
	return kept, nil
}

// Kept reads a run of this gateway, as it is by now.
func (s *Server) Kept(name string) (*kept.Run, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	return kept.ReadRecord(rec, s.ships, s.codec, s.others)
}

// others reads other runs of this gateway.
func (s *Server) others(name string) (*kept.Run, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	return kept.Beside(rec, s.codec)
}

// metaOf is what the store keeps of a run besides its events.
func (s *Server) metaOf(name string) (map[string]string, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	return rec.Meta()
}

// events reads a run's line of events from the store.
func (s *Server) events(name string) func(from uint64) iter.Seq2[trail.Event, error] {
	return func(from uint64) iter.Seq2[trail.Event, error] {
		return func(yield func(trail.Event, error) bool) {
			rec, err := s.store.Read(name)
			if err != nil {
				yield(trail.Event{}, err)
				return
			}
			for entry, err := range rec.Entries(from) {
				var e trail.Event
				if err == nil {
					e, err = s.codec.ReadEvent(entry.Data)
				}
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// forks are the events at which a run's line of events went on in another run.
func (s *Server) forks(name string) []uint64 {
	info, ok := s.store.Run(name)
	if !ok || info.Base == "" {
		return nil
	}
	return append(s.forks(info.Base), info.BaseSeq)
}

// outOf is what has left of a run that goes on, as its record has it; nil: nothing
// leaves of it. A fork reaches nothing real.
func (s *Server) outOf(info journal.Info, p *profiles.Profile) (*live.Count, error) {
	if s.upstream == nil || info.Base != "" {
		return nil, nil
	}
	c := &live.Count{}
	if p == nil || len(p.Upstreams) == 0 {
		return c, nil
	}
	for e, err := range s.events(info.Run)(1) {
		if err != nil {
			return nil, err
		}
		if e.Exchange == nil {
			continue
		}
		for i := range e.Exchange.Upstream {
			c.Recall(&e.Exchange.Upstream[i])
		}
	}
	return c, nil
}
