package googlecalendar

import "parity/fakes"

// Introduction shows an access token of the form that Google's have, which nobody was given.
func (f *Fake) Introduction() string { return "Bearer ya29.fidelity" }

var _ fakes.Introducer = (*Fake)(nil)
