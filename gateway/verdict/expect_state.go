package verdict

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
)

// fold is the part of the world that a condition reads, as events left it.
// Collections are lists, in the order in which records were made.
type fold struct {
	named  map[string]*records // by collection
	all    bool                // any collection may be read
	hidden map[string]bool
}

type records struct {
	at      map[string]int // of records, in values
	values  []any          // nil: it is there no more
	removed int
}

func (k *records) put(id string, value map[string]any) {
	if i, there := k.at[id]; there {
		k.values[i] = value
		return
	}
	k.at[id] = len(k.values)
	k.values = append(k.values, value)
}

func (k *records) remove(id string) {
	if i, there := k.at[id]; there {
		k.values[i] = nil
		k.removed++
		delete(k.at, id)
	}
}

// list is what there is, in order.
func (k *records) list() []any {
	if k.removed == 0 {
		return slices.Clip(k.values)
	}
	return slices.DeleteFunc(slices.Clone(k.values), func(v any) bool { return v == nil })
}

// newFold begins with the world that the run began with.
func (j *judge) newFold(conditions ...*profiles.Condition) (*fold, string) {
	f := &fold{named: map[string]*records{}, hidden: j.in.Hidden}
	var names []string
	for _, c := range conditions {
		if c == nil {
			continue
		}
		for _, path := range c.Paths() {
			steps := strings.SplitN(path, ".", 4)
			switch {
			case steps[0] != "world":
			case len(steps) < 3:
				f.all = true
			default:
				names = merge(names, []string{steps[1] + "." + steps[2]})
			}
		}
	}
	if len(names) == 0 && !f.all {
		return f, ""
	}
	for _, name := range names {
		f.named[name] = &records{at: map[string]int{}}
	}
	if j.in.World == nil {
		return f, ""
	}
	begin, err := j.in.World()
	if err != nil {
		return nil, "the world that the run began with is not known: " + err.Error()
	}
	for _, name := range begin.Collections() {
		if k := f.of(name); k != nil {
			for r := range begin.Oldest(name, 0) {
				k.put(r.ID, r.Value())
			}
		}
	}
	return f, ""
}

// of is what is kept of a collection; nil: nothing.
func (f *fold) of(collection string) *records {
	k := f.named[collection]
	if k == nil && f.all && !f.hidden[collection] {
		k = &records{at: map[string]int{}}
		f.named[collection] = k
	}
	return k
}

// apply folds what an event changed, and tells whether that can matter.
func (f *fold) apply(delta []trail.Change) bool {
	matters := false
	for _, change := range delta {
		k := f.of(change.Collection)
		if k == nil {
			continue
		}
		matters = true
		if change.Op == world.Delete {
			k.remove(change.ID)
			continue
		}
		if value, err := world.Decode(change.After); err == nil {
			k.put(change.ID, value)
		}
	}
	return matters
}

// vars is the world as conditions speak of it, and how many records that are.
func (f *fold) vars() (services map[string]any, size int) {
	services = map[string]any{}
	for name, k := range f.named {
		service, collection, _ := strings.Cut(name, ".")
		of, ok := services[service].(map[string]any)
		if !ok {
			of = map[string]any{}
			services[service] = of
		}
		list := k.list()
		of[collection], size = list, size+len(list)
	}
	return services, size
}

