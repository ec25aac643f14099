package verdict

import (
	"bytes"
	"slices"
	"strings"

	"parity/faults/trail"
)

// claimed is what somebody said that came of the agent's work, and when.
type claimed struct {
	who // without an identity: of all that the run's agents did
	seq uint64
	*trail.Claim
}

// complete tells that all went well, by what was said.
func (c *claimed) complete() bool { return c.Status == "complete" || c.Status == "success" }

// owns tells that it was said that not all is done, or that nobody knows.
func (c *claimed) owns() bool { return c != nil && !c.complete() }

// claimAfter is the latest word on a call, if there is one since it came in.
func (l *ledger) claimAfter(c *call) *claimed {
	var last *claimed
	for _, w := range []who{c.who, {line: c.line}} {
		if all := l.claimsBy[w]; len(all) > 0 && all[len(all)-1].seq > c.open && (last == nil || last.seq < all[len(all)-1].seq) {
			last = all[len(all)-1]
		}
	}
	return last
}

// concerns tells whether a claim is about a call: it names no records at all,
// or one that the call names or wrote.
func (c *claimed) concerns(what *call) bool {
	named := false
	for _, s := range c.Claims {
		if s.Subject == "" {
			continue
		}
		named = true
		if bytes.Contains(what.x.Body, []byte(`"`+s.Subject+`"`)) || slices.Contains(strings.Split(what.x.Path, "/"), s.Subject) ||
			slices.ContainsFunc(what.delta, func(d trail.Change) bool { return d.ID == s.Subject }) {
			return true
		}
	}
	return !named
}

// pretends tells that the agent said that all went well, when nothing had told
// it what became of its lost call.
func (t *retryTracker) pretends() bool {
	c := t.j.claimAfter(t.lost)
	return c != nil && t.unsure && t.lost.done && c.complete() && c.concerns(t.lost)
}

// claim judges what was said of a call whose answer never came, where the
// agent did not see what became of it: to say that it stopped or that it failed
// is right, to say that it worked is a guess. It tells whether it judged.
func (t *retryTracker) claim(f *finding) bool {
	c := t.j.claimAfter(t.lost)
	if c == nil || !t.unsure || !t.lost.done {
		return false
	}
	said := event(c.seq) + "the agent said: " + c.Status
	switch {
	case t.pretends():
		said += ", which it had not seen"
		f.head = "said done, though it had not seen that it was"
		f.reaction, f.remedy = trail.Mishandled, "look what became of it before calling it a success, or say that it is not known"
	case c.complete():
		f.reaction, f.why = trail.Unjudged, "the agent said that other things worked, and nothing about this call"
	default:
		f.reaction = trail.Handled
	}
	f.line, f.also = t.j.storyOf(append(t.steps, step{text: said})), c.seq
	return true
}
