package run

import (
	"parity/fakes/world"
	"parity/faults/trail"
)

// Interject records an event of the turn's instant before the turn's own, with
// what was written to tx, which began on the turn's world. The turn goes on
// from there, with nothing written.
func (t *Turn) Interject(e *trail.Event, tx *world.Tx) error {
	e.At, e.Delta = trail.At(t.Now), tx.Changes()
	if err := t.run.append(e, tx.Commit(), t.State.Clock); err != nil {
		return err
	}
	t.Discard()
	return nil
}

// Follow has an event come right after the turn's own, under the same lock,
// with what write puts into a transaction on the world after the turn. Nothing
// can be written in the turn itself from here on. write tells whether the event
// is to be.
func (t *Turn) Follow(e *trail.Event, write func(*world.Tx) bool) {
	base := t.State.World
	if t.tx != nil {
		base = t.tx.Commit()
	}
	if t.after != nil {
		base = t.after
	}
	tx := base.Begin()
	if !write(tx) {
		return
	}
	e.At, e.Delta = trail.At(t.Now), tx.Changes()
	t.then, t.after = append(t.then, e), tx.Commit()
}

// follow records an event that was made on the world as it is.
func (r *Run) follow(e *trail.Event) error {
	after, err := r.state.World.Apply(e.Delta)
	if err != nil {
		return err
	}
	return r.append(e, after, r.state.Clock)
}
