package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// most is how many bytes a page has at most: GitHub takes comments of 65,536
// characters.
const most = 60_000

// Markdown writes the report for a manager or a pull request. It opens with what
// came of the run, and fits a screen where little went wrong. Nothing that
// came over the wire can be markup, mention, link or command in it, on GitHub or
// GitLab.
func Markdown(w io.Writer, r Report) error {
	d := &markdown{masker: newMasker()}
	last := d.closing(&r)
	d.room = most - len(last)
	d.result(&r)
	d.dead(&r)
	d.verdicts(&r)
	d.authority(&r)
	d.shadow(&r)
	d.unproved(&r)
	d.differences(&r)
	d.surface(&r)
	_, err := io.WriteString(w, d.out.String()+last)
	return err
}

// markdown is a page in the making, which takes no more than it has room for.
type markdown struct {
	*masker
	out  strings.Builder
	room int
}

// add writes a piece if there is room for it.
func (d *markdown) add(piece string) bool {
	if d.out.Len()+len(piece) > d.room {
		return false
	}
	d.out.WriteString(piece)
	return true
}

// rows writes the first few of some rows, and how many it left out: rest has a
// place for their number.
func (d *markdown) rows(all, few int, row func(i int) string, rest string) {
	const spare = 100 // for what is said of the rest
	d.room -= spare
	n := 0
	for n < min(all, few) && d.add(row(n)) {
		n++
	}
	d.room += spare
	if left := all - n; left > 0 {
		d.add(fmt.Sprintf(rest, left))
	}
}

// result is the line that says what came of the run.
func (d *markdown) result(r *Report) {
	came, why := r.Came()
	line := "### " + upper(string(came))
	if why != "" {
		line += ": " + d.text(why)
	}
	d.add(line + "\n\n")
}

// authority says what policy came to, and what its drafts would have done.
func (d *markdown) authority(r *Report) {
	rows := r.pageRows()
	if len(rows) == 0 {
		return
	}
	d.add("\n### What policy said\n\n")
	for _, row := range rows {
		d.add("- " + d.text(row.line()) + "\n")
	}
	if r.Policy == nil {
		return
	}
	d.rows(len(r.Policy.Drafts), 10, func(i int) string {
		k := &r.Policy.Drafts[i]
		return "- Would have done (" + d.text(k.Call+" #"+number(k.Event)) + "): " + d.text(strings.Join(k.Diff, "; ")) + "\n"
	}, "- and %d more drafts\n")
}

func (d *markdown) unproved(r *Report) {
	d.add("\n### What this rehearsal does not prove\n\n")
	all := append(unshown(r), diverged(r)...)
	if text := differing(r, "below"); text != "" {
		all = append(all, text)
	}
	for i := range r.Differences {
		if text := lapse(&r.Differences[i]); text != "" {
			all = append(all, "accepted: "+text)
		}
	}
	if doubt := r.doubt(); doubt != "" {
		all = slices.Insert(all, 0, "open: "+doubt)
	}
	for _, of := range r.World {
		if of.Nothing > 0 {
			all = slices.Insert(all, 0, r.emptiness(of))
		}
		if of.Refused > 0 {
			_, _, text := r.refusals(of)
			all = slices.Insert(all, 0, text)
		}
	}
	if text := r.declined(); text != "" {
		all = slices.Insert(all, 0, text)
	}
	if n := len(r.Defects); n > 0 {
		all = slices.Insert(all, 0, "anything: Parity itself broke "+words.Count(n, "call"))
	}
	if r.NoTraffic() {
		all = slices.Insert(all, 0, "anything: nothing that the agent did reached a service")
	}
	d.rows(len(all), 15, func(i int) string { return "- " + d.text(all[i]) + "\n" }, "- and %d more\n")
}

func (d *markdown) verdicts(r *Report) {
	var shown []trail.Verdict
	var held, idle []string
	for _, v := range r.Verdicts {
		switch v.Result {
		case trail.Passed:
			held = append(held, v.Subject)
		case trail.NotExercised:
			idle = append(idle, v.Subject)
		default:
			shown = append(shown, v)
		}
	}
	if groups := grouped(shown); len(groups) > 0 {
		d.add("| verdict | what happened | how to mend it | found by |\n| --- | --- | --- | --- |\n")
		d.rows(len(groups), 25, func(i int) string { return d.verdict(r, groups[i]) }, "| | and %d more | | |\n")
		d.add("\n")
	}
	d.list("Held", held)
	d.list("Not exercised", idle)
	d.add("Proved: " + d.text(proved(r)) + ".\n")
}

