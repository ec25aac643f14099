package gateway

import (
	"time"

	"parity/gateway/report"
	"parity/profiles"
)

// divergences are the open cases of the profile that the run was made under.
func (k *Kept) divergences() []report.Divergence {
	if k.Profile == nil {
		return nil
	}
	var all []report.Divergence
	for _, d := range k.Profile.Divergences {
		if d.Open() {
			all = append(all, report.Divergence{Name: d.Name, Date: d.Date.Format(time.DateOnly), Run: d.Run, Production: d.Production, Missing: d.Missing})
		}
	}
	return all
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
