package trail

import "time"

// Authority is what policy came to in a run: what it did not let through, what
// somebody was asked about, what was kept as a draft, and what passed a gate
// without anybody being asked.
type Authority struct {
	Stage   int        `json:"stage,omitempty"` // how far the agent could go, 1 to 5; 0: there is none
	Blocked []Blocked  `json:"blocked"`
	Asked   []Asked    `json:"asked"`
	Drafts  []Draft    `json:"drafts"`
	Skipped []Skipped  `json:"skipped"`
	Classes []ClassUse `json:"classes"`
}

// Blocked is an operation that policy refused for one reason.
type Blocked struct {
	Call   string   `json:"call"`         // service and operation, or the path of what is none
	Code   string   `json:"code"`         // why, such as not-granted
	By     string   `json:"by,omitempty"` // the gate, or what else decided
	Calls  int      `json:"calls"`
	Events []uint64 `json:"events"` // the first few of them
}

// Asked is one approval that was asked for.
type Asked struct {
	ID       string        `json:"id"`
	Gate     string        `json:"gate,omitempty"`
	Call     string        `json:"call,omitempty"`     // service and operation
	Identity string        `json:"identity,omitempty"` // that asked
	Said     string        `json:"said"`               // what came of asking: approved, rejected, changed, lapsed or pending
	State    string        `json:"state"`              // how it stood in the end, such as used or expired
	By       *Speaker      `json:"by,omitempty"`       // who said so; nil: nobody did
	Note     string        `json:"note,omitempty"`
	Wait     time.Duration `json:"wait,omitempty"` // on the run's clock, in nanoseconds, until somebody said so
	Events   []uint64      `json:"events"`         // that asked for it and changed it, the first few
}

// Draft is a write that was kept, and not done.
type Draft struct {
	ID       string   `json:"id"`
	Event    uint64   `json:"event"`
	Call     string   `json:"call,omitempty"` // service and operation
	Identity string   `json:"identity,omitempty"`
	Diff     []string `json:"diff,omitempty"` // what it would have done, a record each, in words
}

// Skipped are the calls that one thing let pass a gate.
type Skipped struct {
	How    string   `json:"how"`          // override or standing-approval
	By     string   `json:"by,omitempty"` // whose override it is, and why; or on what evidence
	Calls  int      `json:"calls"`
	Events []uint64 `json:"events"` // the first few of them
}

// ClassUse counts the calls to a service of one class.
type ClassUse struct {
	Service string `json:"service"`
	Class   string `json:"class"`
	Calls   int    `json:"calls"`
	Stopped int    `json:"stopped,omitempty"` // of these: refused or held
}
