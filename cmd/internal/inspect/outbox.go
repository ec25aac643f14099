package inspect

import (
	"io"

	"parity/cmd/internal/output"
	"parity/fakes/kit"
	"parity/gateway/report"
)

// PrintOutbox lists what a kept run had sent after event at that cannot be taken
// back; 0 is its last event.
func PrintOutbox(w io.Writer, root, run string, at uint64, form string, colour bool) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	state, err := stateAt(root, run, at)
	if err != nil {
		return err
	}
	return report.Outbox(w, kit.Outbox(state.World), report.OutboxOptions{Options: report.Options{Color: colour}, JSON: form == "json"})
}
