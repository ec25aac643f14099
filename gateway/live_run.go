package gateway

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"parity/gateway/exchange"
	"parity/gateway/journal"
)

// liveRun is a run of this gateway: what its exchanges need, where its events go,
// which profile it is under, and how long it stays.
type liveRun struct {
	exchange.Run
	source  *source
	writer  *journal.Writer
	origin  origin
	kept    sync.Map // names of what the journal has with its profiles
	forgets bool     // its record may be full
	filling filling
	terms   terms
	touched atomic.Int64       // unix nanoseconds of the newest call
	used    use                // the keeper's alone
	laid    atomic.Uint64      // the event after which its newest checkpoint is, or was tried
	port    net.Listener       // of its own, or nil
	sending atomic.Bool        // somebody carries its webhooks out
	stirred chan struct{}      // what they wait for may have changed
	stop    context.CancelFunc // ends it: calls that wait to do their work wait no longer
}

// terms are what a run was made with, besides its seed and clock.
type terms struct {
	Profile string        // as it was named
	Made    time.Time     // real time
	Ends    time.Time     // real time; zero: it stays
	Idle    time.Duration // without a call, it ends after so long; 0: it stays
	Only    []string      // the rules that are on; none: all
	First   bool          // it serves clients that name no run
	Locked  bool          // it keeps the revision that it began with
	Follows string        // the runs of clients that name none before it, oldest first, apart by spaces
}

// expires tells when the run ends by its terms; zero: it does not.
func (l *liveRun) expires() time.Time { return l.terms.until(time.Unix(0, l.touched.Load())) }

// until tells when a run ends that was called last at an instant; zero: it does
// not.
func (t terms) until(touched time.Time) time.Time {
	if t.Idle == 0 {
		return t.Ends
	}
	idle := touched.Add(t.Idle)
	if !t.Ends.IsZero() && t.Ends.Before(idle) {
		return t.Ends
	}
	return idle
}

// Certain waits until it is known what becomes of an event of the run: that the
// store's promise holds for it, however long its disk cannot be written, or that
// it is lost.
func (l *liveRun) Certain(ctx context.Context, seq uint64) error {
	if l.forgets {
		return nil
	}
	return l.writer.Certain(ctx, seq)
}

// Covered waits until the store's promise holds for an event of the run.
func (l *liveRun) Covered(ctx context.Context, seq uint64) error {
	if l.forgets {
		return nil
	}
	return l.writer.Covered(ctx, seq)
}

// Settle attaches to an event of the run what went out on the wire.
func (l *liveRun) Settle(seq uint64, data []byte) {
	_ = l.writer.Settle(journal.Settlement{Of: seq, Data: data}) // without one, what went out is unknown, and reports say so
}

var (
	_ exchange.Journal = (*liveRun)(nil)
	_ exchange.Room    = (*liveRun)(nil)
)

// record is a run's journal as its events go into it.
type record struct{ w *journal.Writer }

func (r record) Append(seq uint64, data []byte) error {
	return r.w.Append(journal.Entry{Seq: seq, Data: data})
}

// forgetful is a record that, once it is full, keeps no more and says nothing of
// it: what is answered without state needs no record.
type forgetful struct {
	record
	full bool // once it is, for good: events follow each other without a gap
}

func (f *forgetful) Append(seq uint64, data []byte) error {
	if f.full {
		return nil
	}
	err := f.record.Append(seq, data)
	if f.full = errors.Is(err, journal.ErrFull); f.full {
		return nil
	}
	return err
}
