package gateway

import (
	"context"

	"parity/profiles"
)

// watch puts each good save of the profile in force, and keeps the last good
// one in force over a bad one. It ends with ctx.
func (s *Server) watch(ctx context.Context) {
	o := s.settings.profileOptions(s.Gateway.catalogue)
	o.Seen = s.seen
	err := profiles.Watch(ctx, s.settings.Profile, o, s.reloaded)
	if err != nil && ctx.Err() == nil {
		s.settings.Log.Error("the profile is no longer watched", "error", err)
	}
}

func (s *Server) reloaded(p *profiles.Profile, err error) {
	now := s.settings.Wall.Now()
	whole := p
	if err == nil {
		p, err = only(p, s.settings.Only)
	}
	if err == nil { // only what can come into force is worth a restart
		s.settings.putAside(whole, s.settings.profileOptions(s.Gateway.catalogue))
	}
	if err == nil && p.Revision == s.Gateway.Profile().Revision {
		s.metrics.Reloaded(now, true)
		s.reload.Store("")
		return
	}
	if err == nil {
		if err = s.journal.Revision(p.Revision, p.Content); err == nil {
			err = s.Gateway.Use(p)
		}
	}
	s.metrics.Reloaded(now, err == nil)
	if err != nil {
		s.reload.Store(err.Error())
		s.settings.Log.Error("profile not loaded; the last good revision stays in force",
			"revision", s.Gateway.Profile().Revision, "error", err)
		return
	}
	s.reload.Store("")
	s.settings.Log.Info("profile in force", "profile", p.Name, "revision", p.Revision)
}
