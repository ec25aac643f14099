package inspect

import (
	"fmt"
	"io"
	"time"

	"parity/gateway/client"
)

// PrintClock writes how a run's clock stands.
func PrintClock(w io.Writer, c client.Clock) error {
	how := "moves " + c.Step + " with each call"
	switch {
	case c.Frozen:
		how = "stands still"
	case c.Mode == "live":
		how = fmt.Sprintf("moves at %g times real time", c.Speed)
	}
	_, err := fmt.Fprintf(w, "%s  %s\n", c.Now.UTC().Format(time.RFC3339Nano), how)
	return err
}
