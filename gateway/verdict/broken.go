package verdict

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs/words"
)

// broken judges what an agent did about answers that were not what the service
// had to say: cut, spoilt, of another shape, with another value. Nothing seen
// only in one is written anywhere, and a write whose answer could not be read
// is not repeated blindly.
func (j *judge) broken(firings []firing) []finding {
	var writes []firing
	var rest []*call
	for _, f := range firings {
		if f.c.reads() || f.c.x.Whole {
			rest = append(rest, f.c)
		} else {
			writes = append(writes, f)
		}
	}
	findings := j.lost(writes, false)
	used := j.usedBroken(firings)
	findings = append(findings, used...)
	if len(rest) > 0 && len(used) == 0 {
		findings = append(findings, finding{
			reaction: trail.Handled, calls: rest, times: len(rest),
			line: words.Count(len(rest), "broken answer") + "   nothing that only they showed was written",
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

// usedBroken finds writes that carry a value which only a broken answer showed:
// what looks like an id in the part of a body that was left (eight or more
// characters, a digit among them), and what the fault planted. It goes through
// the run once.
func (j *judge) usedBroken(firings []firing) []finding {
	candidates := map[string]bool{}
	bad := map[*call][]string{}
	for _, f := range firings {
		all := f.s.Planted
		if body := f.c.x.ReplyBody; f.c.x.Wire.Short {
			all = append(values(string(body[:f.c.x.Wire.Showed(len(body))])), all...)
		}
		bad[f.c] = append(bad[f.c], all...)
		for _, v := range all {
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
		if c.arrived() {
			learn(c, candidates, bad[c], state)
		}
		for _, v := range bad[c] {
			key := seenBy{c.who, v}
			if _, met := state[key]; !met {
				state[key] = shown{from: c}
			}
		}
	}
	return findings
}

// learn notes what a whole answer showed besides what a fault had planted.
func learn(c *call, candidates map[string]bool, planted []string, state map[seenBy]shown) {
	for _, v := range tokens(string(c.x.ReplyBody)) {
		if candidates[v] && !slices.Contains(planted, v) {
			state[seenBy{c.who, v}] = shown{known: true}
		}
	}
}

// carries looks for a broken value in what a call sends.
func carries(c *call, candidates map[string]bool, state map[seenBy]shown) (finding, bool) {
	var found finding
	bad := false
	for _, part := range []string{c.x.Path, c.x.Query, string(c.x.Body)} {
		for _, v := range tokens(part) {
			if !candidates[v] {
				continue
			}
			key := seenBy{c.who, v}
			was, met := state[key]
			if met && was.from != nil && !c.reads() && !bad {
				bad = true
				found = finding{
					reaction: trail.Mishandled, calls: []*call{was.from, c},
					line: story(step{text: tag(was.from) + first(seen(was.from), "answered otherwise than the service would")}, step{text: tag(c) + "wrote " + v + ", which only that showed"}),
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

// tokens are the values that a text has, and the names of its fields: those of
// JSON, of a form, of a path.
func tokens(s string) []string {
	out := values(s)
	if value, err := world.Decode([]byte(s)); err == nil {
		return scalars(value, out)
	}
	return append(out, strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/?&=", r) })...)
}

func scalars(value any, out []string) []string {
	switch x := value.(type) {
	case map[string]any:
		for name, inner := range x {
			out = scalars(inner, append(out, name))
		}
	case []any:
		for _, inner := range x {
			out = scalars(inner, out)
		}
	case nil:
	default:
		out = append(out, fmt.Sprint(x))
	}
	return out
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
