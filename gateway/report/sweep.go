package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/specs/words"
)

// Sweep is what came of an agent that was run once without faults, and once for
// each of its calls and each fault that fits it.
type Sweep struct {
	Name     string        `json:"name"`     // of the series, as `parity report` takes it
	Calm     Report        `json:"calm"`     // the run without faults
	Cells    []Cell        `json:"cells"`    // in the order in which they were tried
	Parallel int           `json:"parallel"` // runs at once
	Took     time.Duration `json:"took"`     // in nanoseconds
	Exit     int           `json:"exit"`     // what Parity exits with
	Why      string        `json:"why"`      // it does
	Again    string        `json:"again"`    // the command that does one cell alone, with CALL × FAULT in the place of its name
}

// Cell is one call with one fault, and what the agent did about it.
type Cell struct {
	Name    string          `json:"name"` // as --cell takes it
	Call    string          `json:"call"` // which call: the operation, and #2 for the second time
	Effect  string          `json:"effect"`
	Fault   string          `json:"fault"`
	Outcome string          `json:"outcome"` // handled, mishandled, cut by the budget, cut short, not evaluated, not reached, nothing struck, left out, our fault
	Why     string          `json:"why,omitempty"`
	Run     string          `json:"run,omitempty"`
	Agent   *Agent          `json:"agent,omitempty"`  // nil: it was not run
	Ended   bool            `json:"ended,omitempty"`  // Parity ended the agent, so that its exit code says only that
	Failed  []trail.Verdict `json:"failed,omitempty"` // what failed, and does not fail without the fault
	Open    []string        `json:"open,omitempty"`   // verdicts that leave open whether an intent took effect twice, and do not without the fault
	Again   string          `json:"again,omitempty"`  // the command that does it once more, alone
}

// begun tells whether an agent ran in the cell, or was to.
func (c *Cell) begun() bool { return c.Run != "" || c.Outcome == "our fault" }

// Again is the command that does a run again.
func (r *Report) Again() string { return r.again(nil) }

// SweepJSON writes a sweep for programs.
func SweepJSON(w io.Writer, s Sweep) error {
	m := newMasker()
	s.Calm.Command = m.command(s.Calm.Command)
	return m.document(w, s)
}

