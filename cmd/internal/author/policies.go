package author

import (
	"fmt"
	"io"
	"strings"

	"parity/cmd/internal/output"
	"parity/profiles"
	"parity/profiles/permissions"
	"parity/specs/words"
)

// ExportPolicy prints what a profile says of who may do what, as one document.
func ExportPolicy(w io.Writer, name, form string) error {
	if form != "yaml" && form != "json" {
		return fmt.Errorf("--output %q: say yaml or json", form)
	}
	p, err := loadProfile(name)
	if err != nil {
		return err
	}
	text, err := p.Policy()
	if err == nil && form == "json" {
		var plain []byte
		plain, err = text.JSON()
		text = plain
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// DiffPolicies is DiffPermissions, and besides what no call shows: what may leave,
// who is asked and how, and the names of secrets.
func DiffPolicies(w io.Writer, a, b string, stage int, form string) (code int, err error) {
	both, err := subjects(a, b, stage, form)
	if err != nil {
		return 0, err
	}
	found := permissions.Compare(both[0], both[1])
	changes, err := profiles.DiffPolicy(both[0].Profile, both[1].Profile)
	if err != nil {
		return 0, err
	}
	if len(found)+len(changes) > 0 {
		code = output.ExitDecides
	}
	if form == "json" {
		return code, output.JSON(w, map[string]any{
			"a": a, "b": b, "differences": append([]permissions.Difference{}, found...), "changes": append([]profiles.Change{}, changes...),
		})
	}
	for _, c := range changes {
		switch {
		case c.Was == "":
			fmt.Fprintf(w, "%s: %s in %s alone\n", c.Path, brief(c.Is), b)
		case c.Is == "":
			fmt.Fprintf(w, "%s: %s in %s alone\n", c.Path, brief(c.Was), a)
		default:
			was, is := words.Apart(c.Was, c.Is, mostBrief)
			fmt.Fprintf(w, "%s: %s in %s, %s in %s\n", c.Path, strings.TrimSpace(brief(was)), a, strings.TrimSpace(brief(is)), b)
		}
	}
	if len(changes) > 0 {
		fmt.Fprintln(w)
	}
	return code, printDifferences(w, a, b, both, found)
}
