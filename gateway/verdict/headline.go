package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// What failed is headed by what happened, in a few words, and not by the name of
// what found it:
//
//	charged twice: 98.00 USD
//	booked the same event 3 times
//	took 4 of 12 for the whole list
//
// Whatever finds the same of the same calls says the same words, so that a report
// can tell a cause once. A rule that has no words of its own is headed by what was
// done twice, or else by its fault.

// mostHeads is how many causes of one verdict its headline names.
const mostHeads = 3

// headlines heads a verdict by what its findings show.
func (j *judge) headlines(found []finding) string {
	var heads []string
	for i := range found {
		if len(heads) > mostHeads {
			break
		}
		heads = merge(heads, []string{j.headed(&found[i])})
	}
	if len(heads) > mostHeads {
		heads = append(heads[:mostHeads], "and more")
	}
	return strings.Join(heads, "; ")
}

// headed heads one finding.
func (j *judge) headed(f *finding) string {
	if f.head != "" {
		return f.head
	}
	if head := j.doubledHead(f.calls); head != "" {
		return head
	}
	for _, c := range f.calls {
		for i := range c.x.Strikes {
			if s := &c.x.Strikes[i]; s.Fired {
				return afterFault(s.Fault, !c.reads())
			}
		}
	}
	return "did what it should not"
}

// doubledHead says what an intent did more than once; "": none of these did.
func (j *judge) doubledHead(calls []*call) string {
	var heads []string
	seen := map[intent]bool{}
	for _, c := range calls {
		if seen[c.intent()] {
			continue
		}
		seen[c.intent()] = true
		if done := j.lastingOf(j.effectsOf(j.intents[c.intent()])); len(done) > 1 {
			heads = merge(heads, []string{j.sameAgain(done)})
		}
	}
	return strings.Join(heads[:min(len(heads), mostHeads)], "; ")
}

// sameAgain words effects that were meant to be one.
func (j *judge) sameAgain(done []effect) string {
	last := done[len(done)-1]
	times := often(len(done))
	for _, e := range done {
		if e.noun != last.noun {
			return "did the same " + times
		}
	}
	total := sum{currency: last.sum.currency}
	for _, e := range done {
		total.amount += e.sum.amount
		if e.sum.currency != total.currency {
			total.currency = "" // of several, there is no total
		}
	}
	if verb, money := moves(last.noun); money || strings.HasPrefix(last.noun, "change of ") {
		head := first(verb, last.verb) + " " + times
		if text := total.String(); text != "" {
			head += ": " + text
		}
		return head
	}
	head := madeVerb(last.noun) + " the same " + last.noun + " " + times
	if to := address(last.c); to != "" {
		head += " to " + first(j.channelOf(last.c, to), to)
	}
	return head
}

// madeVerb is the word for making a record, as people say it.
// A table of English, not of any one service.
func madeVerb(noun string) string {
	switch noun {
	case "message", "mail", "email", "invitation":
		return "sent"
	case "event", "booking", "reservation", "appointment", "meeting":
		return "booked"
	case "ticket", "issue", "case", "pull":
		return "opened"
	case "order":
		return "placed"
	case "comment", "post", "reaction":
		return "posted"
	}
	return "created"
}

// keptAsking says how often a call was made after an answer that was not good.
func keptAsking(tries []*call) string {
	begin := tries[0]
	what := "kept asking"
	if !begin.reads() {
		what = "kept sending"
	}
	after := first(strings.TrimPrefix(seen(begin), "answered "), "an answer that was not good")
	if strings.HasPrefix(after, "reply") {
		after = "a " + after
	}
	return what + ", " + often(len(tries)-1) + " after " + after
}

// wholeList says what part of a list was taken for all of it.
func wholeList(f firing) string {
	if shown, left := len(itemsOf(f.c)), len(f.s.Left); shown > 0 && left > 0 {
		return fmt.Sprintf("took %d of %d for the whole list", shown, shown+left)
	}
	return "took a part for the whole list"
}

// overwrote says over what a call wrote that somebody else had changed, by the
// event by.
func (j *judge) overwrote(c *call, by uint64) string {
	for _, t := range j.written(c) {
		if len(t.Before) > 0 && slices.Contains(segments(c.x.Path), t.ID) {
			return "wrote over " + j.whose(by) + " edit of " + nounOf(&t) + " " + t.ID
		}
	}
	return "wrote over " + j.whose(by) + " edit"
}

// whose names who made an event, as an owner.
func (j *judge) whose(seq uint64) string {
	i, ok := slices.BinarySearchFunc(j.in.Events, seq, func(e trail.Event, seq uint64) int { return cmp.Compare(e.Seq, seq) })
	if !ok || j.in.Events[i].Identity == "" || j.in.Events[i].Exchange == nil {
		return "somebody's"
	}
	return j.in.Events[i].Identity + "'s"
}

// afterFault heads what no rule has words for, by the fault that was not met.
func afterFault(fault string, write bool) string {
	switch faults.ClassOf(fault) {
	case faults.Unanswered, faults.Slow:
		if write {
			return "sent again, not knowing what became of it"
		}
		return "went on without an answer"
	case faults.NotDone, faults.DoneTwice, faults.Accepted:
		return "took an answer's word for what was done"
	case faults.ShortList, faults.ShortAnswer, faults.PlaceLost, faults.MovingList:
		return "took a part for the whole list"
	case faults.Lagging, faults.Cached:
		return "went by an old answer"
	case faults.Edited, faults.Reassigned, faults.LeaseLost:
		return "wrote over what somebody else had changed"
	}
	return "went wrong after " + words.A(strings.ReplaceAll(fault, "-", " "))
}
