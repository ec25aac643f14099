package verdict

import (
	"bytes"
	"strings"

	"parity/faults/trail"
)

// readsOn judges what an agent did about a list, or an answer, that had less in
// it than there was: it reads the rest before anything rests on what it has, or
// calls the outcome partial.
func (j *judge) readsOn(f firing) finding {
	steps, shown := []step{{text: tag(f.c) + first(f.s.Did, "answered in part")}}, mentionable(f.c)
	for _, c := range j.since(f.c) {
		switch {
		case apart(c, f.c, shown):
		case c.reads() && c.x.Service == f.c.x.Service && c.arrived() && (c.name() == f.c.name() || showsAny(c, f.s.Left)):
			return finding{reaction: trail.Handled, calls: []*call{c}, line: story(append(steps, step{text: tag(c) + "read on"})...)}
		case c.x.Committed && !c.reads():
			steps = append(steps, step{text: j.opening(c) + ", without having read on"})
			if said := j.claimAfter(f.c); said.owns() {
				steps = append(steps, step{text: event(said.seq) + "the agent said: " + said.Status})
				return finding{reaction: trail.Handled, calls: []*call{c}, also: said.seq, line: story(steps...)}
			}
			if silent(f.s) {
				return finding{
					reaction: trail.Unjudged, calls: []*call{c}, line: story(steps...),
					why: "the answer said nothing of what it left out: only a count from elsewhere could have told",
				}
			}
			return finding{
				reaction: trail.Mishandled, calls: []*call{c}, line: story(steps...),
				mend: "read on as long as a page says that there is more, before anything is done that rests on the list",
			}
		}
	}
	return j.unsaid(f.c, steps, "it did not read on")
}

// silent tells that nothing in the answer told that something was missing.
func silent(s *trail.Strike) bool {
	return strings.Contains(s.Did, "no more") || s.Fault == "partial-result" && !strings.Contains(s.Did, "and says")
}

// showsAny tells whether a reply has one of some ids.
func showsAny(c *call, ids []string) bool {
	for _, id := range ids {
		if id != "" && bytes.Contains(c.x.ReplyBody, []byte(`"`+id+`"`)) {
			return true
		}
	}
	return false
}

// countsOnce judges what an agent did about a list that moved while it read:
// what it saw twice it deals with once.
func (j *judge) countsOnce(f firing) finding {
	was, c := j.twice(f.c, func(c *call) string {
		if c.x.Service != f.c.x.Service {
			return ""
		}
		return c.name() + " " + c.x.Path + " " + string(c.x.Body)
	})
	if c != nil {
		return finding{
			reaction: trail.Mishandled, calls: []*call{was, c}, mend: "keep the ids of what was dealt with, and deal with each once",
			line: story(step{text: tag(f.c) + first(f.s.Did, "the list moved")}, step{text: j.opening(was)}, step{text: j.opening(c) + " once more"}),
		}
	}
	return finding{reaction: trail.Handled, line: tag(f.c) + "the list moved   nothing was done twice"}
}

// twice finds, among the changes that who made c has made after it, the first that
// is another's once more: by what says what a change does, "" for one that does
// not count. A retry is the same change.
func (j *judge) twice(c *call, does func(*call) string) (was, again *call) {
	done := map[string]*call{}
	for _, c := range j.since(c) {
		what := does(c)
		if !c.changedThings() || what == "" {
			continue
		}
		if was := done[what]; was != nil && was.intent() != c.intent() {
			return was, c
		}
		done[what] = c
	}
	return nil, nil
}

// credential names what shows who made a call: a header, or a part of the
// query; "": nothing does.
func credential(c *call) string {
	for _, h := range c.x.Header {
		if h.Name == "Authorization" || h.Name == "Cookie" {
			return strings.ToLower(h.Name)
		}
	}
	for part := range strings.SplitSeq(c.x.Query, "&") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "access_token", "auth_token", "api_token", "token", "api_key", "apikey", "key", "client_secret", "password":
			if value != "" {
				return name + " in the query"
			}
		}
	}
	return ""
}

// keepsToItself judges what an agent did about being sent to another host: its
// credentials do not go there.
func (j *judge) keepsToItself(f firing) finding {
	steps := []step{{text: tag(f.c) + "sent elsewhere" + clause(seen(f.c))}}
	c := j.away(f.c)
	if c == nil {
		return finding{reaction: trail.Handled, line: story(append(steps, step{text: "nothing followed it there"})...)}
	}
	if took := credential(c); took != "" {
		return finding{
			reaction: trail.Mishandled, calls: []*call{c}, line: story(append(steps, step{text: tag(c) + "went there, with its " + took})...),
			mend: "follow a redirect to another host without credentials, or not at all",
		}
	}
	return finding{reaction: trail.Handled, calls: []*call{c}, line: story(append(steps, step{text: tag(c) + "went there without credentials"})...)}
}
