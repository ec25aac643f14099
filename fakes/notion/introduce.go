package notion

import "parity/fakes"

// Introduction shows an integration's token of the form that Notion's have, which nobody was given.
func (f *Fake) Introduction() string { return "Bearer ntn_fidelity" }

var _ fakes.Introducer = (*Fake)(nil)
