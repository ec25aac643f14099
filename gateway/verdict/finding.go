package verdict

import (
	"fmt"
	"slices"

	"parity/faults/trail"
)

// finding is what one reaction rule saw of one intent, or of one limit.
type finding struct {
	reaction trail.Reaction
	line     string  // what happened
	remedy   string  // how to do better
	head     string  // what happened, in a few words; "": see headed
	why      string  // what limits it
	calls    []*call // that show it
	also     uint64  // an event that shows it and is no call; 0: none
	rests    []rest
	weakened []string
	times    int  // firings that it is about; 0 counts as 1
	reread   int  // of a finding about several reads: those that were made again and answered whole
	patient  bool // it was waited for, and nothing had to be done
	tries    int  // above 0: an SDK hid the fault, and so many tries would reach past it

	open     bool   // nothing has decided it yet (settle.go)
	presumed bool   // mishandled, by what was done next: a twin may show otherwise
	weak     bool   // presumed, and not so where it said that it stopped
	settle   string // what would settle it; "": nothing that is known
	doubt    bool   // an intent may have taken effect twice
	inert    string // what would settle it where a twin came out the same, since the fault made no difference to the work; "": that shows that it was met
}

// unmet notes of a finding about a fault that was not met that a twin which came
// out the same shows nothing, and what would.
func (f finding) unmet(settle string) finding {
	f.inert = settle
	return f
}

// rest is what a finding rests on: that an operation is, in one property, as
// it is in production.
type rest struct{ service, operation, property string }

func on(property string, calls ...*call) []rest {
	rests := make([]rest, len(calls))
	for i, c := range calls {
		rests[i] = rest{c.x.Service, c.x.Operation, property}
	}
	return rests
}

// covering lists the differences about an operation. Each is asked once for
// each operation.
func (j *judge) covering(service, operation string) []int {
	key := service + " " + operation
	covers, known := j.cover[key]
	if !known {
		for i, d := range j.in.Differences {
			if d.Covers != nil && d.Covers(service, operation) {
				covers = append(covers, i)
			}
		}
		j.cover[key] = covers
	}
	return covers
}

// merge adds the names that are not there yet.
func merge(names, more []string) []string {
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// gathered is the verdict on a rule, and the findings that an SDK stands
// behind.
type gathered struct {
	trail.Verdict
	swallowed []finding
}

// gather makes one verdict of what was found: failed where anything was
// mishandled, passed where all was handled, and otherwise not evaluated.
func (j *judge) gather(findings []finding) gathered {
	var g gathered
	by := map[trail.Reaction][]finding{}
	var all []*call
	total := 0
	for _, f := range findings {
		if weak := j.weaknesses(f.rests); len(weak) > 0 && f.reaction != trail.Unjudged {
			f.why = "it looked " + string(f.reaction) + ", but that proves nothing: " + worded(weak)
			f.reaction, f.weakened = trail.Unjudged, j.weakenedBy(f.rests)
		}
		if f.doubt && f.reaction == trail.Unjudged {
			g.Doubt = true
			j.doubts = append(j.doubts, f)
		}
		by[f.reaction] = append(by[f.reaction], f)
		all = append(all, f.calls...)
		total += max(f.times, 1)
		g.Counts = j.tallied(g.Counts, &f)
		if f.tries > 0 && f.reaction == trail.Handled {
			g.swallowed = append(g.swallowed, f)
		}
	}
	var shown []finding
	var rests []rest
	switch {
	case len(by[trail.Mishandled]) > 0:
		g.Result, g.Reaction, shown = trail.Failed, trail.Mishandled, by[trail.Mishandled]
	case len(by[trail.Unjudged]) > 0:
		g.Result, g.Reaction, shown = trail.NotEvaluated, trail.Unjudged, by[trail.Unjudged]
	case len(by[trail.CutShort]) > 0:
		g.Result, g.Reaction, shown = trail.NotEvaluated, trail.CutShort, by[trail.CutShort]
	default:
		g.Result, g.Reaction, shown = trail.Passed, trail.Handled, by[trail.Handled]
	}
	g.Lines, g.Evidence = show(shown)
	if g.Result == trail.Failed {
		g.Headline = j.headlines(shown)
	}
	for _, f := range shown {
		g.Mend, g.Why = first(g.Mend, f.remedy), first(g.Why, f.why)
		g.Weakened = merge(g.Weakened, f.weakened)
		if g.Result == trail.NotEvaluated {
			g.Settle = first(g.Settle, f.settle)
		}
		rests = append(rests, f.rests...)
	}
	if g.Reaction != trail.Mishandled {
		g.Mend = ""
	}
	if n := times(shown); g.Result == trail.NotEvaluated && n < total {
		g.Why = fmt.Sprintf("%d of %d: %s", n, total, g.Why)
	}
	g.Scope = j.basis(all)
	g.Scope.Properties = propertiesOf(rests)
	return g
}

func times(findings []finding) int {
	n := 0
	for _, f := range findings {
		n += max(f.times, 1)
	}
	return n
}

// mostFindings is how many findings of one verdict are told.
const mostFindings = 5

// show gives the lines of findings and the events behind them: the first few,
// and how many more there are.
func show(findings []finding) ([]string, []uint64) {
	var lines []string
	var evidence []uint64
	for i, f := range findings {
		if i == mostFindings {
			lines = append(lines, fmt.Sprintf("and %d more like these", len(findings)-mostFindings))
			break
		}
		if f.line != "" {
			lines = append(lines, f.line)
		}
		seqs := make([]uint64, 0, len(f.calls)+1)
		for _, c := range f.calls {
			seqs = append(seqs, c.seq)
		}
		for _, seq := range append(seqs, f.also) {
			if seq != 0 && !slices.Contains(evidence, seq) && len(evidence) < 50 {
				evidence = append(evidence, seq)
			}
		}
	}
	slices.Sort(evidence)
	return lines, evidence
}

// basis says what calls a verdict rests on.
func (j *judge) basis(calls []*call) trail.Basis {
	b := trail.Basis{Operations: []string{}}
	seen := map[string]bool{}
	for _, c := range calls {
		for _, f := range c.x.Fidelities() {
			if f != trail.Injected && f != "" && !slices.Contains(b.Fidelity, f) {
				b.Fidelity = append(b.Fidelity, f)
			}
		}
		if seen[c.name()] {
			continue
		}
		seen[c.name()] = true
		b.Operations = append(b.Operations, c.name())
		for _, i := range j.covering(c.x.Service, c.x.Operation) {
			b.Differences = merge(b.Differences, []string{j.in.Differences[i].Name})
		}
	}
	slices.Sort(b.Operations)
	slices.Sort(b.Fidelity)
	slices.Sort(b.Differences)
	return b
}
