package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/faults/trail"
)

// step is a part of a story.
type step struct {
	text string
	c    *call  // the attempt that it tells of; nil for what was seen or said meanwhile
	sum  string // what the attempts came to by then
}

// storyOf tells the story of an intent. What was done twice is added up at the
// attempt that did it once more; what was done once, after the last attempt.
func (j *judge) storyOf(steps []step) string {
	var done []effect
	next := 0
	for i := range steps {
		c := steps[i].c
		if c == nil || c.nth < next {
			continue
		}
		before := len(done)
		done = append(done, j.effectsOf(j.intents[c.intent()][next:c.nth+1])...)
		if next = c.nth + 1; len(done) > max(before, 1) {
			steps[i].sum = tally(done)
		}
	}
	if last := len(steps) - 1; last > 0 && steps[last].c != nil && len(done) == 1 {
		steps[last].sum = tally(done)
	}
	return story(steps...)
}

// story sets the steps of what happened side by side. Of many, the middle is
// left out.
func story(steps ...step) string {
	const most, end = 6, 1
	if left := len(steps) - most + 1; left > 1 {
		cut := steps[most-1-end : len(steps)-end]
		more := step{text: fmt.Sprintf("and %d more", left)}
		for _, s := range cut {
			more.sum = first(s.sum, more.sum)
		}
		steps = append(append(slices.Clone(steps[:most-1-end]), more), steps[len(steps)-end:]...)
	}
	texts := make([]string, len(steps))
	for i, s := range steps {
		texts[i] = s.text
		if s.sum != "" {
			texts[i] += ": " + s.sum
		}
	}
	return strings.Join(texts, "   ")
}

// opening words the first call of a story: what it did, and what its client
// saw of that.
func (j *judge) opening(c *call) string {
	did := operationOf(c)
	if e, ok := j.effect(c); ok {
		did = e.verb
	} else if c.changedThings() {
		did += " done"
	}
	return tag(c) + did + clause(seen(c))
}

// seen words what kept a client from its answer, or "".
func seen(c *call) string {
	w := &c.x.Wire
	switch {
	case !c.done:
		return "not answered yet"
	case w.NoHead && w.End == trail.Reset:
		return "reply lost"
	case w.NoHead:
		return "no answer"
	case w.HeadCut:
		return "reply cut in its head"
	case w.Short:
		return "reply cut short"
	case c.gone:
		return "client gone before the answer"
	case c.x.Status >= 400:
		return "answered " + strconv.Itoa(c.x.Status)
	}
	return ""
}

// again words a call that repeats another.
func (j *judge) again(earlier, c *call) string {
	how := "with a new key"
	switch {
	case c.x.Intent.Key == "" && j.in.Operation != nil && !keyed(j.contracted(c)):
		return tag(c) + "sent again" // its service knows no keys
	case c.x.Intent.Key == "":
		how = "without a key"
	case c.x.Intent.Key == earlier.x.Intent.Key:
		how = "with the same key"
	}
	return tag(c) + "sent again " + how
}

func tag(c *call) string { return event(c.seq) }

// event is how a story names one.
func event(seq uint64) string { return fmt.Sprintf("#%d ", seq) }

// numbered is a call by its number alone.
func numbered(c *call) string { return strings.TrimSpace(tag(c)) }

func clause(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}
