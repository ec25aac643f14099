package report

import (
	"parity/fakes/world"
	"parity/faults/trail"
)

// Side is one of two runs that are compared.
type Side struct {
	Run, Profile string
	Stamp        trail.Stamp
	Seed         uint64
	Events       []trail.Event
	World        *world.World // as it is after the last event
}

// Parting says where the trajectories of two runs, A and B, part:
//
//	A  list  create  charge ~~ lost ~~  charge
//	B  list  create  charge                     refund
//	   same  same    other answer       only A  only B
//
// What services made up, such as ids, differs between runs of different seeds,
// and stands for each other where it came about in the same place.
type Parting struct {
	A          PartedRun     `json:"a"`
	B          PartedRun     `json:"b"`
	Equal      bool          `json:"equal"`
	Conditions []Condition   `json:"conditions"`      // that differ: what follows may come of them
	First      *Step         `json:"first,omitempty"` // where they part; nil: nowhere
	Steps      []Step        `json:"steps"`           // side by side, in order
	World      []WorldChange `json:"world"`           // what differs at the end, by collection
}

// PartedRun is one of the two.
type PartedRun struct {
	Run     string `json:"run"`
	Profile string `json:"profile,omitempty"`
	Seed    uint64 `json:"seed"`
	Calls   int    `json:"calls"`
}

// Condition is one thing under which the runs were made, and that they do not
// have in common.
type Condition struct {
	What string `json:"what"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// Way is how a step of one run stands to that of the other.
type Way string

// The ways.
const (
	Same           Way = "same"
	OtherAnswer    Way = "other answer"    // the same was asked
	OtherArguments Way = "other arguments" // the same operation
	OnlyA          Way = "only in A"
	OnlyB          Way = "only in B"
	Moved          Way = "at another place" // the other run makes that call earlier or later
)

// Step is a call of either run or of both.
type Step struct {
	How       Way      `json:"how"`
	A         *Called  `json:"a,omitempty"`
	B         *Called  `json:"b,omitempty"`
	Arguments []Parted `json:"arguments,omitempty"`
	Answer    []Parted `json:"answer,omitempty"`
	At        uint64   `json:"at,omitempty"` // of one at another place: the event of it in the other run
}

// Called is a call and what its client got.
type Called struct {
	Call   int      `json:"call"` // which of the run's calls, from 1
	Event  uint64   `json:"event"`
	What   string   `json:"what"`
	Answer string   `json:"answer"`
	Faults []string `json:"faults,omitempty"` // the rules that fired
}

// Parted is one field that differs.
type Parted struct {
	Field string `json:"field"` // a JSON pointer, below /body, /query and such
	A     any    `json:"a"`     // null: not there
	B     any    `json:"b"`
}

// WorldChange is what two worlds do not have in common in one collection.
type WorldChange struct {
	Collection string         `json:"collection"`
	Differ     []PartedRecord `json:"differ"`
	OnlyA      []string       `json:"only_a"` // ids
	OnlyB      []string       `json:"only_b"`
}

// PartedRecord is one record that both worlds have, each in its way.
type PartedRecord struct {
	A      string   `json:"a"` // its id there
	B      string   `json:"b"`
	Fields []Parted `json:"fields"`
}

// Part compares two runs.
func Part(a, b Side) Parting {
	p := Parting{Conditions: conditions(a, b), Steps: []Step{}, World: []WorldChange{}}
	m := newMeanings(a.Events, b.Events)
	left, right := m.calls(0, a.Events), m.calls(1, b.Events)
	p.A = PartedRun{a.Run, a.Profile, a.Seed, len(left)}
	p.B = PartedRun{b.Run, b.Profile, b.Seed, len(right)}
	t := trajectory{meanings: m, a: left, b: right}
	t.align(stretch{0, len(left), 0, len(right)})
	t.moved()
	p.Steps = append(p.Steps, t.steps...)
	for i := range p.Steps {
		if p.Steps[i].How != Same {
			p.First = &p.Steps[i]
			break
		}
	}
	p.World = append(p.World, m.worlds(a.World, b.World)...)
	p.Equal = p.First == nil && len(p.World) == 0
	return p
}
