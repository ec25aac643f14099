package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/words"
)

// group is what is counted together.
type group struct {
	name  string // the value that it is apart for; "": there is one group
	n     int    // by now: what a reset undid is taken back
	met   int    // ever
	over  bool   // it was above the most at some time
	shown []*call
	ids   map[string]int
}

// one is a thing that a group has.
type one struct {
	seq uint64
	g   *group
	id  string
}

// count counts calls or records in groups.
type count struct {
	e       *profiles.Expectation
	groups  map[string]*group
	order   []*group
	stack   []one
	unknown []finding
	calls   []*call // that were counted
}

// counting judges at_most, at_least and exactly.
func (j *judge) counting(e *profiles.Expectation) ([]finding, string) {
	n := j.recount(e)
	found := n.unknown
	for _, g := range n.order {
		if f, ok := n.judge(j, g); ok {
			found = append(found, f)
		}
	}
	if len(n.order) == 0 && e.Per == nil && e.AtLeast != nil && *e.AtLeast > 0 && j.anything() {
		found = append(found, short(j, e, &group{}))
	}
	switch {
	case len(found) > 0:
		return j.resting(e, found), ""
	case len(n.order) == 0 && e.AtMost != nil && *e.AtMost == 0 && j.anything():
		return []finding{{reaction: trail.Handled, line: "none of " + words.Count(len(j.calls), "call") + " was one"}}, ""
	case len(n.order) == 0:
		return nil, "there were " + what(e, 0)
	}
	return j.resting(e, []finding{n.held()}), ""
}

// resting says that counts of records rest on what calls change.
func (j *judge) resting(e *profiles.Expectation, found []finding) []finding {
	if len(e.New) == 0 {
		return found
	}
	for i := range found {
		found[i].rests = on(effects, found[i].calls...)
	}
	return found
}

// anything tells whether the agent called any service.
func (j *judge) anything() bool { return len(j.happened()) > 0 }

// recount walks over what happened once.
func (j *judge) recount(e *profiles.Expectation) *count {
	n := &count{e: e, groups: map[string]*group{}}
	is := matcher(e.Calls)
	for _, h := range j.happened() {
		switch {
		case h.c == nil:
			n.back(h.to)
		case len(e.New) > 0:
			j.countRecords(n, h)
		case !h.later && is(h.c) && h.c.asked():
			j.countOne(n, h, first(h.c.x.Intent.ID, fmt.Sprint(h.seq)), nil)
		}
	}
	return n
}

func (j *judge) countRecords(n *count, h happening) {
	for _, change := range h.made {
		if change.Op != world.Create || !slices.Contains(n.e.New, change.Collection) {
			continue
		}
		record, err := world.Decode(change.After)
		if err != nil {
			continue // the journal has no such record
		}
		// What the service itself calls failed was not done, unless that is asked for.
		if record["status"] == "failed" && (n.e.When == nil || !n.e.When.Needs("record.status")) {
			continue
		}
		j.countOne(n, h, change.Collection+"/"+change.ID, record)
	}
}

// countOne counts one call or record in its group.
func (j *judge) countOne(n *count, h happening, id string, record map[string]any) {
	is, why := j.when(n.e, h.c, record)
	if why != "" {
		n.unknown = append(n.unknown, unjudged(h.c, why))
	}
	if !is {
		return
	}
	name := ""
	if n.e.Per != nil {
		vars := record
		if record == nil {
			vars = j.vars(h.c, n.e.Per.Needs)
		}
		value, err := n.e.Per.Value(vars, "", nil)
		if err != nil {
			n.unknown = append(n.unknown, unjudged(h.c, n.e.Per.Why(err)))
			return
		}
		name = string(world.Encode(value))
	}
	n.add(h, name, id)
}

func (n *count) add(h happening, name, id string) {
	g := n.groups[name]
	if g == nil {
		g = &group{name: name, ids: map[string]int{}}
		n.groups[name] = g
		n.order = append(n.order, g)
	}
	n.stack = append(n.stack, one{h.seq, g, id})
	if g.ids[id]++; g.ids[id] > 1 {
		return // a call and its retries are one
	}
	g.n++
	g.met++
	n.calls = append(n.calls, h.c)
	if g.met <= mostShown {
		g.shown = append(g.shown, h.c)
	}
	g.over = g.over || n.e.AtMost != nil && uint64(g.n) > *n.e.AtMost //nolint:gosec // a count
}

// mostShown bounds how many calls a story of a group tells of.
const mostShown = 50

// back takes back what a reset or a rollback undid.
func (n *count) back(to uint64) {
	i := len(n.stack)
	for ; i > 0 && n.stack[i-1].seq > to; i-- {
		c := n.stack[i-1]
		if c.g.ids[c.id]--; c.g.ids[c.id] == 0 {
			delete(c.g.ids, c.id)
			c.g.n--
		}
	}
	n.stack = n.stack[:i]
}

// judge gives what is wrong with one group.
func (n *count) judge(j *judge, g *group) (finding, bool) {
	least := n.e.AtLeast
	switch {
	case g.over:
		steps := make([]step, len(g.shown))
		for i, c := range g.shown {
			steps[i] = step{text: j.opening(c)}
		}
		steps[len(steps)-1].sum = fmt.Sprintf("%s%s, and %s expected", what(n.e, g.met), ofGroup(n.e, g), bound("at most", *n.e.AtMost))
		return finding{
			reaction: trail.Mishandled, line: story(steps...), calls: g.shown,
			remedy: "look for what is there before making another, and send a retry with the key of its first attempt",
		}, true
	case least != nil && uint64(g.n) < *least: //nolint:gosec // a count
		return short(j, n.e, g), true
	}
	return finding{}, false
}

