package report

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults/trail"
)

// A cause is told once: verdicts that rest on the same calls, and say the same of
// them, are one block, headed by what happened. What found it stands beneath.
//
//	FAILED  charged twice: 98.00 USD
//	  #14 charged, reply lost   #15 sent again with a new key: 2 charges, 98.00 USD
//	  Mend: …
//	  by lose, always: one effect per intent

// block is the verdicts on one cause; the first says most.
type block []trail.Verdict

// grouped sorts verdicts, the worst first, and puts those together of which one
// block says all.
func grouped(list []trail.Verdict) []block {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b trail.Verdict) int {
		_, _, x := heading(&a)
		_, _, y := heading(&b)
		return x - y
	})
	var blocks []block
	for _, v := range list {
		var one block
		blocks = slices.DeleteFunc(blocks, func(b block) bool {
			joins := slices.ContainsFunc(b, func(other trail.Verdict) bool { return alike(&other, &v) })
			if joins {
				one = append(one, b...) // it may join several
			}
			return joins
		})
		blocks = append(blocks, append(one, v))
	}
	for _, b := range blocks {
		slices.SortStableFunc(b, func(x, y trail.Verdict) int { return len(y.Evidence) - len(x.Evidence) })
	}
	slices.SortStableFunc(blocks, func(a, b block) int { return place(list, a) - place(list, b) })
	return blocks
}

// place is where the first verdict of a block stands in a list.
func place(list []trail.Verdict, b block) int {
	return slices.IndexFunc(list, func(v trail.Verdict) bool {
		return slices.ContainsFunc(b, func(one trail.Verdict) bool { return one.Subject == v.Subject && one.Kind == v.Kind })
	})
}

// alike tells verdicts of which one block says all: what failed for the same
// cause, what leaves the same open, and what was not exercised for the same reason.
func alike(a, b *trail.Verdict) bool {
	if a.Result != b.Result || a.Why != b.Why && a.Result != trail.Failed {
		return false
	}
	switch a.Result {
	case trail.Failed:
		if a.Headline == "" || b.Headline == "" {
			return a.Headline == b.Headline && slices.Equal(a.Lines, b.Lines)
		}
		return overlap(a.Headline, b.Headline) && (within(a.Evidence, b.Evidence) || within(b.Evidence, a.Evidence))
	case trail.NotEvaluated:
		return len(a.Lines) > 0 && len(a.Weakened)+len(b.Weakened) == 0 && a.Reaction != trail.CutShort && b.Reaction != trail.CutShort &&
			slices.Equal(a.Lines, b.Lines) && slices.Equal(a.Evidence, b.Evidence)
	case trail.NotExercised:
		return slices.Equal(a.Lines, b.Lines)
	}
	return false
}

// overlap tells headlines that name a cause both.
func overlap(a, b string) bool {
	const apart = "; "
	return slices.ContainsFunc(strings.Split(a, apart), func(cause string) bool { return slices.Contains(strings.Split(b, apart), cause) })
}

func within(some, all []uint64) bool {
	return !slices.ContainsFunc(some, func(seq uint64) bool { return !slices.Contains(all, seq) })
}

// main is the verdict that says most.
func (b block) main() *trail.Verdict { return &b[0] }

// remedies are the ways to do better that its verdicts know. What an expectation says
// of any double is left out where a rule says what would have been right here.
func (b block) remedies() []string {
	rules := b.each(func(v *trail.Verdict) string {
		if v.Kind == "expectation" {
			return ""
		}
		return v.Mend
	})
	if len(rules) > 0 {
		return rules
	}
	return b.each(func(v *trail.Verdict) string { return v.Mend })
}

// because are the reasons why the profile has its rules.
func (b block) because() []string {
	return b.each(func(v *trail.Verdict) string { return v.Because })
}

func (b block) each(text func(v *trail.Verdict) string) []string {
	var all []string
	for i := range b {
		if s := text(&b[i]); s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// found are its verdicts by their kind: rules, then what is always judged.
func (b block) found() block {
	found := slices.Clone(b)
	slices.SortStableFunc(found, func(x, y trail.Verdict) int { return rank(&x) - rank(&y) })
	return found
}

// by names what found a cause, and where the profile has it.
func (b block) by() []string {
	found := b.found()
	names := make([]string, len(found))
	for i := range found {
		names[i] = found[i].Subject
		if at := found[i].At; at != nil {
			names[i] += fmt.Sprintf(" (%s:%d)", at.File, at.Line)
		}
	}
	return names
}

// grades is what a block of expectations grades; "": it has others as well, and
// stands with what they found.
func (b block) grades() string {
	if slices.ContainsFunc(b, func(v trail.Verdict) bool { return v.Kind != "expectation" }) {
		return ""
	}
	return b.main().Grades
}

// rank is where the kind of a verdict stands among those that found a cause.
func rank(v *trail.Verdict) int {
	return slices.Index([]string{"fault", "required", "expectation", "always"}, v.Kind)
}

// causes heads what failed, each cause once.
func (r *Report) causes() []string {
	var all []string
	for _, b := range grouped(slices.DeleteFunc(slices.Clone(r.Verdicts), func(v trail.Verdict) bool { return v.Result != trail.Failed })) {
		head := b.main().Headline
		if head == "" {
			head = strings.TrimPrefix(b.main().Subject, trail.Always) + " failed"
		}
		if !slices.Contains(all, head) {
			all = append(all, head)
		}
	}
	return all
}
