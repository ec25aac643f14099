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
		h := &retryTracker{j: j, unsure: unsure, keys: map[string]bool{}, fired: map[*call]bool{}}
		for _, f := range group {
			h.fired[f.c] = true
		}
		findings = append(findings, h.follow(group[0].c))
	}
	return findings
}

// retryTracker follows one intent from its first lost answer on.
type retryTracker struct {
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

func (t *retryTracker) follow(begin *call) finding {
	all := t.j.intents[begin.intent()]
	t.lose(begin, t.j.opening(begin))
	for _, c := range all[begin.nth+1:] {
		switch {
		case t.lost == nil && t.fired[c]:
			t.lose(c, t.j.opening(c))
			continue
		case t.lost == nil:
			continue
		}
		text := t.j.again(t.lost, c)
		if f, bad := t.judge(c); bad {
			return f
		}
		switch {
		case t.fired[c]:
			t.lose(c, text+clause(seen(c)))
		case c.learned():
			t.attempt(c, text)
			t.lost, t.keys, t.from = nil, map[string]bool{}, c.nth+1
		default:
			t.attempt(c, text+clause(seen(c)))
			t.keys[c.x.Intent.Key] = true
		}
	}
	return t.end(all)
}

func (t *retryTracker) lose(c *call, text string) {
	t.lost, t.sdk, t.safe = c, false, ""
	if key := c.x.Intent.Key; key != "" {
		t.keys[key] = true
	}
	t.attempt(c, text)
	t.rests = append(t.rests, on(effects, c)...)
}

// effective is the attempt that did something, of those up to the latest lost
// one: a retry with its key does nothing more.
func (t *retryTracker) effective() *call {
	for _, c := range t.j.intents[t.lost.intent()][t.from : t.lost.nth+1] {
		if c.changedThings() {
			return c
		}
	}
	return t.lost
}

// attempt adds one to the story.
func (t *retryTracker) attempt(c *call, text string) {
	t.steps = append(t.steps, step{text: text, c: c})
	t.calls = append(t.calls, c)
}

// aside adds to the story a call that is no attempt.
func (t *retryTracker) aside(c *call, text string) {
	t.steps = append(t.steps, step{text: tag(c) + text})
	t.calls = append(t.calls, c)
}

// judge looks at one call after a loss. It is bad when it is a blind retry.
func (t *retryTracker) judge(c *call) (finding, bool) {
	if key := c.x.Intent.Key; key != "" && t.keys[key] || c.x.Replayed {
		t.sdk = t.sdk || ownRetry(t.lost, c)
		return finding{}, false
	}
	t.sdk = false
	if t.safe = natural(t.j, t.lost, c); t.safe != "" {
		return finding{}, false
	}
	l := t.j.readBack(t.effective(), c.open)
	if l.at == nil && !t.effective().changedThings() {
		l = t.j.readBackFor(t.lost, c)
	}
	switch {
	case l.at == nil && l.failed != nil:
		t.aside(l.failed, "looked, and got no answer")
	case l.at == nil:
	case l.astray:
		t.aside(l.at, "looked where it does not show")
	case l.shows:
		t.aside(l.at, "looked, and it was there")
		t.anew = inSight(t.lost, c)
		t.lost, t.keys, t.from = c, map[string]bool{}, c.nth
		return finding{}, false
	default:
		t.aside(l.at, "looked, and it was not there")
		t.rests = append(t.rests, shown(l.at)...)
		return finding{}, false
	}
	t.attempt(c, t.j.again(t.lost, c)+clause(seen(c)))
	if d := t.j.doubling(c); d != nil && d.nth > c.nth {
		t.attempt(d, t.j.again(c, d)+clause(seen(d)))
	}
	return finding{
		reaction: trail.Mishandled, line: t.j.storyOf(t.steps), remedy: t.j.remedy(t.lost), calls: t.calls, rests: t.rests,
	}, true
}

// shown is what a read-back rests on that did not show something: that it would have.
// How soon a list shows what was written no contract tells; but that the agent
// looked does not rest on that.
func shown(read *call) []rest {
	if read.x.Fidelity == trail.Generic {
		return nil
	}
	return on(freshness, read)
}

// inSight says why a call that an agent made after it had seen what became of
// an equal one is not judged.
func inSight(seen, c *call) string {
	return fmt.Sprintf("the agent had seen that #%d went through before it sent #%d: that may be another order, or the same once more, and the wire does not show which", seen.seq, c.seq)
}

// end is the finding of an intent in which nothing was repeated blindly.
func (t *retryTracker) end(all []*call) finding {
	f := finding{reaction: trail.Handled, calls: t.calls, rests: t.rests}
	switch {
	case t.anew != "":
		f.reaction, f.why, f.line, f.doubt = trail.Unjudged, t.anew, t.j.storyOf(t.steps), true
		f.settle = meantBy(all[0])
		return f
	case t.safe != "":
		t.steps = append(t.steps, step{text: t.safe})
		if done, n := t.j.deniedAfter(all); n != nil {
			return t.misread(f, done, n)
		}
		return t.answered(f, all)
	case t.lost == nil:
		return t.answered(f, all)
	}
	if t.lost != all[len(all)-1] && t.pretends() && t.claim(&f) {
		return f
	}
	if like := t.reworded(); like != nil {
		return t.likely(f, like)
	}
	return t.silence(f, all)
}

// answered is the finding where the agent sent again as it should.
func (t *retryTracker) answered(f finding, all []*call) finding {
	if t.sdk {
		f.tries = max(faults.SDKTries, all[len(all)-1].x.Intent.Attempt+1)
		f.why = hid(f.tries)
	}
	f.line = t.j.storyOf(t.steps)
	return f
}

// misread is the finding where people were told that something failed of which a
// refusal had told that it is there.
func (t *retryTracker) misread(f finding, done, message *call) finding {
	t.aside(message, t.j.toldFailed(message, done))
	f.reaction, f.line, f.calls = trail.Mishandled, t.j.storyOf(t.steps), t.calls
	f.head, f.remedy = saidFailed, takeForDone
	return f
}

// silence is the finding where nothing was sent after a loss, or only what was
// not answered either.
func (t *retryTracker) silence(f finding, all []*call) finding {
	var l readBack
	if t.lost.done {
		l = t.j.readBack(t.effective(), never)
		if l.at == nil && l.failed == nil && !t.effective().changedThings() {
			l = t.j.readBackFor(t.lost, nil)
		}
	}
	switch {
	case l.at != nil && l.shows:
		t.aside(l.at, "looked: it was there")
	case l.at != nil:
		t.aside(l.at, "looked: it was not there")
	case l.failed != nil:
		t.aside(l.failed, "looked, and got no answer")
	}
	f.calls = t.calls
	if l.at != nil {
		f.rests = append(f.rests, shown(l.at)...)
	}
	if t.lost == all[len(all)-1] {
		t.steps = append(t.steps, step{text: "not sent again"})
	}
	f.line = t.j.storyOf(t.steps)
	if stop, ok := t.j.stopped(t.lost); ok && stop.c != nil && l.at == nil && t.effective().changedThings() && t.unsure {
		if text := stop.c.read().texts; t.j.speech.negative.MatchString(text) && !t.j.hedges(text) && t.j.claimAfter(t.lost) == nil {
			f.reaction, f.presumed, f.also = trail.Mishandled, false, stop.seq
			f.calls, f.line = append(f.calls, stop.c), f.line+gap+stop.step().text+", though it was done"
			f.head, f.remedy = saidFailed, lookBefore
			return f
		}
	}
	said, done := t.j.saidDone(t.lost, func(n *call) bool { return l.at != nil && n.open >= l.at.open })
	switch {
	case l.shows, l.at != nil && !t.pretends() && t.j.unfinished() == "" && t.j.in.Ending == nil:
	case t.claim(&f):
	case t.j.unfinished() != "" && t.lost.line == 0:
		f.reaction, f.why = trail.Unjudged, t.j.unfinished()
	case !t.lost.done || !t.lost.settled:
		f.reaction, f.why = trail.CutShort, "the run ended before this call did"
	case !t.unsure:
	case done:
		f.presumed = t.lost.changedThings()
		g := announced(f, f.line, said)
		return g
	case l.at != nil:
		f.reaction, f.open, f.why = trail.Unjudged, true, "it looked, did not find it, and did not send it again, and nothing shows what it made of that"
	case l.failed != nil:
		f.reaction, f.open, f.why = trail.Unjudged, true, "it looked in vain and did not send again, and nothing shows whether it stopped and said unknown"
	case t.lost != all[len(all)-1]:
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
	f := finding{remedy: j.remedy(earlier)}
	for _, c := range calls[earlier.nth+1:] {
		steps = append(steps, step{text: j.again(earlier, c) + clause(seen(c)), c: c})
		earlier = c
	}
	for _, e := range done {
		f.calls = append(f.calls, e.c)
	}
	f.line = j.storyOf(steps)
	return f
}

// remedy says what would have been right after c was lost.
func (j *judge) remedy(c *call) string {
	readBack := j.readBackFirst(c)
	switch {
	case c.x.Intent.Key == "" && j.in.Operation != nil && !keyed(j.contracted(c)):
		return readBack + ", and try again only where it is not there"
	case c.x.Intent.Key == "":
		return "send an Idempotency-Key and keep it for the retry, or " + readBack
	}
	for _, again := range j.intents[c.intent()][c.nth+1:] {
		switch {
		case again.x.Intent.Key == c.x.Intent.Key && again.changedThings():
			return "a key is not kept for ever: " + readBack // it was sent again with its key, and acted all the same
		case again.x.Intent.Key == "":
			return "send the Idempotency-Key of the first attempt with the retry too, or " + readBack
		}
	}
	return "keep the Idempotency-Key of the first attempt, or " + readBack
}

// readBackFirst says what is to be looked for before c is sent again. Who looked in
// vain, or where it does not show, is told where it does.
func (j *judge) readBackFirst(c *call) string {
	did := c
	for _, one := range j.intents[c.intent()] {
		if one.changedThings() {
			did = one // a retry that was replayed or refused made nothing
			break
		}
	}
	readBack, written := "look for what it made", j.written(did)
	if t, ok := principal(did, written); ok {
		readBack = "look for the " + nounOf(&t)
	}
	for _, t := range written {
		if len(t.Before) > 0 && movesMoney(nounOf(&t)) {
			readBack = "read the " + nounOf(&t)
			break
		}
	}
	if all := j.intents[c.intent()]; c.nth+1 < len(all) {
		switch l := j.readBack(c, all[c.nth+1].open); {
		case l.at == nil && l.failed != nil:
			return readBack + " until that is answered, before anything is sent again"
		case l.at != nil && l.astray:
			return readBack + " where it shows, before anything is sent again"
		}
	}
	return readBack + " first"
}
