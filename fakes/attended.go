package fakes

import (
	"errors"
	"time"
)

// Attended is met by fakes of services in which people do what no call of the
// agent does: they pay on a page, authenticate a payment, press a button in a
// message, answer an invitation.
//
//	a call, a timer ─▶ record that Waits ─┬▶ parity act: an operator ────┐
//	                                      └▶ people: of the profile, ────┴▶ Do ─▶ records, events, webhooks
//	                                         a while later by the clock
//
// Acts lists what a person can do, each with the collection of what it is done
// to. Waits tells whether a record waits for a person now, and for what: it
// reads, writes nothing, and goes by the record alone, however that came about.
// Do does one act, as the service does when a person did it: it writes to the
// call's transaction, and gives in a few words what came of it. Where the act
// cannot be done it gives an error, and has written nothing; one that wraps
// ErrAct says that the deed is not one that the service knows. The calls have
// Tx, Now, NewID and Base, and nothing of a request; Base may be empty.
type Attended interface {
	Acts() []Act
	Waits(call *Call, collection, id string) (Waiting, bool)
	Do(call *Call, d Deed) (did string, err error)
}

// ErrAct says that what somebody was to do is no act of that service, or says
// what goes with it wrongly.
var ErrAct = errors.New("it is not known")

// An Act is one thing that a person can do with what waits.
type Act struct {
	Waits      string   // with what: the Kind of a Waiting, such as "checkout"
	Collection string   // whose records these are, as the world has it
	Name       string   // one lower-case word, such as "complete"
	Does       string   // in words
	With       []string // what can be said along with it, such as "card"
}

// Waiting is what a record waits for.
type Waiting struct {
	Kind  string    // such as "checkout": which acts there are goes by it
	Since time.Time // zero: the record does not say
	Says  string    // in words, for whoever is to act
	URL   string    // the page that a person opens; "": there is none
}

// A Deed is one act that somebody does.
type Deed struct {
	Act, Collection, ID string
	With                map[string]any // by the names of Act.With
}

// PersonTimer is the kind of the timers of people who stand in for those that a
// service waits for; their service is PeopleService.
const (
	PersonTimer   = "person"
	PeopleService = ApprovalService
)

// ActsOf lists the acts of a service; nil: nothing of it waits for a person.
func (s Service) ActsOf() []Act {
	if a, ok := s.Fake.(Attended); ok {
		return a.Acts()
	}
	return nil
}
