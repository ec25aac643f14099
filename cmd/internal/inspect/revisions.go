package inspect

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/profiles"
	"parity/specs/words"
)

// PrintLog writes the revisions of profiles, the newest first, and how long each
// was in force.
func PrintLog(w io.Writer, records []client.Record) error {
	if len(records) == 0 {
		_, err := fmt.Fprintln(w, "no revision is kept here: a gateway keeps those that were in force")
		return err
	}
	after := map[string]string{} // by file: when the next one came into force
	for _, r := range slices.Backward(records) {
		line := r.At.Format(time.DateTime) + "  " + r.File + "  "
		if r.How == profiles.RefusedNow {
			line += "refused: " + words.Count(len(r.Problems), "problem") + "\n    " + strings.Join(r.Problems, "\n    ")
		} else {
			line += r.Revision + "  " + r.How
			if next := after[r.File]; next != "" {
				line += ", in force until " + next
			}
			after[r.File] = r.At.Format(time.DateTime)
			if r.Said != "" {
				line += "; " + r.Said
			}
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// PrintRolledBack writes what a rollback has come to.
func PrintRolledBack(w io.Writer, s client.State) error {
	_, err := fmt.Fprintf(w, "revision %s of %s in force, until its file is saved again; the file is as it was\n%s\n", s.Revision, s.Profile, s.Said)
	return err
}

// WatchProfile says of a profile, and again at each save, what is wrong with it,
// or what its rules would have met of the newest exchanges that are kept.
func WatchProfile(ctx context.Context, w io.Writer, root, name string) error {
	return kept.WatchProfile(ctx, root, name, func(p *profiles.Profile, met string, err error) {
		if err != nil {
			fmt.Fprintln(w, err)
			return
		}
		for _, warning := range slices.Concat(p.Warnings, p.Silent) {
			fmt.Fprintln(w, warning)
		}
		fmt.Fprintf(w, "revision %s in force; %s\n", p.Revision, met)
	})
}
