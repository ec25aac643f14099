package report

import (
	_ "embed" // the compiler asks for it beside go:embed
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// The JSON Schema is made from the Go types, by schema_test.go.
//
//go:embed comparison.schema.json
var comparisonSchema string

// ComparisonSchema gives the JSON Schema, draft 2020-12, of what ComparisonJSON
// writes.
func ComparisonSchema() string { return comparisonSchema }

// ComparisonJSON writes what an agent wrote beside what people did as one JSON
// document.
func ComparisonJSON(w io.Writer, c trail.Comparison) error {
	return newMasker().document(w, listed(reflect.ValueOf(c)).Interface())
}

// ComparisonText writes it to be read: the worst first. What agrees is counted, and
// listed where Verbose says so.
func ComparisonText(w io.Writer, c trail.Comparison, o Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Plain(upper(besides(&c))))
	for i := range c.Findings {
		if f := &c.Findings[i]; f.Kind != trail.Agree || o.Verbose {
			b.WriteString("\n" + findingText(f))
		}
	}
	if len(c.Left)+c.Log.Reads+len(c.Tried) > 0 {
		b.WriteString("\n")
	}
	for _, l := range c.Left {
		fmt.Fprintf(&b, "left out   line %d, %s: %s\n", l.Line, Plain(l.Call), Plain(l.Why))
	}
	if c.Log.Reads > 0 {
		fmt.Fprintf(&b, "left out   %s of people\n", words.Count(c.Log.Reads, "read"))
	}
	for _, t := range c.Tried {
		fmt.Fprintf(&b, "not done   #%d %s: %s\n", t.Event, Plain(t.Call), stopped(t))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// besides counts what came of a comparison, in a line.
func besides(c *trail.Comparison) string {
	who := words.And(c.Log.By)
	if who == "" {
		who = "people"
	}
	text := fmt.Sprintf("%s of the agent beside %d of %s: ", words.Count(c.Acts, "write"), c.Log.Acts, who)
	var parts []string
	for _, part := range []struct {
		n    int
		what trail.Likeness
	}{{c.Dangerous, trail.Dangerous}, {c.Interesting, trail.Interesting}, {c.Acceptable, trail.Acceptable}, {c.Agree, trail.Agree}} {
		if part.n > 0 {
			parts = append(parts, strconv.Itoa(part.n)+" "+string(part.what))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to compare"}
	}
	return text + strings.Join(parts, ", ")
}

func stopped(t trail.Tried) string {
	if t.Code != "" {
		return "policy stopped it (" + t.Code + ")"
	}
	return "the fake answered " + strconv.Itoa(t.Status) + " and did nothing"
}

// findingText is a finding on a few lines.
func findingText(f *trail.Finding) string {
	var b strings.Builder
	kind := string(f.Kind)
	if f.Kind == trail.Dangerous {
		kind = strings.ToUpper(kind)
	}
	fmt.Fprintf(&b, "%-11s  %s (%s)", kind, Plain(f.Call), f.Class)
	if f.About != "" {
		b.WriteString("  " + Plain(f.About))
	}
	fmt.Fprintf(&b, "\n  %s\n", Plain(sides(f)))
	for _, why := range f.Why {
		fmt.Fprintf(&b, "  %s\n", Plain(why))
	}
	for i := range f.Fields {
		one := &f.Fields[i]
		fmt.Fprintf(&b, "    %s\n", Plain(apartText(one)))
	}
	return b.String()
}

// sides says who did what of a finding.
func sides(f *trail.Finding) string {
	var parts []string
	if a := f.Agent; a != nil {
		text := "agent #" + number(a.Event)
		if a.Draft != "" {
			text += " (" + a.Draft + ")"
		}
		if a.Times > 1 {
			text += ", sent " + often(a.Times)
		}
		parts = append(parts, text)
	}
	if h := f.Person; h != nil {
		text := "line " + strconv.Itoa(h.Line)
		if h.By != "" {
			text = h.By + ", " + text
		}
		parts = append(parts, text+", "+h.At)
	}
	return strings.Join(parts, "  beside  ")
}

// apartText says in what two acts differ in a field.
func apartText(f *trail.Apart) string {
	text := fmt.Sprintf("%s: agent %s, person %s", f.Field, f.Agent, f.Person)
	switch {
	case f.Acceptable && f.Of != trail.SenseOther:
		return text + " (the profile lets it differ, though it is " + words.A(string(f.Of)) + ")"
	case f.Acceptable:
		return text + " (the profile lets it differ)"
	}
	return text
}

// shadowRows say what came of the comparison with what people did, and name what is
// dangerous.
func (r *Report) shadowRows() []authorityRow {
	if r.Shadow == nil {
		return nil
	}
	text := besides(r.Shadow)
	var told []string
	for i := range r.Shadow.Findings {
		if f := &r.Shadow.Findings[i]; f.Kind == trail.Dangerous {
			told = append(told, f.Call+" "+strings.ReplaceAll(sides(f), "  ", " ")+": "+strings.Join(f.Why, "; "))
		}
	}
	if len(told) > 0 {
		text += ". Dangerous: " + strings.Join(fewOfThem(told), "; ")
	}
	return []authorityRow{{"Shadow", text}}
}

// findingView is a finding as a page shows it.
type findingView struct {
	Kind, Call, Class, About, Sides string
	Ink                             string // bad, warn or calm
	Why, Fields                     []string
}

// mostFindings is how many findings a page, and a summary, shows.
const mostFindings = 500

// shadow words the comparison for a page: without what agrees.
func (p *packer) shadow(v *view, r *Report) {
	if r.Shadow == nil {
		return
	}
	v.Shadow.Head = p.plain(upper(besides(r.Shadow)))
	for i := range r.Shadow.Findings {
		f := &r.Shadow.Findings[i]
		if f.Kind == trail.Agree || len(v.Shadow.Findings) == mostFindings {
			continue
		}
		one := findingView{
			Kind: string(f.Kind), Call: p.plain(f.Call), Class: f.Class, About: p.plain(f.About), Sides: p.plain(sides(f)),
			Ink: map[trail.Likeness]string{trail.Dangerous: "bad", trail.Interesting: "warn"}[f.Kind],
		}
		for _, why := range f.Why {
			one.Why = append(one.Why, p.plain(why))
		}
		for i := range f.Fields {
			one.Fields = append(one.Fields, p.plain(apartText(&f.Fields[i])))
		}
		v.Shadow.Findings = append(v.Shadow.Findings, one)
	}
	for _, l := range r.Shadow.Left {
		if len(v.Shadow.Left) < mostFindings {
			v.Shadow.Left = append(v.Shadow.Left, p.plain(fmt.Sprintf("line %d, %s: %s", l.Line, l.Call, l.Why)))
		}
	}
}

// shadowView is the comparison as a page shows it.
type shadowView struct {
	Head     string
	Findings []findingView
	Left     []string
}

// shadow lists what differs from what people did.
func (d *markdown) shadow(r *Report) {
	if r.Shadow == nil {
		return
	}
	d.add("\n### Beside what people did\n\n" + d.text(besides(r.Shadow)) + "\n\n")
	var lines []string
	for i := range r.Shadow.Findings {
		f := &r.Shadow.Findings[i]
		if f.Kind == trail.Agree {
			continue
		}
		told := append([]string{sides(f)}, f.Why...)
		for i := range f.Fields {
			told = append(told, apartText(&f.Fields[i]))
		}
		lines = append(lines, fmt.Sprintf("- **%s** %s: %s\n", f.Kind, d.text(f.Call), d.text(strings.Join(told, "; "))))
	}
	d.rows(len(lines), 15, func(i int) string { return lines[i] }, "- and %d more\n")
}
