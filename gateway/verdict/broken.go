package verdict

import (
	"net/url"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// broken judges what an agent did about bodies that were cut: nothing seen
// only in a broken body is written anywhere, and a write whose answer was
// broken is not repeated blindly.
func (j *judge) broken(firings []firing) []finding {
	var writes []firing
	var reads []*call
	for _, f := range firings {
		if f.c.reads() {
			reads = append(reads, f.c)
		} else {
			writes = append(writes, f)
		}
	}
	findings := j.lost(writes, false)
	used := j.usedBroken(firings)
	findings = append(findings, used...)
	if len(reads) > 0 && len(used) == 0 {
		findings = append(findings, finding{
			reaction: trail.Handled, calls: reads, times: len(reads),
			line: words.Count(len(reads), "broken answer") + "   nothing that only they showed was written",
		})
	}
	return findings
}

// shown is where one identity has a value from.
type shown struct {
	from  *call // the broken answer; nil once it is known otherwise
	known bool
}

type seenBy struct {
	who
	value string
}

// usedBroken finds writes that carry a value which only a broken body showed.
// Values are what looks like an id: eight or more characters, a digit among
// them. It goes through the run once.
func (j *judge) usedBroken(firings []firing) []finding {
	candidates := map[string]bool{}
	cut := map[*call][]string{}
	for _, f := range firings {
		body := f.c.x.ReplyBody
		cut[f.c] = values(string(body[:min(f.c.x.Wire.Cut, len(body))]))
		for _, v := range cut[f.c] {
			candidates[v] = true
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	var findings []finding
	state := map[seenBy]shown{}
	for _, c := range j.calls {
		if f, ok := carries(c, candidates, state); ok {
			findings = append(findings, f)
		}
		body, fresh := cut[c], shown{from: c}
		if c.arrived() {
			body, fresh = values(string(c.x.ReplyBody)), shown{known: true}
		}
		for _, v := range body {
			key := seenBy{c.who, v}
			if was, met := state[key]; candidates[v] && (!met || fresh.known && !was.known) {
				state[key] = fresh
			}
		}
	}
	return findings
}

// carries looks for a broken value in what a call sends.
func carries(c *call, candidates map[string]bool, state map[seenBy]shown) (finding, bool) {
	var found finding
	bad := false
	for _, part := range []string{c.x.Path, c.x.Query, string(c.x.Body)} {
		for _, v := range values(part) {
			if !candidates[v] {
				continue
			}
			key := seenBy{c.who, v}
			was, met := state[key]
			if met && was.from != nil && !c.reads() && !bad {
				bad = true
				found = finding{
					reaction: trail.Mishandled, calls: []*call{was.from, c},
					line: story(step{text: tag(was.from) + seen(was.from)}, step{text: tag(c) + "wrote " + v + ", which only that showed"}),
					mend: "read it again, whole, before anything is written that rests on it",
				}
			}
			if !met {
				state[key] = shown{known: true} // it came from the agent
			}
		}
	}
	return found, bad
}

// values cuts text into what looks like ids, whether it is JSON, a form or a
// path.
func values(s string) []string {
	if strings.IndexByte(s, '%') >= 0 {
		if plain, err := url.QueryUnescape(s); err == nil {
			s = plain
		}
	}
	var out []string
	for _, word := range strings.FieldsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && r != '@' &&
			(r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if len(word) >= 8 && strings.ContainsAny(word, "0123456789") {
			out = append(out, word)
		}
	}
	return out
}
