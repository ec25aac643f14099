package trail

// Back tells an event that sets the run back, and to which event: a reset goes
// to where the run was forked. forks are the events after which the line went on
// in another run.
func (e *Event) Back(forks []uint64) (to uint64, back bool) {
	switch {
	case e.Kind == RolledBack && e.Snapshot != nil:
		return e.Snapshot.Seq, true
	case e.Kind != SetBack:
		return 0, false
	}
	for _, fork := range forks {
		if fork < e.Seq {
			to = max(to, fork)
		}
	}
	return to, true
}

// Lasting are the events that none which set the run back has undone, in their
// order; forks are as for Back.
func Lasting(events []Event, forks []uint64) []*Event {
	all := make([]*Event, 0, len(events))
	for i := range events {
		e := &events[i]
		if to, back := e.Back(forks); back {
			n := len(all)
			for n > 0 && all[n-1].Seq > to {
				n--
			}
			all = all[:n]
		}
		all = append(all, e)
	}
	return all
}
