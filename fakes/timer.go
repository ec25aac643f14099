package fakes

import (
	"time"

	"parity/fakes/world"
)

// A Timer is something that a service does later on its own: let a hold expire,
// send what was scheduled, renew a subscription. Timers are in the world, so
// that they fork, replay and are given up with everything else.
type Timer struct {
	Service string    // whose fake fires it
	Kind    string    // what happens, such as "hold-expires"
	Subject string    // to what: usually a record's id
	Due     time.Time // the run's instant at which it happens
}

// Timed is met by fakes that set timers. Fire does what is due, in a transaction
// of its own: the call has its instant, which is when the timer was due, Tx and
// Mint, and nothing of a request. The timer is taken away before, so that Fire
// may set it again; a subject that is past caring is left alone.
type Timed interface {
	Fire(*Call, Timer)
}

// TimersCollection is where a run's timers are, by when they are due: "due"
// counts nanoseconds from 1970. It is hidden; package kit reads and writes it.
const TimersCollection = "parity.timers"

// JobTimer is the kind of the timers of jobs: of work that was accepted to be
// done later, and of what somebody other than the agent does later. The gateway
// does them, whatever the service.
const JobTimer = "parity-job"

// ApprovalTimer is the kind of the timers of approvals, whose service is
// ApprovalService: a stand-in's decision, and the lapse of what nobody answers.
const (
	ApprovalTimer   = "approval"
	LapseTimer      = "approval-lapses"
	ApprovalService = "parity"
)

// shared declares what Catalogue adds to the collections of the services.
func shared() []world.Collection {
	return []world.Collection{
		{Name: TimersCollection, Sorted: []string{"due"}, Hidden: true},
		{Name: DeliveriesCollection, Sorted: []string{"due"}, Hidden: true},
		{Name: OutboxCollection, Indexes: []string{"service"}, Hidden: true},
		{Name: OrdersCollection, Indexes: []string{"order"}, Hidden: true},
		{Name: NotesCollection, Hidden: true},
		{Name: JobsCollection, Hidden: true},
		{Name: ApprovalsCollection, Indexes: []string{"fits", "asked_for", "asks", "about", "state"}, Hidden: true},
		{Name: DraftsCollection, Hidden: true},
		{Name: GrantsCollection, Hidden: true},
		{Name: OverlayCollection, Indexes: []string{"service"}, Hidden: true},
	}
}
