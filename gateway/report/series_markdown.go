package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// SeriesMarkdown writes a series for a pull request: its result in a sentence, the
// table, what failed by its cause, and what shows nothing. It is bounded, and
// escaped, as that of one run is.
func SeriesMarkdown(w io.Writer, s Series) error {
	d := &markdown{masker: newMasker()}
	o := overviewOf(d.masker, &s)
	last := d.seriesClosing(o)
	d.room = most - len(last)
	d.add("### " + d.text(o.Result) + "\n\n" + d.text(o.Lead) + "\n\n")
	if len(o.Tallies) > 0 {
		counts := make([]string, len(o.Tallies))
		for i, t := range o.Tallies {
			counts[i] = fmt.Sprintf("%d %s", t.Count, d.text(t.Label))
		}
		d.add(upper(strings.Join(counts, ", ")) + ".\n\n")
	}
	d.causes(o)
	d.table(o)
	d.silent(o)
	d.seriesUnproved(o)
	_, err := io.WriteString(w, d.out.String()+last)
	return err
}

// table writes what came of each entry. Of many of one place, it counts them.
func (d *markdown) table(o *overview) {
	const few, wide = 60, 12
	if len(o.Rows) == 0 {
		return
	}
	columns := o.Columns[:min(len(o.Columns), wide)]
	head, rule := "| "+strings.ToLower(o.Of[0]), "| ---"
	for _, c := range columns {
		head += " | " + d.text(c.Name)
		rule += " | ---"
	}
	if !d.add(head + " |\n" + rule + " |\n") {
		return
	}
	rows, left := o.bounded(few)
	d.rows(len(rows), few, func(i int) string {
		line := "| " + d.text(rows[i].Name)
		for _, cell := range rows[i].Cells[:len(columns)] {
			line += " | " + d.cell(cell)
		}
		return line + " |\n"
	}, "\nand %d more rows\n")
	switch more := len(o.Columns) - len(columns); {
	case left > 0 && more > 0:
		d.add(fmt.Sprintf("\n%d more rows and %d more columns are not shown; `parity report -o json` has all.\n", left, more))
	case left > 0:
		d.add(fmt.Sprintf("\n%d more rows are not shown; `parity report -o json` has all.\n", left))
	case more > 0:
		d.add(fmt.Sprintf("\n%d more columns are not shown; `parity report -o json` has all.\n", more))
	}
	d.add("\n")
}

// cell says what came of the entries of one place.
func (d *markdown) cell(all []*entry) string {
	if len(all) == 0 {
		return "–"
	}
	var labels []string
	count, failed := map[string]int{}, map[string]bool{}
	for _, e := range all {
		if count[e.Label]++; count[e.Label] == 1 {
			labels = append(labels, e.Label)
		}
		failed[e.Label] = e.result == "failed" || e.result == "error"
	}
	for i, label := range labels {
		text := d.text(label)
		if failed[label] {
			text = "**" + text + "**"
		}
		if len(all) > 1 {
			text += fmt.Sprintf(" %d", count[label])
		}
		labels[i] = text
	}
	return strings.Join(labels, "<br>")
}

func (d *markdown) causes(o *overview) {
	const few, named = 20, 3
	if len(o.Causes) == 0 {
		return
	}
	d.add("| what failed | where | what happened | how to mend it |\n| --- | --- | --- | --- |\n")
	d.rows(len(o.Causes), few, func(i int) string {
		c := &o.Causes[i]
		var where []string
		for j, e := range c.Entries {
			if j == named {
				where = append(where, fmt.Sprintf("and %d more", len(c.Entries)-j+c.More))
				break
			}
			where = append(where, d.text(e.Name))
		}
		var happened []string
		for _, steps := range c.Stories {
			happened = append(happened, d.text(strings.Join(steps, " → ")))
		}
		if c.Why != "" {
			happened = append(happened, d.text(c.Why))
		}
		return "| **" + d.text(c.Title) + "** | " + strings.Join(where, "<br>") + " | " + strings.Join(happened, "<br>") + " | " + d.text(c.Remedy) + " |\n"
	}, "| and %d more | | | |\n")
	d.add("\n")
}

func (d *markdown) silent(o *overview) {
	if len(o.Silent) == 0 {
		return
	}
	const end = "\n</details>\n"
	n := 0
	for i := range o.Silent {
		n += o.Silent[i].n
	}
	d.room -= len(end)
	if !d.add(fmt.Sprintf("<details><summary>What shows nothing, and why: %d</summary>\n\n| | why | which |\n| --- | --- | --- |\n", n)) {
		return
	}
	const few = 30
	d.rows(len(o.Silent), few, func(i int) string {
		s := &o.Silent[i]
		var names []string
		for _, name := range s.Names {
			names = append(names, d.text(name))
		}
		if s.More > 0 {
			names = append(names, fmt.Sprintf("and %d more", s.More))
		}
		return "| " + d.text(s.Label) + " | " + d.text(s.Why) + " | " + strings.Join(names, "<br>") + " |\n"
	}, "| and %d more | | |\n")
	d.room += len(end)
	d.add(end)
}

func (d *markdown) seriesUnproved(o *overview) {
	d.add("\n### What this does not prove\n\n")
	all := append(append([]string{}, o.Unproved...), o.Notes...)
	d.rows(len(all), 20, func(i int) string { return "- " + d.text(all[i]) + "\n" }, "- and %d more\n")
}

// seriesClosing says how to do it again, and which series this was.
func (d *markdown) seriesClosing(o *overview) string {
	const longest = 4_000
	var commands []string
	if len(o.Causes) > 0 && o.Causes[0].Entries[0].Again != "" {
		commands = append(commands, "# the first that failed", o.Causes[0].Entries[0].Again)
	}
	for _, c := range o.Commands[:min(len(o.Commands), 4)] {
		if !slices.Contains(commands, c[1]) {
			commands = append(commands, "# "+strings.ToLower(c[0][:1])+c[0][1:], c[1])
		}
	}
	text := strings.Join(commands, "\n")
	if len(text) > longest {
		text = "parity report " + o.Name
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	facts := make([]string, len(o.Facts))
	for i, fact := range o.Facts {
		facts[i] = d.text(fact)
	}
	return "\n### Again\n\n" + fence + "sh\n" + text + "\n" + fence + "\n\n" + upper(strings.Join(facts, ", ")) + fmt.Sprintf(", exit %d.\n", o.Exit)
}
