package stripe

import (
	"time"

	"parity/fakes"
)

// The timers besides holdExpires; what each is of is its subject.
const (
	sessionExpires     = "session-expires"  // a checkout session
	refundEnds         = "refund-ends"      // a refund that is pending, or will fail
	disputeDue         = "dispute-due"      // a dispute whose evidence is wanted
	disputeDecided     = "dispute-decided"  // a dispute under review
	payoutMoves        = "payout-moves"     // a payout
	invoiceAdvances    = "invoice-advances" // a draft, or an open invoice that is tried again
	subscriptionRenews = "subscription-renews"
	trialWillEnd       = "trial-will-end"
	incompleteExpires  = "incomplete-expires" // a subscription whose first payment is wanted
)

// Fire does what Stripe does on its own.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := &call{Call: fc, fake: f, version: f.version, away: true}
	c.fire(t.Kind, t.Subject)
}

// fire does it for whichever account the subject is of.
func (c *call) fire(kind, subject string) {
	c.account = c.ownerOf(subject)
	does := map[string]func(*call, string){
		holdExpires:        (*call).expire,
		sessionExpires:     (*call).closeSession,
		refundEnds:         (*call).endRefund,
		disputeDue:         (*call).loseDispute,
		disputeDecided:     (*call).decideDispute,
		payoutMoves:        (*call).movePayout,
		invoiceAdvances:    (*call).advanceInvoice,
		subscriptionRenews: (*call).renew,
		trialWillEnd:       (*call).announceTrialEnd,
		incompleteExpires:  (*call).expireIncomplete,
		clockAdvances:      (*call).arrive,
		clockEnds:          (*call).endClock,
	}[kind]
	if does != nil {
		does(c, subject)
	}
}

// after is the instant that lies so far ahead, in whole seconds as records show
// time.
func (c *call) after(d time.Duration) time.Time { return time.Unix(c.now(), 0).Add(d) }
