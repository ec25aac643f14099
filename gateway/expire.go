package gateway

import (
	"context"
	"time"

	"parity/fakes/clock"
	"parity/gateway/journal"
)

const (
	// expiryEvery is how late a run may end by its terms.
	expiryEvery = time.Second
	// sweepEvery is how late retention may be.
	sweepEvery = time.Minute
)

// expire ends runs whose time is over, and removes records that retention lets
// go. It ends with ctx.
func (s *Server) expire(ctx context.Context) {
	var swept time.Time
	for clock.Sleep(ctx, s.settings.Wall, expiryEvery) == nil {
		now := s.settings.Wall.Now()
		for _, l := range s.Gateway.awake() {
			l.mark()
			if ends := l.expires(); !ends.IsZero() && !now.Before(ends) {
				s.settings.Log.Info("run ends by its terms", "run", l.ID, "events", l.Seq())
				if err := s.end(l); err != nil {
					s.settings.Log.Error("run ends", "run", l.ID, "error", err)
				}
			}
		}
		for _, p := range s.Gateway.asleep() {
			if !p.ends.IsZero() && !now.Before(p.ends) {
				if err := s.endAsleep(p); err != nil {
					s.settings.Log.Error("run ends", "run", p.name, "error", err)
				}
			}
		}
		if s.settings.Keep != (journal.Keep{}) && now.Sub(swept) >= sweepEvery {
			swept = now
			s.sweep()
		}
	}
}

// sweep removes the records of ended runs that retention lets go.
func (s *Server) sweep() {
	gone, err := s.store.Sweep(s.settings.Keep)
	if err != nil {
		s.settings.Log.Error("retention", "error", err)
	}
	if len(gone) > 0 {
		s.settings.Log.Info("records removed by retention", "runs", len(gone))
	}
}
