package author

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"parity/cmd/internal/output"
	"parity/fakes/builtin"
	"parity/profiles"
	"parity/profiles/permissions"
	"parity/profiles/policy"
	"parity/specs/file"
	"parity/specs/words"
)

// DiffPermissions writes which calls two profiles, or exported policies, decide
// otherwise, and gives the exit code.
func DiffPermissions(w io.Writer, a, b string, stage int, form string) (code int, err error) {
	both, err := subjects(a, b, stage, form)
	if err != nil {
		return 0, err
	}
	found := permissions.Compare(both[0], both[1])
	if len(found) > 0 {
		code = output.ExitDecides
	}
	if form == "json" {
		return code, output.JSON(w, map[string]any{"a": a, "b": b, "differences": append([]permissions.Difference{}, found...)})
	}
	return code, printDifferences(w, a, b, both, found)
}

func subjects(a, b string, stage int, form string) (both [2]permissions.Subject, err error) {
	if err := output.TextOrJSON(form); err != nil {
		return both, err
	}
	if stage < 0 || stage > policy.MostStage {
		return both, fmt.Errorf("--stage %d: say 1 to %d", stage, policy.MostStage)
	}
	for i, name := range []string{a, b} {
		p, err := loadProfile(name)
		if err != nil {
			return both, err
		}
		both[i] = permissions.Subject{Profile: p, Stage: stage}
	}
	return both, nil
}

func printDifferences(w io.Writer, a, b string, both [2]permissions.Subject, found []permissions.Difference) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range found {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s; %s\n", d.Kind, d.Identity, d.Operation, d.Class, permissions.Reason(a, d.A), permissions.Reason(b, d.B))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(found) > 0 {
		fmt.Fprintln(w)
	}
	cells := len(both[0].Identities()) * len(both[0].Operations())
	_, err := fmt.Fprintf(w, "%s to %s: %s, of %s of %s\n", a, b, permissions.Count(found), words.Count(cells, "cell"), a)
	return err
}

// TestPermissions holds a matrix against its profile: a line for each cell of which
// something else becomes. It gives the exit code. With write the matrix is written
// as it is instead.
func TestPermissions(w io.Writer, name string, write bool) (code int, err error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return 0, err
	}
	o := profiles.Options{Catalogue: catalogue}
	m, err := profiles.ReadMatrix(name, o)
	if err != nil {
		return 0, err
	}
	p, err := profiles.Load(m.Profile, o)
	if err != nil {
		return 0, err
	}
	if err := m.Bind(p); err != nil {
		return 0, err
	}
	s := permissions.Subject{Profile: p, Stage: m.Stage}
	if write {
		return 0, writeMatrix(w, name, m, s)
	}
	found, calls := permissions.Check(m, s), 0
	for _, c := range m.Cells {
		calls += len(c.Operations)
	}
	for _, f := range found {
		call := f.Cell.Written()
		if f.Cell.Pattern() {
			call = f.Operation
		}
		fmt.Fprintf(w, "%s%s %s: %s; want %s\n", f.Cell.At.Error(), f.Cell.Identity, call, f.Is, f.Cell.Want)
		code = output.ExitDiffers
	}
	_, err = fmt.Fprintf(w, "%s: %s, %d as they are to be\n", m.Name, words.Count(calls, "call"), calls-len(found))
	return code, err
}

func writeMatrix(w io.Writer, name string, m *profiles.Matrix, s permissions.Subject) error {
	was, err := file.Read(name, file.Most)
	if err != nil {
		return err
	}
	text, err := permissions.Written(m, was, s)
	if err != nil {
		return err
	}
	const mode = 0o644
	if err := os.WriteFile(name, text, mode); err != nil { //nolint:gosec // read by others, as it was
		return err
	}
	_, err = fmt.Fprintf(w, "%s: written\n", name)
	return err
}
