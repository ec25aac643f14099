// Package overlay lays what a run has changed over what a real service answers.
//
// A run that reads a real service and writes to its fake would not find its own
// writes. What they change is told by the fake: it is asked for the same call
// twice, in the run's world without the run's changes and in the run's world as it
// is, and what differs between its two answers is what is laid over the real one.
//
//	run's world, changes taken back ─▶ fake ─▶ without ─┐
//	                                                    ├─▶ differs ─┐
//	run's world ─────────────────────▶ fake ─▶ with ────┘            ├─▶ Laid
//	real service ────────────────────────────▶ reply ────────────────┘
//
// So filters, searches, totals and records within records follow, and a reply that
// the run's changes do not touch stays the bytes that came. All of it is values in,
// values out: nothing here sends, waits, or keeps anything but records of the world.
package overlay

import (
	"net/http"

	"parity/fakes"
	"parity/specs"
)

// A State says what a run has to do with a record of a real service.
type State string

// The states.
const (
	Absorbed State = "absorbed" // it was read from the real service, and is as it was there
	Created  State = "created"  // the run made it: the real service has none
	Changed  State = "changed"
	Deleted  State = "deleted"
)

// An Over is a service, whose real replies a run's changes are laid over. A call
// that is handed to it has a transaction on the run's world; but for Absorb and
// Note nothing stays written there.
type Over struct {
	Service fakes.Service
	// Kept is how a body of the real service is kept, where not all of it is: what was
	// absorbed came so. nil: as it is.
	Kept func(body []byte) []byte
	// Plain gives what the call's own texts are kept as, with what they are: records
	// that were absorbed have those of them that it asks for. nil: as they are.
	Plain func() map[string]string
}

// A Key names a record of the run's world.
type Key struct{ Collection, ID string }

// A Need is a read that the real service has to answer before the fake decides a
// write, by GET and without a body. Of gives it as a call to the fake, for Absorb.
type Need struct {
	Operation *specs.Operation
	Path      string // escaped, as the service knows it
	Query     string // raw
	Why       string // what of the write names it, such as "path" or "customer"
}

// A Plan says how a read is answered.
type Plan struct {
	// Own is the fake's reply where the real service need not be asked: what the
	// run made, and what it deleted. nil: ask it, then Lay.
	Own *fakes.Reply
	// Drop names headers of the request that do not go to the real service, since
	// what it would leave out by them is wanted: If-None-Match.
	Drop []string
}

// A Laid is a real reply with the run's changes.
type Laid struct {
	Reply    fakes.Reply
	Overlaid bool // something differs from what the real service said; else Reply is what came, byte for byte
	// Behind are records that the run has changed, and that the real service has
	// changed since: they are not as they were under the run's changes.
	Behind []Key
	// Onward is set where the run has deleted all of a real page, and more follow: a
	// client has nothing to ask on from. The real service is to be asked for the next
	// page, with that parameter, and the reply laid for the same call as before. nil:
	// this is the answer.
	Onward *Onward
	// Unlaid says what of the run's changes could not be laid over, since what it
	// stands in names no ids; "": nothing.
	Unlaid string
}

// An Onward leads to the next page of a real list: a parameter, of the query or of
// the body as the call has its others, and its value.
type Onward struct{ Parameter, Value string }

// conditional are headers by which a service leaves out what the client has.
func conditional() []string { return []string{"If-None-Match", "If-Modified-Since"} }

// bare is a header without what asks for less than all.
func bare(h http.Header) http.Header {
	clean := h.Clone()
	for _, name := range conditional() {
		clean.Del(name)
	}
	return clean
}
