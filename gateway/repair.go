package gateway

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"parity/gateway/journal"
)

// RepairStore makes a whole store of what can be read of a damaged one: the
// shared one, or that of a run of `parity run`. It says what was kept.
func RepairStore(w io.Writer, root, run string) error {
	dir := Settings{Root: root}.withDefaults().shared()
	if run != "" {
		var err error
		if dir, _, err = Find(root, run); err != nil {
			return err
		}
	}
	report, err := journal.Repair(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &UsageError{err}
	}
	if err != nil {
		return err
	}
	for _, r := range report.Runs {
		if _, err := fmt.Fprintln(w, r); err != nil {
			return err
		}
	}
	for _, lost := range report.Lost {
		if _, err := fmt.Fprintln(w, "lost: "+lost); err != nil {
			return err
		}
	}
	if report.Damaged == "" {
		_, err = fmt.Fprintf(w, "nothing is wrong with %s\n", dir)
		return err
	}
	if len(report.Runs) == 0 {
		fmt.Fprintln(w, "no run could be kept: restore the store from a copy, or rehearse again")
	}
	_, err = fmt.Fprintf(w, "the damaged file is kept as %s\n", report.Damaged)
	return err
}
