package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

// A filling is what was told of how full a run's record is. Each thing is told
// once, and not once a call: a gateway that stays up would fill its log with it.
type filling struct {
	near       exchange.Nearing
	refusal    atomic.Pointer[string]              // why calls are refused; nil: they are not
	full       atomic.Bool                         // since a bound is reached that does not pass by itself
	unrecorded atomic.Pointer[exchange.Unrecorded] // calls since it first was; nil: it never was
	marked     atomic.Int64                        // how many of them the store knows of, and one more; 0: of none
}

// NoteKept notes that an event was taken, and warns where the bounds are near.
func (l *liveRun) NoteKept(log *slog.Logger) {
	if l.forgets {
		return
	}
	full := int64(l.writer.Full() * 100)
	last := exchange.Warnings()[len(exchange.Warnings())-1]
	if full < last && l.filling.refusal.Load() != nil && l.filling.refusal.Swap(nil) != nil {
		l.filling.full.Store(false)
		log.Info("calls are taken again", "run", l.ID)
	}
	l.warn(log, full)
}

// warn says once how full the record is, from where on that is worth it.
func (l *liveRun) warn(log *slog.Logger, full int64) {
	if l.filling.near.Reached(full) == 0 {
		return
	}
	log.Warn(fmt.Sprintf("the run's record is %d %% full: at 100 %% calls that change something are refused, and no other is recorded", full), "run", l.ID,
		"hint", "make a new run (`parity runs new`), remove ended ones (`parity runs rm`), or start the gateway with a larger --max-record or --max-store")
}

// NoteRefused says that events of the run are refused, and why, unless it was
// said already.
func (l *liveRun) NoteRefused(log *slog.Logger, err error) {
	full := (*journal.FullError)(nil)
	if errors.As(err, &full) && full.Passing && full.Bound != journal.OfBacklog {
		return // what waits is being written, and is expected to come to less
	}
	root := err
	if inner := errors.Unwrap(err); inner != nil { // without the number of the event
		root = inner
	}
	why := root.Error()
	if told := l.filling.refusal.Swap(&why); told != nil && *told == why {
		return
	}
	if full != nil && full.Bound != journal.OfBacklog {
		l.filling.unrecorded.CompareAndSwap(nil, &exchange.Unrecorded{Err: full, After: l.Seq()})
		l.filling.full.Store(true)
		l.mark()
		l.warn(log, 100) // what was written last may have filled it at once
		log.Error("calls are refused, and this is said once: the run's record is full; those that change nothing are answered, and not recorded", "run", l.ID, "after", l.Seq(), "error", err)
		return
	}
	log.Error("calls are refused, and this is said once: the run's record cannot be kept", "run", l.ID, "error", err)
}

// Full gives what counts the calls that are not recorded any more: the record has
// reached a bound that does not pass by itself. Once there is room again (others
// were removed, or what waited has been packed) calls are recorded as before.
func (l *liveRun) Full() *exchange.Unrecorded {
	if !l.filling.full.Load() || int64(l.writer.Full()*100) < exchange.Warnings()[len(exchange.Warnings())-1] {
		return nil
	}
	return l.filling.unrecorded.Load()
}

// mark has the store keep how many calls it has no record of. That is done now
// and then: of a gateway that is killed the last of them are not counted.
func (l *liveRun) mark() {
	u := l.filling.unrecorded.Load()
	if u == nil {
		return
	}
	answered, refused := u.Counts()
	if known := answered + refused + 1; l.filling.marked.Swap(known) != known {
		_ = l.writer.Mark(kept.Unrecorded{After: u.After, Answered: answered, Refused: refused}.Meta()) // a run that has ended, or a store that is closed, is told no more
	}
}

// fills says how full the record is, once that is worth a warning.
func (l *liveRun) fills() string {
	if u := l.filling.unrecorded.Load(); u != nil && l.filling.full.Load() {
		answered, refused := u.Counts()
		return kept.Unrecorded{After: u.After, Answered: answered, Refused: refused}.String()
	}
	full := int64(l.writer.Full() * 100)
	if l.forgets || full < exchange.Warnings()[0] {
		return ""
	}
	return fmt.Sprintf("its record is %d %% full, and at 100 %% its calls are not recorded, or refused", full)
}

// takes tells whether the gateway takes calls: its ports are open, its disk can
// be written, and the run of clients that name none has room.
func (s *Server) takes() bool {
	if !s.ready.is() || s.store.Trouble() != nil {
		return false
	}
	l := s.firstRun()
	return l == nil || l.forgets || l.filling.refusal.Load() == nil
}

// stored is how many bytes all records have together, largest those of the largest
// one of a run that goes on.
func (s *Server) stored() int64 {
	if s.store == nil {
		return 0
	}
	return s.store.Bytes()
}

func (s *Server) largest() int64 {
	if s.store == nil {
		return 0
	}
	return s.store.Largest()
}

// fullest is how much of its bounds the fullest record has used up.
func (s *Server) fullest() float64 {
	if s.store == nil {
		return 0
	}
	return s.store.Fullest()
}

// readiness tells whether the ports are open.
type readiness struct{ open atomic.Bool }

func (r *readiness) set()     { r.open.Store(true) }
func (r *readiness) clear()   { r.open.Store(false) }
func (r *readiness) is() bool { return r.open.Load() }