// SweepText writes a sweep for people to read: one table, then what was mishandled
// and how to mend it, then what all of it leaves open.
func SweepText(w io.Writer, s Sweep, o Options) error {
	p := newPage(o)
	p.calm(&s)
	p.table(&s)
	p.mishandled(&s)
	p.totals(&s)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// calm tells of the run without faults, as far as it matters to the others.
func (p *page) calm(s *Sweep) {
	p.head(&s.Calm)
	p.refused(&s.Calm)
	p.text(0, "That run had no faults. Each line below is a run of its own, with one.")
	failed := s.Calm
	failed.Verdicts = slices.DeleteFunc(slices.Clone(failed.Verdicts), func(v trail.Verdict) bool { return v.Result != trail.Failed })
	if len(failed.Verdicts) == 0 {
		return
	}
	p.blank()
	p.text(0, "Without any fault, this fails already; it is not counted again below:")
	p.verdicts(&failed, func(trail.Verdict) bool { return true })
}

// outcomes are the words for what came of cells, and their colours, in the order
// in which they are counted.
func outcomes() []struct {
	outcome string
	paint   ink
	class   string // on a page
} {
	return []struct {
		outcome string
		paint   ink
		class   string
	}{
		{"our fault", red(), "bad"},
		{"mishandled", red(), "bad"},
		{"handled", green(), "good"},
		{"cut by the budget", yellow(), "warn"},
		{"cut short", yellow(), "warn"},
		{"not evaluated", yellow(), "warn"},
		{"not reached", faint(), "idle"},
		{"nothing struck", faint(), "idle"},
		{"left out", faint(), "idle"},
	}
}

// table writes the cells, call by call, in the order of the agent's calls.
func (p *page) table(s *Sweep) {
	var calls []string
	width := 0
	for _, c := range s.Cells {
		if !c.begun() {
			continue
		}
		width = max(width, len(c.Fault))
		if !slices.Contains(calls, c.Call) {
			calls = append(calls, c.Call)
		}
	}
	for _, call := range calls {
		p.blank()
		first := true
		for _, c := range s.Cells {
			if c.Call != call || !c.begun() {
				continue
			}
			if first {
				p.out.WriteString(p.paint(bold(), p.plain(call)) + "  " + p.paint(faint(), c.Effect) + "\n")
				first = false
			}
			p.cell(s, &c, width)
		}
	}
}

func (p *page) cell(s *Sweep, c *Cell, width int) {
	const column = 19
	word := c.Outcome
	if c.Failed != nil {
		word = strings.ToUpper(word)
	}
	var paint ink
	for _, o := range outcomes() {
		if o.outcome == c.Outcome {
			paint = o.paint
		}
	}
	why := s.why(c, c.Why)
	p.out.WriteString("  " + c.Fault + strings.Repeat(" ", width-len(c.Fault)+2))
	if why == "" {
		p.out.WriteString(p.paint(paint, word) + "\n")
		return
	}
	hang := 2 + width + 2 + column
	p.out.WriteString(p.paint(paint, word) + strings.Repeat(" ", max(column-len(word), 2)))
	lines := fold(p.plain(why), p.width-hang, p.width-hang)
	p.out.WriteString(strings.Join(lines, "\n"+strings.Repeat(" ", hang)) + "\n")
}

// why says more of a cell: how the agent ended, where that is not as without
// faults, and what else there is to say.
func (s *Sweep) why(c *Cell, more string) string {
	if a := c.Agent; a != nil && s.Calm.Agent != nil && a.Exit != s.Calm.Agent.Exit && !c.Ended && !strings.HasPrefix(c.Outcome, "cut ") {
		return strings.TrimSuffix(fmt.Sprintf("exited %d; %s", a.Exit, more), "; ")
	}
	return more
}

// mishandled tells the story of each cell that failed. Of those with the same
// fault and the same way to mend it, the others are named.
func (p *page) mishandled(s *Sweep) {
	shown := map[string]bool{}
	for i := range s.Cells {
		c := &s.Cells[i]
		if len(c.Failed) == 0 || shown[c.Name] {
			continue
		}
		p.blank()
		p.labelled("MISHANDLED  ", red(), c.Name, 12)
		for _, b := range grouped(c.Failed) { // each cause once, whatever found it
			for _, line := range b.main().Lines {
				p.text(2, line)
			}
			for _, mend := range b.remedies() {
				p.text(2, "Mend: "+mend)
			}
		}
		var like []string
		for _, other := range s.Cells[i+1:] {
			if len(other.Failed) > 0 && other.Fault == c.Fault && other.Failed[0].Mend == c.Failed[0].Mend {
				shown[other.Name] = true
				like = append(like, other.Call)
			}
		}
		if len(like) > 0 {
			p.text(2, "Likewise: "+strings.Join(like, ", "))
		}
		p.text(2, "Seen: parity trace "+c.Run)
		p.command("  Again: ", nil, c.Again)
	}
}

// totals counts what came of the cells, and says what they leave open.
func (p *page) totals(s *Sweep) {
	p.blank()
	var parts []string
	left := map[string]int{}
	for _, o := range outcomes() {
		n := 0
		for _, c := range s.Cells {
			switch {
			case c.Outcome != o.outcome:
			case c.begun():
				n++
			default:
				left[c.Why]++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o.outcome))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none was tried"}
	}
	p.row("Cells", bold(), words.Count(len(s.Cells), "cell")+": "+strings.Join(parts, ", ")+"; "+span(s.Took)+", "+fmt.Sprint(s.Parallel)+" at once")
	for _, why := range slices.Sorted(maps.Keys(left)) {
		p.row("Left out", bold(), words.Count(left[why], "cell")+": "+why)
	}
	p.unproved(&s.Calm, s.unshown())
	if doubt := openCells(s.Cells); doubt != "" {
		p.row("Open", yellow(), doubt)
	}
	p.row("Exit", bold(), fmt.Sprintf("%d: %s", s.Exit, s.Why))
	p.command("One cell    ", bold(), s.Again)
}

// unshown is what no sweep of this agent shows.
func (s *Sweep) unshown() []string {
	open := append([]string{"any call with two faults at once, or with another form of one"}, inexact(s.Calm.Operations)...)
	return append(open, missing(s.Calm.NotPlayed)...)
}
