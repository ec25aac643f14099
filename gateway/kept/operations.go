package kept

import (
	"parity/faults/trail"
	"parity/gateway/fidelity"
	"parity/profiles"
	"parity/specs"
)

// expectedFidelity tells, for the services of a profile, how each operation is
// answered; "": there is no such operation.
func expectedFidelity(p *profiles.Profile) func(service, operation string) trail.Fidelity {
	return func(service, operation string) trail.Fidelity {
		op, ships := operationOf(p, service, operation)
		if op == nil {
			return ""
		}
		if ships {
			return trail.Modelled
		}
		s, _ := p.Catalogue.Service(service)
		return fidelity.Expected(false, s.Contract.Model().Roles[op.Source()])
	}
}

// operationOf finds an operation by the name that events have it under, and
// tells whether its service ships; nil: there is none.
func operationOf(p *profiles.Profile, service, operation string) (op *specs.Operation, ships bool) {
	s, ok := p.Catalogue.Service(service)
	if !ok || s.Contract == nil {
		return nil, false
	}
	op, _ = s.Contract.Operation(operation)
	_, own := p.Sources[service]
	return op, !own
}

// meant tells the operations of which a profile says what tells intents apart.
func meant(p *profiles.Profile) func(service, operation string) bool {
	return func(service, operation string) bool {
		op, _ := operationOf(p, service, operation)
		return op != nil && p.Meaning(op) != nil
	}
}
