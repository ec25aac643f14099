package kept

import (
	"time"

	"parity/gateway/report"
)

// divergences are the open cases of the profile that the run was made under.
func (k *Run) divergences() []report.Divergence {
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
