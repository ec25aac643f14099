package gateway

import (
	"sync/atomic"

	"parity/gateway/journal"
)

// record is a run's journal as its events go into it.
type record struct{ w *journal.Writer }

func (r record) Append(seq uint64, data []byte) error {
	return r.w.Append(journal.Entry{Seq: seq, Data: data})
}

func (r record) Settle(of uint64, data []byte) {
	_ = r.w.Settle(journal.Settlement{Of: of, Data: data}) // without one, what went out is unknown, and reports say so
}

// readiness tells whether the ports are open.
type readiness struct{ open atomic.Bool }

func (r *readiness) set()     { r.open.Store(true) }
func (r *readiness) clear()   { r.open.Store(false) }
func (r *readiness) is() bool { return r.open.Load() }
