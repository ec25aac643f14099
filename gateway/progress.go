package gateway

import (
	"fmt"
	"io"
	"time"

	"parity/specs/words"
)

// ProgressTo tells how far a series is: on a terminal in one line that is written
// over, elsewhere in a line for each job that is done, which says of it what say
// does.
func ProgressTo(w io.Writer, terminal bool, say func(*Done) string) func(Progress) {
	const clear = "\r\x1b[K"
	return func(p Progress) {
		line := fmt.Sprintf("%d of %s done", p.Done, words.Count(p.Of, "run"))
		if p.Running > 0 {
			line += fmt.Sprintf(", %d going on", p.Running)
		}
		if p.Budget > 0 {
			line += fmt.Sprintf(", %v of %v", p.Spent.Round(time.Second), p.Budget)
		}
		switch {
		case terminal && p.Running == 0:
			fmt.Fprint(w, clear)
		case terminal:
			fmt.Fprint(w, clear+line)
		case p.Newest != nil && p.Newest.Left == "":
			fmt.Fprintf(w, "parity: %d of %d  %s\n", p.Done, p.Of, say(p.Newest))
		}
	}
}
