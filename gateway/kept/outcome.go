package kept

import (
	"encoding/json"
	"slices"

	"parity/gateway/report"
	"parity/specs/secret"
)

// Outcome is what is known of a run besides its events: how the agent was
// started and how it ended.
type Outcome struct {
	Profile string        `json:"profile,omitempty"` // as the command line named it
	Command []string      `json:"command,omitempty"`
	Flags   []string      `json:"flags,omitempty"`
	Exit    string        `json:"exit,omitempty"` // who decides the exit code
	Agent   *report.Agent `json:"agent,omitempty"`
	Twin    *report.Twin  `json:"twin,omitempty"`
	Calm    []string      `json:"calm,omitempty"` // runs of the same agent, seed and profile without faults, besides the twin
	Said    string        `json:"said,omitempty"` // the agent's last lines, where the profile asks for them
	Cut     string        `json:"cut,omitempty"`  // why Parity ended the agent; "": it ended by itself
}

// outcomeKey is where a run's meta has its outcome.
const outcomeKey = "outcome"

// Meta is the outcome as the store keeps it, without the secrets of a command line.
func (o Outcome) Meta() (map[string]string, error) {
	var list *secret.List
	o.Command, o.Flags = list.Command(o.Command, secret.Stars), list.Command(o.Flags, secret.Stars)
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return map[string]string{outcomeKey: string(text)}, nil
}

// Strict is the flag of a run that has failed where it touched a known difference
// whose acceptance had expired.
const Strict = "--strict"

// strict tells whether the run was made under that flag.
func (o Outcome) strict() bool { return slices.Contains(o.Flags, Strict) }
