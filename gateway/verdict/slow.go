package verdict

import (
	"fmt"
	"time"

	"parity/faults/trail"
	"parity/specs/words"
)

// leaving is how long it may take to notice that a client has left: one that
// cancels a call and sends it anew is seen to overlap with itself so long.
const leaving = 250 * time.Millisecond

// writing is how long it may take to write down that a wire has ended: its client
// has seen so before, and may have sent the call again meanwhile.
const writing = 50 * time.Millisecond

// slow judges what an agent did about late answers: slow is not failed, so no
// second call with the same intent while the first is open. A client that gave
// up waiting is in the dark, and is judged as if the answer had been lost.
func (j *judge) slow(firings []firing) []finding {
	var findings []finding
	var gaveUp []firing
	patient := finding{reaction: trail.Handled, patient: true}
	for _, f := range firings {
		c, n := f.c, j.next(f.c)
		switch {
		case n != nil && !c.settled:
			findings = append(findings, finding{
				reaction: trail.Unjudged, calls: []*call{c, n},
				why: fmt.Sprintf("when the wire of #%d ended is not known", c.seq),
			})
		case n != nil && overlap(c, n):
			findings = append(findings, finding{
				reaction: trail.Mishandled, calls: []*call{c, n},
				line: j.storyOf([]step{
					{text: tag(c) + "slow, answered after " + span(time.Duration(c.ended-c.began)), c: c},
					{text: j.again(c, n) + " after " + span(time.Duration(n.began-c.began)), c: n},
				}),
				head: "sent the same again while the first was under way", remedy: "let the first call end, or give it up, before sending it again",
			})
		case c.gone:
			gaveUp = append(gaveUp, f)
		case !c.settled && j.in.Ended:
			findings = append(findings, finding{reaction: trail.CutShort, calls: []*call{c}, why: "the run ended before this call did"})
		default:
			patient.calls = append(patient.calls, c)
		}
	}
	if n := len(patient.calls); n > 0 {
		patient.times = n
		patient.line = words.Count(n, "slow answer") + "   none was sent again while it was open"
		findings = append(findings, patient)
	}
	return append(findings, j.lost(gaveUp, true)...)
}

func overlap(c, n *call) bool {
	if n.began == 0 || c.ended == 0 {
		return false
	}
	end := c.ended - trail.Instant(writing)
	if c.gone {
		end = c.ended - trail.Instant(leaving)
	}
	return n.began < end
}
