package report

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// weighed are the properties that known differences weaken, those first by whose
// want most is lost.
func weighed() []string {
	return []string{"effects", "settlement", "delivery", "freshness", "limits", "timing", "auth", "volume", "content"}
}

// weakened says, for each property that known differences weaken, what nothing
// in the run shows. A difference that weakens several is told of once, and named
// with the others.
func weakened(r *Report) []string {
	var lines []string
	told := map[string]bool{}
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
		slices.SortStableFunc(of, func(a, b trail.Difference) int { return rankOf(&a, told) - rankOf(&b, told) })
		line := property
		if so := strings.TrimSuffix(of[0].So, "."); so != "" && !told[of[0].Name] {
			line += ": " + so
		}
		told[of[0].Name] = true
		lines = append(lines, line+" ("+called(of)+")")
	}
	return lines
}

// rankOf puts what there is still to say something about first, and of that what
// nobody has accepted.
func rankOf(d *trail.Difference, told map[string]bool) int {
	switch {
	case told[d.Name] || d.So == "":
		return 2
	case d.Accepted != nil && d.Accepted.Standing != trail.Expired:
		return 1
	}
	return 0
}

// called names the first of some differences, with who accepted it, and counts
// the others.
func called(of []trail.Difference) string {
	name := of[0].Name
	if a := of[0].Accepted; a != nil && a.By != "" && a.Standing != trail.Expired {
		name += ", accepted by " + a.By
	}
	if len(of) > 1 {
		name += ", and " + words.Count(len(of)-1, "other")
	}
	return name
}

// unprovedRows writes what the run is no evidence of.
func (p *page) unprovedRows(r *Report) {
	lines := weakened(r)
	if loose := unshown(r); len(loose) > 0 {
		lines = append([]string{strings.Join(loose, "; ")}, lines...)
	}
	p.row("NOT proved", bold(), lines[0])
	for _, line := range lines[1:] {
		p.labelled(strings.Repeat(" ", 12), nil, line, 14)
	}
	if n, m := len(r.Differences), len(r.Untouched); n > 1 || m > 0 {
		p.labelled(strings.Repeat(" ", 12), nil, fmt.Sprintf("%s touched, and %d not: parity report -o json has them", words.Count(n, "known difference"), m), 14)
	}
}

// acceptances writes which acceptances have run out, or will soon.
func (p *page) acceptances(r *Report) {
	for _, d := range r.Differences {
		if said := lapse(&d); said != "" {
			p.row("Accepted", yellow(), said)
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
