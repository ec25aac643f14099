// Package class says what sort of act an operation is, on one ladder: who may a
// rung may those below it.
//
//	read ─▶ draft ─▶ reversible ─▶ irreversible ─▶ admin
//
//	x-parity-class, else effect and words ──Of─────▶ Reason
//	override, GraphQL, batch in a request ──Carry──▶ Carried
//
// README.md beside this file tells what is inferred by what, and where it errs.
package class

import "slices"

// A Class is what sort of act an operation is.
type Class string

// The classes, lowest first.
const (
	Read         Class = "read"         // changes nothing
	Draft        Class = "draft"        // prepares or tries what somebody else may make real
	Reversible   Class = "reversible"   // changes what can be changed back
	Irreversible Class = "irreversible" // leaves the house, or cannot be taken back
	Admin        Class = "admin"        // decides who may do what, or where data goes
)

// All gives the ladder, lowest first.
func All() []Class { return []Class{Read, Draft, Reversible, Irreversible, Admin} }

// Rank is how high a class stands: 1 for read, 5 for admin, and 0 for what is
// none.
func (c Class) Rank() int { return slices.Index(All(), c) + 1 }

// Within tells whether who may go as high as most may do this. What is no class
// is within none, and none is within what is no class.
func (c Class) Within(most Class) bool { return c.Rank() > 0 && c.Rank() <= most.Rank() }

// Highest gives the higher of two classes; one that is none is below all.
func Highest(a, b Class) Class {
	if b.Rank() > a.Rank() {
		return b
	}
	return a
}
