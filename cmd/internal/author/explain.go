package author

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/profiles"
)

// PrintTopic writes the documentation of a key of profiles, of a fault, of a rule
// that every run is judged by, or of a known difference.
func PrintTopic(w io.Writer, asked, form string) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	t, err := explain(asked)
	if err != nil {
		return err
	}
	if form == "json" {
		return output.JSON(w, t)
	}
	var b strings.Builder
	head := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(head, "%s:\t%s\n", name, text)
		}
	}
	line(strings.ToUpper(t.Kind), t.Name)
	line("PHASE", t.Phase)
	line("WRITTEN AS", t.Written)
	if !strings.Contains(t.Written, strings.Join(t.Choices, ", ")) {
		line("ONE OF", strings.Join(t.Choices, ", "))
	}
	line("DEFAULT", t.Default)
	line("BOUNDS", t.Bounds)
	if t.Needed {
		line("NEEDED", "yes")
	}
	if t.Kind != "fault" {
		line("SUCH AS", t.Example)
	}
	head.Flush() //nolint:errcheck // a Builder takes everything
	paragraphs(&b, t)
	_, err = io.WriteString(w, b.String())
	return err
}

func paragraphs(b *strings.Builder, t *profiles.Topic) {
	b.WriteString("\n" + wrap(t.Doc, "  "))
	if t.Drawing != "" {
		b.WriteString("\n  " + strings.ReplaceAll(t.Drawing, "\n", "\n  ") + "\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + wrap(note, "  "))
	}
	if t.Reaction != "" {
		b.WriteString("\n" + wrap("A good agent: "+t.Reaction, "  "))
	}
	if len(t.Parts) > 0 {
		heading := map[string]string{"fault": "PARAMETERS", "key": "KEYS"}[t.Kind]
		if strings.HasSuffix(t.Name, "inject") {
			heading = "FAULTS"
		}
		fmt.Fprintf(b, "\n%s:\n", heading)
		for _, p := range t.Parts {
			written := p.Written
			if p.Default != "" {
				written += "; by default " + p.Default
			}
			fmt.Fprintf(b, "  %s  <%s>\n%s", p.Name, written, wrap(p.Doc, "      "))
		}
	}
	if t.Kind == "fault" && t.Example != "" {
		b.WriteString("\nEXAMPLE:\n  " + strings.ReplaceAll(t.Example, "\n", "\n  ") + "\n")
	}
}

// wrap breaks a text into lines.
func wrap(text, indent string) string {
	const width = 88
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	if column > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}
