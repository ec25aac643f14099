package kept

import (
	"strings"
	"time"

	"parity/faults/trail"
	"parity/gateway/verdict"
	"parity/profiles"
	"parity/specs"
)

// difference is a known difference as the run's judge is told of it. How its
// acceptance stands goes by the real day on which the run was made: a report that
// is made again says the same.
func (k *Run) difference(d profiles.Difference) verdict.DifferenceInfo {
	info := verdict.DifferenceInfo{
		Name: d.Name, Production: d.Production, Here: d.Here, So: d.So, Weakens: d.Weakens, Covers: covers(d),
	}
	if a := d.Accepted; a != nil {
		info.Accepted = &trail.Acceptance{By: a.By, Standing: a.Standing(k.Info.Made)}
		if !a.Until.IsZero() {
			info.Accepted.Until = a.Until.Format(time.DateOnly)
		}
	}
	return info
}

func covers(d profiles.Difference) func(service, operation string) bool {
	return func(service, operation string) bool {
		method, path, _ := strings.Cut(operation, " ")
		op := &specs.Operation{Service: service, Method: method, Path: path}
		for _, p := range d.Covers {
			if p.Match(op) {
				return true
			}
		}
		return false
	}
}
