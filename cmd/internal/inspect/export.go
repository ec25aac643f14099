package inspect

import (
	"fmt"
	"io"

	"parity/gateway/kept"
)

// ExportRun writes a kept run's whole record.
func ExportRun(w io.Writer, root, run, format string) error {
	if format != "jsonl" && format != "har" {
		return fmt.Errorf("--format %q: say jsonl or har", format)
	}
	k, err := kept.Read(root, run)
	if err != nil {
		return err
	}
	of := k.Subject()
	if format == "har" {
		return of.HAR(w)
	}
	return of.Lines(w)
}