func (d *markdown) list(label string, names []string) {
	const few = 12
	if len(names) == 0 {
		return
	}
	text := label + " (" + strconv.Itoa(len(names)) + "): "
	for i, name := range names[:min(len(names), few)] {
		if i > 0 {
			text += ", "
		}
		text += d.text(name)
	}
	if left := len(names) - few; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	d.add(text + ".\n\n")
}

func (d *markdown) verdict(r *Report, b block) string {
	v := b.main()
	label, _, _ := heading(v)
	const few = 5
	var about []string
	for _, one := range b.found()[:min(len(b), few)] {
		about = append(about, d.about(r, &one))
	}
	if left := len(b) - few; left > 0 {
		about = append(about, fmt.Sprintf("and %d more", left))
	}
	var happened, remedy []string
	if v.Headline != "" {
		happened = append(happened, "**"+d.text(upper(v.Headline))+"**")
	}
	for _, line := range v.Lines {
		happened = append(happened, d.text(line))
	}
	if v.Why != "" {
		happened = append(happened, d.text(upper(v.Why)))
	}
	if how := r.Settles(v); how != "" {
		happened = append(happened, "To settle it, "+d.text(how))
	}
	for _, text := range b.remedies() {
		remedy = append(remedy, d.text(text))
	}
	for _, text := range b.because() {
		remedy = append(remedy, "Because: "+d.text(text))
	}
	return "| **" + strings.ToLower(label) + "** | " + strings.Join(happened, "<br>") + " | " + strings.Join(remedy, "<br>") + " | " + strings.Join(about, "<br>") + " |\n"
}

// about names what a verdict is about, its fault, and where the profile has it.
func (d *markdown) about(r *Report, v *trail.Verdict) string {
	about := d.text(v.Subject)
	if i := slices.IndexFunc(r.Faults, func(c trail.RuleCount) bool { return c.Rule == v.Subject }); i >= 0 && r.Faults[i].Fault != v.Subject {
		about += " (" + d.text(r.Faults[i].Fault) + ")"
	}
	if v.Grades != "" {
		about += " (" + d.text(v.Grades) + ")"
	}
	if v.At != nil {
		about += "<br>" + d.text(fmt.Sprintf("%s:%d", v.At.File, v.At.Line))
	}
	return about
}

// differences lists those that the run touched, folded away.
func (d *markdown) differences(r *Report) {
	const end = "\n</details>\n"
	d.room -= len(end)
	if len(r.Differences) == 0 || !d.add("\n<details><summary>Known differences from production: "+strconv.Itoa(len(r.Differences))+" touched, "+
		strconv.Itoa(len(r.Untouched))+" not</summary>\n\n| difference | weakens | calls | therefore | accepted |\n| --- | --- | ---: | --- | --- |\n") {
		return
	}
	d.rows(len(r.Differences), 15, func(i int) string {
		k := &r.Differences[i]
		return fmt.Sprintf("| %s | %s | %d | %s | %s |\n", d.text(k.Name), d.text(strings.Join(k.Weakens, ", ")), k.Exchanges, d.text(k.So), d.accepted(k.Accepted))
	}, "| and %d more | | | | |\n")
	d.room += len(end)
	d.add(end)
}

// accepted says who took a difference into account, and whether that still holds.
func (d *markdown) accepted(a *trail.Acceptance) string {
	if a == nil {
		return "by nobody"
	}
	text := "by " + d.text(a.By)
	if a.Until != "" {
		text += " until " + d.text(a.Until)
	}
	if a.Standing != trail.InForce {
		text += ", **" + string(a.Standing) + "**"
	}
	return text
}

// surface says what the agent touched, beside what it could have: operations, and
// hosts that nobody looked into or that it was kept from. It is folded away.
func (d *markdown) surface(r *Report) {
	const end = "\n</details>\n"
	hosts := len(r.Outside) + len(r.Denied)
	d.room -= len(end)
	if len(r.Operations)+hosts == 0 || !d.add("\n<details><summary>What it touched: "+words.Count(len(r.Operations), "operation")+", "+words.Count(hosts, "host")+
		" outside</summary>\n\n"+d.allowed(&r.Surface)+"| operation or host | effect | calls | changed something | answered |\n| --- | --- | ---: | ---: | --- |\n") {
		return
	}
	d.rows(len(r.Operations)+hosts, 100, func(i int) string {
		if i < len(r.Operations) {
			t := &r.Operations[i]
			return fmt.Sprintf("| %s | %s | %d | %d | %s |\n", d.text(t.Operation), d.text(t.Effect), t.Exchanges, t.Committed, d.text(fidelity(t.Fidelity)))
		}
		host, what := trail.HostCount{}, "unread"
		if i -= len(r.Operations); i < len(r.Outside) {
			host = r.Outside[i]
		} else {
			host, what = r.Denied[i-len(r.Outside)], "refused"
			if host.Protocol != "" {
				what = host.Protocol + ", refused"
			}
		}
		return fmt.Sprintf("| %s | %s | %d | | |\n", d.text(host.Host), what, host.Calls)
	}, "| and %d more | | | | |\n")
	d.room += len(end)
	d.add(end)
}

