package fakes

import (
	"net/http"
	"time"
)

// A Delivery is one attempt to send a webhook: a request to an endpoint that
// the agent registered. It waits in the world until it is due, so that it
// forks, replays and is given up with everything else.
type Delivery struct {
	Service string // whose fake sends it
	ID      string // what is sent to whom: one at a time waits under it
	Method  string // "": POST
	URL     string
	Header  map[string]string // beside what WebhookSender.Sign adds
	Body    []byte            // text
	Attempt int               // from 1
	Due     time.Time         // the run's instant of the attempt
	Event   string            // the id of what it tells of, as its endpoint sees it; "": it shows none

	Copy    int    // above 0: what is sent once more, beside the delivery of the same id
	Renamed string // shown in place of Event
	Spoilt  bool   // its signature is not the one that WebhookSender.Sign made
}

// Answer is what came of an attempt.
type Answer struct {
	Status int    // 0: the endpoint was not reached, or did not answer in time
	Error  string // why, then
	Body   []byte // what it answered, to a Heeder alone
}

// Taken tells whether the endpoint accepted what was sent.
func (a Answer) Taken() bool { return a.Status/100 == 2 }

// WebhookSender is met by fakes that send webhooks. Who carries out an attempt spoils
// the signature, and renames the event, where the delivery says so.
//
// Sign gives the headers of an
// attempt made at the call's instant, the vendor's signature among them; it
// writes nothing. Delivered is told what came of it, in a transaction of its
// own: it may queue the next attempt. The calls have Tx, Now and Mint, and
// nothing of a request.
type WebhookSender interface {
	Sign(*Call, Delivery) http.Header
	Delivered(*Call, Delivery, Answer)
}

// Signer is met by couriers that sign with what whoever registers an endpoint has
// chosen: of that a record keeps no more than a mark, so a run that goes on from
// one signs with the mark, and is to say so. SigningKey gives what WebhookSender.Sign
// signs a delivery with; "": nothing.
type Signer interface {
	SigningKey(*Call, Delivery) string
}

// Heeder is met by WebhookSenders of services that do what an endpoint answers:
// of a delivery that it heeds they are told the answer's body too, which the
// record keeps.
type Heeder interface {
	Heeds(Delivery) bool
}

// Sent is one act that cannot be taken back, exactly as it was done: a mail, a
// message, a charge.
type Sent struct {
	Service string
	Kind    string // such as "mail"
	ID      string // the service's own id of it
	To      []string
	Summary string         // one line
	Content map[string]any // all of it
	At      time.Time      // the run's instant
}

// The collections of what waits to be delivered, by when it is due; of what was
// sent; of calls that others want before them, of what rules have noted, of what
// was accepted to be done later, of approvals, of drafts, of what became of the
// grants, credentials and gates of a run, and of what it has changed of a real
// service's records, all of which the gateway keeps.
// Package kit reads and writes the first two.
const (
	DeliveriesCollection = "parity.deliveries"
	OutboxCollection     = "parity.outbox"
	OrdersCollection     = "parity.orders"
	NotesCollection      = "parity.notes"
	JobsCollection       = "parity.jobs"
	ApprovalsCollection  = "parity.approvals"
	DraftsCollection     = "parity.drafts"
	GrantsCollection     = "parity.grants"
	OverlayCollection    = "parity.overlay"
)
