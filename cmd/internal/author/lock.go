package author

import (
	"fmt"
	"io"

	"parity/gateway"
	"parity/gateway/kept"
	"parity/specs/words"
)

// Lock pins the conditions of runs of the named profiles in a file, and says so.
func Lock(w io.Writer, file string, profiles []string) error {
	if err := gateway.WriteLock(file, profiles); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s pins %s, the contracts and Parity %s\n", file, words.Count(len(profiles), "profile"), kept.Build())
	return err
}
