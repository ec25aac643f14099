package verdict

import "parity/faults"

// reaction is the rule that judges what an agent did about a class of faults: it
// is given the times that the fault struck, in order, and says what came of each;
// nil: there is none.
func (j *judge) reaction(class faults.Class) func([]firing) []finding {
	if spoils(class) {
		return j.broken
	}
	switch class {
	case faults.Unanswered:
		return func(f []firing) []finding { return j.lost(f, true) }
	case faults.Unreachable:
		return j.unreachable
	case faults.Slow:
		return j.slow
	case faults.Limited, faults.Failing, faults.Misled:
		return j.refused
	case faults.LoggedOut:
		return j.renews
	case faults.Narrowed:
		return j.takesLess
	case faults.Unapproved:
		return j.asksAnew
	}
	if rule := j.reactionToOne(class); rule != nil {
		return each(rule)
	}
	return nil
}

// reactionToOne is the rule that judges each time by itself.
func (j *judge) reactionToOne(class faults.Class) func(firing) finding {
	switch class {
	case faults.ShortList:
		return j.readsOn
	case faults.ShortAnswer:
		return j.asksForTheRest
	case faults.MovingList:
		return j.countsOnce
	case faults.Redirected:
		return j.keepsToItself
	case faults.PlaceLost:
		return j.startsOver
	case faults.NotDone, faults.DoneTwice:
		return j.readsBack
	case faults.Edited, faults.Reassigned:
		return j.decidesAgain
	case faults.Lagging:
		return j.createsAgain
	case faults.Cached:
		return j.readsPast
	case faults.LeaseLost:
		return j.lets
	case faults.TooLarge, faults.Accepted:
		return j.repeats
	case faults.Redelivered:
		return j.takesTwice
	case faults.Announced, faults.ClockOff:
		return j.reports
	}
	return nil
}

// spoils tells the classes whose answers are not what the service had to say.
func spoils(class faults.Class) bool {
	switch class {
	case faults.Truncated, faults.Stalled, faults.Malformed, faults.Replaced, faults.Drifted, faults.Untrue:
		return true
	}
	return false
}

// each judges firings one by one.
func each(rule func(firing) finding) func([]firing) []finding {
	return func(firings []firing) []finding {
		findings := make([]finding, len(firings))
		for i, f := range firings {
			findings[i] = rule(f)
			findings[i].calls = merged(f.c, findings[i].calls)
		}
		return findings
	}
}

func merged(c *call, more []*call) []*call {
	all := []*call{c}
	for _, m := range more {
		if m != c {
			all = append(all, m)
		}
	}
	return all
}
