package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// cards words the verdicts, the worst first; those that rest on the same share
// one, as they share a block on a terminal.
func (p *packer) cards(v *view, r *Report) {
	of := map[string]card{} // by subject of a fault
	for _, group := range grouped(r.Verdicts) {
		c := p.card(r, group)
		c.ID = fmt.Sprintf("verdict-%d", len(v.Cards)+len(v.Idle)+1)
		if group[0].Result == trail.NotExercised {
			v.Idle = append(v.Idle, c)
		} else {
			v.Cards = append(v.Cards, c)
		}
		for _, verdict := range group {
			p.tally(v, &verdict)
			one := c
			one.Subjects = []string{p.plain(verdict.Subject)}
			switch {
			case verdict.Kind == "fault" || verdict.Kind == "required":
				of[verdict.Subject] = one
			case verdict.Kind == "expectation" && verdict.Grades == "state":
				v.State = append(v.State, one)
			case verdict.Kind == "expectation":
				v.Order = append(v.Order, one)
			}
		}
	}
	p.faults(v, r, of)
}

// faults puts each rule beside its verdict, the worst first.
func (p *packer) faults(v *view, r *Report, of map[string]card) {
	for _, f := range r.Faults {
		row := faultRow{Rule: p.plain(f.Rule), Fault: p.plain(f.Fault), Met: p.met(f)}
		c, judged := of[f.Rule]
		if judged {
			row.Cards = []card{c}
		}
		if f.Fired == 0 && (!judged || c.Class == "idle") {
			v.Unmet = append(v.Unmet, row)
		} else {
			v.Struck = append(v.Struck, row)
		}
	}
	place := func(row faultRow) int {
		if len(row.Cards) == 0 {
			return len(tones())
		}
		return slices.Index(tones(), row.Cards[0].Class)
	}
	slices.SortStableFunc(v.Struck, func(a, b faultRow) int { return place(a) - place(b) })
}

// tones are how verdicts look, the worst first.
func tones() []string { return []string{"bad", "warn", "good", "idle"} }

func (p *packer) tally(v *view, verdict *trail.Verdict) {
	label, class := labelled(verdict)
	for i := range v.Tallies {
		if v.Tallies[i].Label == strings.ToLower(label) {
			v.Tallies[i].Count++
			return
		}
	}
	v.Tallies = append(v.Tallies, tally{strings.ToLower(label), class, 1})
}

// labelled gives the word for a verdict, and its tone.
func labelled(v *trail.Verdict) (label, class string) {
	word, _, place := heading(v)
	return upper(strings.ToLower(word)), []string{"bad", "warn", "warn", "good", "idle"}[place]
}

func (p *packer) card(r *Report, group block) card {
	v := group.main()
	c := card{Kind: v.Kind, Why: p.sentence(v.Why), Settle: p.sentence(r.Settles(v)), Headline: p.sentence(v.Headline)}
	for _, mend := range group.remedies() {
		c.Remedies = append(c.Remedies, p.sentence(mend))
	}
	for _, why := range group.because() {
		c.Because = append(c.Because, p.plain(why))
	}
	for _, name := range group.by() {
		c.By = append(c.By, p.plain(name))
	}
	if v.Kind == "expectation" && v.Grades != "" {
		c.Kind = "expectation about " + v.Grades
	}
	c.Label, c.Class = labelled(v)
	if v.At != nil {
		c.At = p.plain(v.At.String())
	}
	for _, one := range group {
		c.Subjects = append(c.Subjects, p.plain(one.Subject))
	}
	for _, line := range v.Lines {
		var story [][]piece
		for _, step := range strings.Split(line, gap) {
			story = append(story, p.linked(step))
		}
		c.Stories = append(c.Stories, story)
	}
	for _, name := range v.Weakened {
		c.Weakened = append(c.Weakened, p.plain(name))
	}
	c.Basis = p.basis(&v.Scope)
	for i, seq := range v.Evidence {
		if i == mostShots {
			c.More = len(v.Evidence) - i
			break
		}
		if e := p.listed(seq); e != nil {
			c.Evidence = append(c.Evidence, p.shot(e))
		}
	}
	return c
}

