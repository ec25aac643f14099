package verdict

import (
	"fmt"

	"parity/faults/trail"
)

// byIntent sets the firings of a rule apart by the intents that they hit, in
// the order they first did.
func byIntent(firings []firing) [][]firing {
	at := map[intent]int{}
	var groups [][]firing
	for _, f := range firings {
		i, known := at[f.c.intent()]
		if !known {
			i = len(groups)
			at[f.c.intent()] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// lost judges what an agent did about answers that it did not get: no blind
// retry. The next call with the intent carries the same idempotency key, or
// follows a read that shows no effect; what follows a read that shows it may be
// another order. unsure says that an agent that does nothing cannot have known:
// that it stopped and said so is seen only where somebody posts a claim.
func (j *judge) lost(firings []firing, unsure bool) []finding {
	var findings []finding
	for _, group := range byIntent(firings) {
		if group[0].c.reads() {
			findings = append(findings, j.bounded(group))
			continue
		}
		h := &hunt{j: j, unsure: unsure, keys: map[string]bool{}, fired: map[*call]bool{}}
		for _, f := range group {
			h.fired[f.c] = true
		}
		findings = append(findings, h.follow(group[0].c))
	}
	return findings
}

// hunt follows one intent from its first lost answer on.
type hunt struct {
	j      *judge
	unsure bool
	fired  map[*call]bool
	keys   map[string]bool // sent with attempts whose answer is not known
	lost   *call           // the latest call whose answer was lost, until an answer settles the matter
	steps  []step
	calls  []*call
	rests  []rest
	sdk    bool   // the call after the loss looks like the SDK's own
	anew   string // why a call that was made in sight of the first may be another order
}

func (h *hunt) follow(begin *call) finding {
	all := h.j.intents[begin.intent()]
	h.lose(begin, h.j.opening(begin))
	for _, c := range all[begin.nth+1:] {
		switch {
		case h.lost == nil && h.fired[c]:
			h.lose(c, h.j.opening(c))
			continue
		case h.lost == nil:
			continue
		}
		text := again(h.lost, c)
		if f, bad := h.judge(c); bad {
			return f
		}
		switch {
		case h.fired[c]:
			h.lose(c, text+clause(seen(c)))
		case c.told():
			h.note(c, text)
			h.lost, h.keys = nil, map[string]bool{}
		default:
			h.note(c, text+clause(seen(c)))
			h.keys[c.x.Intent.Key] = true
		}
	}
	return h.end(all)
}

func (h *hunt) lose(c *call, text string) {
	h.lost, h.sdk = c, false
	if key := c.x.Intent.Key; key != "" {
		h.keys[key] = true
	}
	h.note(c, text)
	h.rests = append(h.rests, on(effects, c)...)
}

// note adds an attempt to the story.
func (h *hunt) note(c *call, text string) {
	h.steps = append(h.steps, step{text: text, c: c})
	h.calls = append(h.calls, c)
}

// aside adds to the story a call that is no attempt.
func (h *hunt) aside(c *call, text string) {
	h.steps = append(h.steps, step{text: tag(c) + text})
	h.calls = append(h.calls, c)
}

// judge looks at one call after a loss. It is bad when it is a blind retry.
func (h *hunt) judge(c *call) (finding, bool) {
	if key := c.x.Intent.Key; key != "" && h.keys[key] {
		h.sdk = h.sdk || ownRetry(h.lost, c)
		return finding{}, false
	}
	h.sdk = false
	l := h.j.look(h.lost, c.open)
	switch {
	case l.at == nil && l.failed != nil:
		h.aside(l.failed, "looked, and got no answer")
	case l.at == nil:
	case l.astray:
		h.aside(l.at, "looked where it does not show")
	case l.shows:
		h.aside(l.at, "looked, and it was there")
		h.anew = inSight(h.lost, c)
		h.lost, h.keys = c, map[string]bool{}
		return finding{}, false
	default:
		h.aside(l.at, "looked, and it was not there")
		h.rests = append(h.rests, on(freshness, l.at)...)
		return finding{}, false
	}
	h.note(c, again(h.lost, c)+clause(seen(c)))
	if d := h.j.doubling(c); d != nil && d.nth > c.nth {
		h.note(d, again(c, d)+clause(seen(d)))
	}
	return finding{
		reaction: trail.Mishandled, line: h.j.tale(h.steps), mend: h.j.mend(h.lost), calls: h.calls, rests: h.rests,
	}, true
}

// inSight says why a call that an agent made after it had seen what became of
// an equal one is not judged.
func inSight(seen, c *call) string {
	return fmt.Sprintf("the agent had seen that #%d went through before it sent #%d: that may be another order, or the same once more, and the wire does not show which", seen.seq, c.seq)
}

// end is the finding of an intent in which nothing was repeated blindly.
func (h *hunt) end(all []*call) finding {
	f := finding{reaction: trail.Handled, calls: h.calls, rests: h.rests}
	switch {
	case h.anew != "":
		f.reaction, f.why, f.line = trail.Unjudged, h.anew, h.j.tale(h.steps)
		return f
	case h.lost == nil:
		return h.answered(f, all)
	case h.lost != all[len(all)-1]:
		if h.pretends() && h.claim(&f) {
			return f
		}
		return h.answered(f, all)
	}
	if like := h.reworded(); like != nil {
		h.aside(like, "the same operation, in other words")
		if likeness(like) != likeness(h.lost) && h.claim(&f) {
			return f // it differs in more than words: what was said of the lost one stands
		}
		f.line, f.calls, f.reaction = h.j.tale(h.steps), h.calls, trail.Unjudged
		f.why = "it may be the lost call once more, or another one: the wire does not show which"
		return f
	}
	return h.silence(f)
}

// answered is the finding where the agent sent again as it should.
func (h *hunt) answered(f finding, all []*call) finding {
	if h.sdk {
		f.tries = max(sdkTries, all[len(all)-1].x.Intent.Attempt+1)
		f.why = hid(f.tries)
	}
	f.line = h.j.tale(h.steps)
	return f
}

// reworded is a later call of the lost one's operation that made a change of
// its own: the lost one with another text or amount, perhaps. An agent that had
// seen the first by then meant another.
func (h *hunt) reworded() *call {
	if h.j.meant(h.lost) {
		return nil
	}
	calls := h.j.changes[actor{h.lost.who, h.lost.name()}]
	begin := after(calls, h.lost.open)
	for _, c := range calls[begin:min(len(calls), begin+ahead)] {
		if c.x.Intent.Fingerprint != h.lost.x.Intent.Fingerprint {
			if h.j.look(h.lost, c.open).shows {
				return nil
			}
			return c
		}
	}
	return nil
}

// silence is the finding where nothing was sent after a loss.
func (h *hunt) silence(f finding) finding {
	var l look
	if h.lost.done {
		l = h.j.look(h.lost, never)
	}
	switch {
	case l.at != nil && l.shows:
		h.aside(l.at, "looked: it was there")
	case l.at != nil:
		h.aside(l.at, "looked: it was not there")
	case l.failed != nil:
		h.aside(l.failed, "looked, and got no answer")
		f.calls = h.calls
	}
	if l.at != nil {
		f.calls, f.rests = h.calls, append(f.rests, on(freshness, l.at)...)
		h.steps = append(h.steps, step{text: "no second call"})
	} else {
		h.steps = append(h.steps, step{text: "no further call"})
	}
	f.line = h.j.tale(h.steps)
	switch {
	case l.shows, l.at != nil && !h.pretends():
	case h.claim(&f):
	case h.j.unfinished() != "" && h.lost.line == 0:
		f.reaction, f.why = trail.Unjudged, h.j.unfinished()
	case !h.lost.done || !h.lost.settled:
		f.reaction, f.why = trail.CutShort, "the run ended before this call did"
	case h.unsure && l.failed != nil:
		f.reaction, f.why = trail.Unjudged, "it looked in vain and did not send again, and the wire does not show whether it stopped and said unknown"+howToSay
	case h.unsure:
		f.reaction, f.why = trail.Unjudged, "it neither looked nor sent again, and the wire does not show whether it stopped and said unknown"+howToSay
	}
	return f
}

// doubling is the call with which the intent of c had its second effect; nil
// where it had none.
func (j *judge) doubling(c *call) *call {
	n := 0
	for _, one := range j.intents[c.intent()] {
		if _, ok := j.effect(one); ok {
			n++
		}
		if n == 2 {
			return one
		}
	}
	return nil
}

// doubled tells the story of an intent with several effects.
func (j *judge) doubled(calls []*call, done []effect) finding {
	earlier := done[0].c
	steps := []step{{text: j.opening(earlier), c: earlier}}
	f := finding{mend: j.mend(earlier)}
	for _, c := range calls[earlier.nth+1:] {
		steps = append(steps, step{text: again(earlier, c) + clause(seen(c)), c: c})
		earlier = c
	}
	for _, e := range done {
		f.calls = append(f.calls, e.c)
	}
	f.line = j.tale(steps)
	return f
}

// mend says what would have been right after c was lost.
func (j *judge) mend(c *call) string {
	look := "look for what it made first"
	for _, t := range j.written(c) {
		noun := nounOf(&t)
		if len(t.Before) > 0 && movesMoney(noun) {
			look = "read the " + noun + " first"
			break
		}
		if len(t.Before) == 0 && (movesMoney(noun) || look == "look for what it made first") {
			look = "look for the " + noun + " first"
		}
	}
	if c.x.Intent.Key == "" && j.in.Operation != nil && !keyed(j.contracted(c)) {
		return look + ", and try again only where it is not there"
	}
	if c.x.Intent.Key == "" {
		return "send an Idempotency-Key and keep it for the retry, or " + look
	}
	return "the same Idempotency-Key, or " + look
}
