package verdict

import (
	"parity/faults/trail"
)

// proof is what of the run reached real services; nil: nothing was to. Writes are
// counted in services that something was read of.
func (j *judge) proof() *trail.Proof {
	p := &trail.Proof{Hosts: []string{}}
	open, real := map[uint64][]trail.Upstream{}, map[string]bool{}
	events := j.in.Events
	for i := range events {
		x := events[i].Exchange
		switch {
		case x == nil:
		case events[i].Kind == trail.Reserved && len(x.Upstream) > 0:
			delete(open, x.Reserved)
			open[events[i].Seq], real[x.Service] = pending(x), true
		case x.Policy != nil && x.Policy.Code == modeRecord:
			real[x.Service] = true
		case len(x.Upstream) > 0:
			delete(open, x.Reserved)
			real[x.Service] = true
		default:
			delete(open, x.Reserved)
		}
	}
	if len(real) == 0 {
		return nil
	}
	for i := range events {
		x := events[i].Exchange
		if x == nil || !real[x.Service] {
			continue
		}
		p.Take(x)
		p.Loses(x, events[i].Seq, len(open[events[i].Seq]) > 0)
		if events[i].Kind != trail.Exchanged {
			continue
		}
		switch {
		case x.Policy == nil || x.Policy.Class == "read":
		case x.Policy.Code == modeRecord:
			p.Refused++
		case x.Outcome == trail.Captured:
			p.Captured++
		case x.Outcome == trail.Answered && x.Fidelity != trail.Live && x.Fidelity != trail.None:
			p.Faked++
		}
	}
	for _, calls := range open {
		p.Unknown += len(calls)
	}
	p.Close()
	p.Strange = trail.Strangeness(events)
	return p
}

// pending are the calls that a reservation says are about to leave.
func pending(x *trail.Exchange) (all []trail.Upstream) {
	for i := range x.Upstream {
		if x.Upstream[i].Pending() {
			all = append(all, x.Upstream[i])
		}
	}
	return all
}

// modeRecord is the code of a write that is refused since what is read is recorded.
const modeRecord = "mode-record"
