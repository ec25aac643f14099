package kit

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// Schedule sets a timer. One of the same service, kind and subject is replaced:
// a service does one thing once. Its due instant may have passed; then it fires
// next.
// Errors: a service or kind that is no plain name, a due instant that cannot be
// counted in nanoseconds, a world without timers (fakes.Catalogue.World has
// them).
func Schedule(tx *world.Tx, t fakes.Timer) error {
	for _, name := range []string{t.Service, t.Kind} {
		if name == "" || strings.Contains(name, "/") {
			return fmt.Errorf("timer %s of %s: its service and kind are names without a slash, such as stripe and hold-expires", t.Kind, t.Service)
		}
	}
	due := t.Due.UnixNano()
	if !time.Unix(0, due).Equal(t.Due) {
		return fmt.Errorf("timer %s of %s is due at %v: say an instant from 1678 to 2262", t.Kind, t.Service, t.Due)
	}
	if err := Cancel(tx, t.Service, t.Kind, t.Subject); err != nil {
		return err
	}
	value := map[string]any{"service": t.Service, "kind": t.Kind, "subject": t.Subject, "due": due}
	if _, err := tx.Insert(fakes.TimersCollection, timerID(t.Service, t.Kind, t.Subject), value); err != nil {
		return fmt.Errorf("timer: %w", err)
	}
	return nil
}

// Cancel takes a timer away; one that is not set is none to take. Who fires a
// timer cancels it first, in the same transaction.
func Cancel(tx *world.Tx, service, kind, subject string) error {
	id := timerID(service, kind, subject)
	if _, ok := tx.Get(fakes.TimersCollection, id); !ok {
		return nil
	}
	if err := tx.Delete(fakes.TimersCollection, id); err != nil {
		return fmt.Errorf("timer: %w", err)
	}
	return nil
}

// Due gives the timer that is due first, until an instant and at it; those of
// one instant come in the order in which they were set.
func Due(r world.Ranker, until time.Time) (t fakes.Timer, ok bool) {
	for t := range Timers(r) {
		return t, !t.Due.After(until)
	}
	return fakes.Timer{}, false
}

// Earliest gives the instant at which the first timer is due, if there is any.
func Earliest(w *world.World) (due time.Time, ok bool) {
	for t := range Timers(w) {
		return t.Due, true
	}
	return time.Time{}, false
}

// Timers walks what is to be done later, by when it is due.
func Timers(r world.Ranker) iter.Seq[fakes.Timer] {
	return func(yield func(fakes.Timer) bool) {
		for record := range r.Ascending(fakes.TimersCollection, "due", math.MinInt64) {
			if !yield(fakes.Timer{
				Service: Text(record.Value(), "service"), Kind: Text(record.Value(), "kind"),
				Subject: Text(record.Value(), "subject"), Due: time.Unix(0, cast.Int(record.Value()["due"])).UTC(),
			}) {
				return
			}
		}
	}
}

func timerID(service, kind, subject string) string { return service + "/" + kind + "/" + subject }