// atTheEnd judges finally and holds.
func (j *judge) atTheEnd(e *profiles.Expectation) ([]finding, string) {
	if !j.anything() {
		return nil, "nothing was called"
	}
	f, why := j.newFold(e.Holds, e.When)
	if why != "" {
		return []finding{{reaction: trail.Unjudged, why: why}}, ""
	}
	touched := map[uint64]bool{}
	for _, event := range trail.Lasting(j.in.Events, j.in.Forks) {
		if f.apply(event.Delta) {
			touched[event.Seq] = true
		}
	}
	vars := map[string]any{}
	vars["world"], _ = f.vars()
	if e.Holds.Needs("calls") || e.When != nil && e.When.Needs("calls") {
		vars["calls"] = j.spoken(e)
	}
	if e.When != nil {
		is, err := e.When.Bool(vars)
		if err != nil {
			return []finding{{reaction: trail.Unjudged, why: e.When.Why(err)}}, ""
		}
		if !is {
			return nil, "its when does not hold: " + e.When.String()
		}
	}
	found := finding{reaction: trail.Handled, calls: j.makers(touched), line: e.Holds.String()}
	found.rests = on(effects, found.calls...)
	if !e.Holds.Needs("world") {
		found.calls, found.rests = j.calls, nil
	}
	found.rests = append(found.rests, j.timed(e)...)
	holds, err := e.Holds.Bool(vars)
	switch {
	case err != nil:
		found.reaction, found.why, found.rests = trail.Unjudged, e.Holds.Why(err), nil
	case j.unfinished() != "":
		found.reaction, found.why, found.rests = trail.CutShort, j.unfinished(), nil
	case !holds:
		found.reaction, found.line = trail.Mishandled, j.unheld(e, vars)
	case len(touched) == 0 && !e.Holds.Needs("calls"):
		return nil, "no call changed what it is about: " + e.Holds.String()
	}
	return []finding{found}, ""
}

// unheld words a condition that does not hold, with what it compares.
func (j *judge) unheld(e *profiles.Expectation, vars map[string]any) string {
	line := e.Holds.String() + " does not hold"
	if side := e.Holds.Compared(); side != nil {
		if value, err := side.Value(vars); err == nil {
			line += ": " + side.String() + " is " + brief(value)
		}
	}
	return line
}

// makers are the calls that made events, or whose jobs did.
func (j *judge) makers(touched map[uint64]bool) []*call {
	var calls []*call
	for _, h := range j.happened() {
		if h.c != nil && touched[h.seq] {
			calls = append(calls, h.c)
		}
	}
	return calls
}

// mostAsked bounds how many records and calls an eventually is held against, all
// events together.
const mostAsked = 1_000_000

// asking asks after one event and another whether a condition holds.
type asking struct {
	j       *judge
	e       *profiles.Expectation
	f       *fold
	calls   func(seq uint64) []any
	size    int    // how many records and calls were looked at
	unknown string // why it could not be told the last time
}

// eventually judges that a condition holds after some event.
func (j *judge) eventually(e *profiles.Expectation) ([]finding, string) {
	if !j.anything() {
		return nil, "nothing was called"
	}
	f, why := j.newFold(e.Holds, e.When)
	if why != "" {
		return []finding{{reaction: trail.Unjudged, why: why}}, ""
	}
	a := &asking{j: j, e: e, f: f, calls: j.spokenBy(e)}
	last, left := uint64(0), false // the latest event after which nothing was asked
	for _, event := range trail.Lasting(j.in.Events, j.in.Forks) {
		if changed := f.apply(event.Delta); !changed && (event.Exchange == nil || !e.Holds.Needs("calls")) {
			continue
		}
		if last = event.Seq; a.size > mostAsked {
			left = true
			continue
		}
		if found, held := a.after(event.Seq); held {
			return []finding{found}, ""
		}
		last = 0
	}
	if last != 0 {
		if found, held := a.after(last); held {
			return []finding{found}, ""
		}
	}
	return []finding{a.not(left)}, ""
}

// after asks after an event.
func (a *asking) after(seq uint64) (finding, bool) {
	services, size := a.f.vars()
	calls := a.calls(seq)
	a.size += size + len(calls) + 1
	vars := map[string]any{"world": services, "calls": calls}
	for _, c := range []*profiles.Condition{a.e.When, a.e.Holds} {
		if c == nil {
			continue
		}
		is, err := c.Bool(vars)
		if a.unknown = ""; err != nil {
			a.unknown = c.Why(err)
		}
		if !is {
			return finding{}, false
		}
	}
	by := a.j.makers(map[uint64]bool{seq: true})
	return finding{reaction: trail.Handled, line: event(seq) + "it held: " + a.e.Holds.String(), also: seq, calls: by, rests: append(on(effects, by...), a.j.timed(a.e)...)}, true
}

