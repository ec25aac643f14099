package stripe

import "parity/fakes"

// Introduction shows a test key of the form that Stripe's have, which nobody was given.
func (f *Fake) Introduction() string { return "Bearer sk_test_fidelity" }

var _ fakes.Introducer = (*Fake)(nil)
