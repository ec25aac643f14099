package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/words"
)

// took is how long a call took, in real time, from when it came in until its
// wire had ended, and whether that is known.
func (c *call) took() (time.Duration, bool) {
	if !c.settled || c.began == 0 || c.ended == 0 {
		return 0, false
	}
	return time.Duration(c.ended - c.began), true
}

// inTime judges elapsed.
func (j *judge) inTime(e *profiles.Expectation) ([]finding, string) {
	wants := matcher(e.Calls)
	var found []finding
	held, longest := finding{reaction: trail.Handled}, time.Duration(0)
	for _, h := range j.happened() {
		if h.c == nil || h.later || !wants(h.c) || !h.c.asked() {
			continue
		}
		is, why := j.when(e, h.c, nil)
		took, known := h.c.took()
		switch {
		case why != "":
			found = append(found, unjudged(h.c, why))
		case !is:
		case !known && !j.in.Ended:
			found = append(found, finding{reaction: trail.CutShort, why: "when its answer has gone out is not known yet", calls: []*call{h.c}})
		case !known:
			found = append(found, unjudged(h.c, "when its wire ended is not known"))
		case took > e.Elapsed:
			found = append(found, finding{reaction: trail.Mishandled, calls: []*call{h.c}, rests: on(timing, h.c), line: story(
				step{text: j.opening(h.c), sum: fmt.Sprintf("took %s, and at most %s expected", span(took), e.Elapsed)},
			)})
		case h.c.gone:
			found = append(found, unjudged(h.c, "the client left after "+span(took)+", before the answer was whole"))
		default:
			held.times++
			held.calls = append(held.calls, h.c)
			longest = max(longest, took)
		}
	}
	if held.times > 0 {
		held.rests = on(timing, held.calls...)
		held.line = fmt.Sprintf("%s of %s, each within %s: the longest took %s", words.Count(held.times, "call"), patterns(e), e.Elapsed, span(longest))
		found = append(found, held)
	}
	return found, "there were no calls of " + patterns(e)
}

// timed is what a condition rests on that has the elapsed of calls: that those
// which it may be about take as long in production.
func (j *judge) timed(e *profiles.Expectation) []rest {
	conditions := slices.DeleteFunc([]*profiles.Condition{e.Holds, e.When}, func(c *profiles.Condition) bool {
		return c == nil || !c.Needs("calls") || !strings.Contains(c.String(), "elapsed")
	})
	if len(conditions) == 0 {
		return nil
	}
	return on(timing, j.calls...)
}
