package author

import (
	"encoding/json"
	"fmt"
	"io"

	"parity/cmd/internal/output"
	"parity/profiles"
	"parity/specs/words"
)

// DiffProfiles writes in what two profiles differ once all that they extend is
// in them, and gives the exit code.
func DiffProfiles(w io.Writer, a, b, form string) (code int, err error) {
	if err := output.TextOrJSON(form); err != nil {
		return 0, err
	}
	was, err := loadProfile(a)
	if err != nil {
		return 0, err
	}
	is, err := loadProfile(b)
	if err != nil {
		return 0, err
	}
	changes, err := profiles.Diff(was, is)
	if err != nil {
		return 0, err
	}
	if len(changes) > 0 {
		code = output.ExitDiffers
	}
	if form == "json" {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return code, e.Encode(append([]profiles.Change{}, changes...))
	}
	for _, c := range changes {
		c.Was, c.Is = words.Apart(c.Was, c.Is, mostBrief)
		c.Was, c.Is = brief(c.Was), brief(c.Is)
		switch {
		case c.Was == "":
			_, err = fmt.Fprintf(w, "+ %s: %s\n", c.Path, c.Is)
		case c.Is == "":
			_, err = fmt.Fprintf(w, "- %s: %s\n", c.Path, c.Was)
		default:
			_, err = fmt.Fprintf(w, "~ %s: %s → %s\n", c.Path, c.Was, c.Is)
		}
		if err != nil {
			return 0, err
		}
	}
	if code == 0 {
		_, err = fmt.Fprintln(w, "they mean the same")
	}
	return code, err
}

// mostBrief is how many characters of a value are told; -o json has all of it.
const mostBrief = 200

// brief keeps a value on a line.
func brief(text string) string {
	if runes := []rune(text); len(runes) > mostBrief {
		return string(runes[:mostBrief-1]) + "…"
	}
	return text
}
