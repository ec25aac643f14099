// Package output is how commands write what they have found:
//
//	--output text ─▶ lines for people, which each command writes itself
//	--output json ─▶ one JSON document, which JSON writes
package output

import (
	"encoding/json"
	"fmt"
	"io"
)

// TextOrJSON refuses any other form of output.
func TextOrJSON(form string) error {
	if form == "text" || form == "json" {
		return nil
	}
	return fmt.Errorf("--output %q: say text or json", form)
}

// JSON writes a value as people can read it too.
func JSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
