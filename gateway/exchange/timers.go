package exchange

import (
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/overlay"
)

// Fire gives what does the first thing that is due in the run by an instant, in
// a turn.
func (r *Run) Fire(seed chance.Seed) func(*run.Turn, time.Time) *trail.Event {
	return func(t *run.Turn, until time.Time) *trail.Event {
		due, ok := kit.Due(t.State.World, until)
		if !ok {
			return nil
		}
		t.Now = due.Due
		if err := kit.Cancel(t.Tx(), due.Service, due.Kind, due.Subject); err != nil {
			panic(err) // it was there a line before
		}
		did, act := true, (*trail.Act)(nil)
		if due.Kind == fakes.PersonTimer {
			act = r.stand(t, seed, due)
		} else if due.Service == fakes.ApprovalService {
			rev := r.Revision()
			approval.Fire(t.Tx(), t.Now, rev.Authority(r.Stage), due, rev.Rebind)
		} else if s, ok := r.Revision().Catalogue.Service(due.Service); ok {
			n := 0
			call := &fakes.Call{Contract: s.Contract, Tx: t.Tx(), Now: t.Now, NewID: func(prefix string, length int) string {
				n++
				return prefix + chance.ID(ids(seed, t.State), length, "timer", prefix, due.Service, due.Kind, due.Subject,
					strconv.FormatInt(due.Due.UnixNano(), 36), strconv.Itoa(n))
			}}
			did = call.Bounded(func() {
				if timed, ok := s.Fake.(fakes.Timed); due.Kind == fakes.JobTimer {
					finish(s, call, due.Subject)
				} else if ok {
					timed.Fire(call, due)
				}
			})
		}
		if r.Revision().real[due.Service] != nil {
			overlay.Note(t.Tx(), 0) // what comes of the run's own writes by the clock is the run's, too
		}
		r.attend(t)
		return &trail.Event{Kind: trail.Fired, At: trail.At(due.Due), Act: act, Timer: &trail.Timer{Service: due.Service, Kind: due.Kind, Subject: due.Subject, Undone: !did}}
	}
}

// ids is what a run draws new ids from. After an unclean end it is another one:
// ids may have been given out whose record was lost, and none is used twice.
func ids(seed chance.Seed, s *run.State) chance.Seed {
	if s.Epoch == 0 {
		return seed
	}
	return seed.With("epoch", strconv.FormatUint(s.Epoch, 10))
}

// finish does what a job was kept for, now that its time has come.
func finish(s fakes.Service, call *fakes.Call, id string) {
	record, ok := call.Tx.Get(fakes.JobsCollection, id)
	if !ok {
		return // it was done already
	}
	job := record.Value()
	if kit.Text(job, "kind") != kit.WorkKind {
		call.Operation, _ = s.Contract.Operation(kit.Text(job, "operation"))
		scene := &faults.Scene{Call: call}
		scene.Editor, _ = s.Fake.(fakes.Editor)
		scene.Edit(job) // a record that is gone is nobody's to give away
		must(call.Tx.Delete(fakes.JobsCollection, id))
		return
	}
	after := map[string]any{}
	for name, value := range job {
		if name != "changes" {
			after[name] = value
		}
	}
	after["state"] = "done"
	changes, _ := job["changes"].([]any)
	if !holds(call.Tx, changes) {
		after["state"], after["why"] = "failed", "what it was to change was changed meanwhile"
	} else if err := redo(call.Tx, changes); err != nil {
		panic(err) // it was looked at before
	}
	_, err := call.Tx.Update(fakes.JobsCollection, id, after)
	must(err)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// holds tells whether what a job is to change is as it was when it was accepted.
// Bookkeeping of the service has gone on, and does not count.
func holds(tx *world.Tx, changes []any) bool {
	seen := map[string]bool{}
	for _, each := range changes {
		c, _ := each.(map[string]any)
		name := kit.Text(c, "collection") + "\x00" + kit.Text(c, "record")
		if seen[name] {
			continue // it follows from the change before
		}
		seen[name] = true
		if c["hidden"] == true {
			continue
		}
		record, there := tx.Get(kit.Text(c, "collection"), kit.Text(c, "record"))
		before := kit.Text(c, "before")
		if there != (before != "") || there && string(record.JSON()) != before {
			return false
		}
	}
	return true
}

// redo makes changes that were taken back.
func redo(tx *world.Tx, changes []any) error {
	for _, each := range changes {
		c, _ := each.(map[string]any)
		collection, id := kit.Text(c, "collection"), kit.Text(c, "record")
		_, there := tx.Get(collection, id)
		if kit.Text(c, "op") == string(world.Delete) {
			if there {
				if err := tx.Delete(collection, id); err != nil {
					return err
				}
			}
			continue
		}
		value, err := world.Decode([]byte(kit.Text(c, "after")))
		if err != nil {
			return err
		}
		put := tx.Insert
		if there {
			put = tx.Update
		}
		if _, err := put(collection, id, value); err != nil {
			return err
		}
	}
	return nil
}
