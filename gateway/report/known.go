package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// weighed are the properties that known differences weaken, those first by whose
// want most is lost.
func weighed() []string {
	return []string{"effects", "settlement", "delivery", "freshness", "limits", "timing", "auth", "volume", "content"}
}

// A loss is one sentence on what nothing in the run shows: of which properties,
// and because of which differences.
type loss struct {
	properties []string
	first      trail.Difference
	others     map[string]bool
}

// weakened says what nothing in the run shows, for each property that known
// differences weaken. A difference that weakens several is told of once.
func weakened(r *Report) []string {
	var losses []*loss
	by := map[string]*loss{}
	for _, property := range weighed() {
		var of []trail.Difference
		for _, d := range r.Differences {
			if slices.Contains(d.Weakens, property) {
				of = append(of, d)
			}
		}
		if len(of) == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b trail.Difference) int { return rankOf(&a, by) - rankOf(&b, by) })
		l := by[of[0].Name]
		if l == nil {
			l = &loss{first: of[0], others: map[string]bool{}}
			by[of[0].Name], losses = l, append(losses, l)
		}
		l.properties = append(l.properties, property)
		for _, d := range of[1:] {
			l.others[d.Name] = true
		}
	}
	lines := make([]string, len(losses))
	for i, l := range losses {
		lines[i] = l.String()
	}
	return append(lines, diverged(r)...)
}

// diverged names what production did after a rehearsal had passed, for as long
// as the profile does not show it.
func diverged(r *Report) []string {
	var lines []string
	for _, d := range r.Divergences {
		line := "what failed in production on " + d.Date + " though rehearsal " + d.Run + " had passed: " + strings.TrimSuffix(d.Production, ".")
		if d.Missing != "" {
			line += "; the profile lacks: " + strings.TrimSuffix(d.Missing, ".")
		}
		lines = append(lines, line+" (divergence "+d.Name+", open)")
	}
	return lines
}

// String is the sentence, with who accepted the difference that it is about.
func (l *loss) String() string {
	line := strings.Join(l.properties, ", ")
	if so := strings.TrimSuffix(l.first.So, "."); so != "" {
		line += ": " + so
	}
	name := l.first.Name
	if a := l.first.Accepted; a != nil && a.By != "" && a.Standing != trail.Expired {
		name += ", accepted by " + a.By
	}
	if n := len(l.others); n > 0 {
		name += ", and " + words.Count(n, "other")
	}
	return line + " (" + name + ")"
}

// rankOf puts what there is still to say something about first, and of that what
// nobody has accepted.
func rankOf(d *trail.Difference, losses map[string]*loss) int {
	switch {
	case losses[d.Name] != nil || d.So == "":
		return 2
	case d.Accepted != nil && d.Accepted.Standing != trail.Expired:
		return 1
	}
	return 0
}

// unproved writes what a run is no evidence of: some loose parts, and what its
// known differences weaken; the latter in short, unless all is asked for.
func (p *page) unproved(r *Report, loose []string) {
	lines := append(diverged(r), differing(r, "parity report -v"))
	if p.verbose {
		lines = append(weakened(r), untouched(r))
	}
	if len(loose) > 0 {
		lines = append([]string{strings.Join(loose, "; ")}, lines...)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	p.row("NOT proved", bold(), lines[0])
	for _, line := range lines[1:] {
		p.labelled(strings.Repeat(" ", 12), nil, line, 14)
	}
}

// differing counts the known differences, those that the run touched first, with
// what these leave unproved, and says where they are listed.
func differing(r *Report, where string) string {
	var weak []string
	for _, property := range weighed() {
		if slices.ContainsFunc(r.Differences, func(d trail.Difference) bool { return slices.Contains(d.Weakens, property) }) {
			weak = append(weak, property)
		}
	}
	text := words.Count(len(r.Differences), "known difference") + " from production touched what was called"
	if len(weak) > 0 {
		text += " (" + strings.Join(weak, ", ") + ")"
	}
	switch n := len(r.Untouched); {
	case len(r.Differences) == 0:
		return ""
	case n > 0:
		text += fmt.Sprintf(", %d did not", n)
	}
	return text + ": " + where
}

// untouched counts the known differences besides those that are listed.
func untouched(r *Report) string {
	if len(r.Untouched) == 0 {
		return ""
	}
	return words.Count(len(r.Untouched), "known difference") + " touched nothing that was called: parity report -o json"
}

// acceptances writes which acceptances have run out, or will soon.
func (p *page) acceptances(r *Report) {
	for _, d := range r.Differences {
		if text := lapse(&d); text != "" {
			p.row("Accepted", yellow(), text)
		}
	}
}

// lapse says that an acceptance has run out, or will soon; "" where it holds.
func lapse(d *trail.Difference) string {
	if d.Accepted == nil {
		return ""
	}
	switch d.Accepted.Standing {
	case trail.Expired:
		return d.Name + ", by " + d.Accepted.By + " until " + d.Accepted.Until + ", which had passed: nothing passes on what it covers. Look at it again, and accept it anew in the profile"
	case trail.Expiring:
		return d.Name + ", by " + d.Accepted.By + " until " + d.Accepted.Until + ", which is near: from that day on nothing passes on what it covers"
	}
	return ""
}

// lapsed tells of each acceptance that had expired as of something judged: with
// --strict it has failed the run, and otherwise it keeps it from proving things.
func (r *Report) lapsed() []trail.Verdict {
	var all []trail.Verdict
	for _, d := range r.Differences {
		if d.Accepted == nil || d.Accepted.Standing != trail.Expired {
			continue
		}
		v := trail.Verdict{Subject: d.Name, Kind: "difference", Result: trail.NotEvaluated, Why: lapse(&d)}
		if r.Strict {
			v.Result = trail.Failed
		}
		all = append(all, v)
	}
	return all
}

// mostShown bounds the differences that a terminal shows in full.
const mostShown = 3

// proposed writes the differences that the run noticed and that its profile does
// not declare, to be pasted into it: as they are, not wrapped.
func (p *page) proposed(r *Report) {
	if len(r.Proposed) == 0 {
		return
	}
	p.blank()
	it := "it"
	if len(r.Proposed) > 1 {
		it = "them"
	}
	p.row("Undeclared", bold(), words.Count(len(r.Proposed), "difference")+" from production that the profile does not name. Read "+it+", and paste "+it+" into the profile:")
	p.blank()
	shown := 0
	for line := range strings.Lines(r.Declare) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") {
			if shown++; shown > mostShown {
				break
			}
		}
		p.command("", nil, line)
	}
	if more := len(r.Proposed) - mostShown; more > 0 {
		p.text(0, "  # and "+strconv.Itoa(more)+" more: parity report -o json has all, as proposed_yaml")
	}
}
