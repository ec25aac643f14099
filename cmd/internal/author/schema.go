package author

import (
	"fmt"
	"io"

	"parity/gateway/report"
	"parity/profiles"
)

// PrintSchema prints the JSON Schema of profiles, or of the report.
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
	}
	return fmt.Errorf("there is no schema of %q: say profile or report", of)
}
