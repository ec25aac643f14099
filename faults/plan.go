package faults

import (
	"time"

	"parity/fakes"
	"parity/faults/trail"
)

// Plan is what is to happen to one exchange. It starts out as what an
// untroubled service does; each fault that fires alters it.
//
//	Hold ──▶ act (unless Skip) ──▶ commit (unless NoCommit) ──▶ Say or the fake's reply ──▶ Wire
type Plan struct {
	Hold     *Hold
	Skip     bool           // the fake is not asked
	NoCommit bool           // the fake is asked, and nothing it did stays
	Say      *fakes.Trouble // worded by the service's dialect, in place of the fake's reply
	Page     *Page          // sent as it is, in place of the fake's reply
	Wire     trail.Wire

	cut     any // where a Short wire ends; nil: half-way
	decided bool
}

// Hold is a wait before the fake acts.
type Hold struct {
	For  time.Duration // how long; the client may leave earlier
	Acts bool          // the fake acts when the wait is over, whether or not the client is still there
}

// Page is a reply that does not come from the service but from what stands
// in front of it.
type Page struct {
	Status      int
	ContentType string
	Body        string
}

// Meeting is what an injection can know about the exchange that it strikes.
type Meeting struct {
	Attempt int                          // of this intent, counted by this rule, from 1
	Tries   int                          // how many attempts the rule hits
	Now     time.Time                    // the exchange's instant
	Until   time.Time                    // a limit of this rule that still holds, or zero
	Uses    func(since time.Time) int    // calls that this rule has counted since then
	Draw    func(purpose string) float64 // a keyed draw in [0,1)
}

// Mark is what an injection leaves behind in the journal.
type Mark struct {
	Wait  time.Duration // what the client was told to wait
	Until time.Time     // a limit that holds until then
}
