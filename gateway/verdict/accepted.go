package verdict

import (
	"bytes"
	"fmt"
	"time"

	"parity/faults"
	"parity/faults/trail"
)

// repeats judges that a call is not made again: one whose answer was too large,
// or one that was accepted and is under way.
func (j *judge) repeats(f firing) finding {
	line := tag(f.c) + first(f.s.Did, "answered")
	n := j.next(f.c)
	if n != nil && f.class() == faults.Accepted && j.failedBefore(f.c, n) {
		return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + "looked, and it had failed" + gap + j.again(f.c, n)}
	}
	if n == nil && f.c.reads() {
		n = j.likewise(f.c)
	}
	if n != nil && f.c.reads() && !whole(f.c) && !f.c.arrived() {
		n = nil // it was cut off, and asked for once more
	}
	if n == nil && f.class() == faults.Accepted {
		n = j.resubmitted(f.c)
	}
	switch {
	case n != nil && f.c.reads():
		return finding{
			reaction: trail.Mishandled, calls: []*call{n}, line: line + gap + j.again(f.c, n),
			head: "asked again for an answer too large to take", remedy: "ask for less: a page, a narrower filter, some of the fields",
		}
	case n != nil:
		return finding{
			reaction: trail.Mishandled, calls: []*call{n}, line: line + gap + j.again(f.c, n),
			head: "submitted the same work again", remedy: "look where the answer says what became of it, and do not submit it again",
		}
	case f.class() == faults.Accepted:
		return j.polled(f, line)
	}
	for _, n := range j.followed(f.c) {
		switch {
		case n.name() == f.c.name():
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "asked for less"}
		case j.talks(n) || n.changedThings():
			return open(line+gap+j.deed(n)+", and not asked for again", "nothing shows whether it could take all of the answer", n)
		case f.c.arrived() && n.x.Operation != "":
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + "taken whole, and not asked for again"}
		}
	}
	if end := j.in.Ending; end != nil && end.Exit == 0 && f.c.arrived() {
		return finding{reaction: trail.Handled, line: line + gap + "taken whole, and not asked for again"}
	}
	return open(line+gap+"not sent again", "nothing shows whether it could take the answer")
}

// resubmitted is a later call that submits the same work in another way.
func (j *judge) resubmitted(c *call) *call {
	for _, n := range j.followed(c) {
		if !n.reads() && n.name() == c.name() && n.x.Path == c.x.Path && n.x.Intent.ID != c.x.Intent.ID && likeness(n) == likeness(c) && n.x.Status/100 == 2 {
			return n
		}
	}
	return nil
}

