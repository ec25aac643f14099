package policy

import "parity/specs/class"

// MostStage is the highest stage: broad.
const MostStage = 5

// StageName is what a stage is called.
func StageName(stage int) string {
	names := [...]string{"", "read-only", "draft", "approval-gated", "narrow", "broad"}
	if stage < 1 || stage >= len(names) {
		return ""
	}
	return names[stage]
}

// rung is what a stage does with a class.
type rung int

const (
	free       rung = iota // allowed
	refuses                // whatever a grant says
	drafts                 // refused, or kept as a draft
	asks                   // somebody has to say yes
	asksOrGate             // somebody has to say yes, or a gate that it needs nobody
)

// rungOf is the table of stages.
func rungOf(stage int, c class.Class) rung {
	if stage < 1 || stage > MostStage || c == class.Read {
		return free
	}
	table := map[class.Class][MostStage]rung{
		class.Draft:        {refuses, free, free, free, free},
		class.Reversible:   {refuses, drafts, asks, asksOrGate, free},
		class.Irreversible: {refuses, drafts, asks, asks, asksOrGate},
		class.Admin:        {refuses, refuses, refuses, refuses, asks},
	}
	row, ok := table[c]
	if !ok {
		return refuses
	}
	return row[stage-1]
}