// allowed counts, by what they do to the world, the operations that the agent used
// of those that it could have.
func (d *markdown) allowed(s *Surface) string {
	var rows strings.Builder
	for _, of := range s.Services {
		if len(of.Called) == 0 {
			continue
		}
		fmt.Fprintf(&rows, "| %s | %d of %d | %d of %d | %d of %d |\n", d.text(of.Service), of.Used.Read, of.Allows.Read,
			of.Used.Reversible, of.Allows.Reversible, of.Used.Irreversible, of.Allows.Irreversible)
	}
	if rows.Len() == 0 {
		return ""
	}
	return "| used of allowed | read | reversible | irreversible |\n| --- | ---: | ---: | ---: |\n" + rows.String() + "\n"
}

// closing says how to do it again, and which run this was.
func (d *markdown) closing(r *Report) string {
	const longest = 4_000
	command := d.plain(r.again(rulesFailed(r)))
	if len(command) > longest {
		command = "parity report " + d.plain(r.Run) // which has a command that is no page's
	}
	fence := "```"
	for strings.Contains(command, fence) {
		fence += "`"
	}
	parts := []string{"Run " + d.text(r.Run)}
	if r.Profile != "" {
		parts = append(parts, d.text(r.Profile))
	}
	for _, rev := range r.Revisions[max(len(r.Revisions)-1, 0):] {
		parts = append(parts, "revision "+d.text(short(rev.Hash)))
	}
	parts = append(parts, "seed "+strconv.FormatUint(r.Seed, 10), words.Count(r.Exchanges, "call"), "exit "+strconv.Itoa(r.Exit))
	if why := new(page).exit(r); why != "" {
		_, reason, _ := strings.Cut(why, ": ")
		parts[len(parts)-1] += " (" + d.text(reason) + ")"
	}
	if !r.Ended {
		parts = append(parts, "still going")
	}
	return "\n### Again\n\n" + fence + "sh\n" + command + "\n" + fence + "\n\n" + strings.Join(parts, ", ") + ".\n"
}

// text writes what anybody may have sent so that it reads as it is and does
// nothing. Marks are escaped; behind what begins a mention, a reference, a link or
// an emoji, which GitHub and GitLab look for once marks are gone, is a space
// without width.
func (d *markdown) text(s string) string {
	const longest, looked, gap = 300, 3_000, "&#8203;" // what is cut off hides no end of a secret that shows
	all := []rune(d.plain(s[:min(len(s), looked)]))
	if len(all) > longest {
		all = append(all[:longest], '…')
	}
	var b strings.Builder
	for i, c := range all {
		next := ' '
		if i+1 < len(all) {
			next = all[i+1]
		}
		switch {
		case c == '&':
			b.WriteString("&amp;" + gap)
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '|':
			b.WriteString("&#124;")
		case strings.ContainsRune("@#!%^", c):
			b.WriteString(string(c) + gap)
		case strings.ContainsRune("$~", c):
			b.WriteString("\\" + string(c) + gap)
		case strings.ContainsRune("\\`*_[]", c), i == 0 && strings.ContainsRune("-+=", c), (c == '.' || c == ')') && i < 10 && numeral(all[:i]):
			b.WriteString("\\" + string(c))
		case c == ':' && next != ' ', c == '-' && next >= '0' && next <= '9' && i > 1 && strings.EqualFold(string(all[i-2:i]), "gh"):
			b.WriteString(string(c) + gap)
		case c == '.' && i > 2 && strings.EqualFold(string(all[i-3:i]), "www"):
			b.WriteString(gap + string(c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// numeral tells what would begin a numbered list.
func numeral(text []rune) bool {
	return len(text) > 0 && strings.Trim(string(text), "0123456789") == ""
}