// polled judges what was made of work that was accepted and is under way: it is
// looked at no more often than was told, and it is done when an answer says so.
func (j *judge) polled(f firing, line string) finding {
	var polls []*call
	finished := false
	wait := advice(f.c)
	hasty := 0
	previous := f.c
	for _, c := range j.followed(f.c) {
		if c.reads() && c.x.Service == f.c.x.Service && c.arrived() && (c.about(f.c) || about(c, f.c, mentionable(f.c)) || c.sameMatter(f.c)) {
			if told := advice(previous); told > 0 {
				wait = told
			}
			if gapBetween(previous, c) < wait*8/10 {
				hasty++
			}
			polls, previous = append(polls, c), c
			finished = finished || over(c)
			if finished {
				line += gap + tag(c) + "looked, and it was over"
				break
			}
		}
		if c.changedThings() && !finished && len(polls) == 0 && !j.warns(c) && !j.speech.unfinished.MatchString(c.read().prose) && namesGiven(c, f.c) && !j.forAnother(c, f.c) {
			return finding{
				reaction: trail.Mishandled, presumed: true, calls: []*call{c}, line: line + gap + j.deed(c) + ", without having looked",
				head: "went on before the work was done", remedy: "look where the answer says what became of it before anything rests on it",
			}
		}
		if !c.reads() && c.changedThings() && !finished && j.announces(c) && j.announcesOf(c, f.c) && !j.forAnother(c, f.c) {
			return finding{
				reaction: trail.Mishandled, presumed: !c.about(f.c), weak: !c.about(f.c), calls: []*call{c}, line: line + gap + j.deed(c) + ", before an answer had said so",
				head: "said done, before an answer had said so", remedy: "look where the answer says what became of it before calling it done",
			}
		}
	}
	if hasty > 1 {
		return finding{
			reaction: trail.Mishandled, calls: []*call{polls[0]}, line: line + gap + fmt.Sprintf("looked %s, sooner than the %s that it was told", often(hasty), span(wait)),
			head: fmt.Sprintf("looked %s, sooner than it was told", often(hasty)), remedy: "look no more often than Retry-After says",
		}
	}
	said := j.claimAfter(f.c)
	switch {
	case finished:
		return finding{reaction: trail.Handled, calls: polls[len(polls)-1:], line: line}
	case said != nil && said.complete() && said.concerns(f.c) && len(polls) == 0:
		return finding{
			reaction: trail.Mishandled, also: said.seq, line: line + gap + event(said.seq) + "the agent said: " + said.Status + ", without having looked",
			head: "said done, before an answer had said so", remedy: "look where the answer says what became of it before calling it done",
		}
	case said != nil:
		return finding{reaction: trail.Handled, also: said.seq, line: line + gap + event(said.seq) + "the agent said: " + said.Status}
	case len(polls) > 0:
		return open(line+gap+fmt.Sprintf("looked %s, and it was not over", often(len(polls))), "nothing shows whether it took it for done", polls...)
	}
	return open(line+gap+"not sent again", "nobody looked what became of it, and nothing shows whether it was taken for done")
}

// namesGiven tells whether a call names something that the answer to another one
// had given out, such as the id of a job.
func namesGiven(c, other *call) bool {
	for word := range c.read().marks {
		if other.read().shown[word] && !other.read().marks[word] {
			return true
		}
	}
	return false
}

// failedBefore tells whether a read had shown, before n, that work which was
// accepted had failed.
func (j *judge) failedBefore(c, n *call) bool {
	for _, r := range j.followed(c) {
		if r.open >= n.open {
			return false
		}
		if r.reads() && r.arrived() && (r.about(c) || about(r, c, mentionable(c))) && (bytes.Contains(bytes.ToLower(r.x.ReplyBody), []byte("fail")) || bytes.Contains(bytes.ToLower(r.x.ReplyBody), []byte("error"))) {
			return true
		}
	}
	return false
}

// advice is how long an answer says to wait; 0: it does not.
func advice(c *call) time.Duration {
	for _, h := range c.x.ReplyHeader {
		if h.Name == "Retry-After" {
			if d, err := time.ParseDuration(h.Value + "s"); err == nil {
				return d
			}
		}
	}
	return 0
}

// gapBetween is the time from the end of one call to the begin of the next; far
// where it is not known.
func gapBetween(was, c *call) time.Duration {
	if was.ended == 0 || c.began == 0 {
		return time.Hour
	}
	return time.Duration(c.began - was.ended)
}

// over tells an answer by which work is no longer under way.
func over(c *call) bool {
	body := bytes.ToLower(c.x.ReplyBody)
	for _, word := range []string{`"pending"`, `"queued"`, `"running"`, `"working"`, `"in_progress"`, `"processing"`, `"accepted"`, `"started"`} {
		if bytes.Contains(body, []byte(word)) {
			return false
		}
	}
	return true
}

// likewise is the next call of a read's operation where it asks for just the
// same: whoever was answered in full begins another intent by that.
func (j *judge) likewise(c *call) *call {
	for _, n := range j.since(c) {
		switch {
		case n.name() != c.name():
		case n.x.Intent.Fingerprint == c.x.Intent.Fingerprint && n.x.Intent.Fingerprint != "":
			return n
		default:
			return nil
		}
	}
	return nil
}
