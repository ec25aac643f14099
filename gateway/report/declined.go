package report

import (
	"fmt"
	"strings"

	"parity/specs/words"
)

// declined says what services refused by themselves and no verdict is about; "":
// nothing.
func (r *Report) declined() string {
	if len(r.Declined) == 0 {
		return ""
	}
	const few = 3
	calls := 0
	var told []string
	for i, d := range r.Declined {
		calls += d.Calls
		if i < few {
			told = append(told, fmt.Sprintf("#%d %s, answered %d", d.First, d.Call, d.Status))
		}
	}
	if more := len(r.Declined) - few; more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	verb := " was"
	if calls > 1 {
		verb = " were"
	}
	return words.Count(calls, "call") + verb + " refused by the service without a fault, and " + r.agent() + " exited 0: " + strings.Join(told, "; ")
}
