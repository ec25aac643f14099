package gateway

import (
	"encoding/json"
	"fmt"
	"io"

	"parity/fakes/kit"
	"parity/gateway/report"
)

// PrintTrace lists the events of a kept run.
func PrintTrace(w io.Writer, root, name, output string, colour bool) error {
	if err := textOrJSON(output); err != nil {
		return err
	}
	k, err := Read(root, name)
	if err != nil {
		return err
	}
	return report.Trace(w, k.Events, k.Settlements, report.TraceOptions{JSON: output == "json", Color: colour, Missing: k.missing()})
}

// PrintOutbox lists what a kept run had sent after event at that cannot be taken
// back; 0 is its last event.
func PrintOutbox(w io.Writer, root, run string, at uint64, output string, colour bool) error {
	if err := textOrJSON(output); err != nil {
		return err
	}
	state, err := stateAt(root, run, at)
	if err != nil {
		return err
	}
	return report.Outbox(w, kit.Outbox(state.World), report.OutboxOptions{Options: report.Options{Color: colour}, JSON: output == "json"})
}

// textOrJSON refuses any other form of output.
func textOrJSON(output string) error {
	if output == "text" || output == "json" {
		return nil
	}
	return &UsageError{fmt.Errorf("--output %q: say text or json", output)}
}

// writeJSON writes a value as people can read it too.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
