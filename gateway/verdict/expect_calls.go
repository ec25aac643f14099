package verdict

import (
	"encoding/json"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs"
)

// happening is a call that was made, with what it did to the world; or what
// was done later of that which it had asked for; or the run being set back.
type happening struct {
	seq   uint64
	c     *call // nil: the run was set back
	made  []trail.Change
	later bool   // by a job that the call had begun
	to    uint64 // the event that the run was set back to
}

// happened lists what happened, in the order of events, once.
func (j *judge) happened() []happening {
	if j.happenings != nil {
		return j.happenings
	}
	decided, jobs := make(map[uint64]*call, len(j.calls)), map[string]*call{}
	for _, c := range j.calls {
		if !c.connection() {
			decided[c.seq] = c // of one that still waits, the event with which it came in
		}
	}
	all := make([]happening, 0, len(j.calls))
	for i := range j.in.Events {
		e := &j.in.Events[i]
		c := decided[e.Seq]
		switch {
		case c != nil:
			all = append(all, happening{seq: e.Seq, c: c, made: c.agents()})
			for _, change := range c.delta {
				if change.Collection == fakes.JobsCollection && change.Op == world.Create {
					jobs[change.ID] = c
				}
			}
		case e.Timer != nil && e.Timer.Kind == fakes.JobTimer && jobs[e.Timer.Subject] != nil:
			all = append(all, happening{seq: e.Seq, c: jobs[e.Timer.Subject], made: e.Delta, later: true})
		default:
			if to, back := e.Back(j.in.Forks); back {
				all = append(all, happening{seq: e.Seq, to: to})
			}
		}
	}
	j.happenings = all
	return all
}

// agents is what a call did to the world at the agent's wish: what a fault did
// once more is the fault's.
func (c *call) agents() []trail.Change {
	if !c.x.Committed || c.x.Replayed {
		return nil
	}
	if faults.Struck(c.x, faults.DoneTwice) {
		return once(c.delta)
	}
	return c.delta
}

// once leaves out, of what was done twice over, the second time.
func once(delta []trail.Change) []trail.Change {
	number, seen := map[string]int{}, map[string]int{}
	for _, change := range delta {
		if change.Op == world.Create {
			number[change.Collection]++
		}
	}
	var kept []trail.Change
	for _, change := range delta {
		if change.Op == world.Create {
			if seen[change.Collection]++; seen[change.Collection] > (number[change.Collection]+1)/2 {
				continue
			}
		}
		kept = append(kept, change)
	}
	return kept
}

// asked tells a call that its service was to answer: of an operation, and not
// turned away at the door, nor stopped by policy. What was kept as a draft was
// answered.
func (c *call) asked() bool {
	switch c.x.Outcome {
	case trail.Answered, trail.Captured, trail.Panicked:
		return c.x.Operation != "" && c.x.Status != 401
	}
	return false
}

// succeeded tells whether the service did what a call asked for, whatever a fault
// made of its answer.
func (c *call) succeeded() bool {
	return c.asked() && c.done && c.status()/100 == 2 && (c.x.Fidelity != trail.Injected || c.x.FakeStatus != 0)
}

// matcher tells calls to the operations that patterns name, asking once for
// each operation.
func matcher(patterns []faults.Pattern) func(*call) bool {
	known := map[string]bool{}
	return func(c *call) bool {
		if len(patterns) == 0 || c.x.Operation == "" {
			return false
		}
		is, ok := known[c.name()]
		if !ok {
			for _, form := range []string{c.x.Operation, c.x.Bare} {
				method, path, _ := strings.Cut(form, " ")
				op := &specs.Operation{Service: c.x.Service, ID: c.x.OperationID, Method: method, Path: path}
				for _, p := range patterns {
					is = is || path != "" && p.Match(op)
				}
			}
			known[c.name()] = is
		}
		return is
	}
}

// pathOf gives the parameters in the path of a call, by their names.
func (j *judge) pathOf(c *call) map[string]any {
	found := map[string]any{}
	for _, form := range []string{c.x.Operation, c.x.Bare} {
		_, template, _ := strings.Cut(form, " ")
		if template != "" && params(template, c.x.Path, found) {
			return found
		}
	}
	return found
}

// params reads the parameters of a path out of it.
func params(template, path string, into map[string]any) bool {
	for template != "" {
		before, rest, more := strings.Cut(template, "{")
		if !strings.HasPrefix(path, before) {
			return false
		}
		path = path[len(before):]
		if !more {
			return path == ""
		}
		name, after, _ := strings.Cut(rest, "}")
		end := len(path)
		if next, _, _ := strings.Cut(after, "{"); next != "" {
			if end = strings.Index(path, next); end < 0 {
				return false
			}
		} else if i := strings.IndexByte(path, '/'); i >= 0 && after != "" {
			end = i
		}
		value, err := url.PathUnescape(path[:end])
		if err != nil {
			value = path[:end]
		}
		into[name] = value
		path, template = path[end:], after
	}
	return path == ""
}

// queryOf gives the query of a call, of the types that the contract has.
func (j *judge) queryOf(c *call) map[string]any {
	if c.x.Query == "" {
		return map[string]any{}
	}
	if op := j.contracted(c); op != nil {
		if in, _ := op.Read(specs.Request{Query: c.x.Query}); in.Query != nil {
			return in.Query
		}
	}
	found := map[string]any{}
	values, _ := url.ParseQuery(c.x.Query) // what can be read of it
	for name, texts := range values {
		found[name] = texts[len(texts)-1]
	}
	return found
}

// document reads a body; one that is no JSON is its text.
func document(body []byte) any {
	if len(body) == 0 {
		return map[string]any{}
	}
	if object, err := world.Decode(body); err == nil {
		return object
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return string(body)
	}
	return world.Normalise(value)
}

// requestOf is the request of a call as conditions speak of it.
func (j *judge) requestOf(c *call) map[string]any {
	header := make(map[string]any, len(c.x.Header))
	for _, f := range c.x.Header {
		header[strings.ToLower(f.Name)] = f.Value
	}
	return map[string]any{
		"method": c.x.Method, "path": j.pathOf(c), "query": j.queryOf(c), "body": document(c.x.Body), "header": header, "host": c.x.Host,
		"attempt": int64(c.x.Intent.Attempt), "identity": c.identity,
	}
}

// vars is a call as conditions speak of it.
func (j *judge) vars(c *call, needs func(string) bool) map[string]any {
	vars := map[string]any{}
	if needs("request") {
		vars["request"] = j.requestOf(c)
	}
	if needs("result") {
		vars["result"] = document(c.reply())
	}
	if needs("clock") {
		vars["clock"] = map[string]any{"now": int64(c.at) / 1e9, "elapsed": float64(c.at-j.began()) / 1e9}
	}
	return vars
}

// began is the first instant of the run.
func (j *judge) began() trail.Instant {
	if len(j.in.Events) == 0 {
		return 0
	}
	return j.in.Events[0].At
}

// when tells whether an expectation is about a call, and, where that cannot be
// known, why not.
func (j *judge) when(e *profiles.Expectation, c *call, record map[string]any) (is bool, why string) {
	if e.When == nil {
		return true, ""
	}
	vars := j.vars(c, e.When.Needs)
	if record != nil {
		vars["record"] = record
	}
	is, err := e.When.Bool(vars)
	if err != nil {
		return false, e.When.Why(err)
	}
	return is, ""
}
