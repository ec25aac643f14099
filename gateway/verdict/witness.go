package verdict

import (
	"regexp"

	"parity/faults/trail"
)

// Ending is how an agent's process ended.
type Ending struct {
	Exit int    // its exit code; 128+n where a signal ended it
	Said string // its last lines, where the profile asks for them; else ""
}

// Calm is a twin: a run of the same agent, with the same seed and profile,
// without faults.
type Calm struct {
	Run         string
	Events      []trail.Event
	Settlements map[uint64]trail.Settlement
	Ending      *Ending // nil: nobody knows
}

// Says has what agents write to people when their work is done, and when they
// stopped without it, beside the words that are known in any case.
type Says struct {
	Done    []*regexp.Regexp
	Stopped []*regexp.Regexp
}
