package verdict

import (
	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// takesTwice judges what an agent did about webhooks that came twice, late or
// out of order: each is accepted, and each event has one effect.
func (j *judge) takesTwice(f firing) finding {
	disorder := faults.DisorderOf(first(f.s.Did, "queued once more"))
	taken, refused, believed := j.sights(sight{f.c.x.Service, f.s.Did == "", disorder.Forged, disorder.More}, f.c.seq)
	line := tag(f.c) + first(f.s.Did, "its webhooks were disturbed")
	switch {
	case believed > 0:
		return finding{
			reaction: trail.Mishandled, also: believed, line: line + gap + event(believed) + "the endpoint accepted one",
			head: "accepted a webhook with a bad signature", remedy: "check the signature of a webhook, and refuse one that is not right",
		}
	case refused > 0:
		return finding{
			reaction: trail.Mishandled, also: refused, line: line + gap + event(refused) + "the endpoint refused one",
			head: "refused a webhook that it should have taken", remedy: "answer 2xx to an event that is known already, and do nothing more about it",
		}
	}
	was, c := j.twice(f.c, (*call).verbatim)
	if c == nil {
		was, c = j.twice(f.c, func(c *call) string { return c.x.Intent.Fingerprint })
	}
	if c != nil && was.x.Intent.Fingerprint != f.c.x.Intent.Fingerprint {
		return finding{
			reaction: trail.Mishandled, calls: []*call{was, c}, line: line + gap + j.deed(was) + gap + j.deed(c) + " once more",
			head: "dealt with the same event twice", remedy: "keep the ids of events that were dealt with, and deal with each once",
		}
	}
	if disorder.Reversed {
		if was, n := j.overwritten(f.c); n != nil {
			return finding{
				reaction: trail.Mishandled, presumed: true, calls: []*call{was, n}, line: line + gap + j.deed(was) + gap + j.deed(n) + ", without a look at what is so",
				head: "let an older event win over a newer one", remedy: "go by what the record is now, or by when the event was, and not by which came last",
			}
		}
	}
	if taken == 0 {
		for _, n := range j.followed(f.c) {
			if whole(n) && n.sameMatter(f.c) {
				return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "looked, without waiting for it"}
			}
		}
		return open(line, "no webhook reached an endpoint")
	}
	return j.tookEach(f, disorder, line+gap+words.Count(taken, "webhook")+" accepted")
}

// tookEach judges what was done about webhooks that an endpoint has accepted.
func (j *judge) tookEach(f firing, disorder faults.Disorder, line string) finding {
	for _, n := range j.followed(f.c) {
		if n.changedThings() && disorder.More {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + j.deed(n) + ", once"}
		}
		if n.changedThings() && disorder.Forged {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line}
		}
	}
	if disorder.More {
		return finding{reaction: trail.Handled, line: line + gap + "nothing done twice"}
	}
	for _, n := range j.followed(f.c) {
		if whole(n) && (n.sameMatter(f.c) || n.about(f.c)) {
			return finding{reaction: trail.Handled, calls: []*call{n}, line: line + gap + tag(n) + "read what is so now"}
		}
	}
	return open(line+gap+"nothing done twice", "nothing shows whether it went by what is so now, or by what the webhooks said")
}

// overwritten finds a change that sets anew what another one had set, without a
// read in between.
func (j *judge) overwritten(c *call) (was, again *call) {
	set := map[string]*call{}
	for _, n := range j.followed(c) {
		if whole(n) && (n.sameMatter(c) || n.about(c)) {
			return nil, nil
		}
		if !n.changedThings() {
			continue
		}
		if _, made := j.effect(n); made {
			continue
		}
		key := n.name() + " " + n.x.Path
		if earlier := set[key]; earlier != nil && string(earlier.x.Body) != string(n.x.Body) {
			return earlier, n
		}
		set[key] = n
	}
	return nil, nil
}
