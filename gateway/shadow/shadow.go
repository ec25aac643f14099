// Package shadow sets an agent's writes beside what people did, by the log that
// these have kept.
//
//	a run's captured writes ─▶ Act ┐
//	                               ├▶ Compare ─▶ agree · acceptable · interesting · dangerous
//	log.jsonl ─Read─▶ Line ─Find─▶ Act
//	                   └▶ left out: no operation that is known here
//
// It is pure: values in, values out. Acts are paired by operation, by the record that
// they are about, and by what the profile says tells intents apart; README.md says
// how, and what makes a difference dangerous.
package shadow

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/class"
)

// An Act is a write, of the agent or of a person.
type Act struct {
	Operation *specs.Operation
	Contract  *specs.Contract // of the operation
	Class     class.Class
	Input     specs.Input
	At        time.Time
	Made      []string // ids that its answer gave to what it made; of a person nobody knows

	Agent  *trail.AgentAct // whose it is: one of the two
	Person *trail.HumanAct
}

// Options say what acts are compared by.
type Options struct {
	Run        string
	Catalogue  *fakes.Catalogue
	Services   []string                                                   // that the run was about; nil: all
	Acceptable []string                                                   // fields that may differ, as metadata.*
	Meaning    func(*specs.Operation) *faults.Meaning                     // nil: of none
	Class      func(op *specs.Operation, in specs.Input) class.Class      // of what a person did
	Tried      []trail.Tried                                              // what the agent tried besides, and of which nothing came
	Refused    func(t trail.Tried) (op *specs.Operation, in *specs.Input) // what that was; nil: nobody knows
}

// Compare sets the agent's acts, in their order, beside the lines of a log.
func Compare(agent []Act, lines []Line, o Options) trail.Comparison {
	if o.Meaning == nil {
		o.Meaning = func(*specs.Operation) *faults.Meaning { return nil }
	}
	c := trail.Comparison{Run: o.Run, Acts: len(agent), Findings: []trail.Finding{}, Left: []trail.LeftOut{}, Tried: o.Tried}
	if c.Tried == nil {
		c.Tried = []trail.Tried{}
	}
	person := o.find(lines, &c)
	p := newPairing(agent, person, o)
	p.same()
	p.alike()
	p.otherwise()
	c.Findings = p.findings()
	for _, f := range c.Findings {
		switch f.Kind {
		case trail.Agree:
			c.Agree++
		case trail.Acceptable:
			c.Acceptable++
		case trail.Interesting:
			c.Interesting++
		case trail.Dangerous:
			c.Dangerous++
		}
	}
	return c
}

// find gives the acts of a log in the order in which they were done, and notes what
// is none.
func (o *Options) find(lines []Line, c *trail.Comparison) []Act {
	var acts []Act
	c.Log = trail.HumanLog{Lines: len(lines), By: []string{}}
	for i := range lines {
		l := &lines[i]
		if l.By != "" && !slices.Contains(c.Log.By, l.By) {
			c.Log.By = append(c.Log.By, l.By)
		}
		act, why := o.located(l)
		switch {
		case why != "":
			c.Left = append(c.Left, trail.LeftOut{Line: l.Number, Call: shown(l), Why: why})
		case act.Class == class.Read:
			c.Log.Reads++
		default:
			acts = append(acts, act)
		}
	}
	c.Log.Acts = len(acts)
	slices.Sort(c.Log.By)
	slices.SortStableFunc(acts, func(a, b Act) int { return a.At.Compare(b.At) })
	return acts
}

// shown is what a line says was called.
func shown(l *Line) string {
	text := l.Call
	if path, ok := l.Path.(string); ok && !strings.Contains(text, path) {
		text += " " + path
	}
	return short(text)
}

// worst orders findings: the worst first.
func worst(a, b trail.Finding) int {
	rank := []trail.Likeness{trail.Dangerous, trail.Interesting, trail.Acceptable, trail.Agree}
	return cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind))
}
