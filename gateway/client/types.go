package client

import "time"

// The states of a run.
const (
	Live  = "live"  // it takes calls
	Ended = "ended" // its record is kept, and nothing more happens in it
)

// Run is one run, as the control plane tells of it.
type Run struct {
	ID       string    `json:"id"`
	Token    string    `json:"token,omitempty"` // proves that a client belongs to it; only while it goes on
	State    string    `json:"state"`
	Profile  string    `json:"profile"`  // as it was named
	Revision string    `json:"revision"` // in force
	Seed     string    `json:"seed"`     // a string: JavaScript rounds large numbers
	Events   uint64    `json:"events"`   // so far
	Made     time.Time `json:"made"`     // real time
	Ends     time.Time `json:"ends,omitzero"`
	Idle     string    `json:"idle,omitempty"` // without a call it ends after so long, as "20m0s"
	Base     *Base     `json:"base,omitempty"` // what it is forked from
	Clock    *Clock    `json:"clock,omitempty"`
	URLs     *URLs     `json:"urls,omitempty"`
	Stamp    Stamp     `json:"stamp,omitzero"`
	Trouble  string    `json:"trouble,omitempty"` // why it cannot go on, why the last save of its profile is not in force, or that its record is nearly full
}

// Base is where a fork began.
type Base struct {
	Run   string `json:"run"`
	Event uint64 `json:"event"`
}

// URLs are how clients reach a run.
type URLs struct {
	Proxy string `json:"proxy"`          // for HTTP_PROXY and HTTPS_PROXY
	Base  string `json:"base"`           // with /SERVICE behind it, a service's base URL
	Port  string `json:"port,omitempty"` // the address of a data port of its own
}

// Stamp says under which conditions a run is made, by content.
type Stamp struct {
	Profile   string `json:"profile"`
	Contracts string `json:"contracts"`
	Fixtures  string `json:"fixtures,omitempty"`
	Parity    string `json:"parity"`
	Policy    string `json:"policy,omitempty"` // "": its profile has none
}

// Runs is a list of runs.
type Runs struct {
	Runs []Run `json:"runs"`
}

// NewRun is what a run is to be. What is left out is the gateway's to choose.
type NewRun struct {
	Names   []string  `json:"names,omitempty"` // several make several; none makes one
	Profile string    `json:"profile,omitempty"`
	Seed    string    `json:"seed,omitempty"`
	Stage   int       `json:"stage,omitempty"` // how far its agent may go, 1 to 5
	Agent   string    `json:"agent,omitempty"` // NAME@VERSION, for whose evidence its stage may ask
	TTL     string    `json:"ttl,omitempty"`   // it ends after so long, as "1h"
	Idle    string    `json:"idle,omitempty"`  // it ends after so long without a call
	Clock   *NewClock `json:"clock,omitempty"`
	Port    bool      `json:"port,omitempty"`   // a data port of its own
	Locked  bool      `json:"locked,omitempty"` // it keeps the revision of its profile that it begins with
}

// NewClock is what a run's clock is to be.
type NewClock struct {
	Mode   string  `json:"mode,omitempty"`  // live or stepped
	Start  string  `json:"start,omitempty"` // RFC 3339
	Step   string  `json:"step,omitempty"`
	Speed  float64 `json:"speed,omitempty"`
	Frozen bool    `json:"frozen,omitempty"`
}

// Fork is what a run that goes on from another is to be.
type Fork struct {
	At      uint64   `json:"at,omitempty"` // the event after which it goes on; 0: the newest
	Names   []string `json:"names,omitempty"`
	Profile string   `json:"profile,omitempty"` // to go on under another
	TTL     string   `json:"ttl,omitempty"`
	Idle    string   `json:"idle,omitempty"`
	Port    bool     `json:"port,omitempty"`
}

// Snapshot is a state of a run that was given a name.
type Snapshot struct {
	Name  string `json:"name"`
	Event uint64 `json:"event"`
}

// Snapshots is a list of them.
type Snapshots struct {
	Snapshots []Snapshot `json:"snapshots"`
}

// Clock is a run's clock.
type Clock struct {
	Mode   string    `json:"mode"` // live or stepped
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
	Speed  float64   `json:"speed,omitempty"` // seconds of the run for each real one, live
	Step   string    `json:"step,omitempty"`  // with each exchange, stepped
}

// Move is one change of a run's clock: exactly one of its fields.
type Move struct {
	Freeze  bool    `json:"freeze,omitempty"`
	Advance string  `json:"advance,omitempty"` // a duration
	Set     string  `json:"set,omitempty"`     // RFC 3339
	Speed   float64 `json:"speed,omitempty"`
	Step    string  `json:"step,omitempty"` // a duration
}

// Hash digests a run's state after an event.
type Hash struct {
	Event   uint64 `json:"event"`
	World   string `json:"world"`
	Tallies string `json:"tallies"`
}

// Diff is what the worlds of two runs do not have in common.
type Diff struct {
	Equal   bool         `json:"equal"`
	Changes []DiffRecord `json:"changes"`
}

