package verdict

import (
	"net/http"

	"parity/faults/trail"
)

// decidesAgain judges what an agent did about a record that somebody else
// changed between its read and its write: it reads again and decides again, and
// does not write over what it has not seen.
//
//	read ── (edit) ── write            mishandled, where the service takes it
//	read ── (edit) ── read ── write    handled
//	read ── (edit) ── write ▶ 412 ── read ── write
func (j *judge) decidesAgain(f firing) finding {
	path, fresh := f.c.x.Path, false
	steps := []step{{text: tag(f.c) + first(f.s.Did, "the record was changed by somebody else")}}
	var calls []*call
	if !f.c.reads() {
		if f.c.x.Status/100 == 2 {
			return finding{reaction: trail.Unjudged, why: "the edit came right before the write, and the service checks no version: nothing could tell the agent"}
		}
		steps = append(steps, step{text: tag(f.c) + "refused" + clause(seen(f.c))})
	}
	for _, c := range j.since(f.c) {
		switch {
		case c.x.Path != path:
		case c.reads():
			if c.arrived() && c.x.Status/100 == 2 && !fresh {
				fresh = true
				steps, calls = append(steps, step{text: tag(c) + "read it again"}), append(calls, c)
			}
		case fresh:
			steps, calls = append(steps, step{text: tag(c) + "wrote" + clause(seen(c))}), append(calls, c)
			return finding{reaction: trail.Handled, line: story(steps...), calls: calls}
		case c.x.Status/100 == 2:
			steps, calls = append(steps, step{text: tag(c) + "wrote over it unread"}), append(calls, c)
			return finding{
				reaction: trail.Mishandled, line: story(steps...), calls: calls, rests: on(effects, c),
				mend: "read the record again right before the write, or send the version that was read, so that the service refuses",
			}
		case c.x.Status == http.StatusConflict || c.x.Status == http.StatusPreconditionFailed || c.x.Status == http.StatusPreconditionRequired:
			steps, calls = append(steps, step{text: tag(c) + "refused" + clause(seen(c))}), append(calls, c)
		}
	}
	steps = append(steps, step{text: "no write to it went through"})
	return finding{reaction: trail.Handled, line: story(steps...), calls: calls}
}

// readsPast judges what an agent did about an answer out of a cache: before
// anything irreversible it reads past the cache.
func (j *judge) readsPast(f firing) finding {
	shown := mentionable(f.c)
	for _, c := range j.since(f.c) {
		switch {
		case apart(c, f.c, shown):
		case c.reads() && c.x.Path == f.c.x.Path && c.arrived():
			return finding{reaction: trail.Handled, line: story(step{text: tag(f.c) + first(f.s.Did, "answered from a cache")}, step{text: tag(c) + "read it again"}), calls: []*call{c}}
		case c.x.Effect == "irreversible" && c.x.Committed:
			return finding{
				reaction: trail.Mishandled, calls: []*call{c},
				line: story(step{text: tag(f.c) + first(f.s.Did, "answered from a cache")}, step{text: j.opening(c) + ", without reading it again"}),
				mend: "read past the cache (Cache-Control: no-cache) before an act that cannot be undone",
			}
		}
	}
	return finding{reaction: trail.Handled, line: tag(f.c) + "answered from a cache   nothing irreversible rested on it"}
}

// createsAgain judges what an agent did about a read that lagged: a miss right
// after a create is no reason to create again.
func (j *judge) createsAgain(f firing) finding {
	made := map[string]*call{}
	for _, c := range j.before(f.c) {
		if c.changedThings() {
			made[c.x.Intent.Fingerprint] = c
		}
	}
	for _, c := range j.since(f.c) {
		earlier := made[c.x.Intent.Fingerprint]
		if earlier == nil || !c.changedThings() {
			continue
		}
		if _, created := principal(c, j.written(c)); !created {
			continue
		}
		return finding{
			reaction: trail.Mishandled, calls: []*call{earlier, c}, rests: on(effects, earlier, c),
			line: story(step{text: j.opening(earlier)}, step{text: tag(f.c) + "did not show it yet"}, step{text: j.opening(c) + " once more"}),
			mend: "wait for the search to catch up, or read the record by its id, before making another",
		}
	}
	return finding{reaction: trail.Handled, line: tag(f.c) + "answered late news   nothing was made again"}
}
