package journal

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// What a caller can branch on. fs.ErrNotExist and fs.ErrExist say that a run is
// not there, or already is.
var (
	// ErrFull says that an event was refused because a bound was reached.
	ErrFull = errors.New("journal is full")
	// ErrClosed says that the journal was closed before.
	ErrClosed = errors.New("journal is closed")
	// ErrOrder says that an event did not follow the one before it: a defect of
	// the caller.
	ErrOrder = errors.New("event out of order")
	// ErrName says that a run's name is not allowed.
	ErrName = errors.New("a run's name is 1 to 64 of a-z, 0-9 and -, does not begin with -, and is not \"last\"")
	// ErrFenced says that another writer has taken the store over.
	ErrFenced = errors.New("another writer has taken this store over")
	// ErrEnded says that a run is over: nothing is appended to it any more.
	ErrEnded = errors.New("the run has ended")
)

// A FullError says which bound an event was refused at. It wraps ErrFull.
type FullError struct {
	Run   string
	Bound Bound
	Limit int64 // bytes
	// Passing says that there may be room in a moment: once what waits has been
	// written, and it is known what it comes to.
	Passing bool
}

// A Bound is what an event can be refused by.
type Bound string

// The bounds. What waits to be written is less in a moment; what is stored is not.
const (
	OfBacklog Bound = "backlog"
	OfRecord  Bound = "record"
	OfStore   Bound = "store"
)

func (e *FullError) Unwrap() error { return ErrFull }

func (e *FullError) Error() string {
	if e.Passing && e.Bound != OfBacklog {
		return fmt.Sprintf("run %s: %v for a moment, until what waits is written: the bound of a %s is %d bytes (--max-%s); try again", e.Run, ErrFull, e.Bound, e.Limit, e.Bound)
	}
	switch e.Bound {
	case OfBacklog:
		return fmt.Sprintf("run %s: %v for a moment: %d bytes wait to be written, which is the most; try again, and see whether the disk is slow or bodies are large", e.Run, ErrFull, e.Limit)
	case OfStore:
		return fmt.Sprintf("run %s: %v: all runs together have used up their %d bytes; remove ended ones (`parity runs rm`), or raise that bound (--max-store)", e.Run, ErrFull, e.Limit)
	}
	return fmt.Sprintf("run %s: %v: its record of %d bytes is used up; start a new run (`parity runs new`), or raise that bound (--max-record)", e.Run, ErrFull, e.Limit)
}

// A BusyError says which process writes a store that was to be written.
type BusyError struct {
	Store string
	Epoch Epoch // zero where the holder has not said yet who it is
}

func (e *BusyError) Error() string {
	if e.Epoch.Number == 0 {
		return fmt.Sprintf("store %s is being opened by another process; try again", e.Store)
	}
	return fmt.Sprintf("store %s is being written by process %d on %s since %s (epoch %d); end that process first; reading it is possible meanwhile",
		e.Store, e.Epoch.PID, e.Epoch.Host, e.Epoch.Opened.Format(time.RFC3339), e.Epoch.Number)
}

// A NewerError says that a store was written by a newer Parity.
type NewerError struct {
	Store       string
	Has, Knows  int // schema versions
	WithVersion string
}

func (e *NewerError) Error() string {
	by := "a newer Parity"
	if e.WithVersion != "" {
		by = "Parity " + e.WithVersion
	}
	return fmt.Sprintf("store %s was written by %s (journal schema %d; this one reads schema %d); nothing was changed: read it with that version or a later one",
		e.Store, by, e.Has, e.Knows)
}

// An OlderError says that a store was written by a Parity too old to be read.
type OlderError struct {
	Store      string
	Has, Wants int // schema versions
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("store %s has journal schema %d, and this Parity reads schema %d; nothing was changed: read it with the version that wrote it, or set it aside",
		e.Store, e.Has, e.Wants)
}

// A DamagedError says from where on a store, or a run in it, cannot be read,
// and what is left.
type DamagedError struct {
	Store string // where all of it is meant
	Run   string
	Part  string // "events", "settlements" or "notes"; "end" where a run was to be written on; "" where nothing can be read
	Good  uint64 // the last event before the damage; for settlements: how many
	Err   error  // what is wrong
}

func (e *DamagedError) Error() string {
	switch {
	case e.Run == "":
		return fmt.Sprintf("store %s is damaged: %v; nothing was changed: `parity runs repair` keeps what can be read of it", e.Store, e.Err)
	case e.Part == "end":
		return fmt.Sprintf("run %s is not written on, since the end of its record is damaged after event %d: %v; what can be read of it is kept as it is: fork it there, or start a new run", e.Run, e.Good, e.Err)
	case e.Part == "settlements":
		return fmt.Sprintf("the record of run %s is damaged after settlement %d: %v; what went out for later events is unknown, the events themselves are kept apart", e.Run, e.Good, e.Err)
	case e.Part == "notes":
		return fmt.Sprintf("what is kept of run %s besides its events is damaged: %v; that is left out, its events are kept apart; restore the store from a copy, or rehearse again", e.Run, e.Err)
	case e.Good == 0:
		return fmt.Sprintf("the record of run %s is damaged from its first event on: %v; restore the store from a copy, or rehearse again", e.Run, e.Err)
	}
	return fmt.Sprintf("the record of run %s is damaged after event %d: %v; everything up to event %d is intact and was read; what follows is lost unless a copy of the store has it",
		e.Run, e.Good, e.Err, e.Good)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// changedError names what is not as it was written.
func changedError(changed []string) error {
	return fmt.Errorf("not as it was written: %s", strings.Join(changed, ", "))
}

func orderError(run string, got, last uint64) error {
	return fmt.Errorf("run %s: %w: event %d cannot follow event %d; report this, it is a defect of Parity", run, ErrOrder, got, last)
}
