package faults

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Trigger says which of the intents that a rule meets are hit. Its zero value
// hits every attempt of every one.
type Trigger struct {
	Nth     uint64        // only this one, from 1
	First   uint64        // the first so many
	Every   uint64        // each one whose number is a multiple
	Skip    uint64        // none of the first so many; the others count from there
	Chance  *float64      // a keyed draw below this share
	Max     uint64        // at most so many intents
	Between []Pattern     // only after a call to the first, until one to the second
	From    time.Duration // only from this age of the run, on its clock
	To      time.Duration // only before this age; 0: no end
	Tries   uint64        // how many attempts of an intent are hit; 0 counts as 1
}

// Attempts says how many attempts of one intent are hit. Without any trigger
// there is no end to them.
func (t Trigger) Attempts() uint64 {
	if t.unset() {
		return math.MaxInt64
	}
	return max(t.Tries, 1)
}

func (t Trigger) unset() bool {
	return t.Nth|t.First|t.Every|t.Skip|t.Max|t.Tries == 0 && t.Chance == nil && len(t.Between) == 0 && t.From|t.To == 0
}

// Counted tells whether the trigger names which intent by number, so that a
// rule that never fires has missed its purpose.
func (t Trigger) Counted() bool { return t.Nth > 0 || t.First > 0 }

// occasion is one attempt of one intent, as a trigger sees it.
type occasion struct {
	index   uint64 // number of the intent, from 1
	attempt uint64
	fired   uint64 // intents that this rule has hit before
	hit     bool   // this intent is one of those
	age     time.Duration
	draw    func() float64
	lastOf  func(Pattern) uint64
	noun    string // what is counted; "": intents
}

// pulls tells whether the trigger hits, and if not, why.
func (t Trigger) pulls(o occasion) (bool, string) {
	noun := cmp.Or(o.noun, "intent")
	if t.From > 0 && o.age < t.From || t.To > 0 && o.age >= t.To {
		return false, fmt.Sprintf("outside its window, %v into the run", o.age.Truncate(time.Millisecond))
	}
	if len(t.Between) == 2 {
		opened, closed := o.lastOf(t.Between[0]), o.lastOf(t.Between[1])
		if opened == 0 || closed > opened {
			return false, "not between its two calls"
		}
	}
	if o.attempt > t.Attempts() {
		return false, fmt.Sprintf("attempt %d of an intent, and it hits %d", o.attempt, t.Attempts())
	}
	if o.index <= t.Skip {
		return false, fmt.Sprintf("%s %d, and it skips %d", noun, o.index, t.Skip)
	}
	n := o.index - t.Skip
	switch {
	case t.Nth > 0 && n != t.Nth:
		return false, fmt.Sprintf("%s %d, and it hits number %d", noun, n, t.Nth)
	case t.First > 0 && n > t.First:
		return false, fmt.Sprintf("%s %d, and it hits the first %d", noun, n, t.First)
	case t.Every > 0 && n%t.Every != 0:
		return false, fmt.Sprintf("%s %d, and it hits each %dth", noun, n, t.Every)
	case t.Max > 0 && o.fired >= t.Max && !o.hit:
		return false, fmt.Sprintf("it has hit %d already", o.fired)
	case t.Chance != nil && o.draw() >= *t.Chance:
		return false, "the draw missed"
	}
	return true, ""
}
