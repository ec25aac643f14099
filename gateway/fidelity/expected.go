package fidelity

import (
	"parity/faults/trail"
	"parity/specs/anatomy"
)

// Expected tells how faithfully a service answers an operation: those that ship
// have a model of theirs; one that was made of a contract keeps resources, and
// has an example for what works on none.
func Expected(ships bool, role *anatomy.Role) trail.Fidelity {
	switch {
	case ships:
		return trail.Modelled
	case role == nil || role.Resource == nil:
		return trail.Example
	}
	return trail.Generic
}
