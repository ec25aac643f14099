package verdict

import (
	"fmt"
	"sort"

	"parity/faults/trail"
)

// byIntent sets the firings of a rule apart by the intents that they hit, in
// the order they first did.
func byIntent(firings []firing) [][]firing {
	at := map[string]int{}
	var groups [][]firing
	for _, f := range firings {
		i, known := at[f.c.x.Intent.ID]
		if !known {
			i = len(groups)
			at[f.c.x.Intent.ID] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// lost judges what an agent did about answers that it did not get: no blind
// retry. The next call with the intent carries the same idempotency key, or
// follows a read that shows no effect; if the read shows the effect there is
// no next call. unsure says that an agent that does nothing cannot have known:
// whether it stopped and said so is not seen on the wire.
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
	steps  []string
	calls  []*call
	rests  []rest
	sdk    bool // the call after the loss looks like the SDK's own
}

func (h *hunt) follow(begin *call) finding {
	all := h.j.intents[begin.x.Intent.ID]
	h.lose(begin, h.j.opening(begin))
	for _, c := range all[begin.nth+1:] {
		switch {
		case h.lost == nil && h.fired[c]:
			h.lose(c, h.j.opening(c))
			continue
		case h.lost == nil:
			continue
		}
		if f, bad := h.judge(c); bad {
			return f
		}
		step := again(h.lost, c)
		switch {
		case h.fired[c]:
			h.lose(c, step+clause(seen(c)))
		case c.told():
			h.note(c, step)
			h.lost, h.keys = nil, map[string]bool{}
		default:
			h.note(c, step+clause(seen(c)))
			h.keys[c.x.Intent.Key] = true
		}
	}
	return h.end(all)
}

func (h *hunt) lose(c *call, step string) {
	h.lost, h.sdk = c, false
	if key := c.x.Intent.Key; key != "" {
		h.keys[key] = true
	}
	h.note(c, step)
	h.rests = append(h.rests, on(effects, c)...)
}

func (h *hunt) note(c *call, step string) {
	h.steps = append(h.steps, step)
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
		h.note(l.failed, tag(l.failed)+"looked, and got no answer")
	case l.at == nil:
	case l.shows:
		h.note(l.at, tag(l.at)+"looked, and it was there")
	case l.astray:
		h.note(l.at, tag(l.at)+"looked where it does not show")
	default:
		h.note(l.at, tag(l.at)+"looked, and it was not there")
		h.rests = append(h.rests, on(freshness, l.at)...)
		return finding{}, false
	}
	h.note(c, again(h.lost, c)+clause(seen(c)))
	return finding{
		reaction: trail.Mishandled, line: story(h.steps, h.result()), mend: h.j.mend(h.lost), calls: h.calls, rests: h.rests,
	}, true
}

// end is the finding of an intent in which nothing was repeated blindly.
func (h *hunt) end(all []*call) finding {
	f := finding{reaction: trail.Handled, calls: h.calls, rests: h.rests}
	last := all[len(all)-1]
	var like *call
	if h.lost != nil && last == h.lost {
		like = h.reworded()
	}
	switch {
	case h.lost == nil || last != h.lost:
		if h.sdk {
			f.tries = max(sdkTries, last.x.Intent.Attempt+1)
			f.why = fmt.Sprintf("the SDK's own retry hid it from the agent; trigger: {tries: %d} reaches past it", f.tries)
		}
		f.line = story(h.steps, h.result())
		return f
	case like != nil:
		f.line = story(append(h.steps, tag(like)+"the same operation, in other words"), "")
		f.calls, f.reaction = append(f.calls, like), trail.Unjudged
		f.why = "it may be the lost call once more, or another one: the wire does not show which"
		return f
	case h.lost.done:
		if l := h.j.look(h.lost, never); l.at != nil {
			what := "looked: it was not there"
			if l.shows {
				what = "looked: it was there"
			}
			f.line = story(append(h.steps, tag(l.at)+what, "no second call"), "")
			f.calls, f.rests = append(f.calls, l.at), append(f.rests, on(freshness, l.at)...)
			return f
		}
	}
	return h.silence(f)
}

// reworded is a later call of the lost one's operation that made a change of
// its own: the lost one with another text or amount, perhaps.
func (h *hunt) reworded() *call {
	calls := h.j.changes[change{h.lost.identity, h.lost.name()}]
	from := sort.Search(len(calls), func(i int) bool { return calls[i].open > h.lost.open })
	for _, c := range calls[from:] {
		if c.x.Intent.Fingerprint != h.lost.x.Intent.Fingerprint {
			return c
		}
	}
	return nil
}

// silence is the finding where nothing followed a loss.
func (h *hunt) silence(f finding) finding {
	f.line = story(append(h.steps, "no further call"), "")
	switch {
	case !h.j.in.Ended:
		f.reaction, f.why = trail.Unjudged, "the run is still going"
	case !h.lost.done || !h.lost.settled:
		f.reaction, f.why = trail.CutShort, "the run ended before this call did"
	case h.unsure:
		f.reaction, f.why = trail.Unjudged, "it neither looked nor sent again, and the wire does not show whether it stopped and said unknown"
	}
	return f
}

func (h *hunt) result() string {
	return tally(h.j.effectsOf(h.j.intents[h.calls[0].x.Intent.ID]))
}

// doubled tells the story of an intent with several effects.
func (j *judge) doubled(calls []*call, done []effect) (line, mend string) {
	earlier := done[0].c
	steps := []string{j.opening(earlier)}
	for _, c := range calls[earlier.nth+1:] {
		steps = append(steps, again(earlier, c)+clause(seen(c)))
		earlier = c
	}
	return story(steps, tally(done)), j.mend(done[0].c)
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
	if c.x.Intent.Key == "" {
		return "send an Idempotency-Key and keep it for the retry, or " + look
	}
	return "the same Idempotency-Key, or " + look
}
