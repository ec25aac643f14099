package report

import (
	"fmt"
	"io"
	"strings"

	"parity/specs/words"
)

// PrintParting writes a comparison of two runs for people to read.
func PrintParting(w io.Writer, d Parting, o Options) error {
	p := newPage(o)
	p.parted("A", d.A)
	p.parted("B", d.B)
	if len(d.Conditions) > 0 {
		p.blank()
		p.text(0, "They were made under different conditions, and what follows may come of that:")
		for _, c := range d.Conditions {
			p.text(2, fmt.Sprintf("%s: %s in A, %s in B", c.What, short(c.A), short(c.B)))
		}
	}
	p.blank()
	switch {
	case d.Equal:
		p.text(0, fmt.Sprintf("They do the same, and leave the same: %s, equal but for what services make up.", words.Count(d.A.Calls, "call")))
	case d.First == nil:
		p.text(0, "They do the same, and do not leave the same.")
	default:
		p.first(d.First)
	}
	p.steps(d)
	p.changes(d.World)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// PartingJSON writes a comparison of two runs as one JSON document.
func PartingJSON(w io.Writer, d Parting) error {
	return newMasker().document(w, d)
}

func (p *page) parted(name string, r PartedRun) {
	parts := []string{"run " + r.Run}
	if r.Profile != "" {
		parts = append(parts, r.Profile)
	}
	p.labelled(name+"  ", bold(), strings.Join(append(parts, "seed "+number(r.Seed), words.Count(r.Calls, "call")), gap), 3)
}

// first says where they part.
func (p *page) first(s *Step) {
	at := s.A
	if at == nil {
		at = s.B
	}
	p.labelled("They part at call "+fmt.Sprint(at.Call)+": ", bold(), why(s), 2)
	for _, side := range []struct {
		name string
		c    *Called
	}{{"A", s.A}, {"B", s.B}} {
		if side.c != nil {
			p.labelled("  "+side.name+"  ", bold(), fmt.Sprintf("#%d %s%s%s", side.c.Event, side.c.What, gap, side.c.outcome()), 7)
		}
	}
	p.fields("     ", s)
}

// why words how a step parts the runs.
func why(s *Step) string {
	switch {
	case s.How == OtherAnswer:
		return "the same was asked, and answered otherwise"
	case s.How == OtherArguments:
		return "the same operation, with other arguments"
	case s.How == Moved && s.A != nil:
		return fmt.Sprintf("A makes a call that B makes at #%d", s.At)
	case s.How == Moved:
		return fmt.Sprintf("B makes a call that A makes at #%d", s.At)
	case s.How == OnlyA:
		return "A makes a call that B does not"
	}
	return "B makes a call that A does not"
}

// outcome words what a client got, and which rules had to do with it.
func (c *Called) outcome() string {
	if len(c.Faults) == 0 {
		return c.Answer
	}
	return c.Answer + " (" + strings.Join(c.Faults, ", ") + ")"
}

// mostSteps bounds what a text shows of a list; -o json has all of it.
const (
	mostSteps  = 200
	mostOfEach = 6
)

// steps writes both trajectories side by side. Where they go together for a
// while, that is one line.
func (p *page) steps(d Parting) {
	if d.First == nil {
		return
	}
	p.blank()
	width := 2
	for i := range d.Steps {
		for _, c := range []*Called{d.Steps[i].A, d.Steps[i].B} {
			if c != nil {
				width = max(width, len(number(c.Event))+1)
			}
		}
	}
	row := func(a, b, mark, text string, i ink) {
		label := fmt.Sprintf("  %-*s  %-*s  ", width, a, width, b)
		p.out.WriteString(label + p.paint(i, mark) + "  " + p.plain(text) + "\n")
	}
	row("A", "B", " ", "", bold())
	shown := 0
	for i := 0; i < len(d.Steps); i++ {
		if shown++; shown > mostSteps {
			row("", "", " ", fmt.Sprintf("and %d more; -o json has all", len(d.Steps)-i), faint())
			return
		}
		s := &d.Steps[i]
		if s.How == Same {
			from := i
			for i+1 < len(d.Steps) && d.Steps[i+1].How == Same {
				i++
			}
			if n := i - from + 1; n > 2 {
				row(at(s.A), at(s.B), "=", words.Count(n, "call")+" alike, up to "+at(d.Steps[i].A)+" and "+at(d.Steps[i].B), faint())
				continue
			}
			i = from
		}
		p.step(s, row)
	}
}

func (p *page) step(s *Step, row func(a, b, mark, text string, i ink)) {
	what := s.A
	if what == nil {
		what = s.B
	}
	line := what.What + gap
	switch {
	case s.How == Same, s.A == nil, s.B == nil:
		line += what.outcome()
	case s.A.outcome() == s.B.outcome():
		line += what.outcome() + ", " + string(s.How)
	default:
		line += s.A.outcome() + " in A, " + s.B.outcome() + " in B"
	}
	switch {
	case s.How == Same:
		row(at(s.A), at(s.B), "=", line, faint())
	case s.How == Moved && s.A != nil:
		row(at(s.A), "", "-", line+fmt.Sprintf(", #%d in B", s.At), yellow())
	case s.How == Moved:
		row("", at(s.B), "+", line+fmt.Sprintf(", #%d in A", s.At), yellow())
	case s.A == nil:
		row("", at(s.B), "+", line, green())
	case s.B == nil:
		row(at(s.A), "", "-", line, red())
	default:
		row(at(s.A), at(s.B), "~", line, yellow())
		p.fields("        ", s)
	}
}

func at(c *Called) string {
	if c == nil {
		return ""
	}
	return "#" + number(c.Event)
}

// fields writes in what a step differs, but for what its line says already.
func (p *page) fields(indent string, s *Step) {
	var answer []Parted
	for _, f := range s.Answer {
		if f.Field != "/status" && f.Field != "/arrival" && (f.Field != "/body" || f.A != nil && f.B != nil) {
			answer = append(answer, f)
		}
	}
	p.differing(indent+"asked     ", s.Arguments)
	p.differing(indent+"answered  ", answer)
}

func (p *page) differing(indent string, all []Parted) {
	for i, f := range all {
		if i == mostOfEach {
			p.out.WriteString(indent + "and " + words.Count(len(all)-i, "more field") + "\n")
			return
		}
		a, b := p.apart(f.A, f.B)
		p.out.WriteString(indent + p.plain(f.Field) + gap + a + " in A, " + b + " in B\n")
	}
}

// changes writes what the worlds do not have in common.
func (p *page) changes(all []WorldChange) {
	if len(all) == 0 {
		return
	}
	p.blank()
	p.out.WriteString(p.paint(bold(), "At the end") + "\n")
	for _, c := range all {
		var parts []string
		for _, part := range []struct {
			n    int
			what string
		}{{len(c.Differ), " different"}, {len(c.OnlyA), " in A alone"}, {len(c.OnlyB), " in B alone"}} {
			if part.n > 0 {
				parts = append(parts, words.Count(part.n, "record")+part.what)
			}
		}
		p.text(2, c.Collection+": "+strings.Join(parts, ", "))
		for i, r := range c.Differ {
			if i == mostOfEach {
				p.text(4, fmt.Sprintf("and %d more; -o json has all", len(c.Differ)-i))
				break
			}
			name := r.A
			if r.B != r.A {
				name += " in A, " + r.B + " in B"
			}
			p.text(4, name)
			p.differing("      ", r.Fields)
		}
		p.only("A", c.OnlyA)
		p.only("B", c.OnlyB)
	}
}

func (p *page) only(name string, ids []string) {
	if len(ids) > mostOfEach {
		ids = append(append([]string{}, ids[:mostOfEach]...), fmt.Sprintf("and %d more", len(ids)-mostOfEach))
	}
	if len(ids) > 0 {
		p.text(4, "in "+name+" alone: "+strings.Join(ids, ", "))
	}
}
