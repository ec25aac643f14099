package report

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/specs/words"
)

// Terminal writes the report for people to read.
func Terminal(w io.Writer, r Report, o Options) error {
	p := newPage(o)
	p.missing(r.Missing)
	p.head(&r)
	p.dead(&r)
	switch {
	case r.NoTraffic():
		p.noTraffic(&r)
		p.blocks(&r, func(b block) bool { return b.main().Result == trail.InvalidRun })
	default:
		p.blocks(&r, func(b block) bool { return b.grades() == "" })
		p.expected(&r, "order", "Expected of the calls and their order")
		p.expected(&r, "state", "Expected of what became of the world")
	}
	p.defects(&r)
	p.irreversible(&r)
	p.scope(&r)
	p.proposed(&r)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// head is the one line that says which run this is.
func (p *page) head(r *Report) {
	parts := []string{"run " + r.Run}
	if r.Profile != "" {
		name := r.Profile
		if n := len(r.Revisions); n > 0 {
			name += "@" + short(r.Revisions[n-1].Hash)
		}
		parts = append(parts, name)
	}
	parts = append(parts, "seed "+strconv.FormatUint(r.Seed, 10), words.Count(r.Exchanges, "call"))
	if !r.Ended {
		parts = append(parts, "still going")
	}
	if a := r.Agent; a != nil && a.Started {
		parts = append(parts, r.agent()+" "+a.exited())
	}
	for i, line := range fold(p.plain(strings.Join(parts, gap)), p.width, p.width-2) {
		p.out.WriteString(strings.Repeat("  ", min(i, 1)) + p.paint(faint(), line) + "\n")
	}
	if n := len(r.Revisions); n > 1 {
		words := make([]string, n)
		for i, rev := range r.Revisions {
			words[i] = fmt.Sprintf("%s from #%d", short(rev.Hash), rev.From)
		}
		p.text(0, "The profile changed while it ran: "+strings.Join(words, ", "))
	}
	p.armed(r.Armed)
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

func short(hash string) string { return hash[:min(len(hash), 8)] }

// agent is what to call the agent.
func (r *Report) agent() string {
	if len(r.Command) == 0 {
		return "the agent"
	}
	return filepath.Base(r.Command[0])
}

// heading gives the word for a verdict, its colour, and its place.
func heading(v *trail.Verdict) (string, ink, int) {
	switch {
	case v.Result == trail.Failed:
		return "FAILED", red(), 0
	case v.Result == trail.InvalidRun:
		return "INVALID", yellow(), 1
	case v.Reaction == trail.CutShort:
		return "CUT SHORT", yellow(), 2
	case v.Result == trail.NotEvaluated:
		return "NOT EVALUATED", yellow(), 2
	case v.Result == trail.NotExercised:
		return "NOT EXERCISED", faint(), 4
	case v.Kind == "fault":
		return "HANDLED", green(), 3
	}
	return "HELD", green(), 3
}

// verdicts writes those that are to be kept, each cause once.
func (p *page) verdicts(r *Report, wanted func(trail.Verdict) bool) {
	p.blocks(r, func(b block) bool { return slices.ContainsFunc(b, wanted) })
}

// blocks writes the blocks that are to be kept, the worst first.
func (p *page) blocks(r *Report, wanted func(block) bool) {
	blocks := grouped(slices.DeleteFunc(slices.Clone(r.Verdicts), func(v trail.Verdict) bool { return quiet(&v) }))
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return !wanted(b) })
	column := 0
	for _, b := range blocks {
		label, _, _ := heading(b.main())
		column = max(column, len(label)+2)
	}
	for _, b := range blocks {
		p.blank()
		label, paint, _ := heading(b.main())
		label += strings.Repeat(" ", column-len(label))
		if head := b.main().Headline; head != "" {
			p.labelled(label, paint, head, column)
		} else {
			for _, v := range b {
				p.labelled(label, paint, v.Subject, column)
			}
		}
		p.block(r, b)
	}
}

// expected writes the verdicts on what the profile expects, those that grade one
// thing apart from the others.
func (p *page) expected(r *Report, grades, title string) {
	held, all := 0, 0
	var above []string // told with what else found the same
	for _, b := range grouped(r.Verdicts) {
		for _, v := range b {
			if v.Kind == "expectation" && v.Grades == grades && b.grades() != grades {
				above = append(above, v.Subject)
			}
		}
	}
	for _, v := range r.Verdicts {
		if v.Kind == "expectation" && v.Grades == grades {
			all++
			if v.Result == trail.Passed {
				held++
			}
		}
	}
	if all == 0 {
		return
	}
	p.blank()
	p.out.WriteString(p.paint(bold(), fmt.Sprintf("%s: %d of %d held", title, held, all)) + "\n")
	if len(above) > 0 {
		p.text(2, strings.Join(above, ", ")+": told above")
	}
	p.blocks(r, func(b block) bool { return b.grades() == grades })
}

// quiet tells a rule that is always judged and has nothing to tell: it met
// nothing, or nothing that it is about was seen.
func quiet(v *trail.Verdict) bool {
	return v.Kind == "always" && (v.Result == trail.NotExercised || v.Result == trail.Passed && len(v.Lines) == 0)
}

