package author

import (
	"fmt"
	"io"

	"parity/gateway/report"
	"parity/profiles"
)

// PrintSchema prints the JSON Schema of profiles, of the report, or of what parity
// shadow compare gives.
func PrintSchema(w io.Writer, of string) error {
	switch of {
	case "", "profile":
		schema, err := profiles.Schema()
		if err == nil {
			_, err = w.Write(schema)
		}
		return err
	case "report":
		_, err := io.WriteString(w, report.Schema())
		return err
	case "shadow":
		_, err := io.WriteString(w, report.ComparisonSchema())
		return err
	}
	return fmt.Errorf("there is no schema of %q: say profile, report or shadow", of)
}
