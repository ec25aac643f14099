package verdict

import (
	"slices"

	"parity/faults"
	"parity/faults/trail"
)

// liveFaults is what came of rules where real services are called, in the order in
// which they first met such a call.
func (j *judge) liveFaults() (all []trail.LiveFault) {
	of := func(rule, fault string) *trail.LiveFault {
		i := slices.IndexFunc(all, func(f trail.LiveFault) bool { return f.Rule == rule })
		if i < 0 {
			i, all = len(all), append(all, trail.LiveFault{Rule: rule, Fault: fault, Struck: []trail.LiveStrike{}})
		}
		return &all[i]
	}
	for _, c := range j.calls {
		for i := range c.x.Strikes {
			s := &c.x.Strikes[i]
			switch waits := s.Why == faults.WaitsForPerson || s.Why == faults.WaitsAnew; {
			case !s.Live:
			case s.Fired:
				f := of(s.Rule, s.Fault)
				f.Struck = append(f.Struck, trail.LiveStrike{Event: c.seq, Call: c.name(), Sent: len(c.x.Upstream) > 0, Did: s.Did})
			case waits:
				of(s.Rule, s.Fault).Waited++
			}
		}
	}
	for i := range j.in.Events {
		if w := j.in.Events[i].Word; w != nil && w.Rule != "" {
			if at := slices.IndexFunc(all, func(f trail.LiveFault) bool { return f.Rule == w.Rule }); at >= 0 {
				all[at].Approved = append(all[at].Approved, w.By)
			}
		}
	}
	return all
}