// verdict writes what there is to say of one verdict.
func (p *page) verdict(r *Report, v *trail.Verdict) { p.block(r, block{*v}) }

// block writes what there is to say of a cause.
func (p *page) block(r *Report, b block) {
	v := b.main()
	for _, line := range v.Lines {
		p.text(2, line)
	}
	if v.Why != "" {
		p.text(2, upper(v.Why))
	}
	if how := r.Settles(v); how != "" {
		p.text(2, "To settle it, "+how)
	}
	for _, mend := range b.remedies() {
		p.text(2, "Mend: "+mend)
	}
	if v.Headline == "" && v.Kind == "expectation" && v.At != nil && v.Result != trail.Passed {
		p.text(2, fmt.Sprintf("Expected in %s:%d", v.At.File, v.At.Line))
	}
	if v.Result == trail.Failed || v.Result == trail.InvalidRun {
		for _, why := range b.because() {
			p.text(2, "Because: "+why)
		}
	}
	if v.Headline != "" {
		for i, line := range fold(p.plain("by "+strings.Join(b.by(), ", ")), p.width-2, p.width-4) {
			p.out.WriteString("  " + strings.Repeat("  ", min(i, 1)) + p.paint(faint(), line) + "\n")
		}
	}
}

func upper(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// noTraffic says, loudly, that the run shows nothing, and why that may be.
func (p *page) noTraffic(r *Report) {
	p.blank()
	name := r.agent()
	p.labelled("NO TRAFFIC  ", red(), "Nothing that "+name+" did reached a service of this gateway. This run shows nothing.", 12)
	p.text(2, "Likely reasons:")
	for _, reason := range likely(r) {
		p.text(2, "- "+reason)
	}
}

// likely says why nothing may have reached a service.
func likely(r *Report) []string {
	var reasons []string
	if c := r.Contained; c != nil && c.Yes { // nothing goes past the gateway
		if len(r.Denied) > 0 {
			reasons = append(reasons, "it called only what no service here answers for; it is listed below")
		}
		return append(reasons, "it trusts no certificates but its own: `parity ca` says how each client trusts ours", "it never came to call anything"+exited(r))
	}
	if len(r.Denied) > 0 {
		reasons = append(reasons, "it called only hosts that no service here answers for; they are listed below")
	}
	const atOnce = 5 * time.Second
	if a := r.Agent; a != nil && a.Started && a.Exit != 0 && a.Took < atOnce && len(reasons) == 0 {
		return []string{
			"it never came to call anything" + exited(r) + "; what it said stands above",
			"its calls went past the gateway: `parity ca` and `parity env` say what it takes",
		}
	}
	return append(reasons,
		"it ignores proxy variables, as many HTTP libraries do: give it the base URL http://HOST:PORT/SERVICE of the data port, which `parity serve` prints",
		"it talks to localhost or to an address of its own, which goes past every proxy",
		"it pins certificates or brings its own CA file: `parity ca` says how each client trusts ours",
		"its calls are made by another process, or in a container, that did not get its environment: `parity env`",
		"it never came to call anything"+exited(r),
	)
}

func exited(r *Report) string {
	if r.Agent == nil || !r.Agent.Started {
		return ""
	}
	return ": it " + r.Agent.exited() + " after " + span(r.Agent.Took)
}

// exited is how the agent ended.
func (a *Agent) exited() string {
	text := fmt.Sprintf("exited %d", a.Exit)
	if a.Limit != "" {
		text += " (" + a.Limit + ")"
	}
	return text
}

// defects owns up to what Parity broke.
func (p *page) defects(r *Report) {
	if len(r.Defects) == 0 {
		return
	}
	p.blank()
	p.labelled("OUR FAULT  ", red(), "Parity itself broke "+words.Count(len(r.Defects), "call")+"; nothing about this run can be trusted.", 11)
	for i, d := range r.Defects {
		if i == 5 {
			p.text(2, fmt.Sprintf("and %d more", len(r.Defects)-i))
			break
		}
		p.text(2, fmt.Sprintf("#%d %s", d.Seq, d.Note))
	}
	p.text(2, "Please report it, with what `parity trace "+r.Run+"` shows of these.")
}

// irreversible ends a run without faults with what it would be worth losing.
func (p *page) irreversible(r *Report) {
	var calls []trail.Touched
	width, total := 0, 0
	for _, t := range r.Operations {
		if t.Effect == "irreversible" && t.Committed > 0 {
			calls = append(calls, t)
			width, total = max(width, len(t.Operation)), total+t.Committed
		}
	}
	if len(r.Faults) > 0 || len(calls) == 0 {
		return
	}
	p.blank()
	p.text(0, fmt.Sprintf("No faults were set, and %s made %s that cannot be undone:", r.agent(), words.Count(total, "call")))
	for _, t := range calls {
		p.text(2, fmt.Sprintf("%-*s%s%s, first #%d", width, t.Operation, gap, words.Count(t.Committed, "call"), t.First))
	}
	p.text(0, "See what it does when the reply is lost, and with every fault that fits each of its calls:")
	p.command("  ", nil, r.otherwise("--cell", calls[0].Operation+" × ambiguous-success"))
	p.command("  ", nil, r.otherwise("--sweep"))
}
