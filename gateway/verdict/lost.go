package verdict

import (
	"fmt"

	"parity/faults"
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
			f := j.bounded(group)
			if f.reaction == trail.Handled {
				f = j.cameOf(group, f)
			}
			findings = append(findings, f)
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
	from   int    // the attempt with which the matter began that is open
	safe   string // why a call that repeats it does nothing twice
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
			h.lost, h.keys, h.from = nil, map[string]bool{}, c.nth+1
		default:
			h.note(c, text+clause(seen(c)))
			h.keys[c.x.Intent.Key] = true
		}
	}
	return h.end(all)
}

func (h *hunt) lose(c *call, text string) {
	h.lost, h.sdk, h.safe = c, false, ""
	if key := c.x.Intent.Key; key != "" {
		h.keys[key] = true
	}
	h.note(c, text)
	h.rests = append(h.rests, on(effects, c)...)
}

// effective is the attempt that did something, of those up to the latest lost
// one: a retry with its key does nothing more.
func (h *hunt) effective() *call {
	for _, c := range h.j.intents[h.lost.intent()][h.from : h.lost.nth+1] {
		if c.changedThings() {
			return c
		}
	}
	return h.lost
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
	if key := c.x.Intent.Key; key != "" && h.keys[key] || c.x.Replayed {
		h.sdk = h.sdk || ownRetry(h.lost, c)
		return finding{}, false
	}
	h.sdk = false
	if h.safe = natural(h.j, h.lost, c); h.safe != "" {
		return finding{}, false
	}
	l := h.j.look(h.effective(), c.open)
	if l.at == nil && !h.effective().changedThings() {
		l = h.j.lookFor(h.lost, c)
	}
	switch {
	case l.at == nil && l.failed != nil:
		h.aside(l.failed, "looked, and got no answer")
	case l.at == nil:
	case l.astray:
		h.aside(l.at, "looked where it does not show")
	case l.shows:
		h.aside(l.at, "looked, and it was there")
		h.anew = inSight(h.lost, c)
		h.lost, h.keys, h.from = c, map[string]bool{}, c.nth
		return finding{}, false
	default:
		h.aside(l.at, "looked, and it was not there")
		h.rests = append(h.rests, shown(l.at)...)
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

// shown is what a look rests on that did not show something: that it would have.
// How soon a list shows what was written no contract tells; but that the agent
// looked does not rest on that.
func shown(look *call) []rest {
	if look.x.Fidelity == trail.Generic {
		return nil
	}
	return on(freshness, look)
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
		f.reaction, f.why, f.line, f.doubt = trail.Unjudged, h.anew, h.j.tale(h.steps), true
		f.settle = meantBy(all[0])
		return f
	case h.safe != "":
		h.steps = append(h.steps, step{text: h.safe})
		return h.answered(f, all)
	case h.lost == nil:
		return h.answered(f, all)
	}
	if h.lost != all[len(all)-1] && h.pretends() && h.claim(&f) {
		return f
	}
	if like := h.reworded(); like != nil {
		return h.likely(f, like)
	}
	return h.silence(f, all)
}

// answered is the finding where the agent sent again as it should.
func (h *hunt) answered(f finding, all []*call) finding {
	if h.sdk {
		f.tries = max(faults.SDKTries, all[len(all)-1].x.Intent.Attempt+1)
		f.why = hid(f.tries)
	}
	f.line = h.j.tale(h.steps)
	return f
}

// silence is the finding where nothing was sent after a loss, or only what was
// not answered either.
func (h *hunt) silence(f finding, all []*call) finding {
	var l look
	if h.lost.done {
		l = h.j.look(h.effective(), never)
		if l.at == nil && l.failed == nil && !h.effective().changedThings() {
			l = h.j.lookFor(h.lost, nil)
		}
	}
	switch {
	case l.at != nil && l.shows:
		h.aside(l.at, "looked: it was there")
	case l.at != nil:
		h.aside(l.at, "looked: it was not there")
	case l.failed != nil:
		h.aside(l.failed, "looked, and got no answer")
	}
	f.calls = h.calls
	if l.at != nil {
		f.rests = append(f.rests, shown(l.at)...)
	}
	if h.lost == all[len(all)-1] {
		h.steps = append(h.steps, step{text: "not sent again"})
	}
	f.line = h.j.tale(h.steps)
	if stop, ok := h.j.stopped(h.lost); ok && stop.c != nil && l.at == nil && h.effective().changedThings() && h.unsure {
		if text := stop.c.read().texts; h.j.speech.negative.MatchString(text) && !h.j.hedges(text) && h.j.claimAfter(h.lost) == nil {
			f.reaction, f.presumed, f.also = trail.Mishandled, false, stop.seq
			f.calls, f.line = append(f.calls, stop.c), f.line+gap+stop.step().text+", though it was done"
			f.head = "said failed, though it was done"
			f.mend = "an error, or no answer, does not mean that it failed: look first, or say that it is not known"
			return f
		}
	}
	said, done := h.j.saidDone(h.lost, func(n *call) bool { return l.at != nil && n.open >= l.at.open })
	switch {
	case l.shows, l.at != nil && !h.pretends() && h.j.unfinished() == "" && h.j.in.Ending == nil:
	case h.claim(&f):
	case h.j.unfinished() != "" && h.lost.line == 0:
		f.reaction, f.why = trail.Unjudged, h.j.unfinished()
	case !h.lost.done || !h.lost.settled:
		f.reaction, f.why = trail.CutShort, "the run ended before this call did"
	case !h.unsure:
	case done:
		f.presumed = h.lost.changedThings()
		g := announced(f, f.line, said)
		return g
	case l.at != nil:
		f.reaction, f.open, f.why = trail.Unjudged, true, "it looked, did not find it, and did not send it again, and nothing shows what it made of that"
	case l.failed != nil:
		f.reaction, f.open, f.why = trail.Unjudged, true, "it looked in vain and did not send again, and nothing shows whether it stopped and said unknown"
	case h.lost != all[len(all)-1]:
		f.reaction, f.open, f.why = trail.Unjudged, true, "no attempt was answered for good, and nothing shows what it made of that"
	default:
		f.reaction, f.open, f.why = trail.Unjudged, true, "it neither looked nor sent again, and nothing shows whether it stopped and said unknown"
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
	look := j.lookFirst(c)
	switch {
	case c.x.Intent.Key == "" && j.in.Operation != nil && !keyed(j.contracted(c)):
		return look + ", and try again only where it is not there"
	case c.x.Intent.Key == "":
		return "send an Idempotency-Key and keep it for the retry, or " + look
	}
	for _, again := range j.intents[c.intent()][c.nth+1:] {
		switch {
		case again.x.Intent.Key == c.x.Intent.Key && again.changedThings():
			return "a key is not kept for ever: " + look // it was sent again with its key, and acted all the same
		case again.x.Intent.Key == "":
			return "send the Idempotency-Key of the first attempt with the retry too, or " + look
		}
	}
	return "keep the Idempotency-Key of the first attempt, or " + look
}

// lookFirst says what is to be looked for before c is sent again. Who looked in
// vain, or where it does not show, is told where it does.
func (j *judge) lookFirst(c *call) string {
	look, written := "look for what it made", j.written(c)
	if t, ok := principal(c, written); ok {
		look = "look for the " + nounOf(&t)
	}
	for _, t := range written {
		if len(t.Before) > 0 && movesMoney(nounOf(&t)) {
			look = "read the " + nounOf(&t)
			break
		}
	}
	if all := j.intents[c.intent()]; c.nth+1 < len(all) {
		switch l := j.look(c, all[c.nth+1].open); {
		case l.at == nil && l.failed != nil:
			return look + " until that is answered, before anything is sent again"
		case l.at != nil && l.astray:
			return look + " where it shows, before anything is sent again"
		}
	}
	return look + " first"
}
