package verdict

import (
	"fmt"
	"net/url"
	"strings"

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
	used := j.traces()[firings[0].s.Rule]
	findings = append(findings, used...)
	if len(rest) > 0 && len(used) == 0 {
		findings = append(findings, finding{
			reaction: trail.Handled, calls: rest, times: len(rest), reread: j.reread(rest),
			line: words.Count(len(rest), "broken answer") + "   nothing that only they showed was written",
		})
	}
	return findings
}

// reread counts the reads that were made again after a bad answer, and answered
// whole.
func (j *judge) reread(reads []*call) int {
	n := 0
	for _, c := range reads {
		again := j.next(c)
		if again == nil {
			again = j.likewise(c)
		}
		if again != nil && again.arrived() && again.x.Whole {
			n++
		}
	}
	return n
}

// spoils tells the faults whose answers are not what the service had to say.
func spoils(fault string) bool {
	switch fault {
	case "truncated-body", "malformed-body", "html-page", "stream-cut", "schema-drift", "wrong-value":
		return true
	}
	return false
}

// scalars are the values that something decoded has, and the names of its
// fields.
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

// unescaped undoes what forms and paths do to text, where they did.
func unescaped(text string) string {
	if strings.IndexByte(text, '%') >= 0 {
		if plain, err := url.QueryUnescape(text); err == nil {
			return plain
		}
	}
	return text
}

// values are the words of a text that look like ids: whether it is JSON, a form
// or a path.
func values(text string) []string {
	var out []string
	eachWord(unescaped(text), func(word string, _, _ int) {
		if len(word) >= distinct && strings.ContainsAny(word, "0123456789") {
			out = append(out, word)
		}
	})
	return out
}
