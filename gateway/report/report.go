// Package report tells people and programs what a run proved.
//
//	Report ───────────┬─▶ Terminal, Markdown: what failed, how to mend it, what is proved, what is not
//	 (Judgement)      ├─▶ JSON, JUnit, SARIF: the same, for programs
//	                  ├─▶ Surfaces:           what the agent did of all that it could do
//	                  └─▶ ExitCode:           the same, for a shell
//	Report, events ─────▶ HTML, OTLP:         the same, with each thing that happened
//	events ─────────────▶ Trace, HAR:         each thing that happened
//	Reports of many ────▶ Numbers, Sweep:     how often an agent passed; what it did about each fault
//	two runs ───────────▶ Parting:            where they part
//
// A report never says a flat "passed". It names what was proved, in which
// scope, and what was not; and how to do it again. Values that look like
// secrets are masked in everything that is written here, and control
// characters are left out, so that no traffic can paint on a terminal.
package report

import (
	"time"

	"parity/faults/trail"
)

// Report is everything that there is to say about one run.
type Report struct {
	Missing   []string   `json:"missing,omitempty"` // what is missing of its record, or may be; nothing is proved then
	Parity    string     `json:"parity,omitempty"`  // the version that judged
	Run       string     `json:"run"`
	Profile   string     `json:"profile,omitempty"` // as the command line named it; "": none was named
	Seed      uint64     `json:"seed"`
	Revisions []Revision `json:"revisions"`
	Armed     []Armed    `json:"armed,omitempty"` // rules that were in force besides those of the profile
	Began     time.Time  `json:"began,omitzero"`  // by the clock on the wall
	Ended     bool       `json:"ended"`
	Command   []string   `json:"command,omitempty"` // the agent's; nil: Parity did not start it
	Flags     []string   `json:"flags,omitempty"`   // further flags of this run, to do it again: --allow, HOST
	Agent     *Agent     `json:"agent,omitempty"`
	Exit      int        `json:"exit"`             // what Parity exits with
	Strict    bool       `json:"strict,omitempty"` // an acceptance that has expired fails the run, and so does what it leaves open
	Twin      *Twin      `json:"twin,omitempty"`   // the same without faults, beside it; nil: there was none
	trail.Judgement

	Shadow      *trail.Comparison `json:"shadow,omitempty"`        // what it wrote beside what people did; nil: it was compared with no log
	World       []Beginning       `json:"world,omitempty"`         // what services began with, where that was Parity's choice, or nothing
	Surface     Surface           `json:"surface"`                 // what it could do beside what it did
	Proposed    []trail.Proposal  `json:"proposed"`                // differences that it noticed, and that its profile does not declare
	Declare     string            `json:"proposed_yaml,omitempty"` // these, as they are pasted into a profile
	Divergences []Divergence      `json:"divergences,omitempty"`   // open cases in which production failed after a rehearsal under the profile had passed
	Hints       []string          `json:"hints,omitempty"`         // what else helps, a sentence each
}

// Beginning is what a service that was called began with, where the profile does
// not say so, or where that is not what the agent asked for.
type Beginning struct {
	Service  string `json:"service"`
	Fixtures string `json:"fixtures,omitempty"` // that ship, and are there since the profile names none
	Nothing  int    `json:"nothing,omitempty"`  // calls that found nothing, where there was nothing
	Ships    bool   `json:"ships,omitempty"`    // it is built in: there are fixtures for it

	Refused int      `json:"refused,omitempty"` // calls that it refused by itself, where that is most of them, or a write that found nothing
	Calls   int      `json:"calls,omitempty"`   // of so many
	Answers []string `json:"answers,omitempty"` // what it refused them with: statuses, or its own words
	Missing bool     `json:"missing,omitempty"` // some of these say that what was asked for is not there
	Kind    string   `json:"kind,omitempty"`    // the collection of that, without the service; "": not known
	Has     []string `json:"has,omitempty"`     // ids, or names, of the first that the world began with of that kind; where calls found nothing, how much it began with of each kind
}

// Divergence is a case in which a rehearsal passed and production failed, and
// which the profile does not show yet.
type Divergence struct {
	Name       string `json:"name"`
	Date       string `json:"date"` // the day on which production failed
	Run        string `json:"run"`  // the rehearsal that passed
	Production string `json:"production"`
	Missing    string `json:"missing,omitempty"` // what the profile lacks
}

// Agent is the program that Parity started, and how it ended.
type Agent struct {
	Started bool          `json:"started"`
	Exit    int           `json:"exit"`
	Took    time.Duration `json:"took"`            // in nanoseconds
	Limit   string        `json:"limit,omitempty"` // of its containment that ended it, in words
	// Strays are processes of it that were started without the settings that have
	// calls captured.
	Strays []Stray `json:"strays,omitempty"`
}

// Stray is such a process.
type Stray struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// Revision is a profile revision, and the first event made under it.
type Revision struct {
	Hash string `json:"hash"`
	From uint64 `json:"from"`
}

// NoTraffic tells that nothing the agent did reached a service.
func (r *Report) NoTraffic() bool { return r.Exchanges == 0 }
