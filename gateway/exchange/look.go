package exchange

import (
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
)

// Unrecorded is what is known of the calls of a run whose record takes no more:
// why, since when, and how many there were.
type Unrecorded struct {
	Err   error
	After uint64 // the newest event when the first of them came

	answered, refused atomic.Int64
}

// Counts are how many calls were answered, and refused, without being recorded.
func (u *Unrecorded) Counts() (answered, refused int64) { return u.answered.Load(), u.refused.Load() }

// looked is when a call was answered without an event of its own, and the newest
// event that its answer rests on.
type looked struct {
	at  time.Time
	seq uint64
}

// look answers a call that cannot be recorded: where it changes nothing, from the
// world as it stands, and with a refusal else. No rule strikes it: what rules go
// by (how often, since when) derives from events, and would stand still, so that
// one that fires at the third try would fire at each.
func (x *Exchange) look(full *Unrecorded) {
	if x.answered || !x.served() { // the service was not to be asked anyway
		full.answered.Add(1)
		x.line.metrics.Unrecorded(true)
		return
	}
	if x.rev.Profile.Mode(x.op).Reaches() { // a fake in its place would not be told from it
		full.refused.Add(1)
		x.line.metrics.Unrecorded(false)
		x.full(full.Err)
		return
	}
	changes := false
	err := x.run.Look(x.line.wall.Now(), func(t *run.Turn) {
		x.looked = looked{t.Now, t.State.Seq}
		if x.voided(t) {
			return
		}
		x.entry.Intent = t.State.Tallies.Intend(x.identity, x.fingerprint, x.known.full, x.key(), x.r.Header, t.Unsettled)
		x.act(t)
		changes = slices.ContainsFunc(t.Tx().Changes(), x.counts)
	})
	x.enter(Record)
	if err != nil {
		x.unturned(err)
		return
	}
	if changes {
		full.refused.Add(1)
		x.line.metrics.Unrecorded(false)
		x.full(full.Err)
		return
	}
	full.answered.Add(1)
	x.line.metrics.Unrecorded(true)
	x.entry.Outcome, x.entry.Fidelity = trail.Answered, fidelityOf(x.reply)
}

// full refuses a call that would change something, in its service's words.
func (x *Exchange) full(err error) {
	message := "The run's journal takes no more, and nothing was done: " + err.Error()
	x.trouble(trail.Denied, fakes.Problem{Kind: fakes.Broken, Status: http.StatusServiceUnavailable, Message: message}, http.StatusServiceUnavailable, "journal", message)
	x.entry.Fidelity, x.entry.Note = trail.None, message
	header := x.reply.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("X-Parity-Refused", "journal")
	x.reply.Header = header
}

// unturned refuses a call that had no turn: its run has ended, or its record
// cannot be kept at the moment.
func (x *Exchange) unturned(err error) {
	x.plan = faults.Plan{}
	if x.wentOut(err.Error()) {
		return
	}
	if errors.Is(err, run.ErrEnded) {
		x.refuse(trail.Denied, http.StatusGone, "run-ended", "Run "+x.run.ID+" has ended; nothing was done. Make another with `parity runs new`.")
		return
	}
	x.entry.Committed = false
	x.refuse(trail.Denied, http.StatusServiceUnavailable, "journal", "The run's journal takes no more, and nothing was done: "+err.Error())
}

// shownAt is the instant that a reply is dated by, and the newest event that it
// rests on; 0: it rests on none.
func (x *Exchange) shownAt() (at time.Time, seq uint64) {
	if x.event != nil {
		return x.event.At.Time(), x.event.Seq
	}
	return x.looked.at, x.looked.seq
}
