package inspect

import (
	"io"

	"parity/cmd/internal/output"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// PrintSurface says what a kept run let its agent do beside what the agent did.
func PrintSurface(w io.Writer, root, name, form string) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	k, err := kept.Read(root, name)
	if err != nil {
		return err
	}
	return report.Surfaces(w, k.Report().Surface, form == "json")
}
