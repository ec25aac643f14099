package inspect

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parity/cmd/internal/output"
	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// PrintTrace lists the events of a kept run.
func PrintTrace(w io.Writer, root, name, form string, colour bool) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	k, err := kept.Read(root, name)
	if err != nil {
		return err
	}
	return report.Trace(w, k.Events, k.Settlements, report.TraceOptions{JSON: form == "json", Color: colour, Missing: k.Missing()})
}

// StepTrace walks through a kept run event by event, from one on: request,
// reply, faults, and what changed in the world. Where somebody answers on in,
// it waits after each for Enter, the number of an event to go to, or q.
func StepTrace(w io.Writer, in io.Reader, root, name string, from uint64, colour, asks bool) error {
	k, err := kept.Read(root, name)
	if err != nil {
		return err
	}
	if from > uint64(len(k.Events)) {
		return fmt.Errorf("run %s has no event %d: its events are 1 to %d", k.ID, from, len(k.Events))
	}
	printMissing(w, k)
	lines := bufio.NewScanner(in)
	for at := max(from, 1); at <= uint64(len(k.Events)); at++ {
		if err := printFrame(w, k, at, colour); err != nil {
			return err
		}
		if !asks || at == uint64(len(k.Events)) {
			continue
		}
		fmt.Fprintf(w, "-- %d of %d: Enter for the next, a number, or q -- ", at, len(k.Events))
		if !lines.Scan() {
			return nil
		}
		switch said := strings.TrimSpace(lines.Text()); said {
		case "":
		case "q", "quit":
			return nil
		default:
			if n, err := strconv.ParseUint(said, 10, 64); err == nil && n >= 1 && n <= uint64(len(k.Events)) {
				at = n - 1
			}
		}
	}
	return nil
}

func printFrame(w io.Writer, k *kept.Run, seq uint64, colour bool) error {
	var settled *trail.Settlement
	if s, ok := k.Settlements[seq]; ok {
		settled = &s
	}
	if err := report.Frame(w, &k.Events[seq-1], settled, report.Options{Color: colour, Width: 100}); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// printMissing says to people, before anything else, what of a run is missing.
func printMissing(w io.Writer, k *kept.Run) {
	for _, what := range k.Missing() {
		fmt.Fprintln(w, "Missing: "+what)
	}
}