// not is that it held after no event; left: not all were asked.
func (a *asking) not(left bool) finding {
	found := finding{reaction: trail.Mishandled, line: "after no event: " + a.e.Holds.String()}
	switch {
	case a.unknown != "":
		found.reaction, found.why = trail.Unjudged, a.unknown
	case left:
		found.reaction, found.why = trail.Unjudged, "it does not hold at the end, and the run is too long to ask after each event: say what is to hold at the end, by finally"
	case a.j.unfinished() != "":
		found.reaction, found.why = trail.CutShort, a.j.unfinished()+": it may yet hold"
	}
	return found
}

// spoken lists all calls as conditions speak of them.
func (j *judge) spoken(e *profiles.Expectation) []any { return j.spokenBy(e)(^uint64(0)) }

// spokenBy lists the calls that were made by an event.
func (j *judge) spokenBy(e *profiles.Expectation) func(seq uint64) []any {
	says := func(field string) bool {
		return strings.Contains(e.Holds.String(), field) || e.When != nil && strings.Contains(e.When.String(), field)
	}
	if !says("calls") {
		return func(uint64) []any { return []any{} }
	}
	var all []any
	var seqs []uint64
	for _, h := range j.happened() {
		if h.c != nil && !h.later {
			all, seqs = append(all, j.speak(h.c, says)), append(seqs, h.seq)
		}
	}
	return func(seq uint64) []any {
		n, _ := slices.BinarySearch(seqs, seq+1)
		if seq == ^uint64(0) {
			n = len(all)
		}
		return all[:n:n]
	}
}

// speak is a call as one of the list of calls. What takes long to make is made
// where the condition has its word.
func (j *judge) speak(c *call, says func(string) bool) map[string]any {
	vars := map[string]any{
		"seq": int64(c.seq), "service": c.x.Service, "operation": c.x.Operation, "method": c.x.Method, "host": c.x.Host, "effect": c.x.Effect, //nolint:gosec // shown as it is
		"status": int64(c.x.Status), "committed": c.x.Committed, "replayed": c.x.Replayed, "outcome": string(c.x.Outcome), "fidelity": string(c.x.Fidelity),
		"arrived": c.arrived(), "at": int64(c.at) / 1e9, "identity": c.identity,
		"intent": c.x.Intent.ID, "attempt": int64(c.x.Intent.Attempt), "key": c.x.Intent.Key, "url": c.x.Path,
	}
	maps.Copy(vars, saidBy(c.x.Policy))
	if took, known := c.took(); known {
		vars["elapsed"] = took.Seconds()
	}
	for name, part := range map[string]func() any{
		"path": func() any { return j.pathOf(c) }, "query": func() any { return j.queryOf(c) }, "body": func() any { return document(c.x.Body) },
		"result": func() any { return document(c.reply()) }, "faults": func() any { return struck(c) },
	} {
		if says(name) {
			vars[name] = part()
		}
	}
	return vars
}

// saidBy is what policy said of a call, as conditions speak of it: texts that are
// empty where there is none.
func saidBy(p *trail.Policy) map[string]any {
	if p == nil {
		p = &trail.Policy{}
	}
	return map[string]any{"decision": string(p.Decision), "approval": p.State, "class": p.Class, "route": p.Route}
}

// struck names the faults that struck a call.
func struck(c *call) []any {
	all := []any{}
	for i := range c.x.Strikes {
		if s := &c.x.Strikes[i]; s.Fired {
			all = append(all, s.Fault)
		}
	}
	return all
}
