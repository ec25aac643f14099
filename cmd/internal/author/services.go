package author

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/fixture"
	"parity/faults"
	"parity/profiles"
	"parity/specs/words"
)

// ListServices prints the services that ship.
func ListServices(w io.Writer) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range catalogue.Services() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, words.Count(len(s.Contract.Operations), "operation"), strings.Join(s.Hosts, ", "))
	}
	return table.Flush()
}

// ShowService writes the page of a service that ships, in Markdown: what of it
// is modelled, read from its contract, and what differs from production, read
// from the library.
func ShowService(w io.Writer, name string) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	s, ok := catalogue.Service(name)
	if !ok {
		return fmt.Errorf("there is no built-in service %q; there are %s", name, strings.Join(catalogue.Names(), ", "))
	}
	p, err := profiles.Load("baseline", profiles.Options{Catalogue: catalogue})
	if err != nil {
		return err
	}
	var page strings.Builder
	fmt.Fprintf(&page, "# %s: what is modelled\n\nMade by `parity services show %s`, from the contract and the library of profiles.\n\n", name, name)
	fmt.Fprintf(&page, "Version %s, on %s: %s.\n", s.Contract.Version, list(s.Hosts), words.Count(len(s.Contract.Operations), "operation"))
	operations(&page, s)
	differences(&page, s, p)
	more(&page, name)
	_, err = io.WriteString(w, page.String())
	return err
}

func list(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + name + "`"
	}
	return strings.Join(quoted, ", ")
}

// operations is the table of a service's operations, by what they work on.
func operations(page *strings.Builder, s fakes.Service) {
	page.WriteString("\n## Operations\n\n| operation | effect | what it does |\n| --- | --- | --- |\n")
	for _, op := range s.Contract.Operations {
		fmt.Fprintf(page, "| `%s %s` | %s | %s |\n", op.Method, op.Path, op.Effect, cell(op.Summary()))
	}
}

// differences are those of the baseline that cover a service.
func differences(page *strings.Builder, s fakes.Service, p *profiles.Profile) {
	page.WriteString("\n## Known differences from production\n")
	n := 0
	for _, d := range p.Differences {
		if !slices.ContainsFunc(d.Covers, func(pattern faults.Pattern) bool { return pattern.Service() == s.Name }) {
			continue
		}
		n++
		fmt.Fprintf(page, "\n### %s\n\n- Production: %s\n- Here: %s\n- So: %s\n- Weakens: %s.\n", d.Name, d.Production, d.Here, d.So, strings.Join(d.Weakens, ", "))
	}
	if n == 0 {
		page.WriteString("\nNone is known. That is a gap in the library, not a promise.\n")
	}
}

// more names what else ships for a service.
func more(page *strings.Builder, name string) {
	var found []string
	if shipped := fixture.Shipped(name); len(shipped) > 0 {
		found = append(found, "- Fixtures: "+list(shipped)+".")
	}
	for _, profile := range profiles.Library() {
		if strings.HasPrefix(profile, name+"-") {
			found = append(found, "- Profile: `"+profile+"`.")
		}
	}
	if len(found) > 0 {
		page.WriteString("\n## What ships beside it\n\n" + strings.Join(found, "\n") + "\n")
	}
}

// cell is a text as it stands in a table.
func cell(text string) string {
	return cmp.Or(strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(text, "\n", " ")), "|", `\|`), "–")
}
