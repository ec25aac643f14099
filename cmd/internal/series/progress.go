package series

import (
	"fmt"
	"io"
	"time"

	"parity/specs/words"
)

// ProgressTo tells how far a series is: on a terminal in one line that is written
// over, elsewhere in a line for each job that is done. What say says of a job is
// part of it.
func ProgressTo(w io.Writer, terminal bool, say func(*Done) string) func(Progress) {
	const clear, width = "\r\x1b[K", 79
	newest := ""
	return func(p Progress) {
		if p.Newest != nil && p.Newest.Left == "" {
			newest = say(p.Newest)
		}
		if !terminal {
			if p.Newest != nil && p.Newest.Left == "" {
				fmt.Fprintf(w, "parity: %d of %d  %s\n", p.Done, p.Of, newest)
			}
			return
		}
		if p.Running == 0 {
			newest = ""
			fmt.Fprint(w, clear)
			return
		}
		line := fmt.Sprintf("%d of %s done, %d going on", p.Done, words.Count(p.Of, "run"), p.Running)
		if p.Budget > 0 {
			line += fmt.Sprintf(", %v of %v", p.Spent.Truncate(time.Second), p.Budget)
		}
		if newest != "" {
			line += "   " + newest
		}
		if text := []rune(line); len(text) > width {
			line = string(text[:width-1]) + "…"
		}
		fmt.Fprint(w, clear+line)
	}
}
