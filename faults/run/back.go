package run

import (
	"fmt"
	"strings"
	"time"

	"parity/faults/trail"
)

// RefusedError says why a run does not do what it was asked to: a mistake of
// whoever asked, and nothing has changed.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// MostSnapshots is how many snapshots a run can have.
const MostSnapshots = 1000

// Reset sets the run back to its start: world, tallies and clock. Its events
// stay, and it goes on after them. Calls that wait to act do not act.
func (r *Run) Reset() error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	return r.setBack(&trail.Event{Kind: trail.SetBack})
}

// TakeSnapshot gives the state a name, which may be one that was given before.
func (r *Run) TakeSnapshot(name string) (trail.Snapshot, error) {
	if err := r.enter(); err != nil {
		return trail.Snapshot{}, err
	}
	defer r.mu.Unlock()
	if _, again := r.state.snapshots[name]; !again && len(r.state.snapshots) >= MostSnapshots {
		return trail.Snapshot{}, refuse("run %s has %d snapshots, which is the most that a run can have: give one of their names again", r.ID, MostSnapshots)
	}
	e := &trail.Event{Kind: trail.Snapshotted, Snapshot: &trail.Snapshot{Name: name, Seq: r.state.Seq + 1}}
	return *e.Snapshot, r.note(e)
}

// RollBack sets the run back to a snapshot, as Reset does to the start.
func (r *Run) RollBack(name string) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	to, ok := r.state.snapshots[name]
	if !ok {
		return refuse("run %s has no snapshot %q%s", r.ID, name, r.state.named())
	}
	return r.setBack(&trail.Event{Kind: trail.RolledBack, Snapshot: &trail.Snapshot{Name: name, Seq: to.Seq}})
}

// setBack records an event that sets the state back, and leaves behind what
// waited there.
func (r *Run) setBack(e *trail.Event) error {
	after := r.state.Fork()
	if err := after.back(e); err != nil {
		return err
	}
	e.At = trail.At(after.instant())
	was := r.state
	r.state.past, r.state.Tallies, r.state.waiting, r.state.Armed, r.state.weight = after.past, after.Tallies, after.waiting, after.Armed, after.weight
	if err := r.append(e, after.World, after.Clock.Resumed(r.o.Wall.Now())); err != nil {
		r.state = was
		return err
	}
	r.forget()
	return r.abandon()
}

// forget drops what is known of replies: it belongs to what was undone.
func (r *Run) forget() {
	r.replies.Lock()
	defer r.replies.Unlock()
	r.unsettled = nil
}

// Abandon leaves behind every call that waits to act, and gives up what it had
// reserved: in a fork, and after a crash, nobody is there to act.
func (r *Run) Abandon() error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	return r.abandon()
}

func (r *Run) abandon() error {
	for len(r.state.waiting) > 0 {
		call := r.state.waiting[0]
		e := &trail.Event{Kind: trail.Abandoned, Of: call.seq, At: trail.At(r.state.instant())}
		t := &Turn{State: &r.state, run: r}
		if err := t.Tx().Revert(call.reserved); err != nil {
			return fmt.Errorf("event %d: %w", call.seq, err)
		}
		if err := r.finish(t, e, r.state.Clock); err != nil {
			return err
		}
	}
	return nil
}

// instant is the newest instant of a state.
func (s *State) instant() time.Time {
	if s.Clock.Last.IsZero() {
		return s.Began
	}
	return s.Clock.Last
}

// named lists the snapshots there are, for a message.
func (s *State) named() string {
	if len(s.snapshots) == 0 {
		return ": it has none"
	}
	names := make([]string, 0, len(s.snapshots))
	for _, kept := range s.Snapshots() {
		names = append(names, kept.Name)
	}
	return "; it has " + strings.Join(names, ", ")
}
