package verdict

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"parity/fakes/expression"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/words"
)

// mostPairs bounds how often two calls are held against one another: what is
// equated is looked up, and only other conditions need that.
const mostPairs = 300_000

// order judges one expectation that each call of some kind wants another
// before it.
type order struct {
	j       *judge
	e       *profiles.Expectation
	equated *expression.Equation // nil: none
	earlier map[string][]*call   // that succeeded, by what is equated; the latest last
	pairs   int
	unknown string // why some earlier call could not be held against any
}

// inOrder judges each … needs.
func (j *judge) inOrder(e *profiles.Expectation) ([]finding, string) {
	o := &order{j: j, e: e, earlier: map[string][]*call{}}
	if e.Where != nil {
		o.equated = e.Where.Equates("earlier", "later")
	}
	wants, needed := matcher(e.Calls), matcher(e.Needs)
	var found []finding
	held := finding{reaction: trail.Handled}
	for _, h := range j.happened() {
		if h.c == nil {
			o.back(h.to)
			continue
		}
		if h.later {
			continue
		}
		if wants(h.c) && h.c.asked() {
			f, is := o.call(h.c)
			switch {
			case !is:
			case f.reaction == trail.Handled:
				held.times++
				held.calls = append(held.calls, f.calls...)
			default:
				found = append(found, f)
			}
		}
		if needed(h.c) && h.c.succeeded() {
			o.remember(h.c)
		}
	}
	if held.times > 0 {
		held.line = fmt.Sprintf("%s of %s, each after what it needs", words.Count(held.times, "call"), patterns(e))
		found = append(found, held)
	}
	return found, "there were no calls of " + patterns(e)
}

// call judges one call; is tells whether it is one to judge.
func (o *order) call(c *call) (f finding, is bool) {
	counts, why := o.j.when(o.e, c, nil)
	if !counts {
		return unjudged(c, why), why != ""
	}
	if strings.HasPrefix(c.x.Note, "Out of order ("+o.e.Name+")") {
		return finding{
			reaction: trail.Mishandled, line: tag(c) + c.name() + ", refused: nothing of what it needs came before", calls: []*call{c},
			head: "called " + c.name() + " without " + needs(o.e) + " first", remedy: o.remedy(),
		}, true
	}
	by, late, why := o.before(c)
	switch {
	case by != nil:
		return finding{reaction: trail.Handled, calls: []*call{by, c}}, true
	case why != "":
		return unjudged(c, why), true
	case late != nil:
		return finding{reaction: trail.Mishandled, calls: []*call{late, c}, head: "called " + c.name() + " without " + needs(o.e) + " first", remedy: o.remedy(), line: story(
			step{text: tag(late) + late.name()},
			step{text: o.j.opening(c), sum: fmt.Sprintf("%s later, and within %s expected", span(time.Duration(c.at-late.at)), o.e.Within)},
		)}, true
	}
	return finding{reaction: trail.Mishandled, calls: []*call{c}, head: "called " + c.name() + " without " + needs(o.e) + " first", remedy: o.remedy(), line: o.j.opening(c) + ": no " + needs(o.e) + " before it that fits"}, true
}

func (o *order) remedy() string { return "call " + needs(o.e) + " first, and go by what it says" }

func needs(e *profiles.Expectation) string {
	names := make([]string, len(e.Needs))
	for i, p := range e.Needs {
		names[i] = p.String()
	}
	return strings.Join(names, " or ")
}

// before finds the latest call that c wants before it; or one that fits and is
// too long ago; or why that cannot be told.
func (o *order) before(c *call) (by, late *call, why string) {
	key, err := o.key(c, false)
	if err != nil {
		if len(o.earlier) == 0 {
			return nil, nil, o.unknown
		}
		return nil, nil, o.e.Where.Why(err)
	}
	all := o.earlier[key]
	for i := len(all) - 1; i >= 0; i-- {
		earlier := all[i]
		if earlier.seq >= c.open {
			continue // they were under way at once
		}
		if o.e.Where != nil && (o.equated == nil || !o.equated.Alone) {
			if o.pairs++; o.pairs > mostPairs {
				return nil, nil, "there are too many pairs of calls to compare: have where say that one value is another, such as earlier.path.charge == later.body.charge"
			}
			fits, err := o.e.Where.Bool(map[string]any{"earlier": o.speak(earlier, "earlier"), "later": o.speak(c, "later")})
			if err != nil {
				why = first(why, o.e.Where.Why(err))
			}
			if !fits {
				continue
			}
		}
		if o.e.Within > 0 && time.Duration(c.at-earlier.at) > o.e.Within {
			return nil, earlier, "" // those before it are older
		}
		return earlier, nil, ""
	}
	return nil, nil, first(why, o.unknown)
}

// remember keeps a call for those that want it before them.
func (o *order) remember(c *call) {
	key, err := o.key(c, true)
	if err != nil {
		o.unknown = o.e.Where.Why(err)
		return
	}
	o.earlier[key] = append(o.earlier[key], c)
}

// key is what where equates of a call; "": nothing.
func (o *order) key(c *call, earlier bool) (string, error) {
	if o.equated == nil {
		return "", nil
	}
	side, name := o.equated.Right, "later"
	if earlier {
		side, name = o.equated.Left, "earlier"
	}
	value, err := side.Value(map[string]any{name: o.speak(c, name)})
	if located := (*expression.Error)(nil); errors.As(err, &located) { // within the side alone
		moved := *located
		moved.Column += max(0, strings.Index(o.e.Where.String(), side.String()))
		return "", &moved
	}
	return string(world.Encode(value)), nil
}

func (o *order) back(to uint64) {
	for key, all := range o.earlier {
		n := len(all)
		for n > 0 && all[n-1].seq > to {
			n--
		}
		o.earlier[key] = all[:n]
	}
}

// speak is a call as where speaks of it under a name.
func (o *order) speak(c *call, name string) map[string]any {
	vars := map[string]any{"identity": c.identity}
	for part, of := range map[string]func() any{
		"path": func() any { return o.j.pathOf(c) }, "query": func() any { return o.j.queryOf(c) },
		"body": func() any { return document(c.x.Body) }, "result": func() any { return document(c.reply()) },
	} {
		if o.e.Where.Needs(name + "." + part) {
			vars[part] = of()
		}
	}
	return vars
}
