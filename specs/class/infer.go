package class

import (
	"net/http"
	"slices"

	"parity/specs"
)

// How a class came about.
const (
	Declared = "declared" // x-parity-class of the contract
	Inferred = "inferred" // from effect and words
)

// A Reason is a class, and who says so.
type Reason struct {
	Class Class
	How   string // Declared or Inferred; whoever corrects it says another word
	By    string // what it was inferred by: words of the path, or byEffect; "" where it is declared
}

// byEffect is what a class was inferred by where no word spoke.
const byEffect = "effect"

// Of gives the class of an operation: the one that its contract declares, else
// one inferred from its effect and the words of its path. The effect is given
// apart, since a profile may correct the contract's. Where words leave it open
// the higher class is meant.
func Of(op *specs.Operation, effect specs.Effect) Reason {
	if declared := Class(op.Class); declared.Rank() > 0 {
		return Reason{declared, Declared, ""}
	}
	if effect == specs.Read {
		return Reason{Read, Inferred, byEffect}
	}
	path := read(op.Bare())
	if path.graph() && effect == specs.Reversible {
		return Reason{Read, Inferred, "graphql"} // and its document says more: see Carry
	}
	if word := path.signsIn(); word != "" && op.Method == http.MethodPost {
		return Reason{Read, Inferred, word}
	}
	if word := path.governs(); word != "" {
		return Reason{Admin, Inferred, word}
	}
	if word := ranks(op, path); word != "" {
		return Reason{Admin, Inferred, word}
	}
	if effect != specs.Reversible {
		return Reason{Irreversible, Inferred, byEffect}
	}
	if word := path.drafts(); word != "" {
		return Reason{Draft, Inferred, word}
	}
	if word := path.ends(); word != "" && op.Method == http.MethodPost && !op.Says("x-parity-effect") && effect == op.Effect {
		return Reason{Irreversible, Inferred, word}
	}
	return Reason{Reversible, Inferred, byEffect}
}

// ranks gives the field by which a call on a user says what that user may do.
func ranks(op *specs.Operation, path path) string {
	if !slices.ContainsFunc(path.resource(), func(s segment) bool {
		return slices.Contains([]string{"user", "agent", "staff", "person", "people"}, s.last())
	}) {
		return ""
	}
	for _, field := range ranking() {
		if op.TakesField(field) {
			return "user " + field
		}
	}
	return ""
}
