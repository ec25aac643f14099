// Package verdict says what a run proved. It reads the journal and nothing
// else: what was asked, what came back, what changed.
//
//	events ─▶ calls ─┬─▶ always:  one effect per intent
//	                 ├─▶ faults:  what the agent did about each (its reaction)
//	                 ├─▶ required: did it fire at all
//	                 └─▶ scope:   what was touched, and what was not
//	                         │
//	differences ─▶ weaken ───┴─▶ Judgement
//
// What the wire does not show is not guessed: it comes out as not evaluated,
// and says why. A known difference that covers an operation which a verdict
// rests on, and weakens the property that it rests on, turns that verdict to
// not evaluated as well; so does an operation that was answered in a way which
// shows nothing about that property (property.go).
//
// Judging is linear in the number of events (index.go), but for the sorting of
// calls that share a limit.
package verdict

import (
	"slices"
	"time"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs"
)

// Input is what a judge is given.
type Input struct {
	Events      []trail.Event // in order of Seq
	Settlements map[uint64]trail.Settlement
	Rules       []RuleInfo       // of the profile, in file order
	Differences []DifferenceInfo // known differences of the profile
	Services    []string         // services that the profile binds
	Hidden      map[string]bool  // collections that are bookkeeping, such as stored idempotency keys
	Ended       bool             // the run is over; otherwise what is missing may yet come
	Torn        bool             // some of the events or settlements are lost, or may be

	// Fidelity tells how an operation is answered that only faults were seen to
	// answer; nil, or "": that is not known.
	Fidelity func(service, operation string) trail.Fidelity

	// Meant tells of an operation that the profile says what tells its intents
	// apart: then nothing else is guessed. nil: it says so of none.
	Meant func(service, operation string) bool

	Ending *Ending // of the agent; nil: nobody knows

	LetsOut bool // hosts that nobody knows pass unread

	Calm   []Calm            // twins: what the same agent does without faults
	Says   Says              // what it writes to people, as its profile has it
	Agents map[string]string // by identity, where the profile says who calls under it; else a run has one agent

	Expectations []profiles.Expectation
	Ledgers      map[string]bool              // collections that services write by themselves, such as a log of events
	Forks        []uint64                     // the events at which the line went on in another run
	World        func() (*world.World, error) // that the line began with; asked only where an expectation reads the world
	// Operation finds an operation as its contract has it: the types of what is
	// in its query, the version of its records, its idempotency key. nil: nothing
	// is known of any.
	Operation func(service, operation string) *specs.Operation
}

// RuleInfo is a rule of the profile, as far as judging goes.
type RuleInfo struct {
	Name     string
	Hash     string
	Fault    string
	Required bool
	Because  string
}

// DifferenceInfo is a known difference from production.
type DifferenceInfo struct {
	Name       string
	Production string   // what the real service does
	Here       string   // what happens in a rehearsal
	So         string   // what nothing here shows
	Weakens    []string // properties: effects settlement delivery timing volume limits auth freshness content
	Accepted   *trail.Acceptance
	Covers     func(service, operation string) bool
}

// Judge judges a run.
func Judge(in Input) trail.Judgement {
	j := &judge{in: in, ledger: newLedger(in), cover: map[string][]int{}, speech: newSpeech(in.Says)}
	var out trail.Judgement
	out.Valid = true
	j.count()
	for _, rule := range j.ruleNames() {
		v := j.rule(rule)
		if v.Result == trail.InvalidRun {
			out.Valid = false
		}
		out.Verdicts = append(out.Verdicts, v)
	}
	out.Verdicts = append(out.Verdicts, j.expectations()...)
	out.Verdicts = append(out.Verdicts, j.always()...)
	for i := range out.Verdicts {
		j.lapse(&out.Verdicts[i])
	}
	if in.Torn {
		torn(&out)
	}
	out.Scope, out.LiveFaults = j.scope(), j.liveFaults()
	return out
}