func bound(word string, n uint64) string {
	if n == 0 {
		return "none"
	}
	return word + " " + strconv.FormatUint(n, 10)
}

// short is a group that has fewer than it is to have: unless the run goes on.
func short(j *judge, e *profiles.Expectation, g *group) finding {
	f := finding{reaction: trail.Mishandled, calls: g.shown, line: fmt.Sprintf("%s%s, and at least %d expected", what(e, g.n), ofGroup(e, g), *e.AtLeast)}
	if j.unfinished() != "" {
		f.reaction, f.why = trail.CutShort, j.unfinished()+": there may be more"
	}
	return f
}

func ofGroup(e *profiles.Expectation, g *group) string {
	if e.Per == nil || g.name == "" {
		return ""
	}
	return " for " + e.Per.String() + " " + g.name
}

// what words how many there were.
func what(e *profiles.Expectation, n int) string {
	number := strconv.Itoa(n)
	if n == 0 {
		number = "no"
	}
	if len(e.New) > 0 {
		return number + " new record" + plural(n) + " in " + strings.Join(e.New, " or ")
	}
	return number + " call" + plural(n) + " of " + patterns(e)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func patterns(e *profiles.Expectation) string {
	names := make([]string, len(e.Calls))
	for i, p := range e.Calls {
		names[i] = p.String()
	}
	return strings.Join(names, " or ")
}

// held is that all groups have as many as they are to have.
func (n *count) held() finding {
	total := 0
	for _, g := range n.order {
		total += g.n
	}
	line := what(n.e, total)
	if n.e.Per != nil {
		line += ", apart for " + words.Count(len(n.order), "value") + " of " + n.e.Per.String()
	}
	return finding{reaction: trail.Handled, line: line, calls: n.calls}
}

// neverCalled judges calls, or new records, that are not to be.
func (j *judge) neverCalled(e *profiles.Expectation) ([]finding, string) {
	none := *e
	none.AtMost = new(uint64)
	var found []finding
	for _, part := range [][2]bool{{len(e.Calls) > 0, false}, {len(e.New) > 0, true}} {
		kind := none
		if !part[0] {
			continue
		}
		if kind.New = nil; part[1] {
			kind.New, kind.Calls = e.New, nil
		}
		n := j.recount(&kind)
		for _, c := range n.calls {
			f := finding{reaction: trail.Mishandled, line: j.opening(c) + ": " + c.name() + " was not to be called", calls: []*call{c}}
			if part[1] {
				f.line, f.rests = j.opening(c)+": a new record that was not to be", on(effects, c)
			}
			found = append(found, f)
		}
		found = append(found, n.unknown...)
	}
	switch {
	case len(found) > 0:
		return found, ""
	case !j.anything():
		return nil, "nothing was called"
	}
	return []finding{{reaction: trail.Handled, line: "none of " + words.Count(len(j.calls), "call") + " was one", times: len(j.calls)}}, ""
}

// noCallTo judges that nothing is sent to some services and hosts.
func (j *judge) noCallTo(e *profiles.Expectation) ([]finding, string) {
	var found []finding
	sent := 0
	for _, h := range j.happened() {
		if h.c == nil || h.later {
			continue
		}
		sent++
		if !addressed(e.To, h.c.x.Service, h.c.x.Host) {
			continue
		}
		is, why := j.when(e, h.c, nil)
		switch {
		case why != "":
			found = append(found, unjudged(h.c, why))
		case is:
			found = append(found, finding{
				reaction: trail.Mishandled, calls: []*call{h.c},
				line: tag(h.c) + sentTo(h.c.x) + clause(seen(h.c)),
			})
		}
	}
	for i := range j.in.Events {
		if t := j.in.Events[i].Tunnel; t != nil && e.When == nil {
			sent++
			if addressed(e.To, "", t.Host) {
				found = append(found, finding{reaction: trail.Mishandled, also: j.in.Events[i].Seq, line: event(j.in.Events[i].Seq) + "a connection to " + t.Host + ", unread"})
			}
		}
	}
	switch {
	case len(found) > 0:
		return found, ""
	case sent == 0:
		return nil, "nothing was called"
	}
	return []finding{{reaction: trail.Handled, line: "none of " + words.Count(sent, "call") + " went there" + j.around(), times: sent}}, ""
}

// sentTo says what was sent to whom.
func sentTo(x *trail.Exchange) string {
	if protocol, to := x.Attempt(); protocol != "" {
		return protocol + " to " + to + " was tried"
	}
	return x.Method + " " + x.Path + " was sent to " + first(x.Service, x.Host)
}

// addressed tells whether a call was to one of some services and hosts.
func addressed(to []string, service, host string) bool {
	if name, _, port := strings.Cut(host, ":"); port && strings.Count(host, ":") == 1 {
		host = name
	}
	for _, name := range to {
		suffix, wild := strings.CutPrefix(name, "*")
		if name == service || name == host || wild && strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}
