package report

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"parity/specs/words"
)

// NumbersJSON writes what many runs come to for programs.
func NumbersJSON(w io.Writer, n Numbers) error {
	m := newMasker()
	n.Command = m.command(n.Command)
	return m.document(w, listed(reflect.ValueOf(n)).Interface())
}

// NumbersText writes what many runs come to for people to read: the runs, how
// often they passed, what was found how often, what differs between runs of one
// seed, and the smallest seed that fails. Of one run, it writes the report.
func NumbersText(w io.Writer, n Numbers, o Options) error {
	if one := n.Trials; len(one) == 1 && one[0].Report != nil {
		return Terminal(w, *one[0].Report, o)
	}
	p := newPage(o)
	p.trials(n.Trials)
	p.rates(&n)
	for i := range n.Profiles {
		p.counts(&n.Profiles[i], len(n.Profiles) > 1)
	}
	p.unsettled(&n)
	for i := range n.Profiles {
		p.failing(&n.Profiles[i])
	}
	p.scopes(&n)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// mostTrials bounds the runs that a text lists.
const mostTrials = 40

func resultInk(r Result) ink {
	switch r {
	case RunPassed:
		return green()
	case RunFailed, RunBroken:
		return red()
	case RunLeft:
		return faint()
	}
	return yellow()
}

// trials lists the runs; of many, those that did not pass.
func (p *page) trials(all []Trial) {
	shown := slices.Clone(all)
	if len(shown) > mostTrials {
		shown = slices.DeleteFunc(shown, func(t Trial) bool { return t.Result == RunPassed || t.Result == RunLeft })
	}
	profile, seed := len("profile"), len("seed")
	for i := range shown {
		profile, seed = max(profile, len(shown[i].Profile)), max(seed, len(shown[i].seed()))
	}
	if len(shown) > 0 {
		p.out.WriteString(p.paint(faint(), fmt.Sprintf("%-*s  %*s  %-9s  run", profile, "profile", seed, "seed", "result")) + "\n")
	}
	for i, t := range shown {
		if i == mostTrials {
			p.text(0, fmt.Sprintf("and %d more; -o json has all", len(shown)-i))
			break
		}
		label := fmt.Sprintf("%-*s  %*s  ", profile, p.plain(t.Profile), seed, t.seed())
		rest := t.Run
		if t.Twin != nil {
			rest += ", twin " + t.Twin.Run
		}
		if t.Why != "" && rest != "" {
			rest += gap
		}
		result := p.paint(resultInk(t.Result), string(t.Result)) + strings.Repeat(" ", max(0, 9-len(t.Result)))
		p.out.WriteString(label + result + "  " + p.plain(rest+t.Why) + "\n")
	}
	if left := len(all) - len(shown); left > 0 {
		p.text(0, words.Count(left, "run")+" that passed or were left out are not listed; -o json has all")
	}
}

// ks are those of pass^k that a table shows.
func ks(n int) []int {
	var all []int
	for _, k := range []int{1, 2, 3, 5, 10, 20, 50, 100, 1000} {
		if k < n {
			all = append(all, k)
		}
	}
	if n > 0 {
		all = append(all, n)
	}
	return all
}

// rates writes how often runs passed, for each profile and in all.
func (p *page) rates(n *Numbers) {
	p.blank()
	type line struct {
		name string
		Rate
	}
	var lines []line
	name := len("passed")
	for _, of := range n.Profiles {
		lines = append(lines, line{of.Profile, of.Rate})
		name = max(name, len(of.Profile))
	}
	if len(lines) > 1 {
		lines = append(lines, line{"in all", n.Rate})
	}
	most := 0
	for _, l := range lines {
		most = max(most, l.Counted)
	}
	head := fmt.Sprintf("%-*s  %-12s", name, "", "passed")
	for _, k := range ks(most) {
		head += fmt.Sprintf("  %8s", fmt.Sprintf("pass^%d", k))
	}
	p.out.WriteString(p.paint(faint(), strings.TrimRight(head, " ")) + "\n")
	for _, l := range lines {
		text := fmt.Sprintf("%-*s  %-12s", name, p.plain(l.name), fmt.Sprintf("%d of %d", l.Passed, l.Counted))
		for _, k := range ks(most) {
			share := ""
			if k <= len(l.PassK) {
				share = fmt.Sprintf("%.3f", l.PassK[k-1])
			}
			text += fmt.Sprintf("  %8s", share)
		}
		p.out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	if uncounted := n.Runs - n.Counted; uncounted > 0 {
		p.text(0, words.Count(uncounted, "run")+" not counted: "+reasons(n.Trials))
	}
	if hint := n.byExit(); hint != "" {
		p.text(0, hint)
	}
	if len(n.Profiles) == 1 {
		p.room(&n.Rate)
	}
}

// byExit says of runs that count as failed by nothing but the agent's exit code
// what to do where that is how the agent says that it rightly stopped.
func (n *Numbers) byExit() string {
	alone := 0
	for i := range n.Trials {
		if t := &n.Trials[i]; t.Result == RunFailed && len(t.Failed) == 0 && strings.HasPrefix(t.Why, exitedWith) {
			alone++
		}
	}
	if alone == 0 {
		return ""
	}
	return words.Count(alone, "run") + " failed by the agent's exit code alone: no verdict did. Where that code is how it says that it stopped, have verdicts alone decide: --exit verdict"
}

// reasons counts why runs were not counted.
func reasons(trials []Trial) string {
	counts := map[string]int{}
	for i := range trials {
		if t := &trials[i]; !t.counted() {
			counts[string(t.Result)+" ("+t.Why+")"]++
		}
	}
	return tallied(counts)
}

// tallied words counts, the highest first.
func tallied(counts map[string]int) string {
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return strings.Join(names, ", ")
}

// room says what runs that all passed leave open.
func (p *page) room(r *Rate) {
	if r.Counted > 0 && r.Passed == r.Counted {
		p.text(0, r.luck())
	}
}

// counts writes what was found of each thing, how often.
func (p *page) counts(n *ProfileNumbers, several bool) {
	if len(n.Verdicts) == 0 {
		return
	}
	p.blank()
	if several {
		p.out.WriteString(p.paint(bold(), p.plain(n.Profile)) + "\n")
	}
	width := 0
	for _, v := range n.Verdicts {
		width = max(width, len(v.Subject))
	}
	for _, v := range n.Verdicts {
		p.labelled(fmt.Sprintf("%-*s  ", width, p.plain(v.Subject)), nil, tallied(v.Counts), width+2)
	}
}

// unsettled names the verdicts that differ between runs of one seed.
func (p *page) unsettled(n *Numbers) {
	p.blank()
	repeated, any := false, false
	for _, of := range n.Profiles {
		repeated = repeated || of.Repeated
		for i, f := range of.Flaky {
			any = true
			if i == 0 || f.Seed != of.Flaky[i-1].Seed {
				p.labelled("FLAKY  ", yellow(), of.Profile+" seed "+number(f.Seed), 7)
			}
			p.text(2, f.tally())
		}
	}
	switch {
	case any:
		p.text(0, "One seed is one world, with the same faults for the same calls: what differs is the agent. `parity diff RUN RUN` shows where two of them part.")
	case repeated:
		p.text(0, "Runs of one profile and seed were judged alike, verdict by verdict.")
	default:
		p.text(0, "Whether an agent does the same again does not show where each seed is run once: --repeat 5.")
	}
}

// tally says how often what was found.
func (f *Flaky) tally() string {
	var parts []string
	for _, found := range slices.Sorted(maps.Keys(f.Runs)) {
		parts = append(parts, fmt.Sprintf("%s %d (as %s)", found, len(f.Runs[found]), f.Runs[found][0]))
	}
	return f.Subject + ": " + strings.Join(parts, ", ")
}

// failing tells of the smallest seed that fails, and how to see it again.
func (p *page) failing(n *ProfileNumbers) {
	t := n.Failing
	if t == nil {
		return
	}
	p.blank()
	p.labelled("FAILED  ", red(), n.Profile+": the smallest failing seed is "+t.seed()+", "+t.Why, 8)
	if len(t.Failed) > 0 {
		p.verdict(&Report{}, &t.Failed[0])
	}
	p.command("  Seen: ", nil, "parity report "+t.Run)
	p.command("  Again: ", nil, t.Again)
}

// scopes says what all runs leave open.
func (p *page) scopes(n *Numbers) {
	p.blank()
	p.row("Passed", bold(), "means valid, and no verdict failed. What was not exercised or not evaluated did not fail either")
	for _, of := range n.Profiles {
		if len(of.NotProved) > 0 {
			p.row("NOT proved", bold(), "by any run under "+of.Profile+": "+strings.Join(of.NotProved, "; "))
		}
	}
	if doubt := openRuns(n.Trials); doubt != "" {
		p.row("Open", yellow(), doubt)
	}
	p.row("Took", bold(), fmt.Sprintf("%s, %d at once", span(n.Took), n.Parallel))
	p.row("Exit", bold(), fmt.Sprint(n.Exit))
}

// leftOpen is what none of those of some runs that count proves.
func leftOpen(trials []Trial) []string {
	var all, weak []string
	first := true
	for i := range trials {
		t := &trials[i]
		if !t.counted() || t.Report == nil {
			continue
		}
		for _, d := range t.Report.Differences {
			weak = append(weak, d.Weakens...)
		}
		its := unshown(t.Report)
		if first {
			all, first = its, false
			continue
		}
		all = slices.DeleteFunc(all, func(part string) bool { return !slices.Contains(its, part) })
	}
	if slices.Sort(weak); len(weak) > 0 {
		all = append(all, "what known differences weaken: "+strings.Join(slices.Compact(weak), ", ")+" (the report of a run says how)")
	}
	return all
}
