package faults

import (
	"slices"

	"parity/faults/trail"
)

// Class is what an agent meets in a fault. The rules by which reactions are judged
// know the classes, and no fault by its name: a new fault takes the class of what
// its agent meets, and is judged by that.
type Class string

// The classes.
const (
	Unanswered  Class = "unanswered"  // nothing says whether a call took effect
	Unreachable Class = "unreachable" // no connection comes about
	Slow        Class = "slow"        // the answer is late, and right
	Limited     Class = "limited"     // all that share a limit, or a service, are refused
	Failing     Class = "failing"     // what was asked is refused
	Misled      Class = "misled"      // the refusal blames what is right

	ShortList   Class = "short list"   // a list has less on a page than there is
	ShortAnswer Class = "short answer" // an answer lacks parts of what it has
	MovingList  Class = "moving list"  // a list changes while it is read
	PlaceLost   Class = "place lost"   // a place in a list is not known any more
	Lagging     Class = "lagging"      // a read does not show yet what was written
	Cached      Class = "cached"       // a read shows what was so once
	TooLarge    Class = "too large"    // an answer has more in it than can be taken

	NotDone    Class = "not done"   // a success that was none, or not all
	DoneTwice  Class = "done twice" // a success that was two
	Accepted   Class = "accepted"   // work that is taken on, and done later
	Edited     Class = "edited"     // somebody else changes what was read
	Reassigned Class = "reassigned" // what was read is no longer the agent's
	LeaseLost  Class = "lease lost" // the agent's hold on a record is over

	LoggedOut   Class = "logged out"  // a credential is refused that was good
	Redirected  Class = "redirected"  // the call is told to go to another place
	Redelivered Class = "redelivered" // webhooks come twice, late, out of order or forged
	Announced   Class = "announced"   // an answer has a notice
	ClockOff    Class = "clock off"   // a service's clock is not the agent's

	Unapproved Class = "unapproved" // an approval that was asked for is good no more, or never comes
	Narrowed   Class = "narrowed"   // what was permitted is permitted no more

	Truncated Class = "truncated" // an answer ends early
	Stalled   Class = "stalled"   // a stream of events ends early
	Malformed Class = "malformed" // an answer is not written as it should be
	Replaced  Class = "replaced"  // a page for people is in place of the answer
	Drifted   Class = "drifted"   // an answer has another shape
	Untrue    Class = "untrue"    // an answer says what is not so
)

// Classes are all the classes.
func Classes() []Class {
	return []Class{
		Unanswered, Unreachable, Slow, Limited, Failing, Misled, ShortList, ShortAnswer, MovingList, PlaceLost,
		Lagging, Cached, TooLarge, NotDone, DoneTwice, Accepted, Edited, Reassigned, LeaseLost, LoggedOut,
		Redirected, Redelivered, Announced, ClockOff, Truncated, Stalled, Malformed, Replaced, Drifted, Untrue,
		Unapproved, Narrowed,
	}
}

// Struck tells an exchange that a fault of a class struck.
func Struck(x *trail.Exchange, class Class) bool {
	return slices.ContainsFunc(x.Strikes, func(s trail.Strike) bool { return s.Fired && ClassOf(s.Fault) == class })
}