// judge is one judging. It is used once, by one goroutine.
type judge struct {
	in Input
	*ledger
	cover   map[string][]int          // by service and operation: the differences that cover it
	poor    map[string]trail.Fidelity // by service and operation: see poorest
	counts  []*trail.RuleCount
	counted map[string]*trail.RuleCount
	traced  map[string][]finding      // by rule: what only its bad answers showed, and was written; see traces
	reasons map[string]map[string]int // by rule: why it did not fire, and how often

	happenings []happening // once an expectation has asked

	takings   []*call   // calls that take something back, once somebody asked
	doubts    []finding // of rules: an intent may have taken effect twice
	speech    speech
	policed   policed // what was made of what policy said
	reach     reach
	twins     *witness            // once somebody asked; see witness
	calmTexts map[string]bool     // what the twins wrote, likewise
	atOnce    time.Duration       // what is no pause; see pace
	edits     map[string][]editAt // what others did, by the rule that had it happen
}

// contracted is the operation of a call as its contract has it; nil: that is not
// known.
func (j *judge) contracted(c *call) *specs.Operation {
	if j.in.Operation == nil {
		return nil
	}
	return j.in.Operation(c.x.Service, c.x.Operation)
}

// versioned tells an operation whose records have versions.
func versioned(op *specs.Operation) bool {
	return op != nil && (op.Anatomy.Version != "" || op.Takes("If-Match"))
}

// keyed tells an operation that takes an idempotency key.
func keyed(op *specs.Operation) bool { return op != nil && op.Keyed() }

// idempotent tells an operation that does nothing more when it is called once more.
func idempotent(op *specs.Operation) bool { return op != nil && op.Anatomy.Idempotent }

// unfinished says why what is missing may be somewhere else; "": it is missing.
func (j *judge) unfinished() string {
	switch {
	case j.in.Torn:
		return "part of the record is missing, or may be"
	case !j.in.Ended:
		return "the run is still going"
	}
	return ""
}

// ruleNames lists the rules to judge: those of the profile, and those that
// struck under an earlier revision, in the order they first did.
func (j *judge) ruleNames() []string {
	names := make([]string, len(j.counts))
	for i, c := range j.counts {
		names[i] = c.Rule
	}
	return names
}

// info finds what the profile says about a rule.
func (j *judge) info(name string) RuleInfo {
	for _, r := range j.in.Rules {
		if r.Name == name {
			return r
		}
	}
	return RuleInfo{Name: name}
}

// rule judges one rule: the reaction where it fired, and otherwise why it did
// not.
func (j *judge) rule(name string) trail.Verdict {
	count := j.counted[name]
	if count.Fired == 0 {
		return j.silent(name, count)
	}
	firings := j.firings[name]
	v := j.gather(j.react(count.Fault, firings))
	v.Subject, v.Kind, v.Because = name, "fault", j.info(name).Because
	v.Scope.Fired = count.Fired
	for _, f := range v.swallowed {
		count.Swallowed++
		count.Tries = max(count.Tries, f.tries)
	}
	if n, tries := j.hidden(firings); len(v.swallowed) == 0 && n > 0 && v.Reaction != trail.Mishandled {
		count.Swallowed, count.Tries = n, tries
		v.Why = first(v.Why, hid(tries))
		swallow(v.Counts, n)
	}
	return v.Verdict
}

// react asks the reaction rule of a fault.
func (j *judge) react(fault string, firings []firing) []finding {
	if rule := j.reaction(faults.ClassOf(fault)); rule != nil {
		findings := rule(firings)
		if f := j.blank(firings); f != nil && !slices.ContainsFunc(findings, func(f finding) bool { return f.reaction == trail.Mishandled }) {
			findings = append(findings, *f)
		}
		for i := range findings {
			struck := firings[0].c
			if len(findings[i].calls) > 0 {
				struck = findings[i].calls[0]
			}
			findings[i] = j.settle(fault, struck, findings[i])
		}
		return findings
	}
	return []finding{{
		reaction: trail.Unjudged, why: "this build has no way to judge a reaction to " + fault,
		calls: []*call{firings[0].c},
	}}
}
