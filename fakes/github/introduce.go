package github

import "parity/fakes"

// Introduction shows a token of the form that GitHub's have, which nobody was given.
func (f *Fake) Introduction() string { return "token ghp_fidelity" }

var _ fakes.Introducer = (*Fake)(nil)