// sentence masks a text, and begins it as a sentence begins.
func (p *packer) sentence(s string) string { return upper(p.plain(s)) }

// basis says what a verdict rests on.
func (p *packer) basis(s *trail.Basis) []string {
	var lines []string
	if s.Fired > 0 {
		lines = append(lines, "The fault struck "+often(s.Fired))
	}
	if len(s.Operations) > 0 {
		said := strings.Join(s.Operations, ", ")
		if len(s.Fidelity) > 0 {
			said += " (" + fidelity(s.Fidelity) + ")"
		}
		lines = append(lines, "Operations: "+said)
	}
	if len(s.Properties) > 0 {
		lines = append(lines, "Rests on: "+strings.Join(s.Properties, ", "))
	}
	if len(s.Differences) > 0 {
		lines = append(lines, "Known differences that cover it: "+strings.Join(s.Differences, ", "))
	}
	for i := range lines {
		lines[i] = p.plain(lines[i])
	}
	return lines
}

func (p *packer) shot(e *trail.Event) shot {
	settled, ok := p.settlements[e.Seq]
	service, what := p.about(e)
	s := shot{Frame: e.Seq, At: e.At.Time().Format("15:04:05.000"), What: strings.TrimSpace(service + " " + what), Happened: p.words(e, settled, ok)}
	status := 0
	switch x := e.Exchange; {
	case x != nil && !x.Wire.NoHead && !x.Wire.HeadCut:
		status = x.Status
	case e.Delivery != nil:
		status = e.Delivery.Status
	}
	s.Status, s.StatusClass = "–", "none"
	if status > 0 {
		s.Status, s.StatusClass = strconv.Itoa(status), strconv.Itoa(status/100)+"xx"
	}
	return s
}

// met says how often a rule came into it.
func (p *packer) met(f trail.RuleCount) []string {
	lines := []string{"About " + words.Count(f.Matched, "call") + ", struck " + often(f.Fired)}
	if f.Required {
		lines[0] += "; required"
	}
	if f.Outranked > 0 {
		lines = append(lines, "Outranked by other rules "+often(f.Outranked))
	}
	if f.Unknown > 0 {
		lines = append(lines, p.plain(fmt.Sprintf("Its condition could not be evaluated %s: %s", often(f.Unknown), f.Unknowing)))
	}
	if f.Swallowed > 0 {
		lines = append(lines, fmt.Sprintf("The SDK's own retry hid it in %s; trigger: {tries: %d} reaches past it", words.Count(f.Swallowed, "intent"), f.Tries))
	}
	return lines
}

// listed gives an event, if the page lists it.
func (p *packer) listed(seq uint64) *trail.Event {
	i, ok := slices.BinarySearchFunc(p.events, seq, func(e *trail.Event, seq uint64) int {
		switch {
		case e.Seq < seq:
			return -1
		case e.Seq > seq:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return p.events[i]
}

// linked cuts a text where it names frames that are listed, and where it has
// something to type.
func (p *packer) linked(s string) []piece {
	s = p.plain(s)
	var pieces []piece
	from := 0
	for _, at := range p.named.FindAllStringIndex(s, -1) {
		one := piece{Text: s[at[0]:at[1]]}
		if s[at[0]] == '`' {
			one.Text, one.Code = s[at[0]+1:at[1]-1], true
		} else if seq, err := strconv.ParseUint(one.Text[1:], 10, 64); err == nil && p.listed(seq) != nil {
			one.Frame = seq
		} else {
			continue
		}
		if at[0] > from {
			pieces = append(pieces, piece{Text: s[from:at[0]]})
		}
		pieces = append(pieces, one)
		from = at[1]
	}
	if from < len(s) {
		pieces = append(pieces, piece{Text: s[from:]})
	}
	return pieces
}
