package verdict

import (
	"fmt"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/words"
)

// onlyChanges judges what the agent's calls changed. Not the agent's are: what
// others, timers and webhooks do, since these are events of their own; what a
// service writes down by itself, its log and its ledger; bookkeeping; and what
// it changes in a record along with a field that may change, without the call
// having named it: a refund sets amount_refunded, and with it refunded.
func (j *judge) onlyChanges(e *profiles.Expectation) ([]finding, string) {
	var found []finding
	held := finding{reaction: trail.Handled}
	changes := 0
	for _, h := range j.happened() {
		if h.c == nil || len(h.made) == 0 {
			continue
		}
		is, why := j.when(e, h.c, nil)
		if why != "" {
			found = append(found, unjudged(h.c, why))
		}
		if !is {
			continue
		}
		var lines []string
		for i := range h.made {
			did, line := j.change(e, h.c, &h.made[i])
			if line != "" {
				lines = append(lines, line)
			}
			if did {
				changes++
			}
		}
		if len(lines) > 0 {
			found = append(found, astray(h, lines))
			continue
		}
		held.times++
		held.calls = append(held.calls, h.c)
	}
	switch {
	case len(found) > 0:
	case !j.anything():
		return nil, "nothing was called"
	case changes == 0:
		held.line, held.times = words.Count(len(j.calls), "call")+" changed nothing", len(j.calls)
		return []finding{held}, ""
	}
	if held.times > 0 {
		held.line = words.Count(held.times, "call") + " changed that alone"
		held.rests = on(effects, held.calls...)
		found = append(found, held)
	}
	return found, ""
}

func astray(h happening, lines []string) finding {
	const most = 3
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("and %d more", more))
	}
	text := tag(h.c) + h.c.name()
	if h.later {
		text = event(h.seq) + h.c.name() + ", done later"
	}
	return finding{
		reaction: trail.Mishandled, line: text + " " + strings.Join(lines, "; "), calls: []*call{h.c}, rests: on(effects, h.c),
		head: "changed what it was to leave alone", remedy: "leave alone what the task does not name; where the change is meant, add it to only_changes",
	}
}

// change tells whether a change is the agent's, and what is wrong with it.
func (j *judge) change(e *profiles.Expectation, c *call, change *trail.Change) (agents bool, line string) {
	if j.in.Hidden[change.Collection] || j.in.Ledgers[change.Collection] {
		return false, ""
	}
	var fields []string
	for _, only := range e.Only {
		if only.Collection != change.Collection {
			continue
		}
		if only.Field == "" {
			return true, ""
		}
		fields = append(fields, only.Field)
	}
	what := change.Collection + " " + change.ID
	switch change.Op {
	case world.Create:
		record, err := world.Decode(change.After)
		if err == nil && logged(record) {
			return false, ""
		}
		return true, "made " + what
	case world.Delete:
		return true, "removed " + what
	}
	before, errB := world.Decode(change.Before)
	after, errA := world.Decode(change.After)
	if errB != nil || errA != nil {
		return false, ""
	}
	var changed []altered
	compare("", before, after, &changed)
	asked := names(document(c.x.Body), nil)
	changed = slices.DeleteFunc(changed, func(a altered) bool { return stamped(a.path) && !slices.Contains(asked, last(a.path)) })
	if len(changed) == 0 {
		return false, ""
	}
	return true, beyond(asked, what, fields, changed)
}

// altered is one field that a change altered.
type altered struct {
	path    string
	was, is any
}

// beyond words the fields that may not change and did; "": there are none.
func beyond(asked []string, what string, fields []string, changed []altered) string {
	may := func(path string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return path == f || strings.HasPrefix(path, f+".") })
	}
	along := slices.ContainsFunc(changed, func(d altered) bool { return may(d.path) })
	var wrong []string
	for _, d := range changed {
		if may(d.path) || along && !slices.Contains(asked, last(d.path)) {
			continue
		}
		was, is := briefs(d.was, d.is)
		wrong = append(wrong, fmt.Sprintf("%s (%s → %s)", d.path, was, is))
	}
	if len(wrong) == 0 {
		return ""
	}
	return "changed " + what + ": " + strings.Join(wrong, ", ")
}

// last is the name of a field without what it is in.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// stamped tells a field that says when, or how often, its record was changed:
// services keep it in what is around a record, too.
func stamped(path string) bool {
	return hasWord(last(path), "updated", "modified", "lastmodified", "lastmodifieddate", "edited", "stamp", "etag", "sequence", "revision")
}

// compare lists the fields in which two records differ, down to the last.
func compare(path string, was, is map[string]any, into *[]altered) {
	for _, name := range keys(was, is) {
		at := strings.TrimPrefix(path+"."+name, ".")
		a, isMap := was[name].(map[string]any)
		b, both := is[name].(map[string]any)
		switch {
		case isMap && both:
			compare(at, a, b, into)
		case !same(was[name], is[name]):
			*into = append(*into, altered{at, was[name], is[name]})
		}
	}
}

// names lists the fields that a body names, at any depth.
func names(value any, into []string) []string {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			into = names(inner, append(into, name))
		}
	case []any:
		for _, inner := range v {
			into = names(inner, into)
		}
	}
	return into
}

// mostBrief is how many characters of a value are told.
const mostBrief = 40

// briefs are two values that differ, so that it shows in what.
func briefs(a, b any) (string, string) {
	if a == nil || b == nil {
		return brief(a), brief(b)
	}
	x, y := words.Apart(string(world.Encode(a)), string(world.Encode(b)), mostBrief)
	return shortened(x), shortened(y)
}

func brief(value any) string {
	if value == nil {
		return "nothing"
	}
	return shortened(string(world.Encode(value)))
}

func shortened(s string) string {
	if text := []rune(s); len(text) > mostBrief {
		return string(text[:mostBrief-1]) + "…"
	}
	return s
}
