package run

import "parity/faults/trail"

// inner is an event of one call within a call, and how many of the turn's changes
// were made once it was done.
type inner struct {
	event   *trail.Event
	changes int
}

// Within has an event come right before the turn's own, at its instant, with those
// of the turn's changes that are among the first n and that no event before it
// has: one call of those that a call carries. Nothing can be taken back of them
// from here on.
func (t *Turn) Within(e *trail.Event, n int) {
	e.At = trail.At(t.Now)
	t.inner = append(t.inner, inner{e, n})
}

// recordInner records the calls within a call, each on the world as those before
// it have left it, and tells how many of the turn's changes they have.
func (r *Run) recordInner(t *Turn) (n int, err error) {
	for _, in := range t.inner {
		in.event.Delta = t.Tx().Changes()[n:in.changes]
		if err := r.follow(in.event); err != nil {
			return n, err
		}
		n = in.changes
		r.lost(in.event)
	}
	return n, nil
}

// lost notes that a success is on its way to its client, until it arrives.
func (r *Run) lost(e *trail.Event) {
	if x := e.Exchange; x != nil && e.Kind == trail.Exchanged && x.Whole {
		r.Lost(x.Intent.ID, e.Seq)
	}
}
