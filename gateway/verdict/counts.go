package verdict

import "parity/faults/trail"

// tallied adds to the counts of a rule what one finding shows. The agent has
// noticed where a call or a word of its own followed which the rule names as
// being about the fault; a retry of the SDK's own is no notice. A call is
// recovered where that, or what followed, got the answer that it was for.
func (j *judge) tallied(n *trail.Counts, f *finding) *trail.Counts {
	if n == nil {
		n = &trail.Counts{}
	}
	times := max(f.times, 1)
	n.Cases += times
	n.Noticed, n.Reacted, n.Recovered = n.Noticed+f.reread, n.Reacted+f.reread, n.Recovered+f.reread
	if len(f.calls) == 0 {
		return n
	}
	struck := f.calls[0]
	followed, right := false, f.patient && struck.arrived()
	for _, c := range f.calls[1:] {
		if f.patient || c.open <= struck.open || f.times > 1 && c.intent() != struck.intent() {
			continue // another case
		}
		followed = true
		right = right || c.arrived() && c.x.Status/100 == 2 && c.x.Fidelity != trail.Injected
	}
	spoke := f.also > struck.open
	right = right && f.reaction == trail.Handled
	noticed := (followed || spoke) && f.tries == 0
	for _, is := range []struct {
		so    bool
		count *int
	}{{noticed, &n.Noticed}, {followed || spoke, &n.Reacted}, {right, &n.Recovered}, {right && !noticed, &n.Unnoticed}} {
		if is.so {
			*is.count += times
		}
	}
	return n
}

// swallow takes back that so many cases were noticed: an SDK's own retry hid
// them.
func swallow(n *trail.Counts, hidden int) {
	hidden = min(hidden, n.Cases)
	n.Noticed = min(n.Noticed, n.Cases-hidden)
	n.Reacted, n.Recovered, n.Unnoticed = max(n.Reacted, hidden), max(n.Recovered, hidden), max(n.Unnoticed, hidden)
}