// DiffRecord is one record that two worlds do not have in common.
type DiffRecord struct {
	Collection string      `json:"collection"`
	ID         string      `json:"id"`
	In         string      `json:"in"` // the run that alone has it, or "both"
	Fields     []DiffField `json:"fields,omitempty"`
}

// DiffField is one field that two records do not have in common.
type DiffField struct {
	Pointer string `json:"pointer"`       // JSON pointer (RFC 6901) into both
	Was     any    `json:"was,omitempty"` // nil: not there, or null
	Is      any    `json:"is,omitempty"`  // nil: not there, or null
}

// Outcome is what the agent, or who runs it, says that came of its work.
type Outcome struct {
	Status string      `json:"status"` // complete (or success), partial, unknown, escalated, stopped or failure
	Claims []Statement `json:"claims,omitempty"`
	Note   string      `json:"note,omitempty"`
}

// Statement is one thing that is claimed.
type Statement struct {
	Text    string `json:"text"`
	Subject string `json:"subject,omitempty"` // the record that it is about
}

// End is how an agent's process ended, kept with its run.
type End struct {
	Command []string `json:"command,omitempty"`
	Flags   []string `json:"flags,omitempty"` // of a command that would do the same again
	Exit    int      `json:"exit"`
	Decides string   `json:"decides,omitempty"` // agent (the default) or verdict: whose exit code is the rehearsal's
	Took    string   `json:"took,omitempty"`
}

// Gateway is what the control plane tells of the gateway itself.
type Gateway struct {
	Version  string   `json:"version"`
	Data     string   `json:"data"`    // address of the data port
	Control  string   `json:"control"` // and of this one
	CA       string   `json:"ca"`      // the certificate that clients are to trust, as PEM
	FirstRun string   `json:"first_run,omitempty"`
	Profiles []string `json:"profiles"`          // in use
	InForce  []State  `json:"in_force"`          // of each of those
	Trouble  string   `json:"trouble,omitempty"` // why the last save of the gateway's own profile is not in force
}

// NewArmed is a rule that is to be in force in one run, its parts as in a
// profile.
type NewArmed struct {
	Name     string         `json:"name,omitempty"` // by default one that is drawn
	Call     []string       `json:"call"`
	Inject   string         `json:"inject"`
	With     map[string]any `json:"with,omitempty"`
	When     string         `json:"when,omitempty"`
	Trigger  map[string]any `json:"trigger,omitempty"`
	Because  string         `json:"because,omitempty"`
	Required bool           `json:"required,omitempty"` // without it having fired the run proves nothing
	TTL      string         `json:"ttl,omitempty"`      // on the run's clock, as "10m"
}

// Armed is a rule that is in force in one run, before those of its profile.
type Armed struct {
	Name     string    `json:"name"`
	Event    uint64    `json:"event"` // that armed it
	Inject   string    `json:"inject"`
	Call     []string  `json:"call"`
	Text     string    `json:"text"` // as a profile would have it under its name
	Until    time.Time `json:"until,omitzero"`
	Warnings []string  `json:"warnings,omitempty"` // told when it is armed
}

// ArmedRules is a list of them.
type ArmedRules struct {
	Armed []Armed `json:"armed"`
}

// Disarmed are the names of rules that were disarmed, by run.
type Disarmed struct {
	Runs map[string][]string `json:"runs"`
}

// State is what is in force of a profile.
type State struct {
	Profile    string    `json:"profile"` // as it was named
	Name       string    `json:"name"`
	Revision   string    `json:"revision"`
	Since      time.Time `json:"since"`
	RolledBack bool      `json:"rolled_back,omitempty"` // it is an earlier revision, until the file is saved again
	Said       string    `json:"said,omitempty"`        // of the last save that came into force
	Foresight  Foresight `json:"foresight"`             // of the same
	Trouble    string    `json:"trouble,omitempty"`     // why the last save is not in force
}

// Foresight is which of the newest exchanges the rules of a revision would have
// met when it came into force, by call and condition.
type Foresight struct {
	Of     int            `json:"of"`              // so many exchanges
	Met    []Met          `json:"met,omitempty"`   // in order
	ByCall int            `json:"by_call"`         // of those: the record does not say whether a condition held
	Rules  map[string]int `json:"rules,omitempty"` // how many each rule would have met
}

// Met is an exchange, and the rules that would have met it.
type Met struct {
	Run   string   `json:"run"`
	Event uint64   `json:"event"`
	Rules []string `json:"rules"`
}

// Record is a revision of a profile that came into force, or a save that did not.
type Record struct {
	At       time.Time `json:"at"`
	File     string    `json:"file"`
	Name     string    `json:"name,omitempty"`
	How      string    `json:"how"` // opened, saved, rolled back or refused
	Revision string    `json:"revision,omitempty"`
	Problems []string  `json:"problems,omitempty"`
	Said     string    `json:"said,omitempty"`
}

// Records is a list of them, oldest first.
type Records struct {
	Records []Record `json:"records"`
}
