package fakes

import "time"

// Work is what a service has accepted and does later. It is kept in the jobs of
// the world; kit.WorkOf reads it.
type Work struct {
	ID         string
	State      WorkState
	Operation  string // that was called, such as "POST /api/v2/tickets"
	Accepted   time.Time
	Due        time.Time
	RetryAfter time.Duration  // what clients that ask are told to wait
	Result     map[string]any // what the service would have answered at once; nil: none, or no object
}

// WorkState is how far work is.
type WorkState string

// The states of work.
const (
	WorkPending   WorkState = "pending"
	WorkSucceeded WorkState = "succeeded"
	WorkFailed    WorkState = "failed"
)

// Deferrer is met by fakes whose service has a form of its own for work that is
// done later.
//
//	POST ─▶ Answer ─▶ taken back ─▶ Defer: {"job_status": {"id": V3-…, "status": "queued"}}
//	GET  /job_statuses/V3-… ─▶ Answer, by kit.WorkOf ─▶ queued … completed
//
// Defer answers a call whose work is accepted: said is what the fake answered
// to it, whose changes are made once the work is due. It gives the id by which
// clients are to ask for the work, and by which Answer looks it up: w.ID, or the
// one that said gives where that is a job of the service already. false: the
// service has no form of its own for this call. Defer writes nothing.
type Deferrer interface {
	Defer(call *Call, w Work, said Reply) (reply Reply, id string, ok bool)
}
