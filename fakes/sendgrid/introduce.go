package sendgrid

import "parity/fakes"

// Introduction shows a key of the form that SendGrid's have, which nobody was given.
func (f *Fake) Introduction() string { return "Bearer SG.none.fidelity" }

var _ fakes.Introducer = (*Fake)(nil)
