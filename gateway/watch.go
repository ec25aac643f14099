package gateway

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/gateway/exchange"
	"parity/gateway/kept"
	"parity/profiles"
	"parity/specs/words"
)

// watch puts each good save of a profile in force, and keeps the last good one
// in force over a bad one. It ends with the gateway.
func (s *Server) watch(of *source, seen string) {
	o := s.settings.profileOptions(of.path, s.ships)
	o.Seen, o.Again = seen, of.isBack
	err := profiles.Watch(s.lifetime, of.path, o, func(p *profiles.Profile, err error) { s.reloaded(of, p, err) })
	if err != nil && s.lifetime.Err() == nil {
		s.settings.Log.Error("the profile is no longer watched", "profile", of.path, "error", err)
	}
}

func (s *Server) reloaded(of *source, p *profiles.Profile, err error) {
	of.changing.Lock()
	defer of.changing.Unlock()
	now := s.settings.Wall.Now()
	whole := p
	if err == nil {
		p, err = kept.Only(p, of.only)
	}
	if err == nil { // only what can come into force is worth a restart
		s.settings.putAside(of.path, whole, s.settings.profileOptions(of.path, s.ships))
	}
	if err == nil && p.Revision == of.profile().Revision {
		s.metrics.Reloaded(now, true)
		if of.trouble() != "" {
			s.settings.Log.Info("profile is as it was before the bad save", "profile", p.Name, "revision", p.Revision)
		}
		of.failed.Store("")
		if state := *of.state.Load(); state.back { // to what is in the file again
			state.back = false
			of.state.Store(&state)
		}
		return
	}
	if err == nil {
		err = s.enforce(of, p, inForce{since: now}, profiles.Saved)
	}
	s.metrics.Reloaded(now, err == nil)
	if err == nil && of == s.first {
		s.countDivergences(p)
	}
	if err != nil {
		of.failed.Store(err.Error())
		s.settings.Log.Error("profile not loaded; the last good revision stays in force",
			"profile", of.path, "revision", of.profile().Revision, "error", err)
		s.remember(of, profiles.Record{At: now, How: profiles.RefusedNow, Problems: problemLines(err)}, nil)
	}
}

// enforce puts a revision in force, says what it would have met, and remembers
// it.
func (s *Server) enforce(of *source, p *profiles.Profile, state inForce, how string) error {
	met := of.Recent() // before it meets anything
	if err := s.Gateway.use(of, p); err != nil {
		return err
	}
	state.foresight = kept.Preview(of.Revision(), met)
	state.said = kept.PreviewText(&state.foresight)
	s.settings.Log.Info("revision "+p.Revision+" in force; "+state.said, "profile", of.path, "how", how)
	s.remember(of, profiles.Record{At: state.since, How: how, Said: state.said}, p)
	of.failed.Store("")
	of.state.Store(&state)
	return nil
}

// remember keeps what became of a profile, for who wants it back. A gateway that
// keeps nothing on disk keeps nothing of this.
func (s *Server) remember(of *source, r profiles.Record, p *profiles.Profile) {
	if s.settings.Memory || of.path == profiles.Bare {
		return
	}
	r.File = of.path
	if err := s.settings.history().Note(r, p, s.settings.profileOptions(of.path, s.ships)); err != nil {
		s.settings.Log.Warn("the revision is not kept", "error", err)
	}
}

// problemLines are what is wrong with a save, bounded.
func problemLines(err error) []string {
	const most = 20
	lines := strings.Split(err.Error(), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "and "+words.Count(len(lines)-most, "line")+" more")
	}
	return lines
}

// source gives a profile that a run asks for: one of the library, or a file in
// the folder of profiles.
func (s *Server) source(name string) (*source, error) {
	if name == "" || name == s.first.path {
		return s.first, nil
	}
	if name == profiles.Bare {
		return nil, &UsageError{Err: errors.New("its contracts were named to another gateway, with --contract")}
	}
	paths := profiles.Layers(name)
	for i, layer := range paths {
		if slices.Contains(profiles.Library(), layer) {
			continue
		}
		if !s.offers(layer) {
			return nil, &UsageError{Err: fmt.Errorf("profile %q: name one of the library, or a file in %s, which --profiles sets", layer, s.settings.Profiles)}
		}
		paths[i] = filepath.Join(s.settings.Profiles, layer)
	}
	return s.opened(profiles.Layered(paths...))
}

// offers tells whether there is a profile of that name in the folder whose
// profiles runs may ask for: a file, and not one that a link leads out to, whose
// content would be quoted where it is no profile.
func (s *Server) offers(name string) bool {
	root, err := os.OpenRoot(s.settings.Profiles)
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// opened gives a profile by its path, or its name in the library. It is read
// once, and watched from then on, but for a series.
func (s *Server) opened(path string) (*source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.sources[path]; ok {
		return known, nil
	}
	if len(s.sources) >= mostSources {
		return nil, &UsageError{Err: fmt.Errorf("%d profiles are in use, which is the most of one gateway", mostSources)}
	}
	o := s.settings.profileOptions(path, s.ships)
	p, seen, err := profiles.LoadSeen(path, o)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	rev, err := s.Gateway.line.Compile(p)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	added := &source{path: path}
	s.begun(added, rev)
	s.sources[path] = added
	if s.settings.Series == "" {
		s.work.Go(func() { s.watch(added, seen) })
	}
	return added, nil
}

// begun has a source be under the revision that it was read as.
func (s *Server) begun(of *source, rev *exchange.Revision) {
	now := s.settings.Wall.Now()
	of.Put(rev)
	of.state.Store(&inForce{since: now})
	s.remember(of, profiles.Record{At: now, How: profiles.Opened}, rev.Profile)
}

// mostSources bounds the profiles of one gateway: each is watched.
const mostSources = 1000

// sourceFor gives the profile of a run that is to be made: the one that it asks
// for, else the one that its name is mapped to, else the gateway's own.
func (s *Server) sourceFor(name, asked string) (*source, error) {
	if asked != "" {
		return s.source(asked)
	}
	for _, m := range s.settings.Mappings {
		if fits, _ := filepath.Match(m.Pattern, name); fits { // checked when it was given
			return s.source(m.Profile)
		}
	}
	return s.first, nil
}

// CheckMapping reads PATTERN=PROFILE.
func CheckMapping(text string) (Mapping, error) {
	for i := range text {
		if text[i] != '=' {
			continue
		}
		m := Mapping{Pattern: text[:i], Profile: text[i+1:]}
		if _, err := filepath.Match(m.Pattern, ""); err == nil && m.Pattern != "" && m.Profile != "" {
			return m, nil
		}
		break
	}
	return Mapping{}, &UsageError{Err: errors.New(`"` + text + `": say which runs are under which profile, as in 'shard-*=storm.yaml'`)}
}

// countDivergences has the metrics tell of the cases of a profile.
func (s *Server) countDivergences(p *profiles.Profile) {
	days := make([]time.Time, 0, len(p.Divergences))
	for i := range p.Divergences {
		if p.Divergences[i].Open() {
			days = append(days, p.Divergences[i].Date)
		}
	}
	s.metrics.Diverged(s.settings.Wall.Now(), days)
}
